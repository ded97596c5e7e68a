"""The result of a search, as plain data: study.json, `tune --json`, and the source of the text."""

from headroom.study import verdict
from headroom.study.rating import rate
from headroom.study.sensitivity import sensitivities
from headroom.study.vendor_nic import vendor_settings
from headroom.yaml_file import read_plain

# Metrics of interest in addition to the requested ones: ends of metric paths.
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


def _metrics(search):
    run = next(iter(search.baseline.full.runs.values()))
    return list(run.metrics())


def _other_metrics(search, setting, study_file):
    asked = {goal.metric for goal in study_file.goals}
    watched = [m for m in _metrics(search) if m not in asked and m.endswith(_WATCHED)]
    found = [verdict.compared(search, setting, metric, study_file) for metric in watched]
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
        "settings": setting.settings,
        "seed": setting.seed,
        "expected": [g.sign * loss for g, loss in zip(study_file.goals, expected.losses)] if expected else None,
        "expected_violation": expected.violation if expected else None,
        "ran_short": setting.short is not None,
        "ran_in_full": setting.full is not None,
        "finalist": setting in search.finalists,
    }


def _finalist(setting, study_file, search, recommended):
    of_search = setting.full.of_seeds(search.seeds)
    metrics = {goal.metric: verdict.mean_with_mark(of_search, goal.metric) for goal in study_file.goals}
    return {
        "values": setting.values,
        "settings": setting.settings,
        "metrics": metrics,
        "keeps_constraints": rate(setting.full, study_file).usable,
        "on_front": setting in search.front,
        "recommended": setting is recommended,
    }


def _result(setting):
    """A result of a setting, below the study's folder: of the last seed that has one."""
    return next(run.path for _, run in sorted(setting.full.runs.items(), reverse=True) if run.path)


def _vendor(setting, study):
    resolved = read_plain(study.folder / _result(setting) / "resolved.yaml")
    return [
        {
            "match": s.match,
            "mlxconfig": [dict(zip(("name", "value", "unit", "note"), row)) for row in s.rows],
            "why_not": s.why_not,
        }
        for s in vendor_settings(resolved)
    ]


def _against_baseline(setting, study_file, search):
    """The value of a setting over the fresh seeds, and how it keeps the constraints over all of its seeds."""
    return {
        "values": setting.values,
        "settings": setting.settings,
        "objectives": [verdict.objective(search, setting, goal, study_file) for goal in study_file.goals],
        "constraints": verdict.constraints(setting, study_file),
        "other_metrics": _other_metrics(search, setting, study_file),
    }


def _recommended(setting, study_file, search, study):
    """`baseline`: whether the baseline is kept; then `found` is the best other setting that keeps the constraints, null
    if none does."""
    kept = setting is search.baseline
    told = {"values": {}, "settings": setting.settings} if kept else _against_baseline(setting, study_file, search)
    if kept:
        told["found"] = _against_baseline(search.best, study_file, search) if search.best else None
    return {"baseline": kept, **told, "nics": _vendor(setting, study), "result": _result(setting)}


def _nearest(setting, study_file):
    return {
        "values": setting.values,
        "settings": setting.settings,
        "constraints": verdict.constraints(setting, study_file),
    }


def answer(search, study_file, study, laboratory):
    """The entire answer. `recommended` is null if no setting that ran keeps the constraints, not even the baseline;
    then `nearest` is the setting that misses them least, null if no run of any was measured."""
    recommended = verdict.chosen(search, study_file)
    return {
        "study": study_file.name,
        "scenario": str(study_file.scenario),
        "dir": str(study.folder),
        "objectives": [
            {"metric": g.metric, "goal": "minimise" if g.sign > 0 else "maximise"} for g in study_file.goals
        ],
        "bounds": [{"metric": b.metric, "min": b.least, "max": b.most, "sign": b.sign} for b in study_file.bounds],
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
        "resolution": study_file.resolution,
        "confidence": study_file.confidence,
        "baseline": search.baseline.settings,
        "baseline_constraints": verdict.constraints(search.baseline, study_file),
        "finalists": [_finalist(s, study_file, search, recommended) for s in search.finalists],
        "sensitivities": [
            {"parameter": s.name, "tau": s.tau, "as_good": s.good, "settings_as_good": s.looked_at}
            for s in sensitivities(search, study_file)
        ],
        "trials": [_trial(s, study_file, search) for s in search.settings],
        "recommended": _recommended(recommended, study_file, search, study) if recommended else None,
        "nearest": _nearest(search.nearest, study_file) if search.nearest and not recommended else None,
    }
