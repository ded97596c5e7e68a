"""What a perfect network would make messages wait: links work whenever there is something for them, nobody is held back,
nothing is lost. From messages.csv alone: who sends how much to whom, and when.

Fluid: a host's link is shared equally by the messages that it sends at that time; in front of the link of the host that
receives, a queue in order of arrival without limits. Links between switches are taken to have room, and classes not to share
hosts' links with others, so that the waits are bounds from below. What a closed loop sends is as it was sent, not as it would be.
"""

import heapq
import math
from functools import cached_property

import numpy as np

from headroom.port_rates import port_rate
from headroom.quantity import parse_bytes


class Fluid:
    """Of a Run of which all messages are on record: `table` is its messages.csv."""

    def __init__(self, run, table):
        self._settings, self._topology = run.scenario.settings, run.scenario.topology
        reads = table["verb"].to_numpy() == "read"
        src, dst = table["src"].to_numpy(object), table["dst"].to_numpy(object)
        self._from, self._to = np.where(reads, dst, src), np.where(reads, src, dst)
        self._class = table["priority"].astype(str).to_numpy(object)
        self._workload = table["workload"].to_numpy(object)
        self._start = table["start_ns"].to_numpy(float)
        self._bytes = self._on_the_wire(table["bytes"].to_numpy(float))
        self._row = {name: i for i, name in enumerate(table["id"])}
        self._queues = {}

    def _of_frames(self, key):
        return parse_bytes(self._settings.get(f"frames.{key}", "0"))

    @cached_property
    def _payload(self):
        """Of a full frame; None where that is not told."""
        return parse_bytes(self._settings["mtu"]) if "mtu" in self._settings else None

    def _on_the_wire(self, size):
        if not self._payload:
            return size
        return size + np.ceil(size / self._payload) * (self._of_frames("header") + self._of_frames("gap"))

    def buffered(self, cell):
        """Bytes that a switch with cells of this size counts for each byte of full frames on the wire."""
        if not self._payload or not cell:
            return 1.0
        frame = self._payload + self._of_frames("header")
        return math.ceil(frame / cell) * cell / (frame + self._of_frames("gap"))

    def _rate(self, host):
        """Of its link, B/ns; None where the topology does not tell."""
        try:
            return port_rate(self._topology, host, "p0") / 8e9
        except (KeyError, ValueError, IndexError):
            return None

    @cached_property
    def _senders(self):
        """{host: the rows that it sends}"""
        return _groups(self._from)

    @cached_property
    def _receivers(self):
        return _groups(list(zip(self._to, self._class)))

    @cached_property
    def _sent(self):
        """When the last bit of each row has left its host."""
        return np.full(len(self._start), np.nan)

    def _leaves(self, rows):
        for host in dict.fromkeys(self._from[rows]):
            of = self._senders[host]
            if np.isnan(self._sent[of[0]]) and (rate := self._rate(host)):
                self._sent[of] = _shared(self._start[of], self._bytes[of] / rate)
        return self._sent[rows]

    def _rows(self, host, priority):
        """Those that come for a host in this class; None where it is not known when their bits come."""
        rows = self._receivers.get((host, str(priority)))
        known = rows is not None and self._rate(host) and not np.isnan(self._leaves(rows)).any()
        return rows if known else None

    def _queued(self, host, rows):
        return Queue(self._start[rows], self._sent[rows], self._bytes[rows], self._rate(host))

    def queue(self, host, priority):
        """The Queue for a host's link; None if unknown."""
        key = host, str(priority)
        if key not in self._queues:
            rows = self._rows(host, priority)
            self._queues[key] = None if rows is None else self._queued(host, rows)
        return self._queues[key]

    def waits(self, message):
        """{(host whose link it waits for, whether as the sender): µs} of the message of this id."""
        row = self._row[message]
        sender, receiver, priority = self._from[row], self._to[row], self._class[row]
        queue = self.queue(receiver, priority)
        if queue is None:
            return {}
        behind = self._sent[row] - self._start[row] - self._bytes[row] / self._rate(sender)
        there = queue.waited[np.searchsorted(self._rows(receiver, priority), row)]
        return {(sender, True): max(0.0, behind) / 1e3, (receiver, False): there / 1e3}

    def halved(self, host, priority):
        """(senders of the widest burst, the Queue with half as many in each); bursts are what incasts send there at one
        instant. None where there are none, or it is unknown."""
        rows = self._rows(host, priority)
        if rows is None:
            return None
        bursts = {}
        for row in rows:
            if self._settings.get(f"workloads.{self._workload[row]}.type") == "incast":
                bursts.setdefault((self._workload[row], self._start[row]), []).append(row)
        widest = max(map(len, bursts.values()), default=0)
        if widest < 2:
            return None
        gone = [row for burst in bursts.values() if len(burst) > 1 for row in burst[len(burst) // 2 :]]
        return widest, self._queued(host, np.setdiff1d(rows, gone))


def _groups(keys):
    found = {}
    for i, key in enumerate(keys):
        found.setdefault(key, []).append(i)
    return {key: np.array(rows) for key, rows in found.items()}


def _shared(start, work):
    """When each is done where all that are there share equally; `work`: ns alone."""
    done = np.empty(len(start))
    now, served, waiting = 0.0, 0.0, []  # served: ns of work that each that is there has had since the beginning
    for i in [*np.argsort(start, kind="stable"), None]:
        until = np.inf if i is None else start[i]
        while waiting and now + (waiting[0][0] - served) * len(waiting) <= until:
            now += (waiting[0][0] - served) * len(waiting)
            served, first = heapq.heappop(waiting)
            done[first] = now
        if i is not None:
            served += (until - now) / len(waiting) if waiting else 0.0
            now = until
            heapq.heappush(waiting, (served + work[i], i))
    return done


class Queue:
    """In front of a link that takes `rate`, B/ns: messages come evenly from `begin` to `end`, and what has come leaves in that
    order. `waited`: ns that the last bit of each waits, not for bits of its own message; `peak`: most bytes that wait."""

    def __init__(self, begin, end, size, rate):
        self._rate = rate
        if not len(begin):
            self._at = self._bytes = self._growth = self.waited = np.zeros(0)
            self.peak = 0.0
            return
        speed = size / np.maximum(end - begin, 1e-3)
        times = np.concatenate([begin, end])
        order = np.argsort(times, kind="stable")
        self._at = times[order]
        self._growth = np.cumsum(np.concatenate([speed, -speed])[order])[:-1] - rate
        over = np.concatenate([[0.0], np.cumsum(self._growth * np.diff(self._at))])
        self._bytes = over - np.minimum.accumulate(over)
        then = np.empty(len(order))
        then[order] = self._bytes
        # Of a link that is slower than the sender's, the message alone leaves later than it came: that is no wait.
        alone = np.maximum(0.0, size - rate * (end - begin))
        self.waited = np.maximum(0.0, then[len(begin) :] - alone) / rate
        self.peak = float(round(self._bytes.max()))
        # What is there when all has come leaves as well.
        self._at = np.append(self._at, self._at[-1] + self._bytes[-1] / rate)
        self._growth, self._bytes = np.append(self._growth, -rate), np.append(self._bytes, 0.0)

    def marked(self, kmin, kmax, pmax):
        """Bytes of what leaves that are marked, by RED's curve on the queue at that moment."""
        if not len(self._at):
            return 0.0
        first, last, lasts = self._bytes[:-1], self._bytes[1:], np.diff(self._at)
        steady = np.abs(self._growth) < 1e-9
        growth = np.where(steady, 1.0, self._growth)
        # A queue that is empty before the interval ends has passed what it held by then, and no more.
        passed = np.abs(_marks_below(last, kmin, kmax, pmax) - _marks_below(first, kmin, kmax, pmax)) / np.abs(growth)
        return self._rate * float(np.where(steady, _chance(first, kmin, kmax, pmax) * lasts, passed).sum())


def _chance(queue, kmin, kmax, pmax):
    rising = np.clip((queue - kmin) / (kmax - kmin), 0, 1) if kmax > kmin else 0.0
    return np.where(queue > kmax, 1.0, pmax * rising)


def _marks_below(queue, kmin, kmax, pmax):
    """The integral of _chance from an empty queue to this one, in B."""
    on_curve = np.clip(queue - kmin, 0, kmax - kmin)
    return (pmax * on_curve**2 / (2 * (kmax - kmin)) if kmax > kmin else 0.0) + np.maximum(0.0, queue - kmax)
