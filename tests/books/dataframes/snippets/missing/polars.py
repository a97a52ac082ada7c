# %% gap
import polars as pl

heights = pl.Series([1.5, None, 2.5])
print(heights)

# %% mean
print(heights.mean())

# %% larger
print(heights > 2)

# %% whole
print(pl.Series([1, None, 3]))
