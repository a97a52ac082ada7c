# /// polytab
# data = ["planets.csv"]
# ///

# %% read
import pandas as pd

planets = pd.read_csv("planets.csv")
planets

# %% ratio
planets["ratio"] = planets["period"] ** 2 / planets["distance"] ** 3
planets[["name", "ratio"]].round(3)

# %% absent raises="KeyError"
planets["moons"]

# %% draw
axes = planets.plot(
    "distance", "period", ylabel="period", marker="o",
    loglog=True, legend=False, figsize=(6, 3),
)
