"""What a change did to a metric, seed by seed, with an interval that allows for how many changes were looked at."""

import math
from dataclasses import dataclass

from headroom.interval import mean_interval, student_t

WORTH = 0.01  # of the metric: a smaller change is none
_NONE = 0.05  # and its interval lies within this


@dataclass
class Effect:
    """`change`: relative, −0.62 of a metric that fell by 62 %; `low`, `high`: its interval, None of one seed."""

    change: float
    low: float
    high: float
    seeds: int

    @property
    def verdict(self):
        """None where the seeds say too little."""
        if self.low is None:
            return None
        if abs(self.change) < WORTH:
            return "no effect" if -_NONE < self.low and self.high < _NONE else None
        return "helps" if self.high < 0 else "hurts" if self.low > 0 else None


def effect(before, after, looked_at=1):
    """Of {seed: value} as it was and then, over the seeds that have both; None without any. Ratios are compared, so that a
    seed with a long tail counts like another. `looked_at`: how many changes share the chance of 5 % (Bonferroni)."""
    seeds = [seed for seed in before if seed in after]
    if not seeds:
        return None
    if min(of[seed] for of in (before, after) for seed in seeds) <= 0:  # a count: differences, of the mean
        mean = sum(before[seed] for seed in seeds) / len(seeds)
        values, back = [(after[seed] - before[seed]) / (mean or 1.0) for seed in seeds], float
    else:
        values, back = [math.log(after[seed] / before[seed]) for seed in seeds], math.expm1
    found = mean_interval(values)
    if found.half_width is None:
        return Effect(back(found.mean), None, None, 1)
    wide = found.half_width * student_t(len(seeds) - 1, 1 - 0.05 / looked_at) / student_t(len(seeds) - 1)
    return Effect(back(found.mean), back(found.mean - wide), back(found.mean + wide), len(seeds))
