# /// polytab
# data = ["planets.csv"]
# ///

# %% read
import polars as pl

planets = pl.read_csv("planets.csv")
planets

# %% ratio
ratio = pl.col("period") ** 2 / pl.col("distance") ** 3
planets.select("name", ratio=ratio.round(3))

# %% absent raises="ColumnNotFoundError"
planets["moons"]

# %% draw
import matplotlib.pyplot as plt

figure, axes = plt.subplots(figsize=(6, 3))
axes.loglog(planets["distance"], planets["period"], "o-")
axes.set_xlabel("distance")
axes.set_ylabel("period")
plt.show()
