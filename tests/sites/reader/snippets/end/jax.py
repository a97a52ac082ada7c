# %% last
print("jax", "the end")
