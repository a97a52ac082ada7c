# %% gap
import pandas as pd

heights = pd.Series([1.5, None, 2.5])
print(heights)

# %% mean
print(heights.mean(skipna=False), heights.mean())

# %% larger
print(heights > 2)

# %% whole
print(pd.Series([1, None, 3]))
print(pd.Series([1, None, 3], dtype="Int64"))
