# %% gap
import numpy as np

heights = np.array([1.5, np.nan, 2.5])
print(heights)

# %% mean
print(heights.mean(), np.nanmean(heights))

# %% larger
print(heights > 2)

# %% whole
print(np.array([1, np.nan, 3]))
