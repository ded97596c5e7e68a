"""A study in words and tables: what was looked at, what is best and how sure that is, and what `tune` recommends."""

from headroom_study.interval import Interval, paired_difference

from .difference import Difference, capital, interval_words, range_words, sentence, too_small_to_show
from .metric_words import metric_of
from .quantities import format_amount, format_mean, format_number, format_percent

_MOST_ROWS = 40


def _change(entry):
    """A metric of the answer, the baseline against what was found, as a Difference."""
    metric = metric_of(entry["metric"])
    before, after = entry["baseline"]["mean"], entry["found"]["mean"]
    change = Interval.of_json(entry["difference"])
    return Difference(metric.path, metric.words, metric.write, before, after, change)


def _interval_text(interval, metric):
    return "–" if interval is None else format_mean(interval.mean, interval.half_width, metric.write)


def _best_sentence(study, path):
    """Which setting is best in a metric, and whether the next one is told apart."""
    metric = metric_of(path)
    goals = {o["metric"]: o["goal"] for o in (study.answer or {}).get("objectives", [])}
    sign = -1 if goals.get(path) == "maximise" or path.endswith("goodput_gbps") else 1
    ranked = sorted((p for p in study.points if p.interval(path)), key=lambda p: sign * p.interval(path).mean)
    if len(ranked) < 2:
        return None
    best, second = ranked[:2]
    ends = "Highest" if sign < 0 else "Lowest"
    text = f"{ends} {metric.words}: {_interval_text(best.interval(path), metric)}, with {study.settings_words(best)}."
    change = paired_difference(best.by_seed(path), second.by_seed(path))
    if change is None or change.half_width is None:
        return text
    after = second.interval(path)
    pair = Difference(path, "", metric.write, best.interval(path).mean, after.mean, change)
    apart = "is told apart from it" if change.excludes(0) else "is not told apart from it"
    return f"{text} The next, {study.settings_words(second)}, {apart} ({interval_words(pair)})."


def sentences(study):
    """The study as an engineer would tell it."""
    settings = study.settings_count
    done = sum(run.status == "done" for run in study.runs)
    out = [
        f"{format_amount(settings, 'setting')}, {format_amount(len(study.seeds), 'seed')}, {format_amount(done, 'run')} done."
    ]
    if study.failed():
        out.append(
            f"{format_amount(len(study.failed()), 'run')} failed: {study.failed()[0].message or 'no reason on record'}."
        )
    if study.unfinished():
        out.append(
            f"{format_amount(len(study.unfinished()), 'run')} still to be done: this is not the whole of it."
        )
    if study.answer is None:
        out += [text for text in (_best_sentence(study, m) for m in study.metrics) if text]
    return out


def _values_words(setting):
    return ", ".join(f"{name} {value}" for name, value in setting["values"].items())


def _worth(answer, setting):
    """[sentence] of what a setting that keeps the constraints changes against the baseline."""
    changes = [_change(entry) for entry in setting["objectives"] if entry]
    out = [f"{capital(sentence(d))}." for d in changes]
    if any(not d.sure for d in changes):
        out.append("A difference whose interval holds 0 may be chance.")
    kept = [c["constraint"] for c in setting["constraints"]]
    if kept:
        out.append(f"Kept at every seed: {'; '.join(kept)}.")
    out += [f"The baseline does not keep {_missed_words(c)}." for c in answer["baseline_constraints"] if not c["kept"]]
    return out


def _found(study):
    """What the answer sets against the baseline: what is recommended, or, where that is the baseline, what was found."""
    best = (study.answer or {}).get("recommended")
    return best and (best["found"] if best["baseline"] else best)


def other_changes(study):
    """(header, rows, sentence or None) of the metrics beside the objectives that are told apart from the baseline's; the
    sentence names those of which that cannot be seen. None without any."""
    setting = _found(study)
    others = [_change(entry) for entry in setting["other_metrics"] if entry["differs"]] if setting else []
    if not others:
        return None
    rows = []
    for d in (d for d in others if d.shows):
        interval = range_words(d.change.low, d.change.high, d.write)
        rows.append([d.words, d.write(d.before), d.write(d.after), interval])
    name = "recommended" if "baseline" in setting else "found"
    return ["metric", "baseline", name, "95 % interval of the difference"], rows, too_small_to_show(others)


def _missed_words(constraint):
    """ "pfc.paused_us at most 3000: missed with 2 of 4 seeds, at worst 4.8 ms"."""
    if constraint["worst"] is None:
        return f"{constraint['constraint']}: it was not measured"
    worst = metric_of(constraint["metric"]).write(constraint["worst"])
    seeds = f"{constraint['seeds_missed']} of {format_amount(constraint['seeds'], 'seed')}"
    return f"{constraint['constraint']}: missed with {seeds}, at worst {worst}"


def _missed(answer):
    """[sentence] where nothing keeps the constraints."""
    out = ["Nothing that ran keeps the constraints with every seed: nothing is recommended."]
    if answer["nearest"]:
        broken = [_missed_words(c) for c in answer["nearest"]["constraints"] if not c["kept"]]
        out.append(f"What misses them least is {_values_words(answer['nearest'])}: {'; '.join(broken)}.")
    broken = [_missed_words(c) for c in answer["baseline_constraints"] if not c["kept"]]
    out.append(f"The baseline: {'; '.join(broken)}.")
    return out


def recommendation(study):
    """[sentence] of what `tune` found; nothing of a sweep."""
    answer = study.answer
    if answer is None:
        return []
    best = answer.get("recommended")
    if not best:
        out = _missed(answer)
    elif not best["baseline"]:
        out = [f"Recommended: {_values_words(best)}.", *_worth(answer, best)]
    else:
        out = ["Recommended: the baseline, as it is."]
        if best["found"] is None:
            out.append("Nothing else that ran with all seeds keeps the constraints.")
        else:
            out.append("Nothing was found that is better.")
            out.append(f"The best that was found: {_values_words(best['found'])}.")
            out += _worth(answer, best["found"])
    for found in answer.get("sensitivities", []):
        is_choice = found["tau"] is None
        good = (", " if is_choice else " … ").join(dict.fromkeys(map(str, found["as_good"]))) or "none"
        tau = "" if is_choice else f"{found['tau']:.2f}".replace("-", "−")
        rank = "" if is_choice else f"rank correlation with the objective {tau}; "
        out.append(f"{found['parameter']}: {rank}the settings within 2 % of the best have {good}.")
    short = answer.get("short_runs") or {}
    if short.get("rank_agreement") is not None:
        out.append(
            f"Runs of {format_percent(short['share_of_duration'])} of the duration order settings as full ones do with Kendall's "
            f"tau {format_number(short['rank_agreement'])} ({short['settings_compared']} settings)"
            + (": they were given up." if short.get("given_up") else ".")
        )
    return out


def settings_table(study):
    """(header, rows, how many there are) of all settings: what is recommended, the baseline, then the best in the first
    metric first."""
    metrics = [metric_of(m) for m in study.metrics]
    keys = [axis.key for axis in study.axes]
    points = study.points
    if metrics:
        worst = float("inf")
        points = sorted(
            points, key=lambda p: p.interval(metrics[0].path).mean if p.interval(metrics[0].path) else worst
        )
    points = sorted(points, key=lambda p: (not study.is_recommended(p), not study.is_baseline(p)))
    header = [study.short_keys[key] for key in keys] + ["seeds"] + [m.words for m in metrics]
    rows = []
    for point in points[:_MOST_ROWS]:
        cells = [str(point.settings.get(key, "as it is")) for key in keys]
        done = sum(run.status == "done" for run in point.runs.values())
        cells.append(f"{done}, recommended" if study.is_recommended(point) else str(done))
        cells += [
            ("≥ " if point.censored(m.path) else "") + _interval_text(point.interval(m.path), m)
            for m in metrics
        ]
        rows.append(cells)
    return header, rows, len(points)


def vendor_rows(study):
    """[(NICs, [(name, value, unit, note)])] of the recommended setting; no rows where NICs have no such settings."""
    best = (study.answer or {}).get("recommended")
    found = best.get("nics", []) if best else []
    return [
        (n["match"], [(r["name"], str(r["value"]), r["unit"], r["note"]) for r in n["mlxconfig"]]) for n in found
    ]
