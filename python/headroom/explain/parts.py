"""The parts of a time around a percentile, with their places and the keys that govern them, from the summary."""

import re

from headroom import program
from headroom.links import link_at, rate_key
from headroom.quantity import parse_rate

LEAST = 0.05  # share of a time: settings of smaller parts are left out
_ENOUGH = {"p50": 1, "p99": 1, "p999": 1000}  # samples: with fewer than 1000, p99.9 tells no more than p99
_MOST_PLACES = 3
_MOST_WAITS = 10  # number of places that a summary has for a percentile
_AT_QUEUES = ("queued", "paused", "ack_queued", "ack_paused")
# Parts in which another event had to come first (the device's part includes its queue); the other parts are work.
WAITS = {*_AT_QUEUES, *"own_queue limiter port recovery window context core_queue credits chunk memory device connection order timeout wake buffer peer".split()}
_BUFFER = r"switches\.[^.]+\.buffer\.(profile|alpha|policy)"
_ECN = r"switches\.[^.]+\.ecn\.{priority}\.(kmin|kmax|pmax)"
_ROUTING = r"switches\.[^.]+\.routing(\..+)?"
_CONTROL = r"nics\..+\.congestion_control(\.[^.]+)?"
_ACKS = r"nics\..+\.transport\.ack_priority"
_HOST_RATE = r"topology\.(host_link|link|links\.host)(\.[^.]+)?\.rate"
_RATE = r"topology\.(?!links\.\d)(.+\.)?rate"
_CYCLES = r"hosts\..+\.(clock|(rdma|tcp|operation)\..+)"
_LEG = r"services\.{service}\.(front|back)"
# For each part patterns of the keys that govern it.
_GOVERN = {
    "own_queue": [r"workloads\.{workload}\.qp(\..+)?", r"nics\..+\.transport\.window"],
    "own_packets": [r"workloads\.{workload}\.size", _HOST_RATE],  # and slower links
    "limiter": [_ECN, _CONTROL, r"nics\..+\.dcqcn\.(np\.coalescing|rp\.reduce_window)",
                r"nics\..+\.dcqcn\.rp\.(increase_timer|rate_ai)", r"nics\..+\.bugs\.congestion_leaking"],
    "nic": [r"nics\..+\.(tx_latency|rx_latency|registration_latency)", r"nics\..+\.resources(\.set)?"],
    "port": [_HOST_RATE],
    "queued": [_ECN, _ROUTING, r"workloads\.{workload}\.(load|fan_in)"],  # and the rates of the ports that hold most of
                                                                          # it
    "paused": [_BUFFER, _ECN],
    "recovery": [r"nics\..+\.transport\.(recovery|rto|recovery_delay)", r"topology\.(.+\.)?(loss|reorder\..+)", _ROUTING],
    "wire": [r"topology\.(?!links\.\d)(.+\.)?(length|delay)", r"switches\.[^.]+\.latency"],
    "ack_queued": [_ACKS],
    "ack_paused": [_ACKS],
    "window": [r"nics\..+\.transport\.window", _CONTROL, _ECN, r"topology\.(?!links\.\d)(.+\.)?(length|delay)"],
    "context": [r"nics\..+\.transport\.recovery\.(contexts|retry_delay|ahead)"],
    "core": [_CYCLES, _LEG + r"\.crc", r"services\.{service}\.(message|handler|costs\.(post|completion|turn))"],
    "core_queue": [r"hosts\..+\.cores", _CYCLES, r"services\.{service}\.(workers|message|handler)"],
    "credits": [_LEG + r"\.(credits|landings)", r"services\.{service}\.(sq|rq|block)"],
    "chunk": [_LEG + r"\.(protocol|chunk|large)"],
    "memory": [_LEG + r"\.pool"],
    "device": [r"services\.{service}\.disk\.(device|read|write|iops|bandwidth\..+)"],
    "connection": [_LEG + r"\.reopen"],
    "timeout": [r"services\.{service}\.(timeout|hedge|seal\.after)"],
    "copy": [r"services\.{service}\.(costs\.copy|copyable)"],
    "wake": [r"services\.{service}\.costs\.wake"],
    "peer": [r"services\.{service}\.(compute|steps)", r"workloads\.{workload}\.late"],
}
# The processes of a service of keys are its cores.
_OF_KEYS = {
    "core": [r"services\.{service}\.costs\.(request|post|completion|turn|kernel\.call|user_space\.call)", r"services\.{service}\.(parse|command|request)"],
    "core_queue": [r"services\.{service}\.(processes|client_processes|connections|client_threads|io_threads)"],
}


def _places(waits, part, us):
    """[{place, towards, us, share}] that hold most of a part."""
    found = [{"place": place, "towards": waited.get("towards"), "us": waited[part], "share": waited[part] / us} for place, waited in waits.items() if waited.get(part)]
    left = us - sum(place["us"] for place in found)
    if part == "paused" and len(waits) < _MOST_WAITS and left > 0.001 * us:  # all switches' queues are known: the rest
                                                                             # was not in a switch
        found.append({"place": "the sending host's port", "towards": None, "us": left, "share": left / us})
    return sorted(found, key=lambda p: -p["us"])[:_MOST_PLACES]


def at_percentiles(summary, parts="parts_us", waits="waits_us"):
    """{percentile: {total_us, parts: [{part, us, share, places}]}} of messages or operations around those percentiles
    for which there are enough, the largest part first."""
    found = {}
    for percentile, enough in _ENOUGH.items():
        told = (summary.get(parts) or {}).get(percentile) or {}
        known = {part: us for part, us in told.items() if isinstance(us, (int, float)) and us > 0}
        if (summary.get("offered") or 0) < enough or not known:
            continue
        total, placed = sum(known.values()), (summary.get(waits) or {}).get(percentile) or {}
        found[percentile] = {"total_us": total, "parts": []}
        for part in sorted(known, key=known.get, reverse=True):
            places = {"places": _places(placed, part, known[part])} if part in _AT_QUEUES else {}
            found[percentile]["parts"].append({"part": part, "us": known[part], "share": known[part] / total, **places})
    return found


def taken(distribution):
    """{percentile: µs} of messages or operations of which some were counted, and `at_least`: the percentiles that are
    lower bounds; InputError if the summary has no such value."""
    found = {p: distribution.number(p) if p != "p999" or p in distribution else None for p in ("p50", "p99", "p999", "max")}
    return found | {"at_least": [p for p, censored in (distribution.get("censored") or {}).items() if censored and p in found]}


def badness(counts):
    """The order of workloads and kinds of operations: first whether the p99 is only a lower bound, then the slowdown at
    p99, then the p99. Without a slowdown, the time around p99 over the same without waits replaces it."""
    took, parts = counts.get("completion_us") or counts["latency_us"], counts["at"].get("p99", {"parts": []})["parts"]
    work = sum(part["us"] for part in parts if part["part"] not in WAITS)
    slowdown = counts.get("slowdown_p99") or (sum(part["us"] for part in parts) / work if work else 0.0)
    return "p99" in took["at_least"], slowdown, took["p99"]


def _costs_nothing(key, value):
    """An absent bug, a cost of 0, and cores without a clock (there software costs nothing) govern nothing."""
    if re.match(r"hosts\..+\.clock$", key):
        return value == "none"
    return value != "true" if ".bugs." in key else value in ("0", "0ns") and re.match(r"hosts\.|nics\..+_latency$|topology\..*loss$", key)


def fio_entry(names, workload):
    """The fio entry, of `names`, with this job; the workload itself if there is none."""
    return max((name for name in names if workload.startswith(f"{name}-")), key=len, default=workload)


def heeds_marks(control):
    """Whether a control of this name slows down for marks; one that the program does not know may."""
    known = program.control(control)
    return control != "none" and known.get("marks", not known)


def _is_read(settings):
    """Whether the hosts' controls read a key: keys of DCQCN at hosts that have it, marks if some control reacts to
    them."""
    named = ((re.fullmatch(r"(nics\..+)\.congestion_control(\.type)?", key), value) for key, value in settings.items())
    control = {found[1]: value for found, value in named if found}
    heeded = not control or any(map(heeds_marks, control.values()))
    windowed = not control or any(value != "dcqcn" and heeds_marks(value) for value in control.values())

    def is_read(key, part):
        if ".dcqcn." in key:
            return control.get(key.partition(".dcqcn.")[0], "dcqcn") == "dcqcn"
        return ".ecn." not in key or (windowed if part == "window" else heeded)

    return is_read


def _names(settings, workload):
    """Values for placeholders in patterns of keys: the service of the workload, and the classes of its messages."""
    service = settings.get(f"workloads.{workload}.service", "")
    legs = [settings.get(f"services.{service}.{leg}priority") for leg in ("", "front.", "back.")] if service else []
    classes = [class_name for class_name in (settings.get(f"workloads.{workload}.priority"), *legs) if class_name]
    return {"{workload}": re.escape(workload), "{service}": re.escape(service), "{priority}": f"({'|'.join(map(re.escape, classes))})"}


def _rate(text):
    try:
        return parse_rate(text)
    except ValueError:
        return None


def _rates(settings, part, topology, links):
    """Patterns of the rate keys that govern a part. They match ports with at least a tenth of the largest port's share,
    or all links if the ports are unknown. For a message's own packets they match links that are slower than hosts'
    links."""
    if part["part"] == "own_packets":
        rates = {key: rate for key, value in settings.items() if re.fullmatch(_RATE, key) and (rate := _rate(value))}
        fastest = max((rate for key, rate in rates.items() if re.fullmatch(_HOST_RATE, key)), default=0)
        return [re.escape(key) for key, rate in rates.items() if rate < fastest]
    if part["part"] != "queued":
        return []
    most = [place for place in part.get("places") or () if place["share"] >= 0.1 * part["places"][0]["share"]]
    try:
        keys = [rate_key(topology, link_at(links, *place["place"].rsplit(":", 2)[:2])) for place in most]
    except (KeyError, TypeError):
        keys = []
    return [re.escape(key) for key in dict.fromkeys(keys)] or [_RATE]


def governing(settings, workload, parts, topology, links):
    """[{parts, share, keys: {key: value}}] sorted by share: settings that govern the same parts together, without parts
    below LEAST."""
    if f"workloads.{workload}.type" not in settings:
        fio = [key[len("workloads.") : -len(".type")] for key, value in settings.items() if key.startswith("workloads.") and value == "fio"]
        workload = fio_entry(fio, workload)
    names, is_read = _names(settings, workload), _is_read(settings)
    keys = any(f"services.{settings.get(f'workloads.{workload}.service')}.{key}" in settings for key in ("processes", "client_processes"))
    patterns_of = _GOVERN | _OF_KEYS if keys else _GOVERN
    governed = {}  # key: the parts that it governs
    for part in parts:
        for pattern in [*patterns_of.get(part["part"], ()), *_rates(settings, part, topology, links)] if part["share"] >= LEAST else ():
            for name, text in names.items():
                pattern = pattern.replace(name, text)
            for key in settings:
                governs = re.fullmatch(pattern, key) and not _costs_nothing(key, settings[key]) and is_read(key, part["part"])
                if governs and part not in governed.get(key, ()):
                    governed.setdefault(key, []).append(part)
    groups = {}
    for key, found in governed.items():
        settings_group = groups.setdefault(tuple(p["part"] for p in found), {"share": sum(p["share"] for p in found), "keys": {}})
        settings_group["keys"][key] = settings[key]
    return sorted(({"parts": list(named), **group} for named, group in groups.items()), key=lambda group: -group["share"])


def governed_share(key, settings, workload, shares):
    """The share of a time, {part: share}, in parts that a key governs."""
    names = _names(settings, workload)

    def governs(pattern):
        for name, text in names.items():
            pattern = pattern.replace(name, text)
        return re.fullmatch(pattern, key)

    return sum(share for part, share in shares.items() if any(map(governs, [*_GOVERN.get(part, ()), *_OF_KEYS.get(part, ())])))
