"""A study in words and tables: its settings, the best one and its certainty, and the recommendation of `tune`."""

from headroom.difference import (
    Difference,
    amount_range,
    amount_words,
    interval_words,
    range_words,
    sentence,
    too_small_to_show,
)
from headroom.format import format_amount, format_interval, format_number, format_percent, is_are
from headroom.interval import Interval, paired_difference
from headroom.metrics import capital, metric_of
from headroom.over_seeds import seeds_words
from headroom.verdict import more_text, verdict_text

_MOST_ROWS, _MOST_APART = 40, 10
_MOST_COMPARED = 6  # settings whose differences a sweep's words describe


def _change(entry):
    """A metric of the answer as a Difference between the baseline and the found setting."""
    metric = metric_of(entry["metric"])
    before, after = entry["baseline"]["mean"], entry["found"]["mean"]
    change = Interval.of_json(entry["difference"])
    bounds = [entry[name].get("censored", False) for name in ("baseline", "found")]
    return Difference(metric.path, metric.words, metric.write, before, after, change, *bounds)


def _ranked(points, metric, sign):
    """Points that measured it, the best first."""
    return sorted((p for p in points if p.interval(metric)), key=lambda p: sign * p.interval(metric).mean)


def _against(point, other, name, metric):
    """The difference between two settings, over the seeds of both: "720 µs more than PFC alone (…)"."""
    change = paired_difference(other.by_seed(metric.path), point.by_seed(metric.path))
    if change is None:
        return f"no seed in common with {name}"
    pair = Difference(
        metric.path, "", metric.write, other.interval(metric.path).mean, point.interval(metric.path).mean, change,
        other.censored(metric.path), point.censored(metric.path),
    )
    word = "more" if change.mean > 0 else "less"
    amount = amount_words(abs(change.mean), metric.write)
    if change.mean == 0 and not change.half_width:
        return f"the same as {name}"
    if not pair.direction_known:
        return f"unfinished messages leave open whether it is less than {name}"
    bound = "at least " if pair.before_bound or pair.after_bound else ""
    if change.half_width is None:
        return f"{bound}{amount} {word} than {name} (one seed)"
    if change.half_width == 0:
        return f"{bound}{amount} {word} than {name} in each of {change.n} seeds"
    if not change.excludes(0):
        return f"not distinguishable from {name} ({interval_words(pair)})"
    ends = sorted((abs(change.low), abs(change.high)))
    told = f"{metric.write(ends[0])} {word} on" if bound else amount_range(*ends, metric.write) + f" {word}"
    return f"{bound}{amount} {word} than {name} (95 % interval {told}, {change.n} seeds)"


def comparisons(study):
    """[(sentence of the best, [sentence of each next], sentence on the rest or None)] of a sweep, metric by metric.
    Each setting is compared with the best and with the one before it, seed by seed."""
    if study.is_search:
        return []
    out = []
    for number, path in enumerate(study.metrics):
        metric, sign = metric_of(path), study.sign(path)
        ranked = _ranked(study.compared, path, sign)
        if len(ranked) < 2:
            continue
        best = ranked[0]

        def value(point):
            return ("at least " if point.censored(path) else "") + format_interval(point.interval(path), metric.write)

        ends = "Highest" if sign < 0 else "Lowest"
        lead = f"{ends} {metric.words}: {value(best)}, with {study.settings_words(best)}."
        told = ranked[1 : _MOST_COMPARED if number < 3 else 2]
        items = []
        for before, point in zip(ranked, told):
            text = f"{study.settings_words(point)}: {value(point)}, {_against(point, best, 'the best', metric)}"
            if before is not best:
                text += f"; {_against(point, before, study.settings_words(before), metric)}"
            items.append(text + ".")
        rest = len(ranked) - 1 - len(told)
        more = f"{format_amount(rest, 'other setting')} {is_are(rest)} in the table." if rest else None
        out.append((lead, items, more))
    return out


def sentences(study):
    """The study in an engineer's words."""
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
            f"{format_amount(len(study.unfinished()), 'run')} still to be done: the study is incomplete."
        )
    if study.is_search and study.answer is None:
        out.append("This search has no answer yet; start the same `tune` again.")
    elif not study.is_search and study.apart:
        out.append(
            f"{format_amount(len(study.apart), 'setting')} without all of {seeds_words(study.compared_seeds)}: set apart, "
            "because other seeds have other arrivals."
        )
    return out


def _values_words(setting):
    return ", ".join(f"{name} {value}" for name, value in setting["values"].items())


def _verdict_words(study, found):
    """ "better by 16 ± 5 % (27 fresh seeds)"."""
    more = "unfinished messages leave it open" if found["open"] else more_text(found["more_seeds"])
    return f"{verdict_text(found['says'], found, study.answer['resolution'], more)} ({found['seeds']} fresh seeds)"


def _worth(study, setting):
    """[sentence] on what a setting that keeps the constraints changes compared with the baseline."""
    changes = [_change(entry) for entry in setting["objectives"] if entry]
    out = [f"{capital(sentence(d))}." for d in changes]
    judged = [(entry["verdict"], d) for entry, d in zip(filter(None, setting["objectives"]), changes) if "verdict" in entry]
    if judged:
        told = [f"{d.words} is {_verdict_words(study, found)}" for found, d in judged if found["seeds"]]
        out = [f"Against the baseline, {'; '.join(told)}.", *out] if told else out
    elif changes and not any(d.sure for d in changes):
        out.insert(0, "No certain difference from the baseline: no objective improves by more than the noise of these seeds.")
    elif any(not d.sure for d in changes):
        out.append("A difference whose interval holds 0 may be chance.")
    kept = [c["constraint"] for c in setting["constraints"]]
    if kept:
        out.append(f"Kept at every seed: {'; '.join(kept)}.")
    out += [f"The baseline does not keep {_missed_words(c)}." for c in study.answer["baseline_constraints"] if not c["kept"]]
    return out


def _found(study):
    """The setting that the answer compares with the baseline: the recommended one or, if that is the baseline, the
    found one."""
    best = (study.answer or {}).get("recommended")
    return best and (best["found"] if best["baseline"] else best)


def other_changes(study):
    """(header, rows, sentence or None) of metrics other than the objectives that differ from the baseline's; the
    sentence names those without a visible difference. None without any."""
    setting = _found(study)
    others = [_change(entry) for entry in setting["other_metrics"] if entry["differs"]] if setting else []
    if not others:
        return None
    rows = []
    for d in (d for d in others if d.shows):
        interval = range_words(d.change.low, d.change.high, d.write)
        cells = [("≥ " if bound else "") + d.write(v) for v, bound in ((d.before, d.before_bound), (d.after, d.after_bound))]
        rows.append([d.words, *cells, interval])
    name = "recommended" if "baseline" in setting else "found"
    return ["metric", "baseline", name, "95 % interval of the difference"], rows, too_small_to_show(others)


def _missed_words(constraint):
    """ "pfc.paused_us at most 3000: missed with 2 of 4 seeds, at worst 4.8 ms"."""
    if constraint["worst"] is None:
        return f"{constraint['constraint']}: it was not measured"
    worst = ("at least " if constraint.get("censored") else "") + metric_of(constraint["metric"]).write(constraint["worst"])
    seeds = f"{constraint['seeds_missed']} of {format_amount(constraint['seeds'], 'seed')}"
    return f"{constraint['constraint']}: missed with {seeds}, at worst {worst}"


def _missed(answer):
    """[sentence] if no setting keeps the constraints."""
    out = ["No setting that ran keeps the constraints with every seed, so there is no recommendation."]
    if answer["nearest"]:
        broken = [_missed_words(c) for c in answer["nearest"]["constraints"] if not c["kept"]]
        out.append(f"The setting that misses them least is {_values_words(answer['nearest'])}: {'; '.join(broken)}.")
    broken = [_missed_words(c) for c in answer["baseline_constraints"] if not c["kept"]]
    out.append(f"The baseline: {'; '.join(broken)}.")
    return out


def recommendation(study):
    """[sentence] on the result of `tune`; empty for a sweep."""
    answer = study.answer
    if answer is None:
        return []
    best = answer.get("recommended")
    if not best:
        out = _missed(answer)
    elif not best["baseline"]:
        out = [f"Recommended: {_values_words(best)}.", *_worth(study, best)]
    else:
        out = ["Recommended: the baseline, as it is."]
        if best["found"] is None:
            out.append("No other setting that ran with all seeds keeps the constraints.")
        else:
            out.append("No better setting was found.")
            out.append(f"The best setting found: {_values_words(best['found'])}.")
            out += _worth(study, best["found"])
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
            + (": the search gave them up." if short.get("given_up") else ".")
        )
    return out


def settings_tables(study):
    """[(sentence on its seeds, header, rows, their number)]. Settings that ran with the seeds of the comparison come
    first, by the first metric. Those with other seeds, which cannot be compared, follow."""
    metrics = [metric_of(m) for m in study.metrics]
    compared = study.compared
    if metrics:
        ranked = _ranked(compared, metrics[0].path, study.sign(metrics[0].path))
        compared = ranked + [p for p in compared if p not in ranked]
    header = [study.short_keys[axis.key] for axis in study.axes] + ["seeds"] + [m.words for m in metrics]
    half = ", ± half of the 95 % interval" if len(study.compared_seeds) > 1 else ""
    told = f"Means over {seeds_words(study.compared_seeds)}{half}"
    rows = [_row(study, p, metrics) for p in compared[:_MOST_ROWS]]
    tables = [(f"{told}; the best first.", header, rows, len(compared))] if rows else []
    roles = [study.is_recommended, study.is_baseline]
    fresh = (study.answer or {}).get("fresh_seeds")
    judged = [p.of_seeds(fresh) for is_it in roles for p in study.points if is_it(p)] if fresh else []
    judged = [p for p in judged if p.runs]
    if judged:
        words = f"Basis of the recommendation: means over {seeds_words(fresh)}, ± half of the 95 % interval."
        tables.insert(0, (words, header, [_row(study, p, metrics) for p in judged], len(judged)))
    apart = sorted(study.apart, key=lambda p: -len(p.runs))
    apart = [p for p in apart if not (judged and (study.is_recommended(p) or study.is_baseline(p)))]
    if apart:
        words = "These settings ran with other seeds, and so other arrivals. They cannot be compared with settings above or with one another."
        tables.append((words, header, [_row(study, p, metrics) for p in apart[:_MOST_APART]], len(apart)))
    return tables


def _row(study, point, metrics):
    cells = [
        axis.label(str(point.settings[axis.key])) if axis.key in point.settings else "as it is" for axis in study.axes
    ]
    done = sum(run.status == "done" for run in point.runs.values())
    role = ", recommended" if study.is_recommended(point) else ", baseline" if study.is_baseline(point) else ""
    cells.append(f"{done}{role}")
    for m in metrics:
        cells.append(("≥ " if point.censored(m.path) else "") + format_interval(point.interval(m.path), m.write))
    return cells


def vendor_rows(study):
    """[(NICs, [(name, value, unit, note)])] of the recommended setting; no rows if NICs have no such settings."""
    best = (study.answer or {}).get("recommended")
    found = best.get("nics", []) if best else []
    return [
        (n["match"], [(r["name"], str(r["value"]), r["unit"], r["note"]) for r in n["mlxconfig"]]) for n in found
    ]
