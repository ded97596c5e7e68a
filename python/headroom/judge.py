"""Changes of metrics between settings, and percentiles of the messages of all seeds together, as the program judges them:
many in one call of `headroom compare --points`.

    messages.W.completion_us.p99                     of a workload; so are slowdown.p50, delivery_us.p999, …
    messages.W.slowdown.by_size."64KiB".p99          of its messages of more than 32 and up to 64 KiB
    operations.W.KIND.latency_us.p99                 of its operations

A result has a line for each message unless `observe.messages` sets fewer. Without all lines, a percentile is compared
seed by seed, as other metrics are. Both settings of a seed had the same arrivals.
"""

import re
from dataclasses import dataclass

from headroom import program
from headroom.interval import Interval
from headroom.verdict import CONFIDENCE, RESOLUTION, level


@dataclass
class Effect:
    """A relative change: −0.16 of a metric that fell by 16 %. One seed has neither interval nor `verdict`.
    `seeds_to_decide`: if undecided, the number of seeds that would decide, or None; `pooled`: both percentiles over the
    messages of all seeds, None if it was judged seed by seed."""

    change: float
    low: float
    high: float
    seeds: int
    verdict: str
    seeds_to_decide: int
    pooled: list

    def json(self):
        return {"change": self.change, "low": self.low, "high": self.high, "seeds": self.seeds}

    @property
    def more_seeds(self):
        return self.seeds_to_decide and self.seeds_to_decide - self.seeds


def is_percentile(metric):
    return re.fullmatch(r"(messages|operations)\..*\.p(50|90|95|99|999)", metric) is not None


def _runs(point, metric):
    """A percentile by size is in no summary: the program computes it."""
    done = [run for run in point.runs.values() if run.status == "done"]
    return {str(run.seed): {"value": dict.get(run.metrics(), metric), "dir": run.folder} for run in done}


def change(before, after, metric, *, seeds=None, resolution=RESOLUTION, counts=None, pairs=False, **chance):
    """A request: how a metric changes from one Point to another, over these seeds, or all. `chance`: as for
    verdict.level; `counts`: numbers of seeds for `seeds_to_decide`, None for any; `pairs`: where that interval does not
    decide, the median over the pairs of equal seeds may, which an outlier does not move."""
    both = [point if seeds is None else point.of_seeds(seeds) for point in (before, after)]
    request = {"metric": metric, "from": _runs(both[0], metric), "to": _runs(both[1], metric)}
    request |= ({} if counts is None else {"counts": counts}) | ({"pairs": True} if pairs else {})
    return {**request, "error": level(**{"confidence": CONFIDENCE, **chance}), "resolution": resolution}


def judge(requests):
    """[Effect] of these `change`s, None for one that no seed of both measured."""
    return [found and Effect(**found) for found in program.compare_points(requests)]


def over_seeds(asked):
    """[(Interval, whether it is a lower bound)] of these (Point, metric). A percentile is over the messages of all seeds
    together if the results have them; otherwise the interval is that of the mean over the seeds. (None, False) without
    values."""
    several = [is_percentile(metric) and len(point.counted()) > 1 for point, metric in asked]
    requests = [{"metric": metric, "to": _runs(point, metric)} for (point, metric), wanted in zip(asked, several) if wanted]
    answers, out = iter(program.compare_points(requests)), []
    for (point, metric), wanted in zip(asked, several):
        found = next(answers) if wanted else None
        out.append((Interval.of_json(found), found["censored"]) if found else (point.interval(metric), point.censored(metric)))
    return out
