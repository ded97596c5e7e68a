"""The differences between two results, metric by metric, with 95 % intervals over seeds that both ran.

Equal seeds have equal arrivals, so differences are computed seed by seed: effects that the seeds share cancel. With one
seed there is a difference and no interval.
"""

import math
from dataclasses import dataclass

from headroom.format import format_amount, format_percent
from headroom.interval import mean_interval, paired_difference
from headroom.metrics import metric_of

# For each workload: metrics to compare if [least, below] messages were offered. If there are too few messages for a
# percentile, it is the maximum and has that name.
_OF_WORKLOADS = [
    ("completion_us.p50", 0, math.inf),
    ("completion_us.p99", 100, math.inf),
    ("completion_us.p999", 1000, math.inf),
    ("completion_us.max", 0, 100),
    ("slowdown.p99", 100, math.inf),
    ("slowdown.max", 0, 100),
    ("unfinished", 0, math.inf),
]
_OF_OPERATIONS = [
    ("latency_us.p50", 0, math.inf),
    ("latency_us.p99", 100, math.inf),
    ("latency_us.p999", 1000, math.inf),
    ("latency_us.max", 0, 100),
    ("iops", 0, math.inf),
    ("unfinished", 0, math.inf),
    ("failed", 0, math.inf),
    ("corrupt", 0, math.inf),
]
_OF_PAUSES = ["pfc.pauses", "pfc.paused_us"]
_OF_NETWORK = "ecn.marked_fraction cnp.handled drops.lossless drops.lossy transport.retransmitted_packets".split()


@dataclass
class Difference:
    """One metric of `second` compared with `first`: means and difference, both over the seeds that both ran."""

    metric: str
    words: str
    write: object
    before: float
    after: float
    change: object  # headroom.interval.Interval
    before_bound: bool = False  # it is a lower bound: the percentile is an unfinished message's
    after_bound: bool = False

    @property
    def direction_known(self):
        """If the larger one is a lower bound, the size of the difference is unknown; if the smaller one is, it is
        unknown which is larger."""
        rose, fell = self.change.mean > 0, self.change.mean < 0
        return not (self.before_bound and not fell or self.after_bound and not rose)

    @property
    def sure(self):
        """Whether the interval excludes a zero change, and unfinished messages do not make it uncertain."""
        return self.change.excludes(0) and self.direction_known

    @property
    def before_text(self):
        return ("at least " if self.before_bound else "") + self.write(self.before)

    @property
    def after_text(self):
        return ("at least " if self.after_bound else "") + self.write(self.after)

    @property
    def shows(self):
        """Whether the printed values differ."""
        return self.write(self.before) != self.write(self.after)

    def share(self, value):
        """`value` as a share of the earlier one; None if that is 0."""
        return value / self.before if self.before else None


def _metrics(first, second):
    for workload in first.workloads:
        if workload in second.workloads:
            offered = first.by_seed(f"messages.{workload}.offered").values()
            for last, least, below in _OF_WORKLOADS:
                if offered and least <= min(offered) < below:
                    yield f"messages.{workload}.{last}"
    for workload, kind in first.operation_kinds:
        if (workload, kind) in second.operation_kinds:
            offered = first.by_seed(f"operations.{workload}.{kind}.offered").values()
            for last, least, below in _OF_OPERATIONS:
                if least <= min(offered) < below:
                    yield f"operations.{workload}.{kind}.{last}"
    yield from _OF_PAUSES
    yield from sorted(
        path
        for path in {path for result in (first, second) for metrics in result.counted().values() for path in metrics}
        if path.startswith("pfc.by_tier.") and path.endswith(".pauses")
    )
    yield from _OF_NETWORK


def differences(first, second):
    """[Difference] for everything that both measured and that is not 0 in both."""
    out = []
    for path in _metrics(first, second):
        before, after = first.by_seed(path), second.by_seed(path)
        common = sorted(before.keys() & after.keys())
        if not any(before[seed] or after[seed] for seed in common):
            continue
        metric = metric_of(path)
        means = [mean_interval([float(values[seed]) for seed in common]).mean for values in (before, after)]
        bounds = [result.censored(path, common) for result in (first, second)]
        out.append(Difference(path, metric.short, metric.write, *means, paired_difference(before, after), *bounds))
    return out


def left_out_words(first, second):
    """One sentence on seeds that only one of them has, which do not count in a difference; None without any."""
    one, other = ({run.seed for run in result.runs} for result in (first, second))
    alone, common = len(one ^ other), len(one & other)
    if not alone or not common:
        return None
    what = f"the {common} seeds" if common > 1 else "the one seed"
    return f"Compared over {what} that both ran; {format_amount(alone, 'seed')} that only one ran are left out."


def signed(value, write):
    return ("+" if value > 0 else "−" if value < 0 else "") + write(abs(value))


def amount_words(value, write):
    """A difference without its sign: 7 µs, or 3.69 percentage points."""
    return write(value).removesuffix(" %") + " percentage points" if write is format_percent else write(value)


def amount_range(low, high, write):
    """563 µs to 877 µs, or 3.69 to 8.69 percentage points."""
    low = write(low).removesuffix(" %") if write is format_percent else write(low)
    return f"{low} to {amount_words(high, write)}"


def range_words(low, high, write):
    """+7 µs to +17 µs; for shares +3.69 to +8.69 percentage points, because 5 % would be ambiguous."""
    if write is format_percent:
        return " to ".join(signed(v, write).removesuffix(" %") for v in (low, high)) + " percentage points"
    return f"{signed(low, write)} to {signed(high, write)}"


def interval_words(d):
    """95 % interval −160 to −120 µs (10 seeds)."""
    if d.change.half_width is None:
        return "one seed, so no interval"
    if d.change.half_width == 0:
        return f"the same in all {d.change.n} seeds"
    seeds = f"{d.change.n} seeds"
    if d.sure and (d.before_bound or d.after_bound):
        near = signed(d.change.low, d.write) + " or more" if d.change.mean > 0 else signed(d.change.high, d.write) + " or less"
        return f"95 % interval of the difference {near}, {seeds}"
    return f"95 % interval of the difference {range_words(d.change.low, d.change.high, d.write)}, {seeds}"


def sentence(d):
    """p99 of storage fell from 412 to 268 µs (95 % interval …)."""
    if not d.direction_known:
        return f"{d.words} was {d.before_text} and is {d.after_text}; because of unfinished messages the sign is unknown"
    if not d.shows:
        return f"{d.words} stayed at {d.after_text}"
    verb = "rose" if d.change.mean > 0 else "fell"
    told = f"{d.words} {verb} from {d.before_text} to {d.after_text}"
    return told if d.change.half_width is None else f"{told} ({interval_words(d)})"


def too_small_to_show(found):
    """One sentence on different values with the same printed form; None without any."""
    listed = "; ".join(f"{d.words} {d.write(d.after)}" for d in found if d.sure and not d.shows)
    return f"Differences too small for three digits: {listed}." if listed else None
