"""What a trace of a training step tells, whichever profiler has written it."""

PRODUCTS = ("mm", "matmul", "dot", "gemm", "attention", "ynn")


def parts(steps, operators, products=PRODUCTS):
    """Return the seconds of each step, divided by what was going on in it.

    `steps` are pairs of a start and an end, `operators` triples of a name, a
    start and an end, all in seconds. A moment in which several operators run,
    on several threads or one inside the other, counts once: as a product if
    one of them is a product. `all rows` adds up the operators' times, as one
    might do with a table.
    """
    times = {"step": [], "products": [], "other operators": [],
             "between operators": [], "all rows": []}
    for start, end in steps:
        inside = [(name, max(start, first), min(end, last))
                  for name, first, last in operators
                  if first < end and last > start]
        covered = _covered(inside)
        multiplying = _covered([
            each for each in inside
            if any(word in each[0].lower() for word in products)])
        times["step"].append(end - start)
        times["products"].append(multiplying)
        times["other operators"].append(covered - multiplying)
        times["between operators"].append(end - start - covered)
        times["all rows"].append(
            sum(last - first for _, first, last in inside))
    return times


def _covered(intervals):
    """Return for how long at least one of the intervals lasts."""
    total, reached = 0.0, float("-inf")
    for first, last in sorted(each[1:] for each in intervals):
        total += max(0.0, last - max(first, reached))
        reached = max(reached, last)
    return total
