# /// polytab
# data = ["planets.csv"]
# ///

# %% read
import numpy as np

planets = np.genfromtxt(
    "planets.csv", delimiter=",", names=True, dtype=None, encoding="utf-8"
)
print(planets.dtype)
print(planets)

# %% ratio
ratio = planets["period"] ** 2 / planets["distance"] ** 3
print(ratio.round(3))

# %% absent raises="ValueError"
planets["moons"]

# %% draw
import matplotlib.pyplot as plt
from matplotlib_inline.backend_inline import set_matplotlib_formats

plt.rcParams["svg.hashsalt"] = "planets"  # else ids in the drawing are random
set_matplotlib_formats("svg", metadata={"Date": None})
figure, axes = plt.subplots(figsize=(6, 3))
axes.loglog(planets["distance"], planets["period"], "o-")
axes.set_xlabel("distance")
axes.set_ylabel("period")
plt.show()
