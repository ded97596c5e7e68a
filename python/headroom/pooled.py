"""Percentiles of the messages of all seeds together, and percentiles by size of message.

    messages.W.completion_us.p99                     of a workload; so are slowdown.p50, slowdown.p999, …
    messages.W.slowdown.by_size."64KiB".p99          of its messages of more than 32 and up to 64 KiB
    operations.W.KIND.latency_us.p99                 of its operations

A percentile of one seed has few messages beyond it. Those of all seeds together have more, so it scatters less and is
less biased than the mean of the seeds' percentiles. Messages of one seed depend on one another. So the standard error
is that of the jackknife over seeds, with each left out in turn (Efron and Tibshirani, An Introduction to the Bootstrap,
1993, chapter 11). Pairs are left out together, so the effect of a seed on both settings cancels.

A result has a line for each message unless `observe.messages` sets fewer; without all lines nothing can be pooled.
"""

import math
import re
from dataclasses import dataclass

import numpy as np

from headroom.errors import InputError
from headroom.interval import Interval, jackknife_variance
from headroom.percentile import Ranked
from headroom.quantity import parse_quantity
from headroom.verdict import CONFIDENCE, Effect, effect, level

# The shares of messages beyond a value that a tail shows.
BEYOND = (0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01, 0.005, 0.003, 0.002, 0.001)
_PERMILLE = {"p50": 500, "p90": 900, "p95": 950, "p99": 990, "p999": 999}
_OF_MESSAGES = re.compile(
    r'messages\.([^.]+)\.(completion_us|slowdown)(?:\.by_size\.(?:"([^"]+)"|([^."]+)))?(\.censored)?\.(p\d+)'
)
_OF_OPERATIONS = re.compile(r"operations\.([^.]+)\.([^.]+)\.latency_us\.(p\d+)")


@dataclass(frozen=True)
class Percentile:
    """Values that a metric is a percentile of. `kind`: of operations, None for messages; `size`: the largest of the
    class in bytes, or None."""

    workload: str
    kind: str
    column: str
    size: float
    permille: int
    censored: bool = False  # the metric only states whether it is a lower bound


def percentile(metric):
    """The Percentile that a metric is; None for another metric. InputError if the size is not valid."""
    found = _OF_MESSAGES.fullmatch(metric)
    if found and found[6] in _PERMILLE:
        size = found[3] or found[4]
        column = "us" if found[2] == "completion_us" else "slowdown"
        return Percentile(found[1], None, column, size and _bytes(metric, size), _PERMILLE[found[6]], bool(found[5]))
    found = _OF_OPERATIONS.fullmatch(metric)
    if found and found[3] in _PERMILLE:
        return Percentile(found[1], found[2], "us", None, _PERMILLE[found[3]])
    return None


def _bytes(metric, text):
    try:
        size = parse_quantity(text)
    except ValueError:
        size = None
    if size is None or size.kind != "size" or size.value <= 0:
        raise InputError(f'{metric}: \'{text}\' is not a size; name a message class by its largest message size, such as by_size."64KiB"')
    return size.value


def values_of(run, wanted):
    """(values, which of them are lower bounds) of a result.Run's messages or operations; None if it has none, or not a
    line for each."""
    counted = run.summary.get("messages" if wanted.kind is None else "operations", {}).get(wanted.workload, {})
    counted = counted if wanted.kind is None else counted.get(wanted.kind, {})
    if "offered" not in counted:
        return None
    offered = counted["offered"]
    if wanted.kind is None:
        table = run.messages
        rows = table[table["workload"] == wanted.workload]
    else:
        table = run.operations
        if table is None:
            return None
        rows = table[(table["workload"] == wanted.workload) & ((table["kind"] == wanted.kind) | (wanted.kind == "all"))]
    if len(rows) != offered:
        return None
    if wanted.size is not None:
        rows = rows[(rows["bytes"] <= wanted.size) & (rows["bytes"] > wanted.size / 2)]
    values = rows[wanted.column].to_numpy(float)
    known = np.isfinite(values)  # a message without an ideal time has no slowdown
    return values[known], ~rows["finished"].to_numpy(bool)[known]


def of_one(values, bounds, wanted):
    """A run's own percentile, or whether it is a lower bound; None without messages."""
    found = Ranked(values, ~bounds).percentile(wanted.permille)
    return found and (int(found.censored) if wanted.censored else found.value)


def _nearest_rank(arrays, permille):
    values = np.concatenate(arrays)
    rank = -(-len(values) * permille // 1000)
    return float(np.partition(values, rank - 1)[rank - 1])


def pooled_effect(before, after, permille, looked_at=1, confidence=CONFIDENCE, sequence=False):
    """(Effect of {seed: values} before and after, both percentiles over all seeds) over the seeds of both; None with
    fewer than two, or if a percentile is 0."""
    seeds = [seed for seed in before if seed in after]
    if len(seeds) < 2 or not all(len(side[seed]) for side in (before, after) for seed in seeds):
        return None

    def ends(without=None):
        return [_nearest_rank([side[s] for s in seeds if s != without], permille) for side in (before, after)]

    how = level(looked_at, confidence, sequence)
    return effect_of_pooled(ends(), [ends(seed) for seed in seeds], how)


def effect_of_pooled(whole, left_out, chance):
    """The same of [percentile before, after], and of the two without each seed in turn."""
    if min(map(min, [whole, *left_out])) <= 0:
        return None
    logarithms = [math.log(after / before) for before, after in left_out]
    n = len(logarithms)
    return Effect(math.log(whole[1] / whole[0]), math.sqrt(jackknife_variance(logarithms) * n), n, chance, True), whole


def pooled_interval(arrays, permille):
    """Interval of a percentile over {seed: values}; None where pooled_effect has none."""
    found = pooled_effect(dict.fromkeys(arrays, np.ones(1)), arrays, permille)  # against a constant: the percentile alone
    if found is None:
        return None
    change, (_, value) = found
    return Interval(value, change.half_width, change.seeds)


def of_point(point, metric):
    """(Interval, whether it is a lower bound) of a metric of a Point. A percentile is over the messages of all seeds
    together if the results have them; otherwise the interval is that of the mean over the seeds. (None, False) without
    values."""
    wanted, runs = percentile(metric), [run for run in point.runs.values() if run.status == "done"]
    if wanted is not None and len(runs) > 1:
        found = {run.seed: run.values(wanted) for run in runs}
        if None not in found.values():
            interval = pooled_interval({seed: values for seed, (values, _) in found.items()}, wanted.permille)
            if interval is not None:
                values, bounds = map(np.concatenate, zip(*found.values()))
                return interval, Ranked(values, ~bounds).percentile(wanted.permille).censored
    return point.interval(metric), point.censored(metric)


def tail(arrays):
    """Rows (share, the value that this share exceeds, and its 95 % interval by the jackknife over seeds) for {seed:
    values}. Shares go from half of all values down to ten values. Lower bounds count as infinite. None if such a value
    is 0."""
    count = sum(map(len, arrays.values()))
    one = dict.fromkeys(arrays, np.ones(1))  # compared with a constant: the percentile alone
    rows = []
    for share in BEYOND:
        if share * count < 10 or len(arrays) < 2:
            break
        found = pooled_effect(one, arrays, round(1000 * (1 - share)))
        if found is None:
            return None
        ends = [1 + found[0].change, 1 + found[0].low, 1 + found[0].high]
        if not all(map(math.isfinite, ends)):
            break
        rows.append((share, *ends))
    return rows


def effect_of(before, after, metric, *, seeds=None, looked_at=1, confidence=CONFIDENCE, sequence=False):
    """(Effect, percentiles) of a metric from one Point to another, over these seeds, or all: by the messages of all
    seeds together, with [percentile before, after]. Seed by seed, with None, for a metric that is not a percentile, and
    if a result does not have a line for each message. (None, None) if a seed of both is missing."""
    how, wanted = (looked_at, confidence, sequence), percentile(metric)
    both = [point if seeds is None else point.of_seeds(seeds) for point in (before, after)]
    if wanted is not None:
        values = [{run.seed: run.values(wanted) for run in point.runs.values() if run.status == "done"} for point in both]
        if not any(found is None for by_seed in values for found in by_seed.values()):
            together = pooled_effect(*({seed: found[0] for seed, found in by_seed.items()} for by_seed in values), wanted.permille, *how)
            if together is not None:
                return together
    return effect(*(point.by_seed(metric) for point in both), *how), None
