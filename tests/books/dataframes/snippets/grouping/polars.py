# /// polytab
# measures = true
# ///

# %% rows
import random

import polars as pl

random.seed(0)
groups = [random.randrange(10) for _ in range(100_000)]
values = [random.random() for _ in groups]
table = pl.DataFrame({"group": groups, "value": values})


# %% mean
def mean_of_groups(table):
    return table.group_by("group").agg(pl.mean("value"))


print(mean_of_groups(table).sort("group")["value"].round(3).to_list())


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
    some, first, second = table[:rows], groups[:rows], values[:rows]
    return {
        "library": lambda: mean_of_groups(some),
        "loop": lambda: loop(first, second),
    }


sweep("mean", "rows", [100, 1_000, 10_000, 100_000], cases)
