"""The numbers of perftest's tables that a fit uses, and those that it holds back."""

from dataclasses import dataclass

from headroom.errors import InputError
from headroom.measured.formats import perftest
from headroom.measured.formats.row import Source, read_text

_MOST = 7  # sizes of one table: neighbours among powers of 2 say little more
_LARGEST = 1 << 20  # larger messages only repeat the rate of this one


@dataclass(frozen=True)
class Point:
    """One row of a table: what was run, and its time per message in ns, or bandwidth as time per message."""

    test: str  # ib_write_bw …
    connection: str
    queue_pairs: int
    tx_depth: int | None
    mtu: int | None
    inline: int | None
    bytes: int
    iterations: int
    ns: float
    rounding: float  # half a unit of the last printed digit, as a share
    place: str

    @property
    def is_latency(self):
        return self.test.endswith("_lat")

    @property
    def words(self):
        pairs = f", {self.queue_pairs} queue pairs" if self.queue_pairs > 1 else ""
        return f"{self.test} {self.bytes} B{pairs}"


def _point(test, row):
    """Point of one row of a Test; None if it lacks the number."""
    name = f"ib_{test.verb}_{'lat' if test.latency else 'bw'}"
    if test.latency:
        value, half = row.values.get("latency_us.p50", row.values.get("latency_us.mean", (0, 0)))
        ns = 1e3 * value
    elif row.values.get("mops", (0, 0))[0]:
        value, half = row.values["mops"]
        ns = 1e3 / value
    else:
        value, half = row.values.get("goodput_gbps", (0, 0))
        ns = 8 * row.bytes / value if value else 0
    if not value:
        return None
    pairs = test.queue_pairs or 1
    iterations = max(row.iterations // pairs, 5) if row.iterations else 1000
    settings = (test.connection, pairs, test.tx_depth, test.mtu, test.inline)
    return Point(name, *settings, row.bytes, iterations, ns, half / value, row.place)


def _thinned(points, most):
    """At most this many, spread evenly, with both ends."""
    if len(points) <= most:
        return points
    return [points[round(i * (len(points) - 1) / (most - 1))] for i in range(most)]


def read_points(paths, held_size):
    """([Point of the fit], [Point held back], the held-back size). Without `held_size` it is the middle size of the
    largest table. InputError."""
    tables = []
    for path in paths:
        source = Source(str(path), read_text(path))
        if not perftest.recognises(source):
            raise InputError(f"{path}:1:1: no table of perftest, which begins with #bytes; give the output of ib_write_bw or another test")
        for test in perftest.tests(source):
            if not test.verb:
                raise InputError(f"{path}:1:1: the test's name is missing, such as ib_write_bw; keep the whole output, or add # ib_write_bw")
            points = [point for point in (_point(test, row) for row in test.points) if point]
            tables.append([point for point in points if point.bytes <= _LARGEST] or points[:1])
    sizes = sorted({point.bytes for table in tables for point in table})
    if held_size is None and len(sizes) > 3:
        longest = max(tables, key=len)
        held_size = sorted({point.bytes for point in longest})[len(longest) // 2]
    held = [point for table in tables for point in table if point.bytes == held_size]
    if held_size is not None and not held:
        raise InputError(f"--hold-back {held_size}: no table has that size; there are {', '.join(map(str, sizes))}")
    fitted = [point for table in tables for point in _thinned([p for p in table if p.bytes != held_size], _MOST)]
    if len(fitted) < 2:
        raise InputError(f"{paths[0]}: a fit needs at least two sizes besides the held-back one; run perftest with -a")
    return fitted, held, held_size
