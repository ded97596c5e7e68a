"""Each port of a result: its load, its paused time, its marks, and the waiting time of slow messages."""

from dataclasses import dataclass, field

import numpy as np

from headroom.format import format_percent, format_time
from headroom.summary_file import as_object

_WAITS = ("queued", "paused", "ack_queued", "ack_paused")


@dataclass
class Port:
    """Values are means over the seeds. Shares are of 1."""

    utilisation: float = 0.0  # for all classes together
    paused: float = 0.0  # share of the counted time for the priority that was paused longest
    marked: float = 0.0  # share of the sent packets
    waited_us: float = 0.0  # average for messages around p99 of the workload that waited longest here
    waited_by: str = ""  # that workload
    queues: dict = field(default_factory=dict)  # {priority: Queue}


@dataclass
class Queue:
    utilisation: float = 0.0
    paused_us: float = 0.0
    marked: float = 0.0
    waited_us: float = 0.0
    waited_by: str = ""
    tx_bytes: float = 0.0


@dataclass(frozen=True)
class Measure:
    """One of the measures by which a reader may colour. `steps`: lower ends of the classes above the first, which
    contains 0."""

    name: str
    words: str
    about: str
    value: object  # value for a Port
    write: object
    steps: tuple


def _waiting_of(summary):
    """(workload and kind, {place: of}) for those with recorded waits around p99."""
    for name, found in as_object(summary.get("messages")).items():
        yield name, as_object(as_object(found).get("waits_us")).get("p99")
    for name, kinds in as_object(summary.get("operations")).items():
        for kind, found in as_object(kinds).items():
            if kind != "all":
                yield f"{name} {kind.replace('_', '-')}", as_object(as_object(found).get("waits_at_us")).get("p99")


def waits_of(result):
    """{"node:port:queue": {workload and kind: µs}}, means over the seeds; None if no run has them."""
    found, known = {}, False
    for run in result.runs:
        for whose, places in _waiting_of(run.summary):
            known = known or places is not None
            for place, waits in as_object(places).items():
                us = sum(waits.get(part) or 0.0 for part in _WAITS) / len(result.runs)
                found.setdefault(place, {})[whose] = found.get(place, {}).get(whose, 0.0) + us
    return found if known else None


def _counted_us(run):
    return max(1e-9, run.end_us - run.scenario.warmup_us)


def ports_of(result):
    """{(node, port): Port}"""
    found, sent = {}, {}
    for run in result.runs:
        table = run.table("ports")
        if table is None:
            continue
        columns = "node port priority utilisation paused_us_rx marked_packets tx_packets tx_bytes".split()
        for node, port, priority, busy, paused, marks, packets, size in zip(*(table[name] for name in columns)):
            measured = found.setdefault((node, port), Port())
            queue = measured.queues.setdefault(str(priority), Queue())
            queue.utilisation += (0.0 if np.isnan(busy) else busy) / len(result.runs)
            queue.paused_us += paused / len(result.runs)
            queue.tx_bytes += size / len(result.runs)
            sums = sent.setdefault((node, port), {}).setdefault(str(priority), [0.0, 0.0])
            sums[0] += marks
            sums[1] += packets
    counted = sum(map(_counted_us, result.runs)) / len(result.runs)
    for place, measured in found.items():
        measured.utilisation = sum(queue.utilisation for queue in measured.queues.values())
        measured.paused = max(queue.paused_us for queue in measured.queues.values()) / counted
        for priority, (marks, packets) in sent[place].items():
            measured.queues[priority].marked = marks / packets if packets else 0.0
        marks, packets = (sum(values) for values in zip(*sent[place].values()))
        measured.marked = marks / packets if packets else 0.0
    for place, whose in (waits_of(result) or {}).items():
        node, port, priority = place.rsplit(":", 2)
        if (node, port) not in found:
            continue
        by, us = max(whose.items(), key=lambda item: item[1])
        queue = found[node, port].queues.setdefault(priority, Queue())
        queue.waited_us, queue.waited_by = us, by
        if us > found[node, port].waited_us:
            found[node, port].waited_us, found[node, port].waited_by = us, by
    return found


def measures(all_ports):
    """[Measure] of these results, on scales that they share. `all_ports`: [ports_of(result)]."""
    every = [port for ports in all_ports for port in ports.values()]
    shares = (0.001, 0.01, 0.05, 0.2)
    longest = max((port.waited_us for port in every), default=0.0)
    out = [
        Measure(
            "utilisation",
            "Utilisation",
            "share of its rate that the port sent, all classes, over the counted time",
            lambda port: port.utilisation,
            format_percent,
            (0.1, 0.3, 0.6, 0.85),
        ),
        Measure(
            "paused",
            "Paused time",
            "share of the counted time that PFC held the port, in the priority held longest",
            lambda port: port.paused,
            format_percent,
            shares,
        ),
        Measure("marked", "Marks", "share of the packets sent that the port marked", lambda port: port.marked, format_percent, shares),
    ]
    if longest:
        about = "time that messages around p99 waited at the port, on average, of the workload that waited longest there; of each workload the ten queues that held most"
        steps = tuple(float(f"{share * longest:.1g}") for share in (0.01, 0.05, 0.2, 0.5))
        out.append(Measure("waiting", "Waiting time", about, lambda port: port.waited_us, format_time, steps))
    return out


def class_of(measure, value):
    """Class 0 for nothing, 1 to 5 by `steps`."""
    return 0 if value <= 0 else 1 + sum(value >= step for step in measure.steps)


def scale_words(measure):
    """Six texts, one for each class."""
    steps = [measure.write(step) for step in measure.steps]
    return ["none", f"below {steps[0]}", *(f"{low} to {high}" for low, high in zip(steps, steps[1:])), f"{steps[-1]} and more"]
