"""What would be spared of a tail if one of its causes were taken away, foreseen: waits for links by replays of the same messages
(replay.py) on faster links, in narrower incasts, over more queue pairs; what a queue brings about, marks, pauses and losses, by
how much of it is left above the level from which these begin."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from headroom.explain.replay import AS_IT_WAS, FASTER_FABRIC, FASTER_HOSTS, MORE_QUEUE_PAIRS, NARROWER

LINKS = ("host_link", "fabric_link", "collision")
_STEPS = 4  # two steps of alpha, which is as far as thresholds are tried
_TENTH = 0.1  # of the length of links
_LEAST = 0.05  # of the time: what less is put down to is not what a cure is named for
_NO_WAIT = ("wire", "ack_wire", "own_packets")  # parts that are what they are wherever others stand
_LARGEST_CELL = 9600  # B: a multiple that is larger than any frame tells of too few levels
# What each takes away, of counterfactuals.py.
_GONE = {
    "no congestion control": ("limiter", "generations"),
    "ACKs in the class of CNPs": ("ack_class",),
    "ideal NICs": ("nic",),
    "registrations that take no time": ("registration",),
    "a higher alpha": ("buffer",),
    "headroom as needed": ("headroom",),
    "no watchdog": ("watchdog",),
    "links a tenth as long": ("distance",),
    "links that lose nothing": ("loss",),
    "without the faults": ("storm", "slow_receiver", "blocked"),
    "programs that take no time": ("program",),
    "PFC for its class": ("lossy",),
    "its class before others": ("weight",),
}
# And what each lessens, by a replay.
_REPLAYED = {
    "incasts half as wide": (NARROWER, ("host_link",)),
    "hosts' links twice as fast": (FASTER_HOSTS, ("host_link", "own_size")),
    "links between switches twice as fast": (FASTER_FABRIC, ("fabric_link", "collision")),
    "eight times the queue pairs": (MORE_QUEUE_PAIRS, ("queue_pairs", "collision")),
}


class Spared(NamedTuple):
    """What taking a cause away would spare."""

    share: float  # of the time
    by: str  # the cure; empty where none is known
    link: tuple  # (node, port) where most of it is spared; empty names where that is none


_NOTHING = Spared(0.0, "", ("", ""))


class Cures:
    """For these rows of the replays, messages of one workload and class around its p99; `parts`: {part: µs of each message} of
    the workload; `total_us`: the mean time of those rows, `way_us`: of that on the wire."""

    def __init__(self, grounds, workload, priority, rows, parts, total_us, way_us):
        self._grounds, self._network, self._priority = grounds, grounds.network, priority
        self._workload, self._rows, self._parts, self._total_us, self._way_us = workload, rows, parts, total_us, way_us
        self._waited = {}

    def spares(self, items):
        """{cause: Spared}, each by the cure that spares most. `items`: {evidence.Item: share of the time}"""
        found = dict.fromkeys((item.cause for item in items), _NOTHING)
        if not items:
            return found
        causes_of = {cause for item in items for cause in (item.cause, item.also)}
        shares = {cause: sum(of for item, of in items.items() if cause in (item.cause, item.also)) for cause in causes_of}
        for name, causes in _GONE.items():
            at = [(i, i[1:3], of * (1 - self._remains(i, causes))) for i, of in items.items() if {i.cause, i.also} & {*causes}]
            most = self._most(AS_IT_WAS, 0.0 if "distance" in causes else 1.0)
            # Where a perfect network takes longer than the real one did, that has let some wait for others, and bounds only what
            # letting them go brings.
            most = most if most > 0 or "limiter" in causes else 1.0
            self._note(found, shares, name, causes, at, min(most, self._of_p99(items, at)))
        for name, (change, causes) in _REPLAYED.items():
            if change == NARROWER and not (self._of(change) and self._grounds.replays.widest()):
                continue
            at = self._lessened(items, change)
            self._note(found, shares, name, causes, at, min(self._most(change), self._of_p99(items, at)))
        return found

    def _of_p99(self, items, at):
        """What is spared of the p99 where each message is spared as much of its parts as those around p99 are on average: where
        these are of several kinds, the p99 is another's when one kind is gone. What these hardly wait for tells nothing of those
        that do: of such parts as much is spared as of all."""
        held, spared, elsewhere = {}, {}, 0.0
        for item, share in items.items():
            held[item.part] = held.get(item.part, 0.0) + share
        for item, _, share in at:
            if item:
                spared[item.part] = spared.get(item.part, 0.0) + share
            else:
                elsewhere += share
        of_all = sum(spared.values()) / sum(held.values())
        told = {part: spared.get(part, 0.0) / share for part, share in held.items() if share >= _LEAST or part in _NO_WAIT}
        left = {part: 1 - told.get(part, 0.0 if part in _NO_WAIT else of_all) for part in self._parts}
        then = sum(us * left[part] for part, us in self._parts.items()) - elsewhere * self._took
        return 1 - float(np.quantile(then, 0.99) / self._p99_us)

    @cached_property
    def _took(self):
        """µs of each message."""
        return sum(self._parts.values())

    @cached_property
    def _p99_us(self):
        return np.quantile(self._took, 0.99)

    def _note(self, found, shares, name, causes, at, share):
        """The cure is named for those of its causes that hold something, or for the one that holds most; for messages' own bytes
        only where these do."""
        first = max((cause for cause in causes if cause != "own_size"), key=lambda cause: shares.get(cause, 0.0))
        for cause in causes:
            if share > found.get(cause, _NOTHING).share and (cause == first or shares.get(cause, 0.0) >= _LEAST):
                found[cause] = Spared(share, name, self._where(cause, at))

    def _where(self, cause, at):
        here = {}
        for _, (node, port), of in at:
            fits = not cause == "own_size"
            if cause in LINKS:
                fits = bool(port) and self._network.faces_host(node, port) == (cause == "host_link")
            elif cause == "queue_pairs":
                fits = node not in self._network.switches
            if fits:
                here[node, port] = here.get((node, port), 0.0) + of
        return max(here, key=here.get, default=("", ""))

    def _most(self, change, way=1.0):
        """Share of the time that can be spared: others wait too, and a perfect network has a p99 of its own."""
        if not self._of(change) or not self._total_us:
            return 1.0
        return max(0.0, 1 - (self._of(change).p99_us(self._workload) + way * self._way_us) / self._total_us)

    def _remains(self, item, causes):
        """What a cure leaves of what it takes away."""
        if "distance" in causes:
            return _TENTH
        return self._left_with_higher_alpha(item) if "buffer" in causes else 0.0

    # --- replays

    def _of(self, change):
        return self._grounds.replay(self._priority, change)

    def _waits(self, change):
        """{(node, port): share of the time} that the messages wait there; nothing where that is not known. After a change others
        are the slowest: so as much of what these wait as is left of what the slowest hundredth wait there."""
        if change not in self._waited:
            replay = self._of(change) if self._of(AS_IT_WAS) else None
            found = {link: float(us.mean()) / self._total_us for link, us in replay.waits(self._rows).items()} if replay and self._total_us else {}
            for link, was in self._waits(AS_IT_WAS).items() if replay and change != AS_IT_WAS else ():
                slowest, then = (self._of(of).slowest_wait(link, self._workload) for of in (AS_IT_WAS, change))
                if slowest > 0:
                    found[link] = was * then / slowest
            self._waited[change] = found
        return self._waited[change]

    def _lessened(self, items, change):
        """[(item, (node, port), share of the time that is spared)]; below none, and of no item, where a change makes something
        wait elsewhere."""
        was, then, at, spared = self._waits(AS_IT_WAS), self._waits(change), {}, []
        for item, share in items.items():
            link = item.node, item.port
            if item.how == "wait" and item.cause in LINKS:
                at.setdefault(link, []).append((item, share))
            else:
                spared.append((item, link, share * (1 - self._left(item, change))))
        for link in sorted({*at, *was, *then}):
            here = sum(share for _, share in at.get(link, ()))
            of = self._spared_at(link, here, was.get(link, 0.0), then.get(link, 0.0), change)
            spared += [(item, link, of * share / here) for item, share in at[link]] if here and of > 0 else [(None, link, of)]
        return spared

    def _spared_at(self, link, share, was, then, change):
        if change == MORE_QUEUE_PAIRS and link[0] not in self._network.switches:
            return 0.0  # what is the link's there is what would be waited for with more
        if not was and not then:
            return share * (1 - 1 / self._times(link, change))
        return was - then if then >= was else share * (1 - then / was)

    def _times(self, link, change):
        return change.hosts if self._network.faces_host(*link) else change.fabric

    def _left(self, item, change):
        """Of a share that is no wait for a link itself."""
        link = item.node, item.port
        if change == MORE_QUEUE_PAIRS:
            return 1 / change.queue_pairs if item.in_order else 1.0
        if item.cause == "own_size":
            return 1 / change.hosts
        if item.cause == "queue_pairs":
            was, then = (self._waits(of).get(link, 0.0) for of in (AS_IT_WAS, change))
            return min(1.0, then / was) if was else 1 / change.hosts
        if item.cause == "weight":
            return 1 / self._times(link, change)  # others' frames are through sooner
        if item.how == "marks":
            return self._marks_left(item, change)
        if item.how == "loss":
            return self._above_left(link, change)
        return self._above_left(link, change) / self._times(link, change) if item.how == "pause" else 1.0

    # --- what queues bring about

    def _queues(self, link, change):
        """(the Queue in front of a link as it was, and then); None where one is not known, or there is none."""
        return tuple(of.queues.get(link) if of else None for of in (self._of(AS_IT_WAS), self._of(change)))

    def _marks_left(self, item, change):
        """Of a limiter that takes one notification in a while for many, as much as there are marks. Who cuts for each is at the
        lowest rate after a few, so that what counts is how often the queue begins to be marked."""
        link, scenario = (item.node, item.port), self._grounds.run.scenario
        was, then = self._queues(link, change)
        curve = self._grounds.run.marking(*link, self._priority)
        if not was or not curve:
            return 1.0
        each, scale = self._per_byte(link[0]), self._times(link, change) if scenario.marks_by_rate(link[0], self._priority) else 1.0

        def count(queue, times):
            kmin, kmax = (k * times / each for k in curve[:2])
            return queue.rises(kmin) if item.cause == "generations" else queue.marked(kmin, kmax, curve[2])

        marks = count(was, 1.0)
        return min(1.0, (count(then, scale) if then else 0.0) / marks) if marks else 1.0

    def _above(self, link, change):
        """(bytes that the queue has above what the switch held of it as it was, and then)"""
        was, then = self._queues(link, change)
        limit, each, groups = self._held(*link), self._per_byte(link[0]), self._grounds.groups.get(link, 0)
        # Where each sender has a group of its own half as many have half the groups.
        narrower = max(1, groups // 2) / groups if change.narrow and groups else 1.0
        return was.peak * each - limit, max(0.0, (then.peak * each if then else 0.0) - limit * narrower)

    def _above_left(self, link, change):
        was, _ = self._queues(link, change)
        if not was:
            return 1.0
        above, left = self._above(link, change)
        if above > 0:
            return min(1.0, left / above)
        waited = self._of(AS_IT_WAS).waited(link)
        return min(1.0, self._of(change).waited(link) / waited * self._times(link, change)) if waited and self._of(change) else 1.0

    def _left_with_higher_alpha(self, item):
        link = item.node, item.port
        was, _ = self._queues(link, AS_IT_WAS)
        above = self._above(link, AS_IT_WAS)[0] if was else 0.0
        memory = ((self._grounds.run.summary.get("buffer") or {}).get(item.node) or {}).get("size_bytes") or 0
        limit = self._held(*link)
        return max(0.0, above + limit - max(limit, min(_STEPS * limit, memory))) / above if above > 0 else 0.0

    def _per_byte(self, node):
        """Bytes that a switch counts for each on the wire. It counts cells: what its levels are all multiples of."""
        ports = self._grounds.run.table("ports")
        levels = ports.loc[ports["node"] == node, ["peak_queue_bytes", "peak_group_bytes"]].to_numpy(float)
        cell = int(np.gcd.reduce(levels[levels > 0].astype(np.int64))) if (levels > 0).any() else 0
        return self._grounds.replays.buffered(cell if cell <= _LARGEST_CELL else 0)

    def _held(self, node, port):
        """The most bytes that the queue had."""
        ports = self._grounds.run.table("ports")
        here = ports[(ports["node"] == node) & (ports["port"] == port) & (ports["priority"].astype(str) == str(self._priority))]
        return float(here["peak_queue_bytes"].max()) if len(here) else 0.0

    def burst(self, link):
        """{senders, burst_bytes, half_bytes}: of the widest incast to the host behind a link, and the most that would wait there
        in a perfect network, of all and with half as many senders; nothing without one."""
        senders = self._grounds.replays.widest(self._network.peer(*link)) if self._grounds.replays else 0
        was, then = self._queues(link, NARROWER) if senders else (None, None)
        if not was:
            return {}
        each = self._per_byte(link[0])
        return {"burst": {"senders": senders, "burst_bytes": was.peak * each, "half_bytes": then.peak * each if then else 0.0}}
