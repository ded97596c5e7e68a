"""Changes of a scenario, each with the share of the time that it is known to affect; search.py measures their effects.

The schema gives the changes of single keys (keys.py). A row of TABLE makes a change that combines several keys, from a
Case, as edits of the resolved document (../changes.py).
"""

from collections import namedtuple
from dataclasses import dataclass, field

from headroom.explain import buffer_changes, keys, link_changes, sonic_changes
from headroom.explain.parts import fio_entry, governed_share, heeds_marks
from headroom.quantity import parse_bytes, quantity_text, times
from headroom.settings import flatten, item_names, matches

# Parts of time, by the changes that affect them. Waits for earlier work change with the causes of that work's waits.
AHEAD = ("own_queue", "window", "context", "credits", "chunk", "order", "timeout", "connection", "memory", "network", "core_queue", "buffer", "peer")
CONGESTION = ("queued", "paused", "ack_queued", "ack_paused", "limiter", "port", "recovery", *AHEAD)
LINKS = ("own_packets", *CONGESTION)
CORES = ("core", "core_queue", "copy", "wake", *AHEAD)


@dataclass
class Counterfactual:
    """One change. `edits`: [(path, value)] of the resolved document; None for one of the command line. `share`: of the time
    that it is known to affect; 0 if only a run can show it. `cost`: one of keys.COSTS. `again`: edits of the same change
    twice."""

    id: str
    words: str
    share: float
    edits: list
    cost: str = "setting"
    again: list = field(default_factory=list)

    @property
    def can_be_had(self):
        """Whether an operator can make it; otherwise it only shows a cause."""
        return self.cost != "diagnosis"


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


def _control_of(entry):
    """The name of the control of an entry of nics."""
    control = entry.get("congestion_control")
    return control.get("type") if isinstance(control, dict) else control


def _with_dcqcn(case):
    """[(place, entry)] of nics."""
    return [(i, entry) for i, entry in case.entries("nics") if _control_of(entry) == "dcqcn"]


def _some_heeds_marks(case):
    return any(heeds_marks(_control_of(entry)) for _, entry in case.entries("nics"))


def _thresholds(case):
    def _curve_times(value, factor):
        inside = value.items() if isinstance(value, dict) else ()
        return {k: quantity_text(parse_bytes(v) * factor, "B") if k in ("kmin", "kmax") else _curve_times(v, factor) for k, v in inside} or value

    if not _some_heeds_marks(case):
        return
    for name, factor in (("x2", 2), ("x4", 4), ("x16", 16), ("half", 1 / 2), ("quarter", 1 / 4), ("sixteenth", 1 / 16)):
        edits = []
        for i, entry in case.entries("switches"):
            for of_class, curve in (entry.get("ecn") or {}).items():
                if isinstance(curve, dict):
                    edits.append((("switches", i, "ecn", of_class), _curve_times(curve, factor)))
        yield name, f"ECN thresholds × {factor}" if factor > 1 else f"ECN thresholds / {1 / factor:g}", edits


def _ecn_on(case):
    if not _some_heeds_marks(case):
        return
    edits = []
    for i, entry in case.entries("switches"):
        ecn = entry.get("ecn")
        lacks = [name for name in case.classes if isinstance(ecn, dict) and ecn.get(name) == "none"]
        lacks = case.classes if ecn == "none" else lacks
        curve = _CURVE if _with_dcqcn(case) else _STEP
        edits += [(("switches", i, "ecn"), (ecn if isinstance(ecn, dict) else {}) | dict.fromkeys(lacks, curve))] if lacks else []
    yield "", "ECN for its class at switches that have none", edits


_CURVE = {"kmin": "100KB", "kmax": "400KB", "pmax": "0.1"}  # of the DCQCN simulations that ns-3 users know: docs/explain.md
_STEP = {"kmin": "100KB", "kmax": "100KB", "pmax": "1"}  # DCTCP has one threshold


def _notifications(case):
    found = [("nics", i, "dcqcn", "np") for i, entry in _with_dcqcn(case) if entry["dcqcn"]["np"]["coalescing"] == "per_packet"]
    yield "", "one CNP per queue pair in 50 µs", [((*path, key), value) for path in found for key, value in (("coalescing", "per_qp"), ("min_cnp_interval", "50us"))]


def _class_places(case, workload, service):
    """Paths of the `priority` of a workload's messages, or of those of a service and its legs."""
    if service is None:
        places = [(("workloads", workload, "priority"), case.document["workloads"][workload])]
    else:
        entry = case.document["services"][service]
        places = [(("services", service, *leg, "priority"), (entry.get(leg[0]) or {}) if leg else entry) for leg in ((), ("front",), ("back",))]
    return [(path, entry["priority"]) for path, entry in places if entry.get("priority")]


def _own_class(case):
    """An additional lossless class for the workload alone, or for its service's legs. It gets a priority that all switches
    know as lossless, since a scenario with another is refused."""
    classes = case.document["priorities"]
    taken = [{entry[key] for entry in classes.values()} for key in ("priority", "dscp")]
    places = [path for path, _ in _class_places(case, case.index, case.service)]
    # With a second class, a default of the others would not be known.
    several = [*((i, None) for i, _ in case.entries("workloads")), *((0, i) for i, _ in case.entries("services"))]
    stated = [edit for place in several for edit in _class_places(case, *place) if edit[0] not in places] if "storage" not in classes else []
    for priority in (str(n) for n in range(8) if str(n) not in taken[0]) if places else ():
        dscp = next(str(n) for n in [int(priority), *range(64)] if str(n) not in taken[1])
        for name, words, strict in (("shared", "a class of its own", "false"), ("first", "a class of its own, before others", "true")):
            own = {"priority": priority, "dscp": dscp, "lossless": "true", "weight": "1", "strict": strict}
            # It is marked like the class that it leaves.
            marked = [(("switches", i, "ecn", "own"), entry["ecn"][case.classes[0]]) for i, entry in case.entries("switches") if isinstance(entry.get("ecn"), dict) and case.classes[0] in entry["ecn"]]
            yield name, words, [(("priorities", "own"), own), *marked, *((path, "own") for path in places), *stated]


def _queue_lengths(case):
    """For a service whose windows are limited by its two queues of queue pairs."""
    if case.service is None:
        return
    service = case.document["services"][case.service]
    edits = [(("services", case.service, key), times(service.get(key), 4)) for key in ("sq", "rq")]
    if all(value and float(value) <= 4096 for _, value in edits):
        yield "sq-rq-x4", f"queues of {service['name']} × 4", edits


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


Row = namedtuple("Row", "id words parts change cost")  # words for docs; change: a function of a Case: (variant, words, edits) of each


TABLE = (
    Row("ecn-thresholds", "ECN thresholds × 16, 4, 2, ½, ¼, 1/16", CONGESTION, _thresholds, "setting"),
    Row("ecn", "ECN at switches that have none", CONGESTION, _ecn_on, "setting"),
    Row("cnp-interval", "one CNP per queue pair in 50 µs, where receivers notify per packet", CONGESTION, _notifications, "setting"),
    Row("buffer", "four times the buffer", CONGESTION, buffer_changes.memory, "hardware"),
    Row("headroom", "the headroom that `check` computes", CONGESTION, buffer_changes.headroom, "setting"),
    Row("sonic", "a field of a SONiC configuration: thresholds, xoff, WRED, weights, cable lengths, profiles of ports", (), sonic_changes.fields, "setting"),
    Row("sonic-ports", "groups and queues of a SONiC port with the profiles that most ports have", CONGESTION, sonic_changes.odd_ports, "repair"),
    Row("links", "links between switches, or of hosts, twice as fast", LINKS, link_changes.faster_links, "hardware"),
    Row("link", "one link twice as fast, where it holds most of the waiting", LINKS, link_changes.one_faster_link, "hardware"),
    Row("slow-links", "slow links at the rate of their siblings", LINKS, link_changes.slow_member, "repair"),
    Row("class", "a class of its own, with a share of the link or before others", CONGESTION, _own_class, "reconfiguration"),
    Row("queues", "queues of its service's queue pairs × 4", AHEAD, _queue_lengths, "setting"),
    Row("placement", "servers on hosts without other uses", (*LINKS, *CORES), _placement, "reconfiguration"),
)


def _of_table(case, shares):
    for row in TABLE:
        share = sum(share for part, share in shares.items() if part in row.parts)
        for variant, words, edits in row.change(case):
            if edits:
                yield Counterfactual(f"{row.id}:{variant}" if variant else row.id, words + _but_sonic(case, edits), share, edits, row.cost)


def _but_sonic(case, edits):
    """Switches that a change of switches leaves unchanged: those with their own tables."""
    touched = {path[1] for path, _ in edits if path[0] == "switches"}
    named = item_names(case.document.get("switches") or [])
    left = [named[i] for i, entry in case.entries("switches") if "sonic" in (entry.get("buffer") or {}) and i not in touched]
    return f", but for SONiC's {', '.join(left)}" if touched and left else ""


def _of_schema(case, shares):
    settings = flatten(case.document)
    congestion = sum(share for part, share in shares.items() if part in CONGESTION)
    service = case.document["services"][case.service]["name"] if case.service is not None else None
    for change_id, words, name, edits, cost, again in keys.changes(case.document):
        if name[0] == "services" and name[1] != service and name[-1] != "priority":
            continue  # other services' own settings
        share = governed_share(".".join(name), settings, case.own["name"], shares)
        if cost == "repair":
            share = 1.0
        elif name[0] == "priorities" or name[-1] in ("priority", "enabled"):
            share = max(share, congestion)
        yield Counterfactual(change_id, words, share, edits, cost, again)


def every(case, shares):
    """[Counterfactual] that apply to the scenario, those that are known to affect most of the time first. `shares`: {part:
    share of the time}."""
    return sorted([*_of_table(case, shares), *_of_schema(case, shares)], key=lambda one: -one.share)
