"""What changed between two results, metric by metric, with 95 % intervals over seeds that both ran.

Equal seeds meet equal arrivals, so differences are taken seed by seed: what the seeds have in common does not blur
them. With one seed there is a difference and no interval.
"""

import math
import re
from dataclasses import dataclass

from headroom_study.interval import mean_interval, paired_difference
from headroom_study.metrics import flatten

from .quantities import format_number, format_percent, format_time

# (metric, words, how a number is written, [least, below] messages offered for it); {} stands for each workload. A
# percentile for which there are too few messages is the maximum, and called so.
_OF_WORKLOADS = [
    ("messages.{}.completion_us.p50", "median of {}", format_time, 0, math.inf),
    ("messages.{}.completion_us.p99", "p99 of {}", format_time, 100, math.inf),
    ("messages.{}.completion_us.p999", "p99.9 of {}", format_time, 1000, math.inf),
    ("messages.{}.completion_us.max", "longest of {}", format_time, 0, 100),
    ("messages.{}.slowdown.p99", "slowdown p99 of {}", format_number, 100, math.inf),
    ("messages.{}.slowdown.max", "largest slowdown of {}", format_number, 0, 100),
    ("messages.{}.unfinished", "unfinished messages of {}", format_number, 0, math.inf),
]
_OF_NETWORK = [
    ("pfc.pauses", "PFC pauses", format_number),
    ("pfc.paused_us", "time paused by PFC", format_time),
    ("ecn.marked_fraction", "share of packets marked by ECN", format_percent),
    ("cnp.handled", "CNPs that cut a rate", format_number),
    ("drops.lossless", "lossless frames dropped", format_number),
    ("drops.lossy", "lossy frames dropped", format_number),
    ("transport.retransmitted_packets", "packets retransmitted", format_number),
]


@dataclass
class Difference:
    """One metric of `second` against `first`; means over the seeds of each, the difference over common seeds."""

    metric: str
    words: str
    write: object
    before: float
    after: float
    change: object  # headroom_study.interval.Interval
    censored: bool  # one of them is a lower bound

    @property
    def sure(self):
        """Whether the interval excludes no change."""
        return self.change.excludes(0)

    @property
    def shows(self):
        """Whether the two are written differently."""
        return self.write(self.before) != self.write(self.after)

    def share(self, value):
        """`value` as a share of what it was before; None of nothing."""
        return value / self.before if self.before else None


def _values(result, metric):
    """{seed: value} of the runs that measured it."""
    found = {}
    for run in result.runs:
        value = flatten(run.summary).get(metric)
        if value is not None:
            found[run.seed] = float(value)
    return found


def _censored(result, metric):
    head, _, last = metric.rpartition(".")
    return any(flatten(run.summary).get(f"{head}.censored.{last}") for run in result.runs)


def _metrics(first, second):
    for workload in first.workloads:
        if workload in second.workloads:
            offered = _values(first, f"messages.{workload}.offered").values()
            for metric, words, write, least, below in _OF_WORKLOADS:
                if offered and least <= min(offered) < below:
                    yield metric.format(workload), words.format(workload), write
    pauses = set()
    for result in (first, second):
        for run in result.runs:
            pauses.update(((run.summary.get("pfc") or {}).get("by_tier") or {}).keys())
    yield from _OF_NETWORK[:2]
    for tier in sorted(pauses):
        yield f"pfc.by_tier.{tier}.pauses", f"PFC pauses at {tier}", format_number
    yield from _OF_NETWORK[2:]


def differences(first, second):
    """[Difference] of everything that both measured and that is not 0 in both."""
    out = []
    for metric, words, write in _metrics(first, second):
        before, after = _values(first, metric), _values(second, metric)
        change = paired_difference(before, after)
        if not before or not after or not (any(before.values()) or any(after.values())):
            continue
        means = mean_interval(list(before.values())).mean, mean_interval(list(after.values())).mean
        if change is None:  # no seed in common
            continue
        censored = _censored(first, metric) or _censored(second, metric)
        out.append(Difference(metric, words, write, *means, change, censored))
    return out


def signed(value, write):
    return ("+" if value > 0 else "−" if value < 0 else "") + write(abs(value))


def interval_words(d):
    """95 % interval −160 to −120 µs (10 seeds)."""
    if d.change.half_width is None:
        return "one seed, so no interval"
    if d.change.half_width == 0:
        return f"the same in all {d.change.n} seeds"
    low, high = signed(d.change.low, d.write), signed(d.change.high, d.write)
    return f"95 % interval of the difference {low} to {high}, {d.change.n} seeds"


def sentence(d):
    """p99 of storage fell from 412 to 268 µs (95 % interval …)."""
    bound = "at least " if d.censored else ""
    if not d.shows:
        return f"{d.words} stayed at {bound}{d.write(d.after)}"
    verb = "rose" if d.after > d.before else "fell"
    told = f"{d.words} {verb} from {bound}{d.write(d.before)} to {bound}{d.write(d.after)}"
    return told if d.change.half_width is None else f"{told} ({interval_words(d)})"


def too_small_to_show(found):
    """Of those that are told apart, but are written alike: one sentence; None without any."""
    listed = "; ".join(f"{d.words} {d.write(d.after)}" for d in found if d.sure and not d.shows)
    return f"Told apart, but by less than three digits show: {listed}." if listed else None


def capital(text):
    """A sentence's beginning; p99 stays as it is written."""
    return text if re.match(r"p\d", text) else text[0].upper() + text[1:]
