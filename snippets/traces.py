"""What a trace of a training step tells, whichever profiler has written it."""

PRODUCTS = ("mm", "matmul", "dot", "gemm", "attention", "ynn")
COLUMNS = 120  # of a timeline, each of them WIDTH pixels wide
WIDTH, HEIGHT, LINE = 3, 40, 22
DARK, LIGHT, FRAME = "#1d4f91", "#9cc3ee", "#8a8a8a"


def parts(steps, operators):
    """Return the seconds of each step, divided by what was going on in it.

    `steps` are pairs of a start and an end, `operators` triples of a name, a
    start and an end, all in seconds. A moment in which several operators run,
    on several threads or one inside the other, counts once: as a product if
    one of them is a product. `all rows` adds up the operators' times, as one
    might do with a table; `per operator` divides the step by their number.
    """
    times = {"step": [], "products": [], "other operators": [],
             "between operators": [], "all rows": [], "per operator": []}
    for start, end in steps:
        inside = _within(start, end, operators)
        multiplying, covered = _seconds(inside)
        times["step"].append(end - start)
        times["products"].append(multiplying)
        times["other operators"].append(covered - multiplying)
        times["between operators"].append(end - start - covered)
        times["all rows"].append(
            sum(last - first for _, first, last in inside))
        times["per operator"].append((end - start) / max(1, len(inside)))
    return times


class Timeline:
    """A picture of one step of each trace: what was going on in it, and when.

    Time runs to the right, a step over the whole width. The dark part of a
    column is the share of its time in which a product ran, the light part
    that of other operators.
    """

    def __init__(self, **traces):
        self.steps = {name: _drawn(*trace) for name, trace in traces.items()}

    def __repr__(self):
        return f"Timeline({', '.join(self.steps)})"

    def _repr_svg_(self):
        width = WIDTH * COLUMNS
        height = len(self.steps) * (LINE + HEIGHT + 10) + LINE
        size = f'width="{width + 16}" height="{height}"'
        shapes = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}'
                  f' viewBox="-8 0 {width + 16} {height}"'
                  ' font-family="sans-serif" font-size="13">'
                  f'<rect x="-8" {size} fill="#fff"/>']
        for number, (name, (seconds, columns)) in enumerate(
                self.steps.items()):
            y = number * (LINE + HEIGHT + 10) + LINE
            shapes += [
                f'<text y="{y - 6}">{name}: {1e3 * seconds:.3g} ms</text>',
                f'<path fill="{LIGHT}" d="{_outline(columns, 1, y)}"/>',
                f'<path fill="{DARK}" d="{_outline(columns, 0, y)}"/>',
                f'<rect y="{y}" width="{width}" height="{HEIGHT}"'
                f' fill="none" stroke="{FRAME}"/>']
        for x, colour, said in ((0, DARK, "products"),
                                (110, LIGHT, "other operators"),
                                (250, "#fff", "no operator")):
            shapes.append(
                f'<rect x="{x}" y="{height - 17}" width="11" height="11"'
                f' fill="{colour}" stroke="{FRAME}"/>'
                f'<text x="{x + 17}" y="{height - 7}">{said}</text>')
        return "".join(shapes) + "</svg>"


def _drawn(steps, operators):
    """Return the length of a step as long as most, and its columns."""
    ordered = sorted(steps, key=lambda step: step[1] - step[0])
    start, end = ordered[len(ordered) // 2]
    each, columns = (end - start) / COLUMNS, []
    inside = _within(start, end, operators)
    for number in range(COLUMNS):
        first = start + number * each
        columns.append([seconds / each for seconds in _seconds(
            _within(first, first + each, inside))])
    return end - start, columns


def _outline(columns, which, y):
    """Return the outline of columns, which are as high as what ran."""
    bottom = y + HEIGHT
    tops = "".join(f"V{bottom - HEIGHT * column[which]:.1f}H{WIDTH * number}"
                   for number, column in enumerate(columns, 1))
    return f"M0 {bottom}{tops}V{bottom}z"


def _within(start, end, operators):
    """Return what lies between two moments, cut off at both."""
    return [(name, max(start, first), min(end, last))
            for name, first, last in operators if first < end and last > start]


def _seconds(operators):
    """Return for how long products run, and for how long any operator does."""
    products = [each for each in operators
                if any(word in each[0].lower() for word in PRODUCTS)]
    return _covered(products), _covered(operators)


def _covered(intervals):
    """Return for how long at least one of the intervals lasts."""
    total, reached = 0.0, float("-inf")
    for first, last in sorted(each[1:] for each in intervals):
        total += max(0.0, last - max(first, reached))
        reached = max(reached, last)
    return total
