"""Time functions side by side, so that their numbers can be compared."""

import gc
import time

from first_calls import seconds_of_first_call
from guards import Watch, does_not_grow, does_nothing, works_on
from measured import comparison, measured_case
from thread_counts import differing, thread_counts

SAMPLES = 20  # of each case
LEAST = 10  # samples, once the time is up
TIME = 0.2  # seconds for the samples of one case
SAMPLE = 0.005  # seconds that one sample takes, unless one call takes longer
WARM_UP = 0.02  # seconds


def compare(
    name, cases=None, /, *,
    wait=None, memory=None, first=False, threads=None, **named,
):
    """Time functions that take no arguments, and return a `Comparison`.

    compare("sum", eager=lambda: f(x), compiled=lambda: g(x), wait=ready)

    A call is over when `wait(result)` is: frameworks that only queue their
    work need it. `memory(run)` calls `run` and returns its peak in bytes.
    `threads` says why some cases may use more threads than others.

    With `first=True`, the first call of each case is timed as well, in a
    fresh process with empty caches. `cases` is then a function that makes the
    cases from nothing: see `seconds_of_first_call`. `first=["compiled"]` does
    so for some of them.
    """
    made = cases() if callable(cases) else dict(cases or {})
    for key, run in named.items():
        made[key.replace("_", " ")] = run
    timed, notes = _timed(made, wait, memory, threads)
    for case in timed:
        _add_first_call(case, first, cases, (), wait)
    return comparison(name, None, timed, notes, threads)


def sweep(
    name, over, values, cases, /, *,
    wait=None, memory=None, operations=None, traffic=None, first=False,
    threads=None,
):
    """Time functions at each of some values: a curve.

    sweep("forward", "batch size", [1, 32, 1024],
          lambda size: {"eager": lambda: f(x[:size])})

    `cases(value)` returns the functions. `operations(value)` returns how many
    arithmetic operations a call takes, `traffic(value)` how many bytes it must
    move between memory and processor. The rest is as in `compare`.
    """
    points, notes = [], []
    for value in values:
        timed, noted = _timed(dict(cases(value)), wait, memory, threads)
        for case in timed:
            case["at"] = value
            case["operations"] = operations(value) if operations else None
            case["traffic"] = traffic(value) if traffic else None
            _add_first_call(case, first, cases, (value,), wait)
        points += timed
        notes += [{**note, "case": f"{note['case']} at {value}"}
                  for note in noted]
    notes += does_not_grow(points)
    return comparison(name, over, points, notes, threads)


def taken(name, /, *, calls=1, **times):
    """Show times that a script took by itself, each the mean of so many calls.

    taken("queue", finished=[...], returned=[...])
    """
    cases = [measured_case(key.replace("_", " "), calls * len(each), each)
             for key, each in times.items()]
    return comparison(name, None, cases)


def _add_first_call(case, first, prepare, arguments, wait):
    """Time the first call of a case in a process of its own, if asked to."""
    if first is True or (first and case["name"] in first):
        seconds = seconds_of_first_call(
            prepare, *arguments, case=case["name"], wait=wait)
        case["first_calls"], case["fresh"] = [seconds], True


def _timed(runs, wait, memory, threads):
    """Return the cases, and notes on what makes their numbers doubtful."""
    if wait is not None:
        runs = {key: _waiting(run, wait) for key, run in runs.items()}

    calls, counts = {}, {}
    for key, run in runs.items():
        calls[key] = _calibrate(run)
        # A process of its own has told how many threads it may use.
        counts[key] = getattr(run, "threads", None) or thread_counts()
    watch = Watch()
    samples = _samples(runs, calls, watch)
    cases = []
    for key, run in runs.items():
        case = measured_case(key, calls[key] * len(samples[key]), samples[key])
        case["memory"] = memory(run) if memory else None
        case["threads"] = counts[key]
        if not hasattr(run, "threads"):
            case["cores"] = watch.cores(key)
        cases.append(case)
    notes = [*watch.fresh_memory(cases), *works_on(runs, cases),
             *does_nothing(runs, cases)]
    return cases, notes + ([] if threads else differing(counts))


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
    run()  # It may compile.
    calls, fastest = 1, min(_seconds(run, 1) for _ in range(3))
    while calls * fastest < WARM_UP:
        calls *= 2
        fastest = min(fastest, _seconds(run, calls))
    return max(1, round(SAMPLE / fastest))


def _samples(runs, calls, watch):
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
                with watch.sample(key, calls[key]):
                    seconds = _seconds(runs[key], calls[key])
                samples[key].append(seconds)
            order.append(order.pop(0))  # No case is always the first.
    finally:
        gc.unfreeze()
        if enabled:
            gc.enable()
    return samples
