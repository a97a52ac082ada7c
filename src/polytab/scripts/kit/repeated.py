"""Times that a snippet takes by itself, again and again."""

from measure import Comparison


def comparison(name, timed, times=21):
    """Call `timed` again and again, and return a table of its times.

    `timed()` returns the seconds of each case: {"finished": 0.3, ...}. What
    the first call took stands apart.
    """
    first, *others = [timed() for _ in range(times)]
    return Comparison({"schema": 2, "name": name, "over": None, "cases": [
        {"name": case, "calls": len(others), "first_calls": [first[case]],
         "samples": [[each[case] for each in others]],
         **dict.fromkeys(["memory", "at", "operations", "traffic"])}
        for case in first]})
