"""What a tail is put down to: each part of the time of the messages around p99, by what the results hold on it; and what of it
taking a cause away would spare.

A part at a place goes to what fills that place; a pause to the roots of its pauses; what waited behind earlier messages of a
queue pair to what held those; the limiter to the ports on the way that marked. What would be waited for at a link anyway is
that link's, by a replay in a perfect network (replay.py). What cures would leave, by replays with these, is in cures.py. Nothing is
read from names of scenarios or workloads, and no setting is a cause by itself: settings only say what a thing that happened
is called.
"""

import re
from functools import cached_property
from typing import NamedTuple

import numpy as np

from headroom.explain.cures import LINKS, Cures
from headroom.explain.grounds import Grounds
from headroom.explain.replay import AS_IT_WAS, MORE_QUEUE_PAIRS
from headroom.explain.tail import Tail
from headroom.quantity import parse_microseconds

_LOW_BUFFER = 0.25  # of a switch's memory: a pause below it was not for want of memory
_NO_WAIT = ("own_size", "distance", "program")  # what takes as long before a link that is not free
_MET = 0.6  # of a link's time: where its equals are busy less, flows have met there by chance
_DROPS = {
    "headroom_full": "headroom",
    "group_cap": "headroom",
    "egress_limit": "lossy",
    "ingress_limit": "lossy",
    "on_chip_full": "lossy",
    "watchdog": "watchdog",
    "link_loss": "loss",
    "corrupt": "loss",
    "no_route": "blocked",
    "restart": "blocked",
    "buffer_full": "slow_receiver",
}


class Item(NamedTuple):
    """What some of the time is put down to."""

    cause: str
    node: str = ""
    port: str = ""
    how: str = "wait"  # wait: at that place, before the link; marks, pause, loss: what the queue there brought about
    in_order: bool = False  # on account of what the queue pair sent before, which another one would not have had
    also: str = ""  # another cause without which it would not be
    part: str = ""  # of the messages' time that it was

    @property
    def place(self):
        return f"{self.node}:{self.port}" if self.port else self.node


def _is_known(buffer):
    """Whether a summary has how full a buffer was."""
    return bool(buffer.get("size_bytes")) and buffer.get("peak_bytes") is not None


class Evidence:
    """Of one workload of a Run. `items`: {Item: share of the time around p99}; `anyway`: {cause: share that passed there, and
    would be waited for at a link without it}; `total_us`: that time."""

    def __init__(self, run, workload, grounds=None):
        self._run, self._workload = run, workload
        self._grounds = grounds or Grounds(run)
        self._settings, self._network = self._grounds.settings, self._grounds.network
        self._summary = (run.summary.get("messages") or {}).get(workload) or {}
        of_all = Tail(run, workload, self._grounds.all_known(workload))
        tail, self._part = list(of_all.messages(self._host_share)), ""
        self._priority = tail[0][1]["class"] if tail else ""
        self._replayed(tail)
        found, anyway, total = {}, {}, 0.0
        for number, (parts, of) in enumerate(tail):
            total += sum(parts.values())
            self._found = {}
            self._of_message(parts, of | {"ahead": self._behind(of, number)})
            self._backlog(number)
            for cause, us in self._substitute(of, number).items():
                anyway[cause] = anyway.get(cause, 0.0) + us
            self._of_ack(parts, of)
            for item, us in self._found.items():
                found[item] = found.get(item, 0.0) + us
        self.total_us = total / len(tail) if tail else 0.0
        self.items = {item: us / total for item, us in found.items() if us > 0} if total else {}
        self.anyway = {cause: us / total for cause, us in anyway.items()} if total else {}
        way_us = sum(parts["wire"] + parts["ack_wire"] for parts, _ in tail) / len(tail) if tail else 0.0
        self._cures = Cures(self._grounds, workload, self._priority, self._rows, of_all.parts, self.total_us, way_us)

    @cached_property
    def shares(self):
        """{cause: share of the time around p99}"""
        return self._sums(lambda item: item.cause)

    def _sums(self, key, cause=None):
        found = {}
        for item, share in self.items.items():
            if cause in (None, item.cause):
                found[key(item)] = found.get(key(item), 0.0) + share
        return found

    def ranked(self):
        """[{cause, share, anyway, spares, by, place, known}], those whose cure spares most first. `spares`: share of the p99
        that `by`, a cure, is foreseen to take off; `known`: what of the place shows it, by name; shares of 1."""
        found = []
        for cause, spared in self._cures.spares(self.items).items():
            at = self._sums(lambda item: (item.node, item.port), cause)
            node, port = spared.link if spared.by else max(at, key=at.get)
            of = {"cause": cause, "share": self.shares.get(cause, 0.0), "anyway": self.anyway.get(cause, 0.0)}
            of |= {"spares": spared.share, "by": spared.by or None, "place": (f"{node}:{port}" if port else node) or None}
            found.append(of | {"known": self._known(cause, node, port)})
        return sorted(found, key=lambda of: (-round(of["spares"], 9), -of["share"]))

    def _known(self, cause, node, port):
        if cause == "buffer":
            peaks = [of["peak_bytes"] / of["size_bytes"] for of in (self._run.summary.get("buffer") or {}).values() if _is_known(of)]
            return {"most_of_a_buffer": max(peaks, default=0.0)}
        if cause in ("headroom", "lossy", "loss", "watchdog"):
            return {"frames_dropped": int(sum(count for reason, *_, count in self._dropped if _DROPS[reason] == cause))}
        if cause == "weight":
            return {"others_share_of_bytes": 1 - self._network.share_of_class(node, port, self._priority)}
        if cause in (*LINKS, "limiter", "generations", "queue_pairs") and port:
            known = {"busy": self._network.busy(node, port)}
            if cause == "collision":
                known["siblings_busy"] = self._network.siblings_busy(node, port)
            return known | (self._cures.burst((node, port)) if cause == "host_link" else {})
        return {}

    @cached_property
    def _dropped(self):
        return self._grounds.dropped(_DROPS)

    def _put(self, cause, us, node="", port="", how="wait", in_order=False, also=""):
        if us > 0:
            item = Item(cause, node, port, how, in_order, also, self._part)
            self._found[item] = self._found.get(item, 0.0) + us

    @cached_property
    def _places(self):
        """{part: {place: share}} around p99. A pause of which no place is told was at the sender's own port: its place is ""."""
        found = {}
        for place, of in ((self._summary.get("waits_us") or {}).get("p99") or {}).items():
            for part in ("queued", "paused", "ack_queued", "ack_paused"):
                if of.get(part, 0) > 0:
                    found.setdefault(part, {})[place] = of[part]
        paused = ((self._summary.get("parts_us") or {}).get("p99") or {}).get("paused") or 0
        if (left := paused - sum(found.get("paused", {}).values())) > 0.01 * paused:
            found.setdefault("paused", {})[""] = left
        return {part: {place: us / sum(at.values()) for place, us in at.items()} for part, at in found.items()}

    def _at_host(self, place):
        return place.partition(":")[0] not in self._network.switches

    @property
    def _host_share(self):
        """Of the time in pauses that was at hosts' ports: the rest does not hold the queue pair."""
        return sum(share for place, share in self._places.get("paused", {}).items() if self._at_host(place))

    # --- what a perfect network would make them wait

    def _replayed(self, tail):
        """Of each message {(node, port): µs} that it would wait there, and what of that at its host with more queue pairs; and of
        all the links where marks notified their senders."""
        was, more = (self._grounds.replay(self._priority, change) for change in (AS_IT_WAS, MORE_QUEUE_PAIRS))
        self._rows = np.array([self._grounds.replays.row[of["id"]] for _, of in tail], int) if was else None
        waits, shared = (of.waits(self._rows) if of else {} for of in (was, more))
        self._waits = [{link: us[n] for link, us in waits.items() if us[n] > 0} for n in range(len(tail))]
        self._shared = [{link: us[n] for link, us in shared.items() if us[n] > 0} for n in range(len(tail))]
        ways = was.ways(self._rows) if was else {}
        marks = {link: many * self._network.marked(*link, self._priority) for link, many in ways.items()}
        total = sum(marks.values())
        self._marks = [(of / total, *link) for link, of in marks.items() if of] if total else self._network.marks()

    def _behind(self, of, number):
        """What held those ahead of it; where they take longer, by themselves, than they would in a perfect network, they have
        piled up on account of that."""
        found = of["ahead"]
        own = [part for part in ("own_packets", "order") if found.get(part)]
        order, held = sum(found[part] for part in own), sum(us for part, us in found.items() if part not in ("own_packets", "order"))
        beyond = order - self._waits[number].get((of["src"], "p0"), 0.0) if self._rows is not None else 0.0
        if beyond <= 0 or not held:
            return found
        return {part: us * (1 - beyond / order if part in own else 1 + beyond / held) for part, us in found.items()}

    def _backlog(self, number):
        """What waits longer than there would be something to wait for in front of a link that was paused is what the pauses
        have let pile up."""
        for item, us in list(self._found.items()) if self._rows is not None else ():
            beyond = us - self._waits[number].get((item.node, item.port), 0.0)
            if item.how == "wait" and item.cause in ("fabric_link", "collision") and beyond > 0 and self._grounds.roots.get((item.node, item.port)):
                self._found[item] -= beyond
                self._part = item.part
                self._paused(beyond, item.node, item.port)

    def _substitute(self, of, number):
        """What is put to other causes counts for links, and for the order of its queue pair, as far as the message would have
        waited there without them; and that order for the host's link as far as more queue pairs would share this. Returns
        {cause: µs} of the former."""
        waits, sender = dict(self._waits[number]), (of["src"], "p0")
        at, order = {}, 0.0
        for item, us in self._found.items():
            if item.cause in LINKS and item.how == "wait":
                at[item.node, item.port] = at.get((item.node, item.port), 0.0) + us
            elif item.cause == "queue_pairs":
                order += us
        share = min(waits.get(sender, 0.0), self._shared[number].get(sender, 0.0))
        lacks = {link: max(0.0, us - at.get(link, 0.0) - (order if link == sender else 0.0)) for link, us in waits.items()}
        missing = min(sum(lacks.values()), max(0.0, sum(waits.values()) - order - sum(at.get(link, 0.0) for link in waits)))
        others = [item for item in self._found if item.cause not in (*_NO_WAIT, "queue_pairs") and not (item.cause in LINKS and item.how == "wait")]
        held = sum(self._found[item] for item in others)
        anyway = {}
        if missing > 0 and held > 0:
            taken = min(1.0, missing / held)
            for item in others:
                moved = taken * self._found[item]
                anyway[item.cause] = anyway.get(item.cause, 0.0) + moved
                self._found[item] -= moved
                self._part = item.part
                for link, us in lacks.items():
                    us *= moved / sum(lacks.values())
                    if link == sender:
                        self._put("queue_pairs", us, *sender, in_order=True)
                    elif us > 0:
                        self._put(self._of_link(*link), us, *link)
        self._share_sender(sender, share - at.get(sender, 0.0))
        return anyway

    def _share_sender(self, sender, us):
        items = [item for item in self._found if item.cause == "queue_pairs"]
        held = sum(self._found[item] for item in items)
        moved = min(1.0, us / held) if us > 0 and held > 0 else 0.0
        for item in items:
            self._part = item.part
            self._put("host_link", moved * self._found[item], *sender)
            self._found[item] *= 1 - moved

    # --- parts

    def _of_message(self, parts, of):
        sender, ahead = of["src"], of["ahead"]
        of_parts = {
            "wire": lambda us: self._put("distance", us),
            "ack_wire": lambda us: self._put("distance", us),
            "nic": lambda us: self._stations(us, of),
            "limiter": lambda us: self._limiter(us, of["limited_before"]),
            "port": lambda us: self._put("host_link", us, sender, "p0"),
            "own_packets": lambda us: self._put("own_size", us),
            "other": lambda us: self._put("program", us),
            "recovery": self._recovery,
            "queued": lambda us: self._waiting("queued", us, sender),
            "paused": lambda us: self._waiting("paused", us, sender),
        }
        for self._part, put in of_parts.items():
            put(parts[self._part])
        self._part = "own_queue"
        self._put("host_link", ahead.get("port", 0.0), sender, "p0")
        self._put("queue_pairs", ahead.get("own_packets", 0.0) + ahead.get("order", 0.0), sender, "p0", in_order=True)
        self._put("earlier", ahead.get("unknown", 0.0), sender, "p0")
        self._put("distance", ahead.get("wire", 0.0) + ahead.get("ack_wire", 0.0), in_order=True)
        self._put("ack_class", ahead.get("ack_queued", 0.0) + ahead.get("ack_paused", 0.0), in_order=True)
        self._waiting("queued", ahead.get("queued", 0.0), sender)
        self._limiter(ahead.get("limiter", 0.0), True)
        self._stations(ahead.get("nic", 0.0), of)
        self._recovery(ahead.get("recovery", 0.0), True)
        self._waiting("paused", ahead.get("paused", 0.0), sender, hosts_only="wire" not in ahead)

    def _of_ack(self, parts, of):
        """What waits in the class of the data is that class's, and the roots' of its pauses as well."""
        before, self._found = self._found, {}
        for self._part in ("ack_queued", "ack_paused"):
            self._waiting(self._part, parts[self._part], of["dst"])
        here, self._found = self._found, before
        same = self._set(r"nics\..+\.transport\.ack_priority", "same")
        for item, us in here.items():
            self._part = item.part
            beyond = item.how == "pause" or item.cause not in (*LINKS, "weight")
            self._put(*(("ack_class", us, *item[1:4], False, item.cause if beyond else "") if same else (item[0], us, *item[1:4])))

    def _set(self, pattern, value):
        return any(re.fullmatch(pattern, k) and v == value for k, v in self._settings.items())

    def _stations(self, us, of):
        if us <= 0:
            return
        if any(self._grounds.faulty("slow_receiver", of[end]) for end in ("src", "dst")):
            return self._put("slow_receiver", us, of["dst"])
        registers = self._settings.get(f"workloads.{self._workload}.register") == "true"
        costs = [parse_microseconds(v) for k, v in self._settings.items() if re.fullmatch(r"nics\..+\.registration_latency", k)]
        self._put("registration" if registers and max(costs, default=0) > 0 else "nic", us, of["src"])

    def _limiter(self, us, in_order):
        for share, node, port in self._marks:
            self._put(self._why_limited, us * share, node, port, "marks", in_order)
        if not self._marks:
            self._put("limiter", us, in_order=in_order)

    @cached_property
    def _why_limited(self):
        per_packet = self._set(r"nics\..+\.np\.coalescing", "per_packet")
        cuts_all = self._set(r"nics\..+\.rp\.reduce_window", "0ns")
        return "generations" if per_packet and cuts_all else "limiter"

    def _recovery(self, us, in_order=False):
        if us <= 0:
            return
        total = sum(count for *_, count in self._dropped)
        for reason, node, port, count in self._dropped:
            of, cause = us * count / total, _DROPS[reason]
            if cause == "loss" and self._grounds.down(node, port):
                self._put("blocked", of, node, port, "wait", in_order)
            elif cause == "headroom":
                self._put_roots(cause, of, node, port, self._grounds.pauses_by.get((node, port)), in_order)
            elif cause == "watchdog":
                self._watchdog(of, node, port, in_order)
            else:
                self._put(cause, of, node, port, "loss" if cause == "lossy" else "wait", in_order)
        if not total:
            self._put("earlier", us)

    def _put_roots(self, cause, us, node, port, roots, in_order):
        """Lost for want of something, on account of queues: these are the places."""
        queues = {(root, at): weight for (kind, root, at, *_), weight in (roots or {}).items() if kind == "queue"}
        for (root, at), weight in queues.items():
            self._put(cause, us * weight / sum(queues.values()), root, at, "loss", in_order)
        if not queues:
            self._put(cause, us, node, port, in_order=in_order)

    def _watchdog(self, us, node, port, in_order):
        """Set off by what paused the port: where that is a fault, the pause would last without a watchdog."""
        roots = self._grounds.roots.get((node, port)) or {}
        for (kind, root, at, *_), weight in roots.items():
            fault = self._fault(kind, root)
            self._put(fault or "watchdog", us * weight / sum(roots.values()), *((root, at) if fault else (node, port)), in_order=in_order)
        if not roots:
            self._put("watchdog", us, node, port, in_order=in_order)

    def _waiting(self, part, us, source, hosts_only=False):
        """In queues of switches, and in pauses: to what fills them, or to the roots of what pauses them."""
        places = {p: share for p, share in self._places.get(part, {}).items() if not hosts_only or self._at_host(p)}
        total = sum(places.values())
        if us > 0 and not total:
            places, total = {"": 1.0}, 1.0
        for place, share in places.items():
            node, port, queue = place.split(":") if place else (source, "p0", self._priority)
            if part.endswith("paused"):
                self._paused(us * share / total, node, port)
            else:
                self._put(self._of_link(node, port, queue), us * share / total, node, port)

    def _of_link(self, node, port, queue=None):
        """What it is that waits for a link."""
        if self._grounds.faulty("port_blocked", node, port) or self._grounds.down(node, port):
            return "blocked"
        priority = queue if queue is not None else self._priority
        if self._network.share_of_class(node, port, priority) < 0.5:
            return "weight"
        if self._network.faces_host(node, port):
            return "host_link"
        return "collision" if self._network.siblings_busy(node, port) <= _MET * self._network.busy(node, port) else "fabric_link"

    def _paused(self, us, node, port):
        """To the roots of the pauses that came to this port, by their paused time."""
        roots = self._grounds.roots.get((node, port))
        if not roots:
            return self._put("host_link", us, node, port, "pause")
        total = sum(roots.values())
        for (kind, root, root_port, root_queue, pauser), weight in roots.items():
            self._root(us * weight / total, kind, root, root_port, root_queue, pauser)

    def _fault(self, kind, node):
        """The fault that a root is; None where it is none."""
        receiver = "slow_receiver" if self._grounds.faulty("slow_receiver", node) else None
        return {"storm": "storm", "receiver": receiver, "blocked": "blocked"}.get(kind)

    def _root(self, us, kind, node, port, queue, pauser):
        if kind == "rest":
            return self._put("earlier", us)
        if kind != "queue":
            none = "nic" if kind == "receiver" else "host_link"
            return self._put(self._fault(kind, node) or none, us, node, port)
        buffer = (self._run.summary.get("buffer") or {}).get(pauser) or {}
        free = _is_known(buffer) and buffer["peak_bytes"] < _LOW_BUFFER * buffer["size_bytes"]
        self._put("buffer" if free else self._of_link(node, port, queue), us, node, port, "pause")
