"""Changes of one thing in a scenario. Each row names the parts of time that it can affect; search.py measures its effect.

A row makes its variants from a Case, as edits of the resolved document (../changes.py). docs/explain.md prints the
table.
"""

import re
from dataclasses import dataclass
from typing import Callable

from headroom.explain import buffer_changes, control_changes, link_changes, routing_changes
from headroom.explain.parts import fio_entry
from headroom.quantity import parse_bytes, parse_microseconds, parse_quantity, quantity_text
from headroom.settings import matches

# Parts of time, grouped by the changes that affect them. Waits for earlier work change with the causes of the waits of
# that work.
AHEAD = ("own_queue", "window", "context", "credits", "chunk", "order", "timeout", "connection", "memory", "network", "core_queue", "buffer", "peer")
CONGESTION = ("queued", "paused", "ack_queued", "ack_paused", "limiter", "port", "recovery", *AHEAD)
LINKS = ("own_packets", *CONGESTION)
WAY = ("wire", "ack_wire", *CONGESTION)
LOSSES = ("recovery", *AHEAD)
NIC = ("nic", *CONGESTION)
CORES = ("core", "core_queue", "copy", "wake", *AHEAD)
DEVICES = ("device", *AHEAD)
EVERY = (*dict.fromkeys([*LINKS, *WAY, *NIC, *CORES, *DEVICES, "other"]),)


@dataclass
class Counterfactual:
    """One change. `edits`: [(path, value)] of the resolved document. `can_be_had`: whether an operator can make it;
    otherwise it only shows a cause. `cost`: of equally good changes the cheapest comes first."""

    id: str
    words: str
    parts: tuple
    edits: list
    can_be_had: bool = True
    cost: float = 0.0


class Case:
    """A scenario in the form in which it ran. `document`: resolved; `checked`: `headroom check --json`; `workload`: the
    explained one; `waits`: {node:port: µs} of its waits and pauses; `hosts`; `sizes`: {switch: bytes of memory}; `links`: [Link]."""

    def __init__(self, document, checked, workload, waits, hosts, sizes, links=()):
        self.document, self.checked, self.workload = document, checked, workload
        self.waits, self.hosts, self.sizes, self.links = waits, hosts, sizes, links
        names = [workload_entry["name"] for workload_entry in document["workloads"]]
        fio = [workload_entry["name"] for workload_entry in document["workloads"] if workload_entry.get("type") == "fio"]
        self.index = names.index(workload if workload in names else fio_entry(fio, workload))
        self.own = document["workloads"][self.index]
        services = document.get("services") or []
        self.service = next((i for i, service in enumerate(services) if service["name"] == self.own.get("service")), None)

    def entries(self, section):
        """[(place, entry)] of a list."""
        return list(enumerate(self.document.get(section) or []))

    @property
    def classes(self):
        """The names of the classes of the workload's frames, with those of its service's legs."""
        service = self.document["services"][self.service] if self.service is not None else {}
        legs = [service.get(leg) or {} for leg in ("front", "back")]
        return list(dict.fromkeys(entry["priority"] for entry in (self.own, service, *legs) if entry.get("priority")))


def _bytes_times(text, factor):
    return quantity_text(parse_bytes(text) * factor, "B")


# ---- congestion control


def _nic_edits(case, path, wanted, value):
    """Makes an edit for each entry of nics if `wanted` accepts the value at `path`."""
    found = []
    for i, entry in case.entries("nics"):
        place = entry
        for step in path:
            place = place.get(step) if isinstance(place, dict) else None
        if place is not None and wanted(place):
            found.append((("nics", i, *path), value))
    return found


def _of_nics(words, path, wanted, value):
    """A change of each entry of nics that has a value at `path` which `wanted` accepts."""
    return lambda case: [("", words, _nic_edits(case, path, wanted, value))]


def _thresholds(case):
    if not control_changes.heeds_marks(case):
        return
    for name, factor, steps in (("x2", 2, 1), ("x4", 4, 2), ("x16", 16, 4), ("half", 1 / 2, 1), ("quarter", 1 / 4, 2), ("sixteenth", 1 / 16, 4)):
        edits = []
        for i, entry in case.entries("switches"):
            for of_class, curve in (entry.get("ecn") or {}).items():
                if isinstance(curve, dict):
                    edits.append((("switches", i, "ecn", of_class), _curve_times(curve, factor)))
        yield name, f"ECN thresholds × {factor}" if factor > 1 else f"ECN thresholds / {1 / factor:g}", edits, steps


def _curve_times(value, factor):
    if isinstance(value, dict):
        return {k: _bytes_times(v, factor) if k in ("kmin", "kmax") else _curve_times(v, factor) for k, v in value.items()}
    return value


def _ecn_on(case):
    if not control_changes.heeds_marks(case):
        return
    edits = []
    for i, entry in case.entries("switches"):
        ecn = entry.get("ecn")
        lacks = [name for name in case.classes if isinstance(ecn, dict) and ecn.get(name) == "none"]
        lacks = case.classes if ecn == "none" else lacks
        curve = _CURVE if control_changes.with_dcqcn(case) else _STEP
        edits += [(("switches", i, "ecn"), (ecn if isinstance(ecn, dict) else {}) | dict.fromkeys(lacks, curve))] if lacks else []
    yield "", "ECN for its class at switches that have none", edits


_CURVE = {"kmin": "100KB", "kmax": "400KB", "pmax": "0.1"}  # of the DCQCN simulations that ns-3 users know: docs/explain.md
_STEP = {"kmin": "100KB", "kmax": "100KB", "pmax": "1"}  # DCTCP has one threshold


def _notifications(case):
    if not control_changes.with_dcqcn(case):
        return
    per_packet = _nic_edits(case, ("dcqcn", "np", "coalescing"), lambda value: value == "per_packet", "per_qp")
    yield "", "one CNP per queue pair in 50 µs", per_packet + [((*path[:-1], "min_cnp_interval"), "50us") for path, _ in per_packet]


def _bugs(case):
    for bug in dict.fromkeys(bug for _, entry in case.entries("nics") for bug in entry.get("bugs") or ()):
        yield bug, f"NICs without the bug {bug.replace('_', ' ')}", _nic_edits(case, ("bugs", bug), lambda value: value == "true", "false")


def _recovery_of_rates(case):
    path = ("dcqcn", "rp", "increase_timer")
    timers = [(i, entry["dcqcn"]["rp"]["increase_timer"]) for i, entry in control_changes.with_dcqcn(case) if "increase_timer" in entry["dcqcn"]["rp"]]
    yield "", "rates that recover in a quarter of the time", [(("nics", i, *path), quantity_text(parse_microseconds(timer) * 1e6 / 4, "ps")) for i, timer in timers]


# ---- buffers and PFC


_LOSES = 10  # this many steps: a class that was lossless may lose frames


def _pfc_of_class(case):
    for name in case.classes:
        if case.document["priorities"][name]["lossless"] == "false":
            yield name, f"PFC for the class {name}", [(("priorities", name, "lossless"), "true")]
        else:
            yield name, f"no PFC for the class {name}", [(("priorities", name, "lossless"), "false")], _LOSES


def _pfc_at_switch(case):
    """Affects switches whose PFC settings differ from most, and the one that holds most of the time."""
    entries = case.entries("switches")
    without = [(i, entry) for i, entry in entries if (entry.get("pfc") or {}).get("enabled") == "false"]
    for i, entry in without if len(without) < len(entries) else ():
        yield entry_name(entry), f"PFC at {entry_name(entry)}", [(("switches", i, "pfc", "enabled"), "true")]
    worst = max(case.waits, key=case.waits.get, default=":").partition(":")[0]
    if worst in case.sizes and not without:
        yield worst, f"no PFC at {worst}", [(("switches", len(entries)), {"match": worst, "pfc": {"enabled": "false"}})], _LOSES


def entry_name(entry):
    """The matches of an entry, in words."""
    return ", ".join(entry["match"]) if isinstance(entry["match"], list) else entry["match"]


def _no_watchdog(case):
    places = [(section, i) for section in ("switches", "nics") for i, entry in case.entries(section) if isinstance((entry.get("pfc") or {}).get("watchdog"), (dict, list))]
    yield "", "no watchdog", [((section, i, "pfc", "watchdog"), "none") for section, i in places]


def _watchdog(detection, poll, limits):
    def change(case):
        entries = [(i, entry["pfc"]) for i, entry in case.entries("switches") if isinstance(entry.get("pfc"), dict)]
        if any(isinstance(pfc.get("watchdog"), (dict, list)) for _, pfc in entries):
            return
        watchdog = {"detection": detection, "restoration": detection, "poll": poll, "limits": limits}
        yield "", f"a watchdog that detects storms in {detection}", [(("switches", i, "pfc", "watchdog"), watchdog) for i, pfc in entries if pfc.get("enabled") != "false"]

    return change


# ---- faults


def _faults(case):
    faults = case.document.get("faults") or []
    for i, fault in enumerate(faults):
        where = next((str(fault[key]) for key in ("port", "node", "link", "host") if fault.get(key)), "")
        words = f"without the {fault['type'].replace('_', ' ')}{' at ' + where if where else ''}"
        yield f"{i}", words.replace("['", "").replace("', '", "–").replace("']", ""), [(("faults",), [one for j, one in enumerate(faults) if j != i])]
    if len(faults) > 1:
        yield "all", "without the faults", [(("faults",), [])]


# ---- transport, NICs


def _timeout(case):
    edits = []
    for i, entry in case.entries("nics"):
        rto = (entry.get("transport") or {}).get("rto")
        edits += [(("nics", i, "transport", "rto"), quantity_text(parse_microseconds(rto) * 1e6 / 4, "ps"))] if rto else []
    yield "", "a quarter of the retransmission timeout", edits


def _resources(name, words):
    return lambda case: [("", words, [(("nics", i, "resources"), name) for i, entry in case.entries("nics") if entry.get("resources", "ideal") != "ideal"])]


def _registration_times(case):
    """{place: µs} of the entries of nics for which some operations take time."""
    times = {i: parse_microseconds(entry.get("registration_latency", "0")) for i, entry in case.entries("nics")}
    return {i: time for i, time in times.items() if time}


def _registration(case):
    times = _registration_times(case)
    least = min(times.values(), default=0)
    yield "fast", "registrations at all NICs as fast as at the fastest", [(("nics", i, "registration_latency"), quantity_text(least * 1e6, "ps")) for i, time in times.items() if time > least]
    yield "ahead", "memory registered once, not ahead of each message", [(("workloads", i, "register"), "false") for i, entry in case.entries("workloads") if entry.get("register") == "true"]


def _no_registration(case):
    yield "", "registrations that take no time", [(("nics", i, "registration_latency"), "0ns") for i in _registration_times(case)]


# ---- traffic


def _narrower(case):
    wide = [(i, entry["fan_in"]) for i, entry in case.entries("workloads") if str(entry.get("fan_in", "")).isdecimal() and int(entry["fan_in"]) > 1]
    yield "", "incasts half as wide", [(("workloads", i, "fan_in"), str(int(width) // 2)) for i, width in wide]


def _queue_pairs(case):
    qp = case.own.get("qp")
    pairs = qp.get("per_pair", "") if isinstance(qp, dict) else ""
    if pairs.isdecimal():
        yield "x8", "eight times the queue pairs", [(("workloads", case.index, "qp", "per_pair"), str(8 * int(pairs)))]
        yield "per-message", "a queue pair for each message", [(("workloads", case.index, "qp"), "per_message")]


def _program(case):
    slow = [i for i, entry in case.entries("workloads") if entry.get("cpu") and parse_microseconds(entry["cpu"])]
    yield "", "programs that take no time", [(("workloads", i, "cpu"), "0ns") for i in slow]


def _program_processes(case):
    """It applies to `to`, whose hosts answer: more processes at `from` would send more."""
    processes = case.own.get("processes")
    answer = processes.get("to", "") if isinstance(processes, dict) else ""
    yield "", f"four times the processes that answer {case.workload}", [(("workloads", case.index, "processes", "to"), str(4 * int(answer)))] if answer.isdecimal() else []


def _less_load(case):
    key = next((key for key in ("load", "rate") if (case.own.get(key) or "closed") != "closed"), None)
    if key:
        quantity = parse_quantity(case.own[key])
        yield "", f"half the {key} of {case.workload}", [(("workloads", case.index, key), f"{quantity.value / 2:.6g}{quantity.unit or ''}")]


def _without_others(case):
    for i, entry in case.entries("workloads"):
        if i != case.index and entry.get("enabled", "true") == "true":
            yield entry["name"], f"without {entry['name']}", [(("workloads", i, "enabled"), "false")]


def _weight(case):
    classes = case.document["priorities"]
    for name in case.classes:
        if len(classes) > 2 and classes[name].get("strict") == "false":
            yield f"{name}-weight", f"a larger weight for the class {name}", [(("priorities", name, "weight"), "1000")]
            yield f"{name}-strict", f"the class {name} before others", [(("priorities", name, "strict"), "true")]


def _other_class(case):
    """An existing class."""
    if case.service is None and case.own.get("priority"):
        for name, class_settings in case.document["priorities"].items():
            if name not in case.classes and name != "cnp":
                yield name, f"{case.workload} in the class {name}", [(("workloads", case.index, "priority"), name)]


def _own_class(case):
    """An additional lossless class for the workload alone, or for its service's legs."""
    classes = case.document["priorities"]
    priority = next((str(n) for n in range(8) if str(n) not in {class_settings["priority"] for class_settings in classes.values()}), None)
    places = [(("workloads", case.index, "priority"), case.own)] if case.service is None else []
    if case.service is not None:
        service = case.document["services"][case.service]
        places = [(("services", case.service, "priority"), service)]
        places += [(("services", case.service, leg, "priority"), service.get(leg) or {}) for leg in ("front", "back")]
    places = [path for path, entry in places if entry.get("priority")]
    if priority is None or not places:
        return
    dscp = next(str(n) for n in [int(priority), *range(64)] if str(n) not in {class_settings["dscp"] for class_settings in classes.values()})
    for name, words, strict in (("shared", "a class of its own", "false"), ("first", "a class of its own, before others", "true")):
        own = {"priority": priority, "dscp": dscp, "lossless": "true", "weight": "1", "strict": strict}
        # It is marked like the class that it leaves.
        marked = [(("switches", i, "ecn", "own"), entry["ecn"][case.classes[0]]) for i, entry in case.entries("switches") if isinstance(entry.get("ecn"), dict) and case.classes[0] in entry["ecn"]]
        yield name, words, [(("priorities", "own"), own), *marked, *((path, "own") for path in places)]


# ---- services


def _service_numbers(*keys):
    """Rows that multiply a number of the workload's service, or of its legs."""

    def change(case):
        if case.service is None:
            return
        service = case.document["services"][case.service]
        for key, factor in keys:
            paths = [(("services", case.service, key), service.get(key))]
            paths += [(("services", case.service, leg, key), (service.get(leg) or {}).get(key)) for leg in ("front", "back") if isinstance(service.get(leg), dict)]
            edits = [(path, _number_times(value, factor)) for path, value in paths if _number_times(value, factor)]
            yield f"{key}-x{factor:g}", f"{key.replace('_', ' ')} of {service['name']} × {factor:g}", edits

    return change


def _queue_lengths(case):
    """For a service whose windows are limited by its two queues of queue pairs."""
    if case.service is None:
        return
    service = case.document["services"][case.service]
    edits = [(("services", case.service, key), _number_times(service.get(key), 4)) for key in ("sq", "rq")]
    if all(value and float(value) <= 4096 for _, value in edits):
        yield "sq-rq-x4", f"queues of {service['name']} × 4", edits


def _number_times(value, factor):
    if not isinstance(value, str) or value[:1] not in "0123456789":
        return None
    quantity = parse_quantity(value)
    number = quantity.value * factor
    if number < 1 and not quantity.unit or not number:
        return None
    return quantity_text(number, quantity.unit) if quantity.unit else str(int(number))


def _cores(case):
    edits = [(("hosts", i, "cores"), str(2 * int(entry["cores"]))) for i, entry in case.entries("hosts") if str(entry.get("cores", "")).isdecimal()]
    yield "", "twice the cores of hosts", edits


def _clocks(case):
    clocks = {i: re.fullmatch(r"([0-9.]+)(M|G)Hz", entry.get("clock", "")) for i, entry in case.entries("hosts")}
    hertz = {i: float(found[1]) * {"M": 1e6, "G": 1e9}[found[2]] for i, found in clocks.items() if found}
    fastest = max(hertz, key=hertz.get, default=None)
    yield "", "slow hosts at the clock of the fastest", [(("hosts", i, "clock"), clocks[fastest][0]) for i in hertz if hertz[i] < hertz[fastest]]


def _disks(case):
    """Halves all times and doubles all rates."""

    def faster(value, factor):
        if isinstance(value, dict):
            return {key: item if key == "share" else faster(item, factor) for key, item in value.items()}
        return _number_times(value, factor) or value

    disk = case.document["services"][case.service].get("disk") if case.service is not None else None
    if isinstance(disk, dict):
        path = ("services", case.service, "disk")
        factors = {"read": 0.5, "write": 0.5, "iops": 2, "bandwidth": 2}
        edits = [((*path, key), faster(disk[key], factor)) for key, factor in factors.items() if key in disk]
        yield "", "devices twice as fast", [(path, value) for path, value in edits if value != disk[path[-1]]]


def _placement(case):
    """Servers on hosts that have no other use."""
    if case.service is None:
        return
    services = case.document["services"]
    key = next((key for key in ("servers", "extent_nodes") if services[case.service].get(key)), None)
    if key is None:
        return
    named = [entry[k] for i, entry in enumerate(services) for k in ("servers", "clients", "extent_nodes", "compute", "front_ends", "partition_servers") if entry.get(k) and (i, k) != (case.service, key)]
    named += [entry[k] for i, entry in case.entries("workloads") if i != case.index for k in ("from", "to") if entry.get(k) and isinstance(entry[k], (str, list))]
    now = [host for host in case.hosts if matches(services[case.service][key], host)]
    free = [host for host in case.hosts if host not in now and not any(matches(pattern, host) for pattern in named)]
    if now and len(free) >= len(now):
        yield "", f"{key.replace('_', ' ')} of {services[case.service]['name']} on hosts without other uses", [(("services", case.service, key), free[: len(now)])]


@dataclass
class Row:
    id: str
    words: str  # words for the documentation
    parts: tuple
    change: Callable  # function of a Case: (variant, words, edits) of each variant, and the number of steps up or down
                      # a scale
    cost: int  # plus a tenth for each step
    can_be_had: bool = True


MEND, SET, ARRANGE, BUY, NOT_TO_BE_HAD = range(5)  # cost of a change
TABLE = (
    Row("no-congestion-control", "no congestion control", CONGESTION, _of_nics("no congestion control", ("congestion_control",), lambda value: value != "none", "none"), ARRANGE),
    Row("dcqcn", "DCQCN at NICs that have none", CONGESTION, _of_nics("DCQCN at NICs that have none", ("congestion_control",), lambda value: value == "none", "dcqcn"), ARRANGE),
    Row("ecn-thresholds", "ECN thresholds × 16, 4, 2, ½, ¼, 1/16", CONGESTION, _thresholds, SET),
    Row("ecn", "ECN at switches that have none", CONGESTION, _ecn_on, ARRANGE),
    Row("cnp-interval", "one CNP per queue pair in 50 µs, where receivers notify per packet", CONGESTION, _notifications, SET),
    Row("rate-recovery", "rates that recover in a quarter of the time", CONGESTION, _recovery_of_rates, SET),
    Row("control", "a key of the hosts' own control: of HPCC, DCTCP, TIMELY, Swift, receiver credits, or a program's", CONGESTION, control_changes.keys, SET),
    Row("window", "no window of queue pairs", AHEAD, _of_nics("no window of queue pairs", ("transport", "window"), lambda value: value not in (None, "none"), "none"), SET),
    Row("bug", "each NIC bug fixed", (*WAY, "nic"), _bugs, MEND),
    Row("ack-class", "ACKs in the class of CNPs", ("ack_queued", "ack_paused", "queued", "paused", *AHEAD), _of_nics("ACKs in the class of CNPs", ("transport", "ack_priority"), lambda value: value == "same", "cnp"), SET),
    Row("alpha", "alpha one, two, three steps up and down", CONGESTION, buffer_changes.alphas, SET),
    Row("policy", "SONiC's dynamic limits where buffers have another policy", CONGESTION, buffer_changes.policy, ARRANGE),
    Row("buffer", "four times the buffer", CONGESTION, buffer_changes.memory, BUY),
    Row("headroom", "the headroom that `check` computes", CONGESTION, buffer_changes.headroom, SET),
    Row("pfc", "PFC on or off for a class", CONGESTION, _pfc_of_class, SET),
    Row("pfc-at", "PFC on where a switch has none; off at the switch where most of the time is", CONGESTION, _pfc_at_switch, SET),
    Row("no-watchdog", "no watchdog", CONGESTION, _no_watchdog, SET),
    Row("watchdog", "a watchdog with SONiC's 200 ms where there is none", CONGESTION, _watchdog("200ms", "100ms", "true"), SET),
    Row("fast-watchdog", "one that detects storms in 200 µs, outside SONiC's range", CONGESTION, _watchdog("200us", "100us", "false"), SET, can_be_had=False),
    Row("links", "links between switches, or of hosts, twice as fast; twice the spines", LINKS, link_changes.faster_links, BUY),
    Row("link", "one link twice as fast, where it holds most of the waiting", LINKS, link_changes.one_faster_link, BUY),
    Row("slow-links", "slow links at the rate of their siblings", LINKS, link_changes.slow_member, MEND),
    Row("distance", "links a tenth as long", WAY, link_changes.shorter, NOT_TO_BE_HAD, can_be_had=False),
    Row("link-loss", "links that lose nothing", LOSSES, link_changes.lossless_links, MEND),
    Row("link-order", "links without random delays", WAY, link_changes.ordered_links, MEND),
    Row("routing", "one path for each flow, where switches choose per packet or flowlet", CONGESTION, routing_changes.one_path, SET),
    Row("fault", "each fault removed, and all of them", EVERY, _faults, MEND),
    Row("rto", "a quarter of the retransmission timeout", LOSSES, _timeout, SET),
    Row("nics", "NICs with the resources of gen3", NIC, _resources("gen3", "NICs with the resources of gen3"), BUY),
    Row("ideal-nics", "ideal NICs", NIC, _resources("ideal", "ideal NICs"), NOT_TO_BE_HAD, can_be_had=False),
    Row("registration", "registrations as fast as at the fastest NIC, or once for all messages", NIC, _registration, ARRANGE),
    Row("no-registration", "registrations that take no time", NIC, _no_registration, NOT_TO_BE_HAD, can_be_had=False),
    Row("incast", "incasts half as wide", CONGESTION, _narrower, NOT_TO_BE_HAD, can_be_had=False),
    Row("queue-pairs", "eight times the queue pairs, or one for each message", (*WAY, "nic"), _queue_pairs, ARRANGE),
    Row("program-processes", "four times the processes that answer a workload's program", EVERY, _program_processes, ARRANGE),
    Row("program", "programs that take no time", EVERY, _program, NOT_TO_BE_HAD, can_be_had=False),
    Row("load", "half the workload's load or rate", EVERY, _less_load, NOT_TO_BE_HAD, can_be_had=False),
    Row("without", "without each other workload", EVERY, _without_others, NOT_TO_BE_HAD, can_be_had=False),
    Row("weight", "a larger weight for its class, or its class before others", CONGESTION, _weight, SET),
    Row("other-class", "another existing class", CONGESTION, _other_class, SET),
    Row("class", "a class of its own, with a share of the link or before others", CONGESTION, _own_class, ARRANGE),
    Row("processes", "twice the processes or workers of its service", CORES, _service_numbers(("processes", 2), ("client_processes", 2), ("workers", 2)), SET),
    Row("clocks", "slow hosts at the clock of the fastest", CORES, _clocks, BUY),
    Row("cores", "twice the cores", CORES, _cores, BUY),
    Row("credits", "four times the credits, landings, connections or window of its service", AHEAD, _service_numbers(("credits", 4), ("landings", 4), ("connections", 4), ("window", 4)), SET),
    Row("queues", "queues of its service's queue pairs × 4", AHEAD, _queue_lengths, SET),
    Row("chunk", "chunks of its service × 4, ¼", ("chunk", *LINKS), _service_numbers(("chunk", 4), ("chunk", 0.25)), SET),
    Row("devices", "devices twice as fast", DEVICES, _disks, NOT_TO_BE_HAD, can_be_had=False),
    Row("placement", "servers on hosts without other uses", (*LINKS, *CORES), _placement, ARRANGE),
)


def _but_sonic(case, edits):
    """Switches that a change of switches leaves unchanged: those with their own tables."""
    touched = {path[1] for path, _ in edits if path[0] == "switches"}
    left = [entry_name(entry) for i, entry in case.entries("switches") if "sonic" in (entry.get("buffer") or {}) and i not in touched]
    return f", but for SONiC's {', '.join(left)}" if touched and left else ""


def every(case):
    """[Counterfactual] that apply to the scenario."""
    found = []
    for row in TABLE:
        for variant, words, edits, *steps in row.change(case):
            if edits:
                words += _but_sonic(case, edits)
                cost = row.cost + sum(steps) / 10
                found.append(Counterfactual(f"{row.id}:{variant}" if variant else row.id, words, row.parts, edits, row.can_be_had, cost))
    return found
