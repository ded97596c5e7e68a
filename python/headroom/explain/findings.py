"""A run's facts about its tail, as plain data: `explain --json`, and the source of the page.

Times are µs, shares are of 1. Everything is counted: parts, places and roots are as the simulation attributed them.
"""

from headroom.csv_file import read_csv
from headroom.explain.ends import add_ends
from headroom.explain.facts import facts
from headroom.explain.in_force import in_force
from headroom.explain.parts import LEAST, at_percentiles, badness, governing, taken
from headroom.settings import item_names, matches
from headroom.summary_file import as_object

_MOST = 5  # roots, and places of marks and drops


def _roots(summary):
    """[{place, kind, paused_us, share, workloads: [{workload, share}]}]: queues that cause pauses, the largest
    first."""
    found = {}
    for row in (summary.get("pfc") or {}).get("roots") or []:
        place = ":".join(str(row[k]) for k in ("node", "port", "queue"))
        root = found.setdefault((place, row["kind"]), {"place": place, "kind": row["kind"], "paused_us": 0.0, "share": 0.0})
        root["paused_us"] += row.number("paused_us")
        root["share"] += row.number("share")
        root.setdefault("workloads", []).append({"workload": row["workload"] or None, "share": row.number("share")})
    return sorted(found.values(), key=lambda root: -root["share"])[:_MOST]


def _by_port(run, totals):
    """{name: {packets, ports, places: [{place, packets, share}], unknown}} for `totals`, {name: packets}; ports.csv has
    the places, otherwise `unknown` has the reason."""
    path, found = run.path / "ports.csv", {name: {"packets": int(n), "ports": None, "places": []} for name, n in totals.items() if n}
    if not found or not path.is_file():
        return {name: count | {"unknown": "ports.csv is missing"} for name, count in found.items()}
    columns = {name: "marked_packets" if name == "marks" else f"drop_{name}" for name in found}
    table = read_csv(path, "ports", ["node", "port", *columns.values()])
    for name, column in columns.items():
        if column in table:
            packets = table.groupby(["node", "port"])[column].sum().sort_values(ascending=False, kind="stable")
            places = [{"place": ":".join(port), "packets": int(n), "share": float(n / packets.sum())} for port, n in packets.head(_MOST).items() if n]
            found[name] |= {"ports": int((packets > 0).sum()), "places": places}
        else:
            found[name]["unknown"] = f"ports.csv has no {column}"
    return found


def _subject(run, settings, workload, counts, time, split, **more):
    about = {"workload": workload, **more, "finished": counts["finished"], "unfinished": counts.get("unfinished") or 0, time: taken(counts[time]), "at": split}
    return about | {"settings": governing(settings, workload, split["p99"]["parts"] if "p99" in split else [], run.scenario.topology, run.links or ())}


def _messages(run, settings):
    for name, counts in (run.summary.get("messages") or {}).items():
        if counts["offered"]:
            more = {"messages": counts["offered"], "lost": counts.get("lost") or 0, "warmup_offered": counts.get("warmup_offered") or 0}
            more |= {"slowdown_p99": (counts.get("slowdown") or {}).get("p99")}
            more["delivery_us"] = {p: (counts.get("delivery_us") or {}).get(p) for p in ("p50", "p99", "p999", "max")}
            yield _subject(run, settings, name, counts, "completion_us", at_percentiles(counts), **more)


def _operations(run, settings):
    for workload, kinds in (run.summary.get("operations") or {}).items():
        for kind, counts in kinds.items():
            if kind != "all" and counts["offered"]:
                more = {"kind": kind, "operations": counts["offered"], "failed": counts.get("failed") or 0, "corrupt": counts.get("corrupt") or 0}
                more["ramp_offered"] = counts.get("ramp_offered") or 0
                more["followed"] = "share not known" if unknown_settings(run) else settings.get("observe.operations", "all")
                split = at_percentiles(counts, "parts_at_us", "waits_at_us")
                yield _subject(run, settings, workload, counts, "latency_us", split, **more)


def splitting(entry):
    """The routing of an entry of switches if it sends packets of one flow over several paths, else None."""
    routing = entry.get("routing")
    kind = routing["type"] if isinstance(routing, dict) else routing
    return kind if kind in ("spray", "flowlet", "adaptive") else None


def _splitting(run):
    """[{switches, routing}]: entries of switches with a routing that is in force at some switch and sends packets of
    one flow over several paths."""
    entries = [entry for entry in run.scenario.document.get("switches") or () if isinstance(entry, dict) and "routing" in entry]
    last = {max((i for i, entry in enumerate(entries) if matches(entry.get("match", "*"), switch)), default=None) for switch, _ in run.buffers} - {None}
    return [{"switches": name, "routing": splitting(entry)} for i, (name, entry) in enumerate(zip(item_names(entries), entries)) if i in last and splitting(entry)]


def unknown_settings(run):
    """The reason why the settings of a result are unknown; None if they are known."""
    return run.scenario.trouble or (None if run.scenario.document.get("workloads") else "resolved.yaml has no workloads, so it is incomplete")


def findings(run, ends=False):
    """The facts of a Run: {scenario, seed, status, workloads, operations, roots, …}; the worst workloads and operations
    come first (parts.badness). `ends`: adds the hosts that parts concern most, from messages.csv and operations.csv."""
    summary = run.summary
    found = {"scenario": summary.get("scenario"), "seed": run.seed, "status": run.status, "settings_unknown": unknown_settings(run)}
    settings = in_force(run)
    for name, subjects in (("workloads", _messages(run, settings)), ("operations", _operations(run, settings))):
        found[name] = sorted(subjects, key=badness, reverse=True)
    if ends:
        add_ends(run, found)
    pfc, drops = summary.get("pfc") or {}, (summary.get("drops") or {}).get("by_reason") or {}
    nearest = max(((buffer.get("closest_to_xoff") or 0, switch) for switch, buffer in run.buffers), default=(0, ""))
    found["pauses"] = {"pauses": pfc.get("pauses") or 0, "paused_us": pfc.get("paused_us") or 0}
    found["pauses"]["nearest"] = {"switch": nearest[1], "share": nearest[0]} if nearest[0] else None
    ecn = summary.get("ecn") or {}
    counted = _by_port(run, {"marks": ecn.get("marked_packets"), **drops})
    found["marks"] = counted.pop("marks", {"packets": 0, "ports": 0, "places": []}) | {"share": ecn.get("marked_fraction")}
    cnp = as_object(summary.get("cnp"))
    found["cnps_missing"] = max(0, (cnp.get("sent") or 0) - (cnp.get("handled") or 0) - (cnp.get("ignored") or 0))
    counts = {name: counts["offered"] for name, counts in (summary.get("messages") or {}).items()}
    counts |= {name: sum(counts["offered"] or 0 for counts in kinds.values()) for name, kinds in (summary.get("operations") or {}).items()}
    warmup = as_object(summary.get("warmup"))
    before = as_object(warmup.get("drops"))
    found["warmup"] = {"drops": (before.get("lossless") or 0) + (before.get("lossy") or 0)}
    found["warmup"] |= {name: warmup.get(name) or 0 for name in ("pause_frames", "marked_packets")}
    found["splitting"] = _splitting(run)
    found["empty"] = [name for name, count in counts.items() if not count]
    cpu_s = as_object(summary.get("run")).get("cpu_s")
    found["cpu_s"] = cpu_s if isinstance(cpu_s, (int, float)) and cpu_s > 0 else None
    found["facts"] = facts(run, settings, found["workloads"] + found["operations"])
    return found | {"drops": counted, "roots": _roots(summary), "least_share": LEAST}
