"""What a perfect network would make messages wait: links work whenever there is something for them, nobody is held back,
nothing is lost. From messages.csv alone: who sends how much to whom, and when.

Fluid: a host's link is shared equally by the queue pairs that have something to send, and each sends its messages in order; in
front of each link of a switch, a queue in order of arrival without limits. Classes are taken not to share links with others, and what
flows over equal links to be spread as its class was, so that the waits are bounds from below. What a closed loop sends is as
it was sent, not as it would be.
"""

import graphlib
import heapq
import math
from collections import deque
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from headroom.explain.fluid import Queue
from headroom.explain.ways import Ways
from headroom.quantity import parse_bytes


@dataclass(frozen=True)
class Change:
    """What is otherwise in a replay than it was."""

    hosts: float = 1.0  # times the rate of hosts' links
    fabric: float = 1.0  # times the rate of links between switches
    queue_pairs: int = 1  # times as many
    even: bool = False  # whether equal links take the same
    narrow: bool = False  # half as many senders in each incast


AS_IT_WAS = Change()
FASTER_HOSTS = Change(hosts=2.0)
FASTER_FABRIC = Change(fabric=2.0)
MORE_QUEUE_PAIRS = Change(queue_pairs=8, even=True)
NARROWER = Change(narrow=True)


class Replays:
    """Of a Run of which all messages are on record: `table` is its messages.csv."""

    def __init__(self, run, network, table):
        self._settings, self._network = run.scenario.settings, network
        # A READ is of the receiver, but its data go from `src` to `dst` as everything does.
        self.senders, self.receivers = table["src"].to_numpy(object), table["dst"].to_numpy(object)
        self.classes = table["priority"].astype(str).to_numpy(object)
        self.workloads = table["workload"].to_numpy(object)
        self.workload, names = pd.factorize(self.workloads)
        self.number = {name: number for number, name in enumerate(names)}
        self.start = table["start_ns"].to_numpy(float)
        self.bytes = self._on_the_wire(table["bytes"].to_numpy(float))
        self.row = {name: i for i, name in enumerate(table["id"])}
        self._ways = {False: Ways(network, self._seen(run.table("message_waits"))), True: Ways(network, even=True)}
        self._done = {}

    def _per_pair(self, workload):
        """Queue pairs of each pair of hosts; None where each message has its own."""
        of = self._settings.get(f"workloads.{workload}.qp.per_pair", "")
        return int(of) if of.isdecimal() else None

    def _seen(self, waits):
        """Where the slowest messages have waited on their way, of workloads with one queue pair for a pair of hosts."""
        found = {}
        data = waits[waits["way"] == "data"] if waits is not None else None
        for name, node, port in zip(data["id"], data["node"], data["port"]) if data is not None else ():
            row = self.row.get(name)
            if row is not None and self._per_pair(self.workloads[row]) == 1:
                found.setdefault((self.workloads[row], self.senders[row], self.receivers[row]), set()).add((node, port))
        return found

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

    @cached_property
    def _bursts(self):
        """{(workload, when): rows} of what incasts send to one host at one instant."""
        found = {}
        for name in dict.fromkeys(self.workloads):
            if self._settings.get(f"workloads.{name}.type") == "incast":
                for row in np.flatnonzero(self.workloads == name):
                    found.setdefault((name, self.start[row], self.receivers[row]), []).append(row)
        return {key: rows for key, rows in found.items() if len(rows) > 1}

    @cached_property
    def _kept(self):
        """Rows that are left with half as many senders in each incast."""
        gone = [row for rows in self._bursts.values() for row in rows[len(rows) // 2 :]]
        return np.setdiff1d(np.arange(len(self.start)), gone)

    def widest(self, host=None):
        """Senders of the widest burst, to this host or any; 0 without."""
        return max((len(rows) for (_, _, to), rows in self._bursts.items() if host in (None, to)), default=0)

    @cached_property
    def _pairs(self):
        """What goes from whom to whom, as numbers, and each row's turn among those of its pair."""
        table = pd.DataFrame({"workload": self.workloads, "from": self.senders, "to": self.receivers, "at": self.start})
        numbers = table.groupby(["workload", "from", "to"], sort=False).ngroup()
        turns = numbers.iloc[np.argsort(self.start, kind="stable")]
        return numbers.to_numpy(), turns.groupby(turns).cumcount().sort_index().to_numpy()

    def queue_pairs(self, times):
        """Which queue pair each row is of, as numbers, where there are so many times as many. A pair of hosts takes its
        queue pairs in turn."""
        pairs, turns = self._pairs
        each = {name: self._per_pair(name) for name in dict.fromkeys(self.workloads)}
        many = np.array([times * (each[name] or len(turns)) for name in self.workloads])
        return pairs * (times * len(turns) + 1) + turns % many

    def of(self, priority, change=AS_IT_WAS):
        """The Replay of a class; None where it is not known what goes where."""
        key = str(priority), change
        if key not in self._done:
            self._done[key] = self._replay(*key)
        return self._done[key]

    def _replay(self, priority, change):
        among = self.classes == priority
        if change.narrow:
            among &= np.isin(np.arange(len(among)), self._kept)
        rows, ways, known = np.flatnonzero(among), self._ways[change.even], []
        for at in pd.Series(rows).groupby(self._pairs[0][rows]).indices.values():
            of = rows[at]
            sender = self.senders[of[0]]
            way = ways.of(self.workloads[of[0]], sender, self.receivers[of[0]], priority)
            if way and self._network.rate(sender, "p0") and self._network.rate(*next(iter(way[-1]))):
                known.append((of, way, sender))
        return Replay(self, known, change, self._network) if known else None


class Replay:
    """`sent`: when the last bit of each row has left its host; `queues`: {(node, port): Queue}; NaN and nothing where it
    is not known."""

    def __init__(self, of, pairs, change, network):
        self._of, self._change, self._network = of, change, network
        self.begun, self.sent = (np.full(len(of.start), np.nan) for _ in range(2))
        self.queues, self._on, self._by_sender, self._slowest = {}, {}, {}, {}
        self._leave(pairs)
        self._go(pairs)

    def _rate(self, node, port):
        times = self._change.hosts if self._network.faces_host(node, port) else self._change.fabric
        return self._network.rate(node, port) * times

    def _leave(self, pairs):
        queue_pairs, by_host = self._of.queue_pairs(self._change.queue_pairs), {}
        for rows, _, sender in pairs:
            by_host.setdefault(sender, []).append(rows)
        for host, of in by_host.items():
            rows = np.sort(np.concatenate(of))
            work = self._of.bytes[rows] / self._rate(host, "p0")
            self._by_sender[host] = rows
            self.begun[rows], self.sent[rows] = shared(self._of.start[rows], work, queue_pairs[rows])

    def _go(self, pairs):
        """Queue after queue, none before those that lead to it."""
        same, before, on = {}, {}, {}
        for rows, way, _ in pairs:
            same.setdefault(id(way), (way, []))[1].append(rows)
        for way, parts in same.values():
            rows = np.concatenate(parts)
            for hop, links in enumerate(way):
                for link, share in links.items():
                    before.setdefault(link, set()).update(way[hop - 1] if hop else ())
                    on.setdefault(link, []).append((hop, rows, np.full(len(rows), share)))
        try:
            links = list(graphlib.TopologicalSorter(before).static_order())
        except graphlib.CycleError:  # then what comes round late is taken as it was sent
            links = sorted(on, key=lambda link: min(hop for hop, *_ in on[link]))
        came = {}  # {switch: of each row how much has come, and that times when its first and last bits did}
        for link in links:
            rows, shares = (np.concatenate(of) for of in list(zip(*on[link]))[1:])
            by_row = np.argsort(rows, kind="stable")
            rows, shares = rows[by_row], shares[by_row]
            begin, end = self.begun[rows], self.sent[rows]
            if link[0] in came:
                much, first, last = (of[rows] for of in came[link[0]])
                begin, end = (np.divide(of, much, out=sent, where=much > 0) for of, sent in ((first, begin), (last, end)))
            self.queues[link] = queue = Queue(begin, end, self._of.bytes[rows] * shares, self._rate(*link))
            self._on[link] = rows, queue.waited * shares, shares
            next_one = came.setdefault(self._network.peer(*link), np.zeros((3, len(self._of.start))))
            next_one[:, rows] += shares, shares * (begin + queue.first_waited), shares * (end + queue.passed)

    def ways(self, rows):
        """{(node, port): how much of these rows goes by it, as a number of rows}"""
        found = {link: shares[at[of]].sum() for link, (by, _, shares) in self._on.items() for of, at in [_places(by, rows)] if of.any()}
        return {link: float(share) for link, share in found.items()}

    def waits(self, rows):
        """{(node, port): µs that the last bit of each waits there, at its host for what else that sends}; 0 of those that do
        not come by, and of which nothing is known."""
        found = {}
        for sender in dict.fromkeys(self._of.senders[rows]):
            late = self.sent[rows] - self._of.start[rows] - self._of.bytes[rows] / self._rate(sender, "p0")
            here = (self._of.senders[rows] == sender) & ~np.isnan(late)
            found[sender, "p0"] = np.where(here, np.maximum(0.0, late), 0.0) / 1e3
        for link, (by, waited, _) in self._on.items():
            of, at = _places(by, rows)
            if of.any():
                found[link] = np.where(of, waited[at], 0.0) / 1e3
        return found

    @cached_property
    def _took(self):
        """ns from each row's start until its last bit is through; NaN where that is not known."""
        took = self.sent - self._of.start
        for rows, waited, _ in self._on.values():
            took[rows] += waited
        return took

    def p99_us(self, workload):
        """Of the time from a message's start until its last bit is through, over all of a workload."""
        took = self._took[self._of.workload == self._of.number[workload]]
        took = took[~np.isnan(took)]
        return float(np.quantile(took, 0.99)) / 1e3 if len(took) else 0.0

    def slowest_wait(self, link, workload):
        """ns that one in a hundred of a workload's messages that come by a link waits there, or longer."""
        if (link, workload) not in self._slowest:
            self._slowest[link, workload] = self._slowest_wait(link, self._of.number[workload])
        return self._slowest[link, workload]

    def _slowest_wait(self, link, workload):
        if link[0] in self._by_sender:
            rows = self._by_sender[link[0]]
            rows = rows[self._of.workload[rows] == workload]
            waited = self.sent[rows] - self._of.start[rows] - self._of.bytes[rows] / self._rate(*link)
        elif link in self._on:
            rows, waited, shares = self._on[link]
            of = self._of.workload[rows] == workload
            waited = waited[of] / shares[of]
        else:
            return 0.0
        return max(0.0, float(np.quantile(waited, 0.99))) if len(waited) else 0.0

    def waited(self, link):
        """ns that all rows together wait in front of a link of a switch."""
        return float(self._on[link][1].sum()) if link in self._on else 0.0


def _places(among, rows):
    """(which of the rows are among those, where)"""
    at = np.minimum(np.searchsorted(among, rows), len(among) - 1)
    return among[at] == rows, at


def shared(start, work, queue_pairs):
    """(when each is begun, when each is done) where the queue pairs that have something share equally, and each has its own
    done in order; `work`: ns alone."""
    order = [*np.argsort(start, kind="stable").tolist(), None]
    start, work, queue_pairs = start.tolist(), work.tolist(), queue_pairs.tolist()  # numbers of its own are what Python is fast with
    begun, done = [0.0] * len(start), [0.0] * len(start)
    now, served, first = 0.0, 0.0, []  # served: ns of work that each queue pair has had since the beginning
    behind = {}  # {queue pair that has something: what waits behind its first}
    for i in order:
        until = math.inf if i is None else start[i]
        while first and now + (first[0][0] - served) * len(first) <= until:
            now += (first[0][0] - served) * len(first)
            served, out = heapq.heappop(first)
            done[out] = now
            if after := behind[queue_pairs[out]]:
                begun[after[0]] = now
                heapq.heappush(first, (served + work[after[0]], after.popleft()))
            else:
                del behind[queue_pairs[out]]
        if i is None:
            return np.array(begun), np.array(done)
        served += (until - now) / len(first) if first else 0.0
        now = begun[i] = until
        if queue_pairs[i] in behind:
            behind[queue_pairs[i]].append(i)
        else:
            behind[queue_pairs[i]] = deque()
            heapq.heappush(first, (served + work[i], i))
