"""The parts of a time around a percentile, with where they passed and which keys govern them; as the summary has them."""

import re

LEAST = 0.05  # of a time: a part that holds less is not told
_ENOUGH = {"p50": 1, "p99": 1, "p999": 1000}  # below them p99 is of the slowest, and p99.9 says no more
_MOST_PLACES = 3
_AT_PLACES = ("queued", "paused", "ack_queued", "ack_paused")
_BUFFER = r"switches\.[^.]+\.buffer\.(profile|alpha|policy)"
_ECN = r"switches\.[^.]+\.ecn\.{priority}\.(kmin|kmax|pmax)"
_ACKS = r"nics\..+\.transport\.ack_priority"
# By part: patterns of the keys that govern it, what governs most first.
_GOVERN = {
    "own_queue": [r"workloads\.{workload}\.qp(\..+)?"],
    "limiter": [_ECN, r"nics\..+\.congestion_control", r"nics\..+\.dcqcn\.(np\.coalescing|rp\.reduce_window)",
                r"nics\..+\.dcqcn\.rp\.(increase_timer|rate_ai)", r"nics\..+\.bugs\.congestion_leaking"],
    "nic": [r"nics\..+\.(tx_latency|rx_latency)", r"nics\..+\.resources(\.set)?"],
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


def at_percentiles(summary, parts="parts_us", waits="waits_us"):
    """{percentile: where the time of messages or operations around it went} of those percentiles that there are enough for."""
    offered = summary.get("offered") or 0
    return {p: found for p, enough in _ENOUGH.items() if offered >= enough and (found := _at(summary, p, parts, waits))}


def taken(distribution):
    """{percentile: µs} of messages or operations some of which finished; InputError where the summary lacks one of these."""
    return {p: distribution.get(p) if p == "p999" else distribution.number(p) for p in ("p50", "p99", "p999", "max")}


def _at(summary, percentile, parts, waits):
    """The largest part first; None without any."""
    told = (summary.get(parts) or {}).get(percentile) or {}
    known = {part: us for part, us in told.items() if isinstance(us, (int, float)) and us > 0}
    total = sum(known.values())
    if not total:
        return None
    places = (summary.get(waits) or {}).get(percentile) or {}
    out = []
    for part in sorted(known, key=known.get, reverse=True):
        of = {"part": part, "us": known[part], "share": known[part] / total}
        if part in _AT_PLACES:
            of["places"] = _places(places, part, known[part])
        out.append(of)
    return {"total_us": total, "parts": out}


def governing(settings, names, parts, more=None):
    """[{parts, share, keys: {key: value}}] in the order of what they hold: settings that govern the same parts together, but
    for parts below LEAST. `names`: what stands for {workload} and the like in patterns; `more`: patterns by part."""
    patterns_of = _GOVERN | (more or {})
    governed = {}  # key: the parts it governs
    for of in parts:
        for pattern in patterns_of.get(of["part"], ()) if of["share"] >= LEAST else ():
            for name, text in names.items():
                pattern = pattern.replace(name, text)
            for key in settings:
                if re.fullmatch(pattern, key) and (settings[key] == "true" or ".bugs." not in key):  # a bug that nobody has governs nothing
                    governed.setdefault(key, []).append(of)
    groups = {}
    for key, found in governed.items():
        of = groups.setdefault(tuple(p["part"] for p in found), {"share": sum(p["share"] for p in found), "keys": {}})
        of["keys"][key] = settings[key]
    return sorted(({"parts": list(named), **of} for named, of in groups.items()), key=lambda group: -group["share"])
