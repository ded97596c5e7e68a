"""Means over independent seeds with 95 % intervals by Student's t, and differences of pairs.

Runs with different seeds are independent of one another; messages within a run are not, so an interval is always over
seeds. Two settings that ran with the same seeds had the same arrivals: their difference is computed seed by seed.
"""

import math
from functools import lru_cache

from headroom import program


@lru_cache(maxsize=None)
def student_t(degrees, confidence=0.95):
    """The t with P(|T| <= t) = confidence, from the program."""
    return program.compare_points([{"degrees": degrees, "error": 1 - confidence}])[0]


class Interval:
    """A mean, half the width of its 95 % interval (None for fewer than two values), and the number of values."""

    def __init__(self, mean, half_width, n):
        self.mean, self.half_width, self.n = mean, half_width, n

    def __repr__(self):
        half = "" if self.half_width is None else f" ± {self.half_width:.3g}"
        return f"{self.mean:.3g}{half} ({self.n} value{'' if self.n == 1 else 's'})"

    @classmethod
    def of_json(cls, found):
        """The inverse of `as_json`."""
        return cls(found["mean"], found["half_width_95"], found["n"])

    @property
    def low(self):
        return self.mean - self.half_width

    @property
    def high(self):
        return self.mean + self.half_width

    def excludes(self, value):
        return self.half_width is not None and not self.low <= value <= self.high

    def as_json(self):
        return {"mean": self.mean, "half_width_95": self.half_width, "n": self.n}


def mean_interval(values, confidence=0.95):
    """REQUIRES: at least one value."""
    n = len(values)
    if n > 1 and min(values) == max(values):
        return Interval(values[0], 0.0, n)
    mean = math.fsum(values) / n
    if n < 2:
        return Interval(mean, None, n)
    variance = math.fsum((v - mean) ** 2 for v in values) / (n - 1)
    return Interval(mean, student_t(n - 1, confidence) * math.sqrt(variance / n), n)


def paired_difference(first, second, confidence=0.95):
    """The difference of `second` less `first`, both {seed: value}, over the common seeds; None without any."""
    pairs = [second[seed] - first[seed] for seed in sorted(first) if seed in second]
    return mean_interval(pairs, confidence) if pairs else None
