"""The result of the search: the recommended setting, its verdict, and the missed bounds if there is none.

The baseline is one of the candidates: if it keeps the constraints and the found setting is better in no objective, it
is kept. A verdict that is still open when the budget ends is decided by the means, and the answer states that.
"""

import math

from headroom.interval import paired_difference
from headroom.judge import change, judge
from headroom.study.rating import rate
from headroom.verdict import level


def fresh(setting, metric, search):
    """{seed: value} over the fresh seeds, by which the answer is judged."""
    values = setting.full.by_seed(metric)
    return {seed: values[seed] for seed in search.fresh_seeds if seed in values}


def compared(search, setting, metric, study_file):
    """A metric of a setting compared with the baseline: both means and their paired difference, over the fresh seeds;
    None if one of them did not measure it."""
    base, other = fresh(search.baseline, metric, search), fresh(setting, metric, search)
    if not base or not other:
        return None
    difference = paired_difference(base, other, 1 - _level(search, study_file))
    return {
        "metric": metric,
        "baseline": _mean(search.baseline, metric, search.fresh_seeds),
        "found": _mean(setting, metric, search.fresh_seeds),
        "difference": difference.as_json(),
        "differs": difference.excludes(0),
    }


def _mean(setting, metric, seeds):
    return mean_with_mark(setting.full.of_seeds(seeds), metric)


def mean_with_mark(point, metric):
    """A mean with its interval, and whether it is only a lower bound (`censored`); None if nothing was measured."""
    interval = point.interval(metric)
    return {**interval.as_json(), "censored": point.censored(metric)} if interval else None


def _level(search, study_file):
    """Probability of an error of an interval at one look of the sequence, shared by the settings that were measured
    with fresh seeds."""
    return level(max(1, search.measured_afresh), study_file.confidence, sequence=True)


def judged(search, setting, goal, study_file):
    """The verdict of an objective over the fresh seeds, as data."""
    (found,) = judge([change(
        search.baseline.full, setting.full, goal.metric, seeds=search.fresh_seeds, resolution=study_file.resolution,
        counts=search.looks_to_come, looked_at=max(1, search.measured_afresh), confidence=study_file.confidence, sequence=True,
    )])  # fmt: skip
    if found is None or found.low is None:
        return {"says": "undecided", "change": None, "low": None, "high": None, "seeds": 0, "more_seeds": None, "open": False, "pooled": None}
    said = found.verdict
    says = {"none": "no difference", "undecided": "undecided"}.get(said) or (
        "better" if (said == "lower") == (goal.sign > 0) else "worse"
    )
    bounds = [point.full.of_seeds(search.fresh_seeds).censored(goal.metric) for point in (search.baseline, setting)]
    left_open = _left_open(said, *bounds)
    return {
        "says": "undecided" if left_open else says,
        **found.json(),
        "more_seeds": found.more_seeds,
        "open": left_open,
        "pooled": found.pooled and dict(zip(("baseline", "found"), found.pooled)),
    }


def _left_open(said, before, after):
    """Whether unfinished messages leave the verdict open. If the smaller value is only a lower bound, the sign is open.
    If either value is, it is open whether there is a difference."""
    return {"lower": after, "higher": before}.get(said, before or after)


def objective(search, setting, goal, study_file):
    """None if one of the two did not measure it. `better`: by the means."""
    entry = compared(search, setting, goal.metric, study_file)
    if entry is not None:
        entry["better"] = goal.sign * entry["difference"]["mean"] < 0
        entry["verdict"] = judged(search, setting, goal, study_file)
    return entry


def chosen(search, study_file):
    """The recommended setting, perhaps the baseline; None: no setting keeps the constraints."""
    keeps = rate(search.baseline.full, study_file).usable
    if search.best is None:
        return search.baseline if keeps else None
    objectives = [objective(search, search.best, goal, study_file) for goal in study_file.goals]
    if keeps and not any(entry and _is_better(entry) for entry in objectives):
        return search.baseline
    return search.best


def _is_better(entry):
    said = entry["verdict"]["says"]
    return said == "better" or said == "undecided" and entry["better"]


def constraints(setting, study_file):
    """How each constraint held, over all seeds of the setting's full runs. `worst`: the value that is farthest beyond
    the bound, or nearest to it; None if nothing was measured; `censored`: it is only a lower bound. `would_keep`: a
    bound that all of them keep, with two digits.
    """
    found = []
    for bound in study_file.bounds:
        by_seed = setting.full.by_seed(bound.metric)
        values = list(by_seed.values())
        lower = [value for seed, value in by_seed.items() if setting.full.of_seeds([seed]).censored(bound.metric)]
        missed = sum(bound.excess(v) > 0 for v in values)
        worst = max(values, key=lambda v: (bound.excess(v), -_room(bound, v)), default=None)
        found.append(
            {
                "constraint": bound.text(),
                "metric": bound.metric,
                "kept": bool(values) and not missed,
                "worst": worst,
                "censored": worst in lower,
                "missed_by": bound.excess(worst) if values else None,
                "missed_by_share": bound.violation(worst) if values and bound.size else None,
                "seeds_missed": missed,
                "seeds": len(setting.full.runs),
                "would_keep": _would_keep(bound, values),
            }
        )
    return found


def _room(bound, value):
    """Distance from a value to the nearest bound."""
    return min(abs(end - value) for end in (bound.least, bound.most) if end is not None)


def _would_keep(bound, values):
    found = {}
    if values and bound.most is not None:
        found["max"] = max(bound.most, _two_digits(max(values), math.ceil))
    if values and bound.least is not None:
        found["min"] = min(bound.least, _two_digits(min(values), math.floor))
    return found


def _two_digits(value, whole):
    """The bound rounded outward."""
    if value == 0:
        return 0.0
    unit = 10.0 ** (math.floor(math.log10(abs(value))) - 1)
    return float(f"{whole(value / unit * (1 - 1e-12 if value > 0 else 1 + 1e-12)) * unit:.6g}")
