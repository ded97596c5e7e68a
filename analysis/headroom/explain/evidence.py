"""What a tail is put down to: each part of the time of the messages around p99, by what the results hold on it.

A part at a place goes to what fills that place; a pause to the roots of its pauses; what waited behind earlier messages of a
queue pair to what held those; the limiter to the ports that marked. What a burst alone brings about is the burst's
(bursts.py), and what would be waited for at a host's link anyway is that link's (fluid.py). Nothing is read from names of
scenarios or workloads, and no setting is a cause by itself: settings only say what a thing that happened is called.
"""

import re
from functools import cached_property

import numpy as np

from headroom.explain.grounds import Grounds
from headroom.explain.tail import Tail
from headroom.quantity import parse_microseconds

FULL = 0.85  # of a link's time: busier ones have no room that somebody keeps from being used
_LOW_BUFFER = 0.25  # of a switch's memory: a pause below it was not for want of memory
_NO_WAIT = ("own_size", "distance", "program")  # what takes as long before a link that is not free
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


class Evidence:
    """Of one workload of a Run. `shares`: {cause: share of the time around p99}; `at`: {cause: (place, share)}, the place
    that most of it is from; `anyway`: {cause: share that passed there, and would be waited for at a host's link without it}."""

    def __init__(self, run, workload, grounds=None):
        self._run, self._workload = run, workload
        self._grounds = grounds or Grounds(run)
        self._settings, self._network = self._grounds.settings, self._grounds.network
        self._summary = (run.summary.get("messages") or {}).get(workload) or {}
        tail = Tail(run, workload, self._grounds.all_known(workload))
        self._found, self._anyway, self._burst_at, self._limited_at = {}, {}, {}, {}
        total = 0.0
        for message, others in tail.messages(self._host_share):
            total += sum(message.values())
            before, self._found = self._found, {}
            self._of_message(message, others)
            self._substitute(others["id"])
            self._of_ack(message, others)
            own, self._found = self._found, before
            for cause, places in own.items():
                for place, us in places.items():
                    self._put(cause, us, place)
        self.total_us = total
        self._limited_by_bursts()
        self.anyway = {c: us / total for c, us in self._anyway.items()} if total else {}
        self.shares = {c: sum(at.values()) / total for c, at in self._found.items() if sum(at.values()) > 0} if total else {}
        self.at = {c: max(((us / total, place) for place, us in at.items()), default=(0, "")) for c, at in self._found.items()} if total else {}

    def ranked(self):
        """[{cause, share, anyway, place, known}], the most first. `known`: what of the place shows it, by name; shares of 1."""
        found = sorted(self.shares.items(), key=lambda of: -of[1])
        return [
            {"cause": c, "share": share, "anyway": self.anyway.get(c, 0.0), "place": place or None, "known": self._known(c, place)}
            for c, share, place in ((c, share, self.at[c][1]) for c, share in found)
        ]

    def _known(self, cause, place):
        node, _, port = place.partition(":")
        if cause == "buffer":
            peaks = [of["peak_bytes"] / of["size_bytes"] for of in (self._run.summary.get("buffer") or {}).values() if of.get("size_bytes")]
            return {"most_of_a_buffer": max(peaks, default=0.0)}
        if cause in ("headroom", "lossy", "loss", "watchdog"):
            return {"frames_dropped": int(sum(count for reason, *_, count in self._dropped if _DROPS[reason] == cause))}
        if cause == "weight":
            return {"others_share_of_bytes": 1 - self._network.share_of_class(node, port, self._priority)}
        if cause in ("host_link", "fabric_link", "collision", "limiter", "generations", "queue_pairs") and port:
            known = {"busy": self._network.busy(node, port)}
            if cause == "collision":
                known["siblings_busy"] = np.mean([self._network.busy(node, of) for of in self._network.siblings(node, port)]).item()
            if cause == "host_link" and place in self._burst_at:
                known["burst"] = self._burst_at[place].known()
                known |= {"limiter": self._limited_at[place]} if place in self._limited_at else {}
            return known
        return {}

    @cached_property
    def _dropped(self):
        return self._grounds.dropped(_DROPS)

    def _put(self, cause, us, place=""):
        if us > 0:
            at = self._found.setdefault(cause, {})
            at[place] = at.get(place, 0.0) + us

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

    def _substitute(self, message):
        """What is put to other causes counts for the host's link as far as the message would have waited there without them."""
        waits = self._grounds.fluid.waits(message) if self._grounds.fluid else {}
        there = {self._network.link_to(host, of_sender): us for (host, of_sender), us in waits.items()}
        at_links = self._found.get("host_link", {})
        lacks = {place: max(0.0, us - at_links.get(place, 0.0)) for place, us in there.items()}
        missing = min(sum(lacks.values()), max(0.0, sum(there.values()) - sum(at_links.get(place, 0.0) for place in there)))
        others = {c: at for c, at in self._found.items() if c not in (*_NO_WAIT, "host_link")}
        held = sum(sum(at.values()) for at in others.values())
        if missing <= 0 or held <= 0:
            return
        share = min(1.0, missing / held)
        for cause, at in others.items():
            self._anyway[cause] = self._anyway.get(cause, 0.0) + share * sum(at.values())
            self._found[cause] = {place: us * (1 - share) for place, us in at.items()}
        for place, us in lacks.items():
            self._put("host_link", share * held * us / sum(lacks.values()), place)

    def _limited_by_bursts(self):
        """The limiter's part goes to the burst that brings the marks where half as many senders would take off more of both: half
        of the wait for the link, and what their marks, so many fewer, do not hold. Without the limiter its part alone goes."""
        for cause in ("limiter", "generations"):
            for place, us in list(self._found.get(cause, {}).items()):
                node, _, port = place.partition(":")
                burst = self._grounds.bursts.marked(node, port, self._priority)
                if burst and us * burst.left < self._found.get("host_link", {}).get(place, 0.0) / 2:
                    self._burst_at[place] = burst
                    self._put("host_link", self._found[cause].pop(place), place)
                    anyway = self._anyway.pop(cause, 0.0) if not self._found[cause] else 0.0
                    self._limited_at[place] = {"beyond": us / self.total_us, "anyway": anyway / self.total_us}

    # --- parts

    def _of_message(self, parts, of):
        self._wire(parts)
        self._stations(parts["nic"], of)
        self._limiter(parts["limiter"])
        self._put("host_link", parts["port"], f"{of['src']}:p0")
        self._put("own_size", parts["own_packets"])
        self._put("program", parts["other"])
        self._recovery(parts["recovery"])
        self._waiting("queued", parts["queued"], of["src"])
        self._waiting("paused", parts["paused"], of["src"])
        ahead = of["ahead"]
        sender = f"{of['src']}:p0"
        full = self._network.busy(of["src"], "p0") >= FULL
        self._put("host_link" if full else "queue_pairs", ahead.get("own_packets", 0.0), sender)
        self._put("queue_pairs", ahead.get("order", 0.0), sender)
        self._put("earlier", ahead.get("unknown", 0.0), sender)
        self._put("host_link", ahead.get("port", 0.0), sender)
        self._wire(ahead)
        self._put("ack_class", ahead.get("ack_queued", 0.0) + ahead.get("ack_paused", 0.0))
        self._waiting("queued", ahead.get("queued", 0.0), of["src"])
        self._limiter(ahead.get("limiter", 0.0))
        self._stations(ahead.get("nic", 0.0), of)
        self._recovery(ahead.get("recovery", 0.0))
        self._waiting("paused", ahead.get("paused", 0.0), of["src"], hosts_only=not of["read"])

    def _of_ack(self, parts, of):
        for part in ("ack_queued", "ack_paused"):
            same = self._set(r"nics\..+\.transport\.ack_priority", "same")
            self._put("ack_class", parts[part]) if same else self._waiting(part, parts[part], of["dst"])

    def _wire(self, parts):
        self._put("distance", parts.get("wire", 0.0) + parts.get("ack_wire", 0.0))

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

    def _limiter(self, us):
        """To the links that marked where these had no room, else to the limiter itself."""
        if us <= 0:
            return
        marks = self._network.marks()
        for share, node, port in marks:
            if self._network.busy(node, port) >= FULL:
                self._link(us * share, node, port)
            else:
                self._put(self._why_limited(), us * share, f"{node}:{port}")
        if not marks:
            self._put("limiter", us)

    def _why_limited(self):
        per_packet = self._set(r"nics\..+\.np\.coalescing", "per_packet")
        cuts_all = self._set(r"nics\..+\.rp\.reduce_window", "0ns")
        return "generations" if per_packet and cuts_all else "limiter"

    def _recovery(self, us):
        if us <= 0:
            return
        total = sum(count for *_, count in self._dropped)
        for reason, node, port, count in self._dropped:
            burst = self._grounds.bursts.dropped(node, port, self._priority) if reason == "egress_limit" else None
            if burst:
                self._link(us * count / total, node, port, burst=burst)
            else:
                self._put(_DROPS[reason], us * count / total, f"{node}:{port}")
        if not total:
            self._put("earlier", us)

    def _waiting(self, part, us, source, hosts_only=False):
        """In queues of switches, and in pauses: to what fills them, or to the roots of what pauses them."""
        places = {p: share for p, share in self._places.get(part, {}).items() if not hosts_only or self._at_host(p)}
        total = sum(places.values())
        if us > 0 and not total:
            places, total = {"": 1.0}, 1.0
        for place, share in places.items():
            node, port, queue = place.split(":") if place else (source, "p0", self._priority)
            if part.endswith("paused"):
                self._paused(us * share / total, node, port, queue)
            else:
                self._link(us * share / total, node, port, queue)

    def _link(self, us, node, port, queue=None, burst=None):
        """What waits for a link; `burst`: that is known to bring this about."""
        place = f"{node}:{port}"
        if burst:
            self._burst_at[place] = burst
        if self._grounds.faulty("port_blocked", node, port) or self._grounds.faulty("link_down", node, port):
            return self._put("blocked", us, place)
        priority = queue if queue is not None else self._priority
        others = 1 - self._network.share_of_class(node, port, priority)
        if others > 0.5:
            return self._put("weight", us, place)
        if self._network.faces_host(node, port):
            return self._put("host_link", us, place)
        siblings = self._network.siblings(node, port)
        busy = [self._network.busy(node, of) for of in siblings]
        mine = self._network.busy(node, port)
        if len(siblings) > 1 and sum(busy) / len(busy) <= 0.6 * mine:
            return self._put("collision", us, place)
        return self._put("fabric_link", us, place)

    @property
    def _priority(self):
        name = self._settings.get(f"workloads.{self._workload}.priority", "")
        return self._settings.get(f"priorities.{name}.priority", "")

    def _paused(self, us, node, port, queue):
        """To the roots of the pauses that came to this port, by their paused time."""
        roots = self._grounds.roots.get((node, port))
        if not roots:
            return self._put("host_link", us, f"{node}:{port}")
        total = sum(roots.values())
        for (kind, root, root_port, root_queue, pauser), weight in roots.items():
            self._root(us * weight / total, kind, root, root_port, root_queue, pauser)

    def _root(self, us, kind, node, port, queue, pauser):
        if kind == "rest":
            return self._put("earlier", us)
        place = f"{node}:{port}"
        if kind == "storm":
            return self._put("storm", us, place)
        if kind == "receiver":
            return self._put("slow_receiver" if self._grounds.faulty("slow_receiver", node) else "nic", us, place)
        if kind == "blocked":
            return self._put("blocked", us, place)
        if kind != "queue":
            return self._put("host_link", us, place)
        buffer = (self._run.summary.get("buffer") or {}).get(pauser) or {}
        size, burst = buffer.get("size_bytes"), None
        if size and buffer.get("peak_bytes", 0) < _LOW_BUFFER * size:
            burst = self._grounds.bursts.paused(node, port, queue, self._grounds.groups.get((node, port), 0), size)
            if not burst:
                return self._put("buffer", us, place)
        return self._link(us, node, port, queue, burst)
