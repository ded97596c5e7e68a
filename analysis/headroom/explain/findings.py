"""What a run's summary proves of its tail, as plain data: `explain --json`, and what the text is made from.

Times are µs, shares are of 1. Nothing is concluded from names, adjacency or time: parts, places and roots are as the
simulation attributed them.
"""

import re

from headroom.explain.evidence import Evidence

LEAST = 0.05  # of a message's time: a part that holds less is not told
_MOST_PLACES, _MOST_ROOTS = 3, 5
_AT_PLACES = ("queued", "paused", "ack_queued", "ack_paused")
_ENOUGH = {"p50": 1, "p99": 1, "p999": 1000}  # messages; below them p99 is of the slowest, and p99.9 says no more
_BUFFER = r"switches\.[^.]+\.buffer\.(profile|alpha|policy)"
_ECN = r"switches\.[^.]+\.ecn\.{priority}\.(kmin|kmax|pmax)"
_ACKS = r"nics\..+\.transport\.ack_priority"
# By part: patterns of the keys that govern it, what governs most first.
_GOVERN = {
    "own_queue": [r"workloads\.{workload}\.qp(\..+)?"],
    "limiter": [_ECN, r"nics\..+\.congestion_control", r"nics\..+\.dcqcn\.(np\.coalescing|rp\.reduce_window)",
                r"nics\..+\.dcqcn\.rp\.(increase_timer|rate_ai)"],
    "nic": [r"nics\..+\.(tx_latency|rx_latency)", r"nics\..+\.resources(\..+)?"],
    "queued": [_ECN, r"workloads\.{workload}\.load"],
    "paused": [_BUFFER, _ECN],
    "recovery": [r"nics\..+\.transport\.(recovery|rto|recovery_delay)"],
    "ack_queued": [_ACKS],
    "ack_paused": [_ACKS],
}


def _places(waits, part, us):
    """[{place, towards, us, share}] that hold most of a part."""
    found = []
    for place, of in waits.items():
        here = of.get(part, 0.0)
        if here > 0:
            found.append({"place": place, "towards": of.get("towards"), "us": here, "share": here / us})
    return sorted(found, key=lambda p: -p["us"])[:_MOST_PLACES]


def _at(messages, percentile):
    """Where the time of messages around a percentile went, the largest part first; None without messages."""
    parts = (messages.get("parts_us") or {}).get(percentile) or {}
    known = {part: us for part, us in parts.items() if isinstance(us, (int, float)) and us > 0}
    total = sum(known.values())
    if not total:
        return None
    waits = (messages.get("waits_us") or {}).get(percentile) or {}
    out = []
    for part in sorted(known, key=known.get, reverse=True):
        told = {"part": part, "us": known[part], "share": known[part] / total}
        if part in _AT_PLACES:
            told["places"] = _places(waits, part, known[part])
        out.append(told)
    return {"total_us": total, "parts": out}


def _governing(settings, workload, parts):
    """[{parts, share, keys: {key: value}}] in the order of what they hold: settings that govern the same parts together, but
    for parts below LEAST."""
    priority = settings.get(f"workloads.{workload}.priority", "")
    names = {"{workload}": re.escape(workload), "{priority}": re.escape(priority)}
    governed = {}  # key: the parts it governs
    for of in parts:
        for pattern in _GOVERN.get(of["part"], ()) if of["share"] >= LEAST else ():
            for name, text in names.items():
                pattern = pattern.replace(name, text)
            for key in settings:
                if re.fullmatch(pattern, key):
                    governed.setdefault(key, []).append(of)
    groups = {}
    for key, found in governed.items():
        of = groups.setdefault(tuple(p["part"] for p in found), {"share": sum(p["share"] for p in found), "keys": {}})
        of["keys"][key] = settings[key]
    return sorted(({"parts": list(named), **of} for named, of in groups.items()), key=lambda group: -group["share"])


def _roots(summary):
    """[{place, kind, paused_us, share, workloads: [{workload, share}]}]: queues that pauses come from, the largest first."""
    found = {}
    for row in (summary.get("pfc") or {}).get("roots") or []:
        place = ":".join(str(row[k]) for k in ("node", "port", "queue"))
        root = found.setdefault((place, row["kind"]), {"place": place, "kind": row["kind"], "paused_us": 0.0, "share": 0.0})
        root["paused_us"] += row["paused_us"]
        root["share"] += row["share"]
        root.setdefault("workloads", []).append({"workload": row["workload"], "share": row["share"]})
    return sorted(found.values(), key=lambda root: -root["share"])[:_MOST_ROOTS]


def findings(run):
    """Of a Run: {scenario, seed, status, workloads, roots}; workloads with the worst slowdown at p99 first."""
    summary, settings = run.summary, run.scenario.settings
    workloads = []
    for name, messages in (summary.get("messages") or {}).items():
        offered = messages.get("offered") or 0
        at = {p: found for p, enough in _ENOUGH.items() if offered >= enough and (found := _at(messages, p))}
        if "p99" not in at:
            continue
        workloads.append(
            {
                "workload": name,
                "messages": offered,
                "completion_us": {p: messages["completion_us"].get(p) for p in ("p50", "p99", "p999", "max")},
                "delivery_us": {p: (messages.get("delivery_us") or {}).get(p) for p in ("p50", "p99", "p999", "max")},
                "slowdown_p99": (messages.get("slowdown") or {}).get("p99"),
                "at": at,
                "causes": Evidence(run, name).ranked(),
                "settings": _governing(settings, name, at["p99"]["parts"]),
            }
        )
    workloads.sort(key=lambda w: -(w["slowdown_p99"] or 0))
    about = {"scenario": summary.get("scenario"), "seed": run.seed, "status": run.status}
    return {**about, "workloads": workloads, "roots": _roots(summary), "least_share": LEAST}
