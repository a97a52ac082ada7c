"""Time functions side by side, so that their numbers can be compared."""

import gc
import statistics
import time

MIME = "application/vnd.polytab.measurement+json"

SAMPLES = 20  # of each case
LEAST = 10  # samples, once the time is up
TIME = 0.2  # seconds for the samples of one case
SAMPLE = 0.005  # seconds that one sample takes, unless one call takes longer
WARM_UP = 0.02  # seconds


def compare(name, cases=None, /, *, wait=None, memory=None, **named):
    """Time functions that take no arguments, and return a `Comparison`.

    compare("sum", eager=lambda: f(x), compiled=lambda: g(x), wait=ready)

    A call is over when `wait(result)` is: frameworks that only queue their
    work need it. `memory(run)` calls `run` and returns its peak in bytes.
    """
    runs = dict(cases or {})
    for key, run in named.items():
        runs[key.replace("_", " ")] = run
    return _comparison(name, None, _timed(runs, wait, memory))


def sweep(
    name,
    over,
    values,
    cases,
    /,
    *,
    wait=None,
    memory=None,
    operations=None,
    traffic=None,
):
    """Time functions at each of some values: a curve.

    sweep("forward", "batch size", [1, 32, 1024],
          lambda size: {"eager": lambda: f(x[:size])})

    `cases(value)` returns the functions. `operations(value)` returns how many
    arithmetic operations a call takes, `traffic(value)` how many bytes it must
    move between memory and processor.
    """
    points = []
    for value in values:
        for case in _timed(dict(cases(value)), wait, memory):
            case["at"] = value
            case["operations"] = operations(value) if operations else None
            case["traffic"] = traffic(value) if traffic else None
            points.append(case)
    return _comparison(name, over, points)


def taken(name, /, *, calls=1, first_call=None, **times):
    """Show times that a script took by itself, each the mean of so many calls.

    taken("queue", first_call=0.3, finished=[...], returned=[...])
    """
    cases = []
    for key, each in times.items():
        first = each[0] if first_call is None else first_call
        cases.append(
            _case(key.replace("_", " "), calls * len(each), first, each)
        )
    return _comparison(name, None, cases)


def _timed(runs, wait, memory):
    if wait is not None:
        runs = {key: _waiting(run, wait) for key, run in runs.items()}

    # The first call may compile, so it counts for itself.
    first = {key: _seconds(run, 1) for key, run in runs.items()}
    calls = {key: _calibrate(run) for key, run in runs.items()}
    samples = _samples(runs, calls)
    cases = []
    for key, run in runs.items():
        case = _case(
            key, calls[key] * len(samples[key]), first[key], samples[key]
        )
        case["memory"] = memory(run) if memory else None
        cases.append(case)
    return cases


def _case(name, calls, first, samples):
    return {
        "name": name,
        "calls": calls,
        "first_calls": [_rounded(first)],
        "samples": [[_rounded(each) for each in samples]],
        **dict.fromkeys(["memory", "at", "operations", "traffic"]),
    }


def _comparison(name, over, cases):
    return Comparison(
        {"schema": 2, "name": name, "over": over, "cases": cases}
    )


def _waiting(run, wait):
    return lambda: wait(run())


def _seconds(run, calls):
    """Return the seconds of one call, on average over a row of calls."""
    start = time.perf_counter()
    for _ in range(calls):
        run()
    return (time.perf_counter() - start) / calls


def _calibrate(run):
    """Warm a case up, and return how many calls make one sample."""
    calls, fastest = 1, min(_seconds(run, 1) for _ in range(3))
    while calls * fastest < WARM_UP:
        calls *= 2
        fastest = min(fastest, _seconds(run, calls))
    return max(1, round(SAMPLE / fastest))


def _samples(runs, calls):
    """Sample the cases in turn, so that a slow moment hits all of them."""
    samples = {key: [] for key in runs}
    order = list(runs)
    enabled = gc.isenabled()
    gc.collect()
    gc.freeze()  # What is there now need not be looked through again.
    gc.disable()
    try:
        end = time.perf_counter() + TIME * len(runs)
        for number in range(SAMPLES):
            if number >= LEAST and time.perf_counter() > end:
                break
            for key in order:
                gc.collect()  # Between the samples, never in one.
                samples[key].append(_seconds(runs[key], calls[key]))
            order.append(order.pop(0))  # No case is always the first.
    finally:
        gc.unfreeze()
        if enabled:
            gc.enable()
    return samples


def _rounded(seconds):
    return float(f"{seconds:.4g}")


class Comparison:
    """The times of some cases: a table for people, JSON for programs."""

    def __init__(self, data):
        self.data = data

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {MIME: self.data, "text/plain": repr(self)}

    def __repr__(self):
        cases = self.data["cases"]
        head = ["median", "quartiles", "", "first call", "calls", "samples"]
        rows = [[self.data["name"], *head, ""], *map(_row, cases)]
        lines = _aligned(rows)
        firsts = {}
        for new in cases:
            old = firsts.setdefault(new["at"], new)
            if old is not new:
                ratio = _quartiles(old)[1] / _quartiles(new)[1]
                lines.append(f"{_said(old)} / {_said(new)} = {ratio:.2f}")
        return "\n".join(lines)


def _said(case):
    return (
        case["name"]
        if case["at"] is None
        else f"{case['name']} at {case['at']}"
    )


def _quartiles(case):
    times = [each for process in case["samples"] for each in process]
    return statistics.quantiles(times, method="inclusive")


def _row(case):
    low, median, high = _quartiles(case)
    times = [median, low, high, statistics.median(case["first_calls"])]
    counts = [case["calls"], sum(map(len, case["samples"]))]
    memory = case["memory"]
    peak = "" if memory is None else f"peak {memory / 2**20:.1f} MiB"
    return [_said(case), *map(_readable, times), *map(str, counts), peak]


def _readable(seconds):
    for unit, factor in (("s", 1), ("ms", 1e3), ("µs", 1e6), ("ns", 1e9)):
        number = seconds * factor
        if number >= 1 or unit == "ns":
            return f"{number:.{2 - (number >= 10) - (number >= 100)}f} {unit}"


def _aligned(rows):
    first, *rest = [max(map(len, column)) for column in zip(*rows)]
    lines = []
    for name, *cells in rows:
        cells = [cell.rjust(width) for cell, width in zip(cells, rest)]
        lines.append("  ".join([name.ljust(first), *cells]).rstrip())
    return lines
