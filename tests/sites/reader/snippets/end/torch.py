# %% last
print("torch", "the end")
