# %% add
x = range(20)
print("jax", sum(x), "and a line that is longer than any page is wide", "so that its box must scroll", "again")

# %% twice
print("jax", 2 * sum(x))

# %% say raises="ValueError"
raise ValueError("jax says traced")
