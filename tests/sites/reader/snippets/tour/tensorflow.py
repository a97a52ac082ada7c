# %% add
x = list(range(20))
print("tensorflow", sum(x))
