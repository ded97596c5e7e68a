"""The answer of a search as text for a user."""

from headroom.format import counted
from headroom.interval import Interval
from headroom.study.progress import time_text
from headroom.text_table import interval_text, number_text, text_table
from headroom.verdict import more_text, verdict_text


def _interval(data):
    return interval_text(Interval.of_json(data), data["censored"])


def _side(entry):
    """The sign of a difference to or from a lower bound: "≥ ", "≤ ", or None if both are lower bounds."""
    before, after = entry["baseline"]["censored"], entry["found"]["censored"]
    return (None if after else "≤ ") if before else ("≥ " if after else "")


def _difference(entry):
    side = _side(entry)
    return "–" if side is None else side + interval_text(Interval.of_json(entry["difference"]))


def _change(entry):
    if _side(entry) is None:
        return "not known"
    before, change = entry["baseline"]["mean"], entry["difference"]["mean"]
    percent = _side(entry) + f"{100 * change / abs(before):+.1f} %" if before else ""
    # For an objective the verdict states whether it is certain.
    return percent if entry["differs"] or "verdict" in entry else f"{percent} (not significant)".strip()


def _compared_table(entries, name):
    rows = [
        [e["metric"], _interval(e["baseline"]), _interval(e["found"]), _difference(e), _change(e)]
        for e in entries
        if e
    ]
    text = text_table(["", "baseline", name, "difference", "change"], rows)
    bounded = any(e and (e["baseline"]["censored"] or e["found"]["censored"]) for e in entries)
    return text + ("\n≥: at least this, the percentile falls on unfinished messages" if bounded else "")


def _values(title, found):
    return f"{title}\n" + text_table(["", ""], [[k, v] for k, v in found["values"].items()]).lstrip("\n ")


def _worth(found, setting, name):
    """The changes of a setting compared with the baseline."""
    seeds = len(found["fresh_seeds"])
    text = [
        f"objectives, means ± 95 % over {seeds} fresh seeds; differences seed by seed, with intervals that allow for "
        "several looks\n"
        + _compared_table(setting["objectives"], name)
    ]
    if setting["constraints"]:
        lines = [f"keeps the constraints with each of the {setting['constraints'][0]['seeds']} seeds that it ran with"]
        lines += [f"  the baseline does not: {_missed(c)}" for c in found["baseline_constraints"] if not c["kept"]]
        text.append("\n".join(lines))
    if setting["other_metrics"]:
        text.append("what else changes\n" + _compared_table(setting["other_metrics"], name))
    return text


def _verdicts(found, setting, seconds):
    """One line for each objective. `seconds`: duration of a pair of runs, 0 if unknown."""
    lines = []
    for entry in filter(None, setting["objectives"]):
        judged = entry["verdict"]
        time = judged["more_seeds"] and seconds and f" ({time_text(judged['more_seeds'] * seconds)})"
        more = more_text(judged["more_seeds"], time or "")
        if judged["open"]:
            more = "unfinished messages leave it open; a longer deadline would let them end"
        said = verdict_text(judged["says"], judged, found["resolution"], more) if judged["seeds"] else "not measured"
        ends = judged["pooled"]
        ends_text = f": {number_text(ends['baseline'])} → {number_text(ends['found'])} over the messages of all seeds" if ends else ""
        lines.append(f"{said} ({judged['seeds']} fresh seeds, {100 * found['confidence']:g} %)")
        lines.append(f"  {entry['metric']}{ends_text}")
    return "verdict against the baseline\n" + "\n".join(f"  {line}" for line in lines)


def _recommended(found, seconds):
    best = found["recommended"]
    if not best["baseline"]:
        text = [_verdicts(found, best, seconds)]
        if not any(e and e["better"] for e in best["objectives"]):
            text.append("NO BETTER THAN THE BASELINE, which breaks a constraint")
        return [*text, _values("recommended", best), *_worth(found, best, "recommended")]
    keeps = "it keeps the constraints, and " if found["baseline_constraints"] else ""
    if best["found"] is None:
        return [f"KEEP THE BASELINE: {keeps}no other setting that ran with all seeds does"]
    told = f"KEEP THE BASELINE: {keeps}nothing better was found"
    found_best = [_verdicts(found, best["found"], seconds), _values("the best that was found", best["found"])]
    return [told, *found_best, *_worth(found, best["found"], "found")]


def _missed(constraint):
    if constraint["worst"] is None:
        return f"{constraint['constraint']}: not measured"
    share = constraint["missed_by_share"]
    beyond = f"{number_text(constraint['missed_by'])} beyond" + (f", {100 * share:.3g} %" if share else "")
    return (
        f"{constraint['constraint']}: missed with {constraint['seeds_missed']} of {constraint['seeds']} seeds, "
        f"at worst {'≥ ' if constraint['censored'] else ''}{number_text(constraint['worst'])} ({beyond})"
    )


def _held_by(bounds):
    return ", ".join(f"{key}: {value:.12g}" for key, value in bounds.items())


def _nothing_keeps(found):
    """How far, with how many seeds, and which bounds the setting would keep."""
    who = [("the setting that misses least", found["nearest"])] if found["nearest"] else []
    who.append(("the baseline", {"values": {}, "constraints": found["baseline_constraints"]}))
    ruled_out = sum(entry["settings"] for entry in found["ruled_out_without_a_run"])
    if found["settings_looked_at"] == 0 and ruled_out > 0:
        text = [
            f"no setting ran: all {ruled_out} proposals were ruled out without a run, and the baseline breaks a constraint\n"
            "  Mend what the reason below names, or allow it with `rule_out:`; {pfc_before_ecn: 0} allows PFC before ECN."
        ]
    else:
        text = ["no setting that ran keeps all constraints with every seed, including fresh ones; nor does the baseline"]
    for name, setting in who:
        lines = [_values(name, setting) if setting["values"] else name]
        for constraint in setting["constraints"]:
            kept = f"{constraint['constraint']}: kept with {constraint['seeds']} of {constraint['seeds']} seeds"
            lines.append("  " + (kept if constraint["kept"] else _missed(constraint)))
        if all(constraint["kept"] for constraint in setting["constraints"]):
            lines.append("  the budget was spent before fresh seeds; with a larger one the same command continues")
        text.append("\n".join(lines))
    hints = [
        f"  {c['metric']} with {_held_by(c['would_keep'])}: {name}"
        for name, setting in who
        for c in setting["constraints"]
        if not c["kept"] and c["would_keep"]
    ]
    if hints:
        text.append("bounds that would have been kept\n" + "\n".join(hints))
    return text


def _sensitivities(found):
    rows = []
    for s in found["sensitivities"]:
        good = " … ".join(s["as_good"]) if s["tau"] is not None else ", ".join(s["as_good"])
        rows.append([s["parameter"], "" if s["tau"] is None else f"{s['tau']:+.2f}", good])
    if not rows:
        return []
    count = found["sensitivities"][0]["settings_as_good"]
    those = "setting" if count == 1 else f"{count} settings"
    head = ["parameter", "rank correlation", f"the {those} within 2 % of the best"]
    what = f"sensitivity of {found['objectives'][0]['metric']}, estimated from all runs together"
    return [f"{what}\n" + text_table(head, rows, left=1)]


def _finalists(found):
    if len(found["objectives"]) < 2 or not any(f["on_front"] for f in found["finalists"]):
        return []
    metrics = [o["metric"] for o in found["objectives"]]
    names = list(found["finalists"][0]["values"])
    rows = [
        [*(f["values"][n] for n in names), *(_interval(f["metrics"][m]) if f["metrics"][m] else "–" for m in metrics),
         "recommended" if f["recommended"] else ""]
        for f in found["finalists"]
        if f["on_front"]
    ]
    return ["Pareto front\n" + text_table([*names, *metrics, ""], rows, left=len(names))]


def _account(found):
    short = found["short_runs"]
    lines = [
        f"looked at {counted(found['settings_looked_at'], 'setting')} for {number_text(found['spent'])} of "
        f"{found['budget']} full runs"
    ]
    for entry in found["ruled_out_without_a_run"][:5]:
        lines.append(f"ruled out without a run: {entry['settings']}: {entry['why']}")
    if short["share_of_duration"] < 1:
        share = f"runs of {100 * short['share_of_duration']:.3g} % of the duration"
        if short["rank_agreement"] is None:
            lines.append(f"{share}: too few settings ran in full to compare their order")
        else:
            given_up = "; too little, so the search continued with full runs" if short["given_up"] else ""
            lines.append(
                f"{share} order settings like full ones, with Kendall's tau {short['rank_agreement']:.2f} "
                f"({short['settings_compared']} settings){given_up}"
            )
    return ["\n".join(lines)]


def _vendor(found):
    text = []
    if found["recommended"]["nics"] and not any(key.startswith("nics") for key in found["recommended"]["settings"]):
        text.append("no setting of a NIC was searched; these are the scenario's own, for the record")
    for nic in found["recommended"]["nics"]:
        match = ", ".join(nic["match"])
        if nic["why_not"]:
            text.append(f'NIC "{match}" has no settings of mlxconfig: {nic["why_not"]}')
            continue
        rows = [[r["name"], f"{r['value']} {r['unit']}", r["note"]] for r in nic["mlxconfig"]]
        words = " ".join(f"{r['name']}={r['value']}" for r in nic["mlxconfig"])
        text.append(
            f'NIC "{match}", by the names of mlxconfig\n'
            + text_table(["", "", ""], rows, left=3).lstrip("\n ")
            + f"\n  mlxconfig -d DEVICE set {words}"
        )
    return text


def answer_text(found, seconds):
    """`seconds`: duration of a pair of runs, of the baseline and of another setting."""
    parts = _nothing_keeps(found) if found["recommended"] is None else _recommended(found, seconds)
    parts += _finalists(found) + _sensitivities(found)
    if found["recommended"] is not None and not found["recommended"]["baseline"]:
        parts += _vendor(found)
        parts.append(
            "the switches, in SONiC's terms:\n  ./headroom convert --to sonic-patch "
            f"{found['dir']}/recommended --config config_db.json --switch NODE"
        )
    return "\n\n".join(parts + _account(found))
