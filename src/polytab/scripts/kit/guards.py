"""Find what makes the time of a case doubtful, while it is measured."""

import contextlib
import resource
import statistics
import time

FAULT = 0.25e-6  # seconds that a page of fresh memory costs at least
PAUSE = 0.01  # seconds in which a process should have nothing to do
AT_ONCE = 1e-6  # seconds: what takes longer does something
QUICK = 0.1  # seconds: a call that takes longer is not made again and again


class Watch:
    """Counts the page faults and the seconds of the processor in samples."""

    def __init__(self):
        self.faults = {}  # in a call
        self.processor = {}  # seconds of the processor in a call
        self.busy = {}  # cores

    @contextlib.contextmanager
    def sample(self, case, calls):
        """Count what happens in a sample of so many calls."""
        faults, processor, start = _faults(), _processor(), _clock()
        yield
        faults, seconds = _faults() - faults, _clock() - start
        processor = _processor() - processor
        self.faults.setdefault(case, []).append(faults / calls)
        self.processor.setdefault(case, []).append(processor / calls)
        self.busy.setdefault(case, []).append(processor / seconds)

    def cores(self, case):
        """Return how many cores the case has kept busy on average."""
        return round(statistics.mean(self.busy[case]), 2)

    def fresh_memory(self, cases):
        """Note cases that write to memory fresh from the system.

        The pages cost a twentieth of the processor's time or more, and
        another case has at most a quarter as many.
        """
        faults = {key: statistics.median(each)
                  for key, each in self.faults.items()}
        notes = []
        for case in cases:
            own = faults[case["name"]]
            other = min(faults, key=faults.get)
            seconds = statistics.median(self.processor[case["name"]])
            costs = own * FAULT > seconds / 20
            if costs and faults[other] * 4 < own:
                notes.append(_note(
                    case, "fresh memory",
                    f"{own:.0f} page faults in a call,"
                    f" {faults[other]:.0f} in one of `{other}`"))
        return notes


def works_on(runs, cases):
    """Note cases after whose calls the processor goes on working.

    Their threads wait for work by spinning, or the call has come back before
    its result is there. Either takes cores from the case after it.
    """
    notes = []
    for case in cases:
        times = 3 if _median(case) < QUICK else 1
        busy = statistics.median(
            _busy_after(runs[case["name"]]) for _ in range(times))
        if len(cases) > 1 and busy > 0.1:
            notes.append(_note(
                case, "works on",
                f"{busy:.1f} cores were busy after a call had ended"))
    return notes


def does_nothing(runs, cases):
    """Note cases that take no longer than a call of an empty function."""
    empty = _quickest(lambda: None)
    return [
        _note(case, "nothing done", "a call takes no longer than an empty one")
        for case in cases if _median(case) < AT_ONCE
        and _quickest(runs[case["name"]]) < 1.5 * empty]


def does_not_grow(points):
    """Note cases of a curve that take as long everywhere, unlike another."""
    growth = {}
    for point in points:
        growth.setdefault(point["name"], {})[point["at"]] = _median(point)
    rises = {}
    for name, at in growth.items():
        low, high = min(at), max(at)
        if high >= 8 * low:
            rises[name] = at[high] / at[low], high, low
    most = max(rises, key=lambda name: rises[name][0], default=None)
    return [
        {"case": f"{name} at {high}", "rule": "nothing done",
         "detail": f"a call takes as long as at {low}; `{most}` takes"
                   f" {rises[most][0]:.0f} times as long"}
        for name, (rise, high, low) in rises.items()
        if rise < 1.1 and rises[most][0] > 4]


def _quickest(run, calls=1000):
    """Return the seconds of a call in the quickest of some rows."""
    rows = []
    for _ in range(5):
        start = _clock()
        for _ in range(calls):
            run()
        rows.append((_clock() - start) / calls)
    return min(rows)


def _busy_after(run):
    """Return how many cores are busy in a pause after a call."""
    run()
    processor, start = _processor(), _clock()
    time.sleep(PAUSE)
    return (_processor() - processor) / (_clock() - start)


def _note(case, rule, detail):
    return {"case": case["name"], "rule": rule, "detail": detail}


def _median(case):
    return statistics.median(case["samples"][0])


def _faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def _processor():
    return time.process_time()


def _clock():
    return time.perf_counter()
