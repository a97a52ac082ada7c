# %% add
print("mxnet", sum(range(20)))

# %% twice
print("mxnet", 2 * sum(range(20)))
