# /// polytab
# measures = true
# ///

# %% rows
import random

import numpy as np

random.seed(0)
groups = [random.randrange(10) for _ in range(100_000)]
values = [random.random() for _ in groups]
group_column, value_column = np.array(groups), np.array(values)


# %% mean
def mean_of_groups(group_column, value_column):
    sums = np.bincount(group_column, weights=value_column)
    return sums / np.bincount(group_column)


print(mean_of_groups(group_column, value_column).round(3))


# %% loop
def loop(groups, values):
    sums, counts = {}, {}
    for group, value in zip(groups, values):
        sums[group] = sums.get(group, 0) + value
        counts[group] = counts.get(group, 0) + 1
    return {group: sums[group] / counts[group] for group in sums}


print(round(loop(groups, values)[0], 3))

# %% times
from measure import sweep


def cases(rows):
    some, few = group_column[:rows], value_column[:rows]
    first, second = groups[:rows], values[:rows]
    return {
        "library": lambda: mean_of_groups(some, few),
        "loop": lambda: loop(first, second),
    }


sweep("mean", "rows", [100, 1_000, 10_000, 100_000], cases)
