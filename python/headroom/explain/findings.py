"""What a run's files say of its tail, as plain data: `explain --json`, and what the page is made from.

Times are µs, shares are of 1. All of it is counted: parts, places and roots are as the simulation attributed them.
"""

from headroom.csv_file import read_csv
from headroom.explain.ends import add_ends
from headroom.explain.counterfactuals import entry_name
from headroom.explain.in_force import in_force
from headroom.explain.parts import LEAST, at_percentiles, badness, governing, taken
from headroom.explain.routing_changes import splitting
from headroom.settings import matches
from headroom.summary_file import as_object

_MOST = 5  # roots, and places of marks and drops


def _roots(summary):
    """[{place, kind, paused_us, share, workloads: [{workload, share}]}]: queues that pauses come from, the largest first."""
    found = {}
    for row in (summary.get("pfc") or {}).get("roots") or []:
        place = ":".join(str(row[k]) for k in ("node", "port", "queue"))
        root = found.setdefault((place, row["kind"]), {"place": place, "kind": row["kind"], "paused_us": 0.0, "share": 0.0})
        root["paused_us"] += row.number("paused_us")
        root["share"] += row.number("share")
        root.setdefault("workloads", []).append({"workload": row["workload"] or None, "share": row.number("share")})
    return sorted(found.values(), key=lambda root: -root["share"])[:_MOST]


def _by_port(run, totals):
    """{name: {packets, ports, places: [{place, packets, share}], unknown}} of `totals`, {name: packets}; ports.csv says where, else
    `unknown` why it does not."""
    path, found = run.path / "ports.csv", {name: {"packets": int(n), "ports": None, "places": []} for name, n in totals.items() if n}
    if not found or not path.is_file():
        return {name: of | {"unknown": "ports.csv is missing"} for name, of in found.items()}
    columns = {name: "marked_packets" if name == "marks" else f"drop_{name}" for name in found}
    table = read_csv(path, "ports", ["node", "port", *columns.values()])
    for name, column in columns.items():
        if column in table:
            at = table.groupby(["node", "port"])[column].sum().sort_values(ascending=False, kind="stable")
            places = [{"place": ":".join(port), "packets": int(n), "share": float(n / at.sum())} for port, n in at.head(_MOST).items() if n]
            found[name] |= {"ports": int((at > 0).sum()), "places": places}
        else:
            found[name]["unknown"] = f"ports.csv has no {column}"
    return found


def _subject(run, settings, workload, of, time, at, **more):
    about = {"workload": workload, **more, "finished": of["finished"], "unfinished": of.get("unfinished") or 0, time: taken(of[time]), "at": at}
    return about | {"settings": governing(settings, workload, at["p99"]["parts"] if "p99" in at else [], run.scenario.topology)}


def _messages(run, settings):
    for name, of in (run.summary.get("messages") or {}).items():
        if of["offered"]:
            more = {"messages": of["offered"], "slowdown_p99": (of.get("slowdown") or {}).get("p99")}
            more["delivery_us"] = {p: (of.get("delivery_us") or {}).get(p) for p in ("p50", "p99", "p999", "max")}
            yield _subject(run, settings, name, of, "completion_us", at_percentiles(of), **more)


def _operations(run, settings):
    for workload, kinds in (run.summary.get("operations") or {}).items():
        for kind, of in kinds.items():
            if kind != "all" and of["offered"]:
                more = {"kind": kind, "operations": of["offered"], "failed": of.get("failed") or 0, "corrupt": of.get("corrupt") or 0}
                more["followed"] = "share not known" if unknown_settings(run) else settings.get("observe.operations", "all")
                at = at_percentiles(of, "parts_at_us", "waits_at_us")
                yield _subject(run, settings, workload, of, "latency_us", at, **more)


def _splitting(run):
    """[{switches, routing}]: entries of switches whose routing, in force at some switch, sends packets of one flow over several paths."""
    entries = [of for of in run.scenario.document.get("switches") or () if isinstance(of, dict) and "routing" in of]
    last = {max((i for i, of in enumerate(entries) if matches(of.get("match", "*"), switch)), default=None) for switch, _ in run.buffers} - {None}
    return [{"switches": entry_name(of), "routing": splitting(of)} for of in (entries[i] for i in sorted(last)) if splitting(of)]


def unknown_settings(run):
    """Why the settings of a result are not known; None where they are."""
    return run.scenario.trouble or (None if run.scenario.document.get("workloads") else "resolved.yaml has no workloads, so it is incomplete")


def findings(run, ends=False):
    """Of a Run: {scenario, seed, status, workloads, operations, roots, …}; the worst workloads and operations first
    (parts.badness). `ends`: with the hosts that parts
    concern most, from messages.csv and operations.csv."""
    summary = run.summary
    found = {"scenario": summary.get("scenario"), "seed": run.seed, "status": run.status, "settings_unknown": unknown_settings(run)}
    settings = in_force(run)
    for name, subjects in (("workloads", _messages(run, settings)), ("operations", _operations(run, settings))):
        found[name] = sorted(subjects, key=badness, reverse=True)
    if ends:
        add_ends(run, found)
    pfc, drops = summary.get("pfc") or {}, (summary.get("drops") or {}).get("by_reason") or {}
    nearest = max(((of.get("closest_to_xoff") or 0, switch) for switch, of in run.buffers), default=(0, ""))
    found["pauses"] = {"pauses": pfc.get("pauses") or 0, "paused_us": pfc.get("paused_us") or 0}
    found["pauses"]["nearest"] = {"switch": nearest[1], "share": nearest[0]} if nearest[0] else None
    ecn = summary.get("ecn") or {}
    counted = _by_port(run, {"marks": ecn.get("marked_packets"), **drops})
    found["marks"] = counted.pop("marks", {"packets": 0, "ports": 0, "places": []}) | {"share": ecn.get("marked_fraction")}
    counts = {name: of["offered"] for name, of in (summary.get("messages") or {}).items()}
    counts |= {name: sum(of["offered"] or 0 for of in kinds.values()) for name, kinds in (summary.get("operations") or {}).items()}
    found["splitting"] = _splitting(run)
    found["empty"] = [name for name, count in counts.items() if not count]
    cpu_s = as_object(summary.get("run")).get("cpu_s")
    found["cpu_s"] = cpu_s if isinstance(cpu_s, (int, float)) and cpu_s > 0 else None
    return found | {"drops": counted, "roots": _roots(summary), "least_share": LEAST}
