"""What a search found, as plain data: study.json, `tune --json`, and what the text is made from."""

import yaml

from .interval import mean_interval, paired_difference
from .sensitivity import sensitivities
from .vendor_nic import vendor_settings

# What an engineer wants to know of, beside what was asked for: ends of metric paths.
_WATCHED = (
    ".completion_us.p50",
    ".completion_us.p99",
    ".goodput_gbps",
    "pfc.pauses",
    "pfc.paused_us",
    "ecn.marked_fraction",
    "drops.lossless",
    "drops.lossy",
    "transport.retransmitted_packets",
)


def _fresh(setting, metric, search):
    """{seed: value} over the seeds that nothing was chosen by."""
    values = setting.full.by_seed(metric)
    return {seed: values[seed] for seed in search.fresh_seeds if seed in values}


def compared(search, metric):
    """A metric of the answer against the baseline: both means and their paired difference, over the fresh seeds; None
    where one of them did not measure it."""
    base, best = _fresh(search.baseline, metric, search), _fresh(search.best, metric, search)
    if not base or not best:
        return None
    difference = paired_difference(base, best)
    return {
        "metric": metric,
        "baseline": mean_interval(list(base.values())).as_json(),
        "recommended": mean_interval(list(best.values())).as_json(),
        "difference": difference.as_json(),
        "differs": difference.excludes(0),
    }


def _objective(search, goal):
    entry = compared(search, goal.metric)
    if entry is not None:
        entry["better"] = entry["differs"] and goal.sign * entry["difference"]["mean"] < 0
    return entry


def _metrics(search):
    run = next(iter(search.baseline.full.runs.values()))
    return list(run.metrics())


def _other_metrics(search, study_file):
    asked = {goal.metric for goal in study_file.goals}
    watched = [m for m in _metrics(search) if m not in asked and m.endswith(_WATCHED)]
    found = [compared(search, metric) for metric in watched]
    return [entry for entry in found if entry is not None and entry["difference"]["mean"] != 0]


def _ruled_out(search):
    reasons = {}
    for setting in search.ruled_out:
        reasons[setting.ruled_out] = reasons.get(setting.ruled_out, 0) + 1
    return [{"why": why, "settings": count} for why, count in sorted(reasons.items(), key=lambda r: -r[1])]


def _trial(setting, study_file, search):
    expected = search.estimates.get(setting)
    return {
        "number": setting.number,
        "values": setting.values,
        "seed": setting.seed,
        "expected": [g.sign * loss for g, loss in zip(study_file.goals, expected)] if expected else None,
        "ran_short": setting.short is not None,
        "ran_in_full": setting.full is not None,
        "finalist": setting in search.finalists,
    }


def _finalist(setting, study_file, search):
    metrics = {}
    for goal in study_file.goals:
        values = setting.full.by_seed(goal.metric)
        values = [values[seed] for seed in search.seeds if seed in values]
        metrics[goal.metric] = mean_interval(values).as_json() if values else None
    return {
        "values": setting.values,
        "metrics": metrics,
        "on_front": setting in search.front,
        "recommended": setting is search.best,
    }


def _constraints(search, study_file):
    """Whether each holds with the answer at every fresh seed, and with the baseline."""
    found = []
    for bound in study_file.bounds:
        entry = {"constraint": bound.text()}
        for name, setting in (("baseline", search.baseline), ("recommended", search.best)):
            values = _fresh(setting, bound.metric, search).values()
            entry[name] = bool(values) and all(bound.excess(v) == 0 for v in values)
        found.append(entry)
    return found


def _result(search):
    """A result of the answer, below the study's folder: of the last seed that has one."""
    return next(run.path for _, run in sorted(search.best.full.runs.items(), reverse=True) if run.path)


def _vendor(search, study):
    with open(study.folder / _result(search) / "resolved.yaml", encoding="utf-8") as file:
        resolved = yaml.load(file, yaml.BaseLoader)
    return [
        {
            "match": s.match,
            "mlxconfig": [dict(zip(("name", "value", "unit", "note"), row)) for row in s.rows],
            "why_not": s.why_not,
        }
        for s in vendor_settings(resolved)
    ]


def answer(search, study_file, study, laboratory):
    """Everything; `recommended` is null where no finalist keeps the constraints."""
    found = {
        "study": study_file.name,
        "scenario": str(study_file.scenario),
        "dir": str(study.folder),
        "objectives": [
            {"metric": g.metric, "goal": "minimise" if g.sign > 0 else "maximise"} for g in study_file.goals
        ],
        "budget": study_file.budget,
        "spent": laboratory.cost,
        "settings_looked_at": len(search.settings),
        "ruled_out_without_a_run": _ruled_out(search),
        "short_runs": {
            "share_of_duration": study_file.short,
            "given_up": search.share != study_file.short,
            "rank_agreement": search.agreement[0] if search.agreement else None,
            "settings_compared": search.agreement[1] if search.agreement else 0,
        },
        "seeds": search.seeds,
        "fresh_seeds": search.fresh_seeds,
        "baseline": search.baseline.settings,
        "finalists": [_finalist(s, study_file, search) for s in search.finalists],
        "sensitivities": [
            {"parameter": s.name, "tau": s.tau, "as_good": s.good, "settings_as_good": s.looked_at}
            for s in sensitivities(search, study_file)
        ],
        "trials": [_trial(s, study_file, search) for s in search.settings],
        "recommended": None,
    }
    if search.best is not None:
        found["recommended"] = {
            "values": search.best.values,
            "settings": search.best.settings,
            "objectives": [_objective(search, goal) for goal in study_file.goals],
            "constraints": _constraints(search, study_file),
            "other_metrics": _other_metrics(search, study_file),
            "nics": _vendor(search, study),
            "result": _result(search),
        }
    return found
