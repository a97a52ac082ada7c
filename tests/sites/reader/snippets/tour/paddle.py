# %% add
x = range(20)
print("paddle", sum(x))
