"""Times that a snippet takes by itself, again and again."""

from measure import taken


def comparison(name, timed, times=20):
    """Call `timed` again and again, and return a table of its times.

    `timed()` returns the seconds of each case: {"finished": 0.3, ...}. What
    it returns first is left out, for it may have compiled.
    """
    timed()
    rows = [timed() for _ in range(times)]
    return taken(name, **{case: [row[case] for row in rows]
                          for case in rows[0]})
