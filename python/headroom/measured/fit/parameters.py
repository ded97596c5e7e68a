"""The keys of `resources` that a fit varies."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Parameter:
    """`key` below `resources`; `unit` of its number; bounds `least` and `most`. `tests`: the tests that it can influence;
    empty means all. `many`: only tables with several queue pairs say anything about it."""

    key: str
    unit: str
    least: float
    most: float
    tests: tuple = ()
    many: bool = False

    def concerns(self, point):
        """Whether it can influence a point."""
        return not self.tests or point.test in self.tests

    def text(self, value):
        """The value as a scenario writes it, with four digits."""
        number = round(value) if not self.unit else float(f"{value:.4g}")
        return f"{number:g}{self.unit}" if self.unit else str(number)


_WRITES = ("ib_write_bw", "ib_write_lat")
_SENDS = ("ib_send_bw", "ib_send_lat")
_READS = ("ib_read_bw", "ib_read_lat")
PARAMETERS = (
    Parameter("pcie.latency", "ns", 1, 100_000),
    Parameter("pcie.bandwidth", "Gbps", 0.1, 10_000),
    Parameter("pio.line", "ns", 0.1, 10_000),
    Parameter("tx.inline", "ns", 0.1, 10_000, _WRITES + _SENDS),
    Parameter("tx.fetched", "ns", 0.1, 10_000, _WRITES + _SENDS),
    Parameter("tx.read", "ns", 0.1, 10_000, _READS),
    Parameter("rx.write", "ns", 0.1, 10_000, _WRITES + _READS),
    Parameter("rx.recv", "ns", 0.1, 10_000, _SENDS),
    Parameter("rx.read", "ns", 0.1, 10_000, _READS),
    Parameter("engine.message", "ns", 0.1, 10_000),
    Parameter("context_cache.entries", "", 1, 1e9, many=True),
    Parameter("context_cache.miss", "ns", 1, 100_000, many=True),
)


def parameters_for(points):
    """The Parameters that these points can say something about."""
    several = len({point.queue_pairs for point in points}) > 1
    return [p for p in PARAMETERS if any(p.concerns(point) for point in points) and (several or not p.many)]


def as_resources(base, parameters, values):
    """The mapping `resources:` on one line."""
    groups = {}
    for parameter, value in zip(parameters, values):
        group, _, key = parameter.key.partition(".")
        groups.setdefault(group, []).append(f"{key}: {parameter.text(value)}")
    inner = ", ".join(f"{group}: {{{', '.join(keys)}}}" for group, keys in groups.items())
    return f"{{set: {base}, {inner}}}" if inner else base
