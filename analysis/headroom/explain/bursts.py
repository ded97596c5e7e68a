"""What bursts towards a host bring about before its link, by what half as many senders would bring: how many of the marks,
which losses, how much that a switch does not hold."""

from dataclasses import asdict, dataclass

import numpy as np

_STEPS = 4  # two steps of alpha, which is as far as thresholds are tried
_LARGEST_CELL = 9600  # B: a multiple that is larger than any frame tells of too few levels


@dataclass
class Burst:
    """At the port towards a host. Bytes, as its switch counts them, are of the queue that a perfect network would have there at
    most."""

    senders: int  # in the widest burst
    burst_bytes: float
    half_bytes: float  # with half as many senders in each
    limit_bytes: float  # what acts on the queue from here on
    limit: str  # what that is: marks, drops, pauses
    left: float  # of that, with half as many senders; a share of 1

    known = asdict


class Bursts:
    """Of a Run; `fluid` is None where not all messages are on record: then nothing is known of bursts."""

    def __init__(self, run, network, fluid):
        self._run, self._network, self._fluid = run, network, fluid
        self._known = {}

    def marked(self, node, port, priority):
        """The Burst that brings marks there, and what half as many senders would leave of them; None without."""
        return self._once("marks", node, port, priority, of=self._marked)

    def dropped(self, node, port, priority):
        """The Burst that alone fills a queue without PFC: half as many senders would lose nothing. Else None."""
        return self._once("drops", node, port, priority, of=self._dropped)

    def paused(self, node, port, priority, groups, memory):
        """The Burst that pauses of `groups` groups come from, if no more of it is left outside the switch with half as many
        senders than with thresholds two steps of alpha higher, as far as the memory goes: where both spare all pauses, fewer
        senders spare what waits for them in queues as well. Else None."""
        return self._once("pauses", node, port, priority, groups, memory, of=self._paused)

    def _once(self, *key, of):
        if key not in self._known:
            self._known[key] = of(*key[1:])
        return self._known[key]

    def _queues(self, node, port, priority):
        """(senders, the Queue that a perfect network has there, the one with half as many)"""
        if self._fluid is None or node not in self._network.switches or not self._network.faces_host(node, port):
            return None
        host = self._network.peer(node, port)
        halved = self._fluid.halved(host, priority)
        return halved and (halved[0], self._fluid.queue(host, priority), halved[1])

    def _per_byte(self, node):
        """Bytes that a switch counts for each on the wire. It counts cells: what its levels are all multiples of."""
        ports = self._run.table("ports")
        levels = ports.loc[ports["node"] == node, ["peak_queue_bytes", "peak_group_bytes"]].to_numpy(float)
        cell = int(np.gcd.reduce(levels[levels > 0].astype(np.int64))) if (levels > 0).any() else 0
        return self._fluid.buffered(cell if cell <= _LARGEST_CELL else 0)

    def _held(self, node, port, priority):
        """The most bytes that the queue had."""
        ports = self._run.table("ports")
        here = ports[(ports["node"] == node) & (ports["port"] == port) & (ports["priority"].astype(str) == str(priority))]
        return float(here["peak_queue_bytes"].max()) if len(here) else 0.0

    def _marked(self, node, port, priority):
        found, curve = self._queues(node, port, priority), self._run.scenario.marking(node, port, priority)
        if not found or not curve:
            return None
        (senders, all_of, half), each = found, self._per_byte(node)
        wire = curve[0] / each, curve[1] / each, curve[2]
        marks = all_of.marked(*wire)
        return Burst(senders, all_of.peak * each, half.peak * each, curve[0], "marks", half.marked(*wire) / marks) if marks else None

    def _dropped(self, node, port, priority):
        found, limit = self._queues(node, port, priority), self._held(node, port, priority)
        if not found:
            return None
        (senders, *queues), each = found, self._per_byte(node)
        all_of, half = (queue.peak * each for queue in queues)
        return Burst(senders, all_of, half, limit, "drops", 0.0) if half <= limit < all_of else None

    def _paused(self, node, port, priority, groups, memory):
        found, limit = self._queues(node, port, priority), self._held(node, port, priority)
        if not found or not limit:
            return None
        (senders, *queues), each = found, self._per_byte(node)
        all_of, half = (queue.peak * each for queue in queues)
        if all_of <= limit:
            return None
        # Where each sender has a group of its own half as many have half the groups.
        narrower = limit * (max(1, groups // 2) / groups if groups else 1.0)
        outside = max(0.0, half - narrower)
        higher = max(0.0, all_of - min(_STEPS * limit, memory))
        left = outside / (all_of - limit)
        return Burst(senders, all_of, half, limit, "pauses", left) if outside <= higher else None
