"""The answer of a search for a person."""

from .interval import Interval
from .text_table import interval_text, number_text, text_table


def _interval(data):
    return interval_text(Interval(data["mean"], data["half_width_95"], data["n"]))


def _change(entry):
    before, change = entry["baseline"]["mean"], entry["difference"]["mean"]
    percent = f"{100 * change / abs(before):+.1f} %" if before else ""
    return percent if entry["differs"] else f"{percent} (not told from 0)".strip()


def _compared_table(entries):
    rows = [
        [e["metric"], _interval(e["baseline"]), _interval(e["recommended"]), _interval(e["difference"]), _change(e)]
        for e in entries
        if e
    ]
    return text_table(["", "baseline", "recommended", "difference", "change"], rows)


def _recommended(found):
    best = found["recommended"]
    text = []
    if not any(e and e["better"] for e in best["objectives"]):
        text.append("NOT TOLD FROM THE BASELINE: nothing was found that is better beyond the noise of these seeds")
    text.append("recommended\n" + text_table(["", ""], [[k, v] for k, v in best["values"].items()]).lstrip("\n "))
    seeds = len(found["fresh_seeds"])
    text.append(
        f"objectives, means ± 95 % over {seeds} seeds that nothing was chosen by; differences seed by seed\n"
        + _compared_table(best["objectives"])
    )
    broken = [c for c in best["constraints"] if not c["recommended"]]
    kept = len(best["constraints"]) - len(broken)
    if best["constraints"]:
        lines = [f"constraints: {kept} of {len(best['constraints'])} hold at every one of these seeds"]
        lines += [f"  BROKEN: {c['constraint']}" for c in broken]
        lines += [f"  the baseline breaks: {c['constraint']}" for c in best["constraints"] if not c["baseline"]]
        text.append("\n".join(lines))
    if best["other_metrics"]:
        text.append("what else changes\n" + _compared_table(best["other_metrics"]))
    return text


def _sensitivities(found):
    rows = []
    for s in found["sensitivities"]:
        good = " … ".join(s["as_good"]) if s["tau"] is not None else ", ".join(s["as_good"])
        rows.append([s["parameter"], "" if s["tau"] is None else f"{s['tau']:+.2f}", good])
    if not rows:
        return []
    count = found["sensitivities"][0]["settings_as_good"]
    head = ["parameter", "rank correlation", f"the {count} settings within 2 % of the best"]
    what = f"sensitivity of {found['objectives'][0]['metric']}, as expected of all runs together"
    return [f"{what}\n" + text_table(head, rows, left=1)]


def _finalists(found):
    if len(found["objectives"]) < 2:
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
        f"looked at {found['settings_looked_at']} settings for {number_text(found['spent'])} of "
        f"{found['budget']} full runs"
    ]
    for entry in found["ruled_out_without_a_run"][:5]:
        lines.append(f"ruled out without a run: {entry['settings']}: {entry['why']}")
    if short["share_of_duration"] < 1:
        share = f"runs of {100 * short['share_of_duration']:.3g} % of the duration"
        if short["rank_agreement"] is None:
            lines.append(f"{share}: too few settings ran in full to say whether they order settings alike")
        else:
            given_up = "; too little, so the search went on with runs in full" if short["given_up"] else ""
            lines.append(
                f"{share} order settings as full ones do with Kendall's tau {short['rank_agreement']:.2f} "
                f"({short['settings_compared']} settings){given_up}"
            )
    return ["\n".join(lines)]


def _vendor(found):
    text = []
    for nic in found["recommended"]["nics"]:
        match = nic["match"] if isinstance(nic["match"], str) else ", ".join(nic["match"])
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


def answer_text(found):
    parts = []
    if found["recommended"] is None:
        parts.append("no setting that was run keeps all constraints; wider bounds, or a larger budget, may hold one")
    else:
        parts += _recommended(found)
    parts += _finalists(found) + _sensitivities(found)
    if found["recommended"] is not None:
        parts += _vendor(found)
        parts.append(
            "the switches, in SONiC's terms:\n  ./headroom convert --to sonic-patch "
            f"{found['dir']}/recommended --config config_db.json --switch NODE"
        )
    return "\n\n".join(parts + _account(found))
