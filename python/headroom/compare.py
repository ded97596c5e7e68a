"""Changes from one result to another, as in `headroom compare` (src/cli/compare).

Percentiles of several seeds are those over the messages of all, as in `seeds.pooled` of the summary; other metrics are
means. Differences are computed seed by seed if the seeds are the same. One run compared with several is assumed to vary
from seed to seed as those do."""

import math
from functools import cached_property

import pandas as pd

from headroom.errors import InputError
from headroom.interval import jackknife_variance, paired_difference, student_t
from headroom.settings import changed_settings
from headroom.verdict import RESOLUTION, verdict

# A run's cost and names always differ; `censored` marks values, and is not a value itself.
_NAMES = {"scenario", "seed", "version", "digest"}
_COLUMNS = ["a", "b", "change_percent", "half_width_percent", "within_interval", "verdict"]


def _leaves(node, path=""):
    """(path, value) of everything in a summary that is compared."""
    for key, value in node.items():
        below = f"{path}.{key}" if path else key
        if isinstance(value, dict):
            if below not in ("run", "seeds") and key != "censored":
                yield from _leaves(value, below)
        elif not isinstance(value, list) and below not in _NAMES:
            yield below, value


def _number(value):
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _over_seeds(result, path):
    """(half the width of the interval of a mean over seeds, number of seeds), as in the summary; None without an
    interval."""
    found = _leaf(result.summary, f"seeds.metrics.{path}")
    known = [_number(found.get(key)) for key in ("half_width_95", "n")] if isinstance(found, dict) else [None]
    return None if None in known else known


def _leaf(summary, path):
    for key in path.split("."):
        summary = summary.get(key) if isinstance(summary, dict) else None
    return summary


def _pooled(result, path):
    """The entry of a percentile over the messages of all seeds (src/report/pooled.h); None without one."""
    return _leaf(result.summary, f"seeds.pooled.{path}")


def _logarithms(entry):
    return [math.log(value) for value in entry["left_out"]]


def _half(logarithms):
    """Half the width of the 95 % interval, by the jackknife. `logarithms`: a value for each seed, found without this
    seed."""
    return student_t(len(logarithms) - 1) * math.sqrt(jackknife_variance(logarithms))


def _pooled_change(a, b, path):
    """(value of a, of b, logarithm of the ratio, half the width of its interval); None where it is of no percentiles over all
    seeds."""
    found = [_pooled(result, path) for result in (a, b)]
    if None not in found:
        values = [entry["value"] for entry in found]
        logarithms = [_logarithms(entry) for entry in found]
        if a.summary["seeds"]["list"] == b.summary["seeds"]["list"]:
            half = _half([after - before for before, after in zip(*logarithms)])
        else:
            half = math.hypot(*map(_half, logarithms))
    elif any(found) and any("seeds" not in result.summary for result in (a, b)):
        values = [entry["value"] if entry else _number(_leaf(result.summary, path)) for entry, result in zip(found, (a, b))]
        if not all(values):
            return None
        (logarithms,) = [_logarithms(entry) for entry in found if entry]
        half = _half(logarithms) * math.sqrt(len(logarithms) + 1)
    else:
        return None
    return *values, math.log(values[1] / values[0]), half


def _half_width(a, b, path):
    """Half the width of the 95 % interval of the difference; None if neither is a mean over seeds."""
    several = [result for result in (a, b) if "seeds" in result.summary]
    if not several:
        return None
    if len(several) == 1:  # for one more run it is t s √(1 + 1/n), whereas for a mean it is t s / √n
        found = _over_seeds(several[0], path)
        return found and found[0] * math.sqrt(found[1] + 1)
    first, second = a.by_seed(path), b.by_seed(path)
    if len(a.seeds) > 1 and set(a.seeds) == set(b.seeds) == first.keys() == second.keys():
        return paired_difference(first, second).half_width
    found = [_over_seeds(result, path) for result in (a, b)]
    return math.hypot(*(half for half, _ in found)) if all(found) else None


class Comparison:
    """Compares result `a` with `b`. `settings`: the keys that differ, keyed as --set takes them. `changes`: the metrics
    that differ, with the change as a share of `a` and half the width of its 95 % interval. They state whether the
    change is within it, and have the verdict (verdict.py), which is empty without an interval. `equal`: how many
    metrics are the same."""

    def __init__(self, a, b):
        self.a, self.b = a, b
        values = [dict(_leaves(result.summary)) for result in (a, b)]
        paths = list(dict.fromkeys([*values[0], *values[1]]))
        differ = [path for path in paths if values[0].get(path) != values[1].get(path)]
        self.equal = len(paths) - len(differ)
        rows = [self._row(path, *(value.get(path) for value in values)) for path in differ]
        self.changes = pd.DataFrame(rows, columns=_COLUMNS, index=pd.Index(differ, name="metric"))

    def _row(self, path, x, y):
        if _number(x) is None or _number(y) is None:
            return [x, y, math.nan, math.nan, False, ""]
        pooled = _pooled_change(self.a, self.b, path)
        if pooled is not None:
            x, y, centre, half = pooled
            change, low, high = (math.expm1(centre + end) for end in (0, -half, half))
            width = max(high - change, change - low)
            return [x, y, 100 * change, 100 * width, low <= 0 <= high, verdict(low, high, RESOLUTION)]
        half = _half_width(self.a, self.b, path)
        share = 100 / abs(x) if x else math.nan
        within = half is not None and abs(y - x) <= half
        said = ""
        if half is not None and x:
            change, width = (y - x) / abs(x), half / abs(x)
            said = verdict(change - width, change + width, RESOLUTION)
        elif within:
            said = "undecided"
        return [x, y, (y - x) * share, math.nan if half is None else half * share, within, said]

    @cached_property
    def settings(self):
        rows = changed_settings([self.a.settings, self.b.settings])
        keys = pd.Index([key for key, _ in rows], name="setting", dtype=object)
        return pd.DataFrame([texts for _, texts in rows], columns=["a", "b"], index=keys)

    def __repr__(self):
        try:
            settings = self.settings.to_string() if len(self.settings) else "all settings are equal"
        except InputError as error:
            settings = f"settings are not compared: {error}"
        told = f"a  {self.a!r}\nb  {self.b!r}\n\n{settings}\n\n"
        return told + f"{self.changes.to_string()}\n\n{len(self.changes)} metrics changed, {self.equal} are equal"
