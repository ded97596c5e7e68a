"""What would help: settings that take a cause away, or lessen it, one thing at a time.

Each says which causes it acts on; whether it helps is measured, not concluded.
"""

import math
import re
from dataclasses import dataclass, field

from headroom.quantity import parse_bytes, parse_quantity, parse_rate, quantity_text

_FABRIC = r"topology\.(fabric_link|edge_link|core_link|bottleneck|links\.(t0_t1|t1_t2|t2_rh))(\.[^.]+)?\.rate"
_HOSTS = r"topology\.(host_link|link|links\.host)(\.[^.]+)?\.rate"
_FAULTS = {
    "pause_storm": "storm",
    "slow_receiver": "slow_receiver",
    "loss": "loss",
    "port_blocked": "blocked",
    "link_down": "blocked",
    "warm_restart": "blocked",
    "nic_restart": "blocked",
    "macsec": "headroom",
}
# By part: causes that may be behind it, whatever the evidence names.
_OF_PART = {
    "own_queue": ("queue_pairs",),
    "limiter": ("limiter", "host_link", "fabric_link"),
    "nic": ("nic", "registration"),
    "port": ("host_link",),
    "queued": ("host_link", "fabric_link", "weight", "limiter"),
    "paused": ("buffer", "host_link", "fabric_link"),
    "recovery": ("headroom", "lossy", "loss", "watchdog"),
    "ack_queued": ("ack_class",),
    "ack_paused": ("ack_class", "buffer"),
}
_STEPS = ["1/256", "1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]


@dataclass
class Counterfactual:
    name: str
    settings: dict = field(default_factory=dict)  # {key: value} as --set takes them
    causes: tuple = ()  # of causes.CAUSES, or parts of the time, that it acts on
    possible: bool = True  # that somebody could have it so


def _item(section, name):
    """An item of a list as --set takes it: by its match, of several patterns [a,b]. Its place in the resolved scenario is not
    that in the file which is run."""
    several = f"[{name.replace(', ', ',')}]" if ", " in name else name
    return f'{section}."{several}"'


def _quoted(key):
    """Items of lists named by patterns, as --set takes them: switches."*".ecn…"""
    section, _, rest = key.partition(".")
    if section == "topology" and (link := re.fullmatch(r"(topology\.[^.]+)\.(.+, .+)\.([^.]+)", key)):
        return f"{_item(link[1], link[2])}.{link[3]}"
    match = section in ("switches", "nics", "hosts") and re.match(r"(.+?)\.(cores|ecn|buffer|pfc|transport|resources|congestion_control|registration_latency|bugs)(\.|$)", rest)
    return f"{_item(section, match[1])}.{rest[len(match[1]) + 1:]}" if match else key


def _where(settings, pattern, change):
    """{key: text} of those settings that `change` gives another text for.

    Links and ECN of a class are given whole: the file may have them under another key, or in an entry before."""
    found = {}
    for key, value in settings.items():
        if not re.fullmatch(pattern, key) or (text := change(value)) in (None, value):
            continue
        whole = re.fullmatch(r"(topology\..+|switches\..+\.ecn\.[^.]+)\.([^.]+)", key)
        if whole and f"{whole[1]}.match" not in settings:  # items of a list are in the file as they are
            found.setdefault(whole[1], {})[whole[2]] = text
        else:
            found[key] = text
    return {_quoted(key): _with(settings, key, of) if isinstance(of, dict) else of for key, of in found.items()}


def _with(settings, key, changed):
    """The mapping under a key as text, with these keys changed."""
    whole = {path[len(key) + 1 :]: text for path, text in settings.items() if path.startswith(f"{key}.")} | changed
    return "{" + ", ".join(f"{name}: {text}" for name, text in whole.items()) + "}"


def _times(settings, pattern, factor, parse, unit):
    return _where(settings, pattern, lambda value: quantity_text(parse(value) * factor, unit) if value[:1].isdigit() else None)


def _nics(settings, key, test, text, of=None):
    """`text` for the key of each entry of `nics` where it is as `test` asks for; `of`: the key to ask, where that is another."""
    found = {}
    for path, value in settings.items():
        if (match := re.fullmatch(rf"nics\.(.+)\.{re.escape(of or key)}", path)) and test(value):
            found[f"{_item('nics', match[1])}.{key}"] = text
    return found


def _faster(settings, pattern, ends):
    """Links twice as fast: those under keys like `pattern`, of a custom topology those whose ends `ends` asks for."""
    found = _times(settings, pattern, 2, parse_rate, "bps")
    switches = settings.get("topology.switches", "").split(", ")

    def change(link):
        fabric = all(end.partition(":")[0] in switches for end in link["ends"].split(", "))
        return link | {"rate": quantity_text(2 * parse_rate(link["rate"]), "bps")} if ends(fabric) else link

    return found | _custom_links(settings, change)


def _custom_links(settings, change):
    """All links of a custom topology in one text: their numbers in the file may be others, as patterns make several of one."""
    links = {}
    for key, value in settings.items():
        if match := re.fullmatch(r"topology\.links\.(\d+)\.(ends|rate|length|delay|phy|loss)", key):
            links.setdefault(int(match[1]), {})[match[2]] = value
    changed = {number: change(link) for number, link in links.items()}
    if changed == links:
        return {}
    texts = ["{" + ", ".join(f"{k}: [{v}]" if k == "ends" else f"{k}: {v}" for k, v in changed[n].items()) + "}" for n in sorted(changed)]
    return {"topology.links": f"[{', '.join(texts)}]"}


def _hosts_faster(settings):
    """With loads that offer the same bytes as before: they are shares of that link."""
    found = _faster(settings, _HOSTS, lambda fabric: not fabric)
    if not found:
        return {}
    return found | _where(settings, r"workloads\.[^.]+\.load", lambda value: f"{parse_quantity(value).value / 2:.6g}")


def _elsewhere(settings, pattern, change):
    """As _where, and in the links of a custom topology."""

    def of_link(link):
        return link | {k: text for k, v in link.items() if re.fullmatch(pattern, k) and (text := change(v)) is not None}

    keys = rf"topology\.(?!links\.\d)(.+\.)?({pattern})"
    return _where(settings, keys, change) | _custom_links(settings, of_link)


def _narrower(settings):
    return _where(
        settings,
        r"workloads\.[^.]+\.fan_in",
        lambda value: str(int(value) // 2) if value.isdecimal() and int(value) > 1 else None,
    )


def _alphas(settings, checked):
    """[(text, settings)]: two powers of two to both sides of the alpha that the buffers have, stated or their profile's.
    Nothing where they differ."""
    profiles = {key: value for key, value in settings.items() if re.fullmatch(r"switches\..+\.buffer\.profile", key)}
    stated = {settings[key] for key in (f"{p.rpartition('.')[0]}.alpha" for p in profiles) if key in settings}
    # One group alone takes alpha / (1 + alpha) of what is shared.
    rows = [(row["xoff_bytes"].get("1"), row["shared_bytes"]) for row in checked.get("thresholds") or ()]
    found = {_nearest(xoff / (shared - xoff)) for xoff, shared in rows if xoff and xoff < shared}
    if len(stated or found) != 1 or not profiles:
        return []
    at = _STEPS.index(next(iter(stated or found)))
    alphas = [_STEPS[i] for i in (at + 2, at - 2) if 0 <= i < len(_STEPS)]
    of = lambda alpha: {_quoted(k): v for p, profile in profiles.items() for k, v in ((p, profile), (f"{p.rpartition('.')[0]}.alpha", alpha))}  # noqa: E731
    return [(alpha, of(alpha)) for alpha in alphas]


def _nearest(number):
    return _STEPS[min(range(len(_STEPS)), key=lambda i: abs(math.log2(number) - (i - 8)))]


def _headroom(checked):
    """As much as the longest and fastest link needs, where some group has less."""
    found = [row for row in checked.get("headroom") or () if row.get("pfc") and row.get("xoff_bytes") is not None]
    needs = [row["need_bytes"]["total"] for row in found]
    if all(row["xoff_bytes"] >= row["need_bytes"]["total"] for row in found):
        return {}
    return {'switches."*".buffer.tables.BUFFER_PROFILE.ingress_lossless.xoff': str(max(needs))}


def _faults(settings):
    """(that there are none, {causes of those there are})"""
    kinds = [value for key, value in settings.items() if re.fullmatch(r"faults\.\d+\.type", key)]
    causes = tuple(dict.fromkeys(_FAULTS[kind] for kind in kinds if kind in _FAULTS))
    return ({"faults": "[]"}, causes) if causes else ({}, ())


def _of_nics(settings):
    per_packet = _nics(settings, "dcqcn.np.coalescing", lambda value: value == "per_packet", "per_qp")
    per_qp = per_packet | {key.replace("coalescing", "min_cnp_interval"): "50us" for key in per_packet}
    slowing = _nics(settings, "congestion_control", lambda value: value != "none", "none")
    leaking = _nics(settings, "bugs.congestion_leaking", lambda value: value == "true", "false")
    costly = _nics(settings, "resources", lambda value: value != "ideal", "ideal", "resources.set")
    same = _nics(settings, "transport.ack_priority", lambda value: value == "same", "cnp")
    yield Counterfactual("ACKs in the class of CNPs", same, ("ack_class",))
    yield Counterfactual("no congestion control", slowing, ("limiter", "generations"))
    yield Counterfactual("limiters that hold up their own queue pair alone", leaking, ("limiter",))
    yield Counterfactual("one notification a queue pair in 50 µs", per_qp, ("generations",))
    yield Counterfactual("ideal NICs", costly, ("nic",))
    at_once = _where(settings, r"nics\..+\.registration_latency", lambda value: "0ns")
    yield Counterfactual("registrations that take no time", at_once, ("registration",))


def _of_switches(settings, checked):
    thresholds = r"switches\..+\.ecn\.[^.]+\.(kmin|kmax)"
    yield Counterfactual("ECN thresholds doubled", _times(settings, thresholds, 2, parse_bytes, "B"), ("limiter",))
    halved = _times(settings, thresholds, 0.5, parse_bytes, "B")
    yield Counterfactual("ECN thresholds halved", halved, ("host_link", "fabric_link"))
    for alpha, of in _alphas(settings, checked):
        yield Counterfactual(f"alpha {alpha}", of, ("buffer",))
    yield Counterfactual("headroom as needed", _headroom(checked), ("headroom",))
    watched = [key for key in settings if re.fullmatch(r"(switches|nics)\..+\.pfc\.watchdog\..*detection", key)]
    off = {_quoted(key.partition(".watchdog.")[0]) + ".watchdog": "none" for key in watched}
    yield Counterfactual("no watchdog", off, ("watchdog",))


def _of_links(settings):
    between = _faster(settings, _FABRIC, lambda fabric: fabric)
    yield Counterfactual("links between switches twice as fast", between, ("fabric_link", "collision"))
    yield Counterfactual("hosts' links twice as fast", _hosts_faster(settings), ("host_link", "own_size"))
    yield Counterfactual("links a tenth as long", _elsewhere(settings, "length|delay", _tenth), ("distance",), False)
    yield Counterfactual("links that lose nothing", _elsewhere(settings, "loss", lambda value: "0"), ("loss",))
    yield Counterfactual("without the faults", *_faults(settings))


def _of_traffic(workload, settings):
    yield Counterfactual("incasts half as wide", _narrower(settings), ("host_link",))
    pairs = settings.get(f"workloads.{workload}.qp.per_pair", "")
    more = {f"workloads.{workload}.qp.per_pair": str(8 * int(pairs))} if pairs.isdecimal() else {}
    yield Counterfactual("eight times the queue pairs", more, ("queue_pairs", "collision"))
    at_once = _where(settings, r"workloads\.[^.]+\.cpu", lambda value: "0ns")
    yield Counterfactual("programs that take no time", at_once, ("program",))
    of_class = f"priorities.{settings.get(f'workloads.{workload}.priority', '')}"
    lossy = {f"{of_class}.lossless": "true"} if settings.get(f"{of_class}.lossless") == "false" else {}
    yield Counterfactual("PFC for its class", lossy, ("lossy",))
    classes = [key for key in settings if re.fullmatch(r"priorities\.[^.]+\.weight", key)]
    first = {f"{of_class}.weight": "1000"} if f"{of_class}.weight" in classes and len(classes) > 2 else {}
    yield Counterfactual("its class before others", first, ("weight",))


def _own_class(strict, settings):
    """{key: text} of a lossless class more that nobody is in, `own`; nothing where there are eight.

    With all others, which the file need not have."""
    taken = {key: {settings.get(f"priorities.{name}.{key}") for name in _classes(settings)} for key in ("priority", "dscp")}
    free = [str(n) for n in range(8) if str(n) not in taken["priority"]]
    if not free:
        return {}
    dscp = next(n for n in [free[0], *map(str, range(64))] if n not in taken["dscp"])
    goes = "strict: true" if strict else "weight: 1"
    classes = [f"{name}: {_with(settings, f'priorities.{name}', {})}" for name in _classes(settings)]
    own = f"own: {{priority: {free[0]}, dscp: {dscp}, lossless: true, {goes}}}"
    return {"priorities": "{" + ", ".join([*classes, own]) + "}"}


def _classes(settings):
    return [key.split(".")[1] for key in settings if re.fullmatch(r"priorities\.[^.]+\.priority", key)]


def _doubled(settings, pattern):
    return _where(settings, pattern, lambda value: str(2 * int(value)) if value.isdecimal() else None)


def _of_services(workload, settings):
    """What operations wait for. Acts on parts of their time, as causes are told of messages alone."""
    service = f"services.{settings[f'workloads.{workload}.service']}"
    in_queues = ("queued", "paused", "ack_queued", "ack_paused")
    if f"{service}.priority" in settings:
        for name, strict in (("a class of its own", False), ("a class of its own, before others", True)):
            own = _own_class(strict, settings)
            yield Counterfactual(name, own | {f"{service}.priority": "own"} if own else {}, in_queues)
    of = re.escape(service)
    yield Counterfactual("twice the processes", _doubled(settings, of + r"\.processes"), ("core", "core_queue"))
    yield Counterfactual("twice the cores", _doubled(settings, r"hosts\..+\.cores"), ("core", "core_queue"))
    yield Counterfactual("twice the credits", _doubled(settings, of + r"\.(front|back)\.credits"), ("credits",))


def every(workload, settings, checked):
    """[Counterfactual] that the scenario has something for. `settings`: {key: text} of it, resolved; `checked`: what
    `headroom check --json` says."""
    all_of = [*_of_nics(settings), *_of_switches(settings, checked), *_of_links(settings), *_of_traffic(workload, settings)]
    if f"workloads.{workload}.service" in settings:
        all_of += _of_services(workload, settings)
    return [one for one in all_of if one.settings]


def _tenth(text):
    quantity = parse_quantity(text)
    return quantity_text(quantity.value / 10, quantity.unit) if quantity.value else None


def fitting(causes, parts, workload, settings, checked):
    """Those that act on one of these causes, or may on one of these parts of the time."""
    wanted = set(causes).union(parts, *(_OF_PART.get(part, ()) for part in parts))
    return [one for one in every(workload, settings, checked) if wanted & set(one.causes)]
