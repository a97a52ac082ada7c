# %% plain
print("plain")
