"""What a tail is put down to: each part of the time of the messages around p99, by what the results hold on it.

A part at a place goes to what fills that place; a pause to the roots of its pauses; what waited behind earlier messages of a
queue pair to what held those; the limiter to the ports that marked. Nothing is read from names of scenarios or workloads,
and no setting is a cause by itself: settings only say what a thing that happened is called.
"""

import re
from functools import cached_property

import numpy as np

from headroom.csv_file import MESSAGE_PARTS
from headroom.explain.network import Network
from headroom.pauses import roots_by_port
from headroom.quantity import parse_microseconds

FULL = 0.85  # of a link's time: busier ones have no room that somebody keeps from being used
_LOW_BUFFER = 0.25  # of a switch's memory: a pause below it was not for want of memory
_MOST_MESSAGES = 200  # around p99, that are looked at
_AT_HEAD = ("own_packets", "limiter", "nic", "port", "recovery", "paused")  # what keeps a queue pair from the next message
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
    that most of it is from."""

    def __init__(self, run, workload):
        self._run, self._workload = run, workload
        self._settings = run.scenario.settings
        self._network = Network(run)
        self._summary = (run.summary.get("messages") or {}).get(workload) or {}
        self._found = {}
        total = 0.0
        for message, others in self._tail():
            total += sum(message.values())
            self._of_message(message, others)
        self.total_us = total
        self.shares = {c: sum(at.values()) / total for c, at in self._found.items() if sum(at.values()) > 0} if total else {}
        self.at = {c: max(((us / total, place) for place, us in at.items()), default=(0, "")) for c, at in self._found.items()} if total else {}

    def ranked(self):
        """[{cause, share, place, known}], the most first. `known`: what of the place shows it, numbers by name; shares of 1."""
        found = sorted(self.shares.items(), key=lambda of: -of[1])
        return [{"cause": c, "share": share, "place": self.at[c][1] or None, "known": self._known(c, self.at[c][1])} for c, share in found]

    def _known(self, cause, place):
        node, _, port = place.partition(":")
        if cause == "buffer":
            peaks = [of["peak_bytes"] / of["size_bytes"] for of in (self._run.summary.get("buffer") or {}).values() if of.get("size_bytes")]
            return {"most_of_a_buffer": max(peaks, default=0.0)}
        if cause in ("headroom", "lossy", "loss", "watchdog"):
            return {"frames_dropped": sum(self._drops(reason) for reason, of in _DROPS.items() if of == cause)}
        if cause == "weight":
            return {"others_share_of_bytes": 1 - self._network.share_of_class(node, port, self._priority)}
        if cause in ("host_link", "fabric_link", "collision", "limiter", "generations", "queue_pairs") and port:
            known = {"busy": self._network.busy(node, port)}
            if cause == "collision":
                known["siblings_busy"] = np.mean([self._network.busy(node, of) for of in self._network.siblings(node, port)]).item()
            return known
        return {}

    def _drops(self, reason):
        ports, column = self._run.table("ports"), f"drop_{reason}"
        return int(ports[column].sum()) if ports is not None and column in ports.columns else 0

    def _put(self, cause, us, place=""):
        if us > 0:
            at = self._found.setdefault(cause, {})
            at[place] = at.get(place, 0.0) + us

    # --- the messages

    def _tail(self):
        """({part: µs}, what is known of it) of each message around p99, of 200 at most."""
        table = self._run.table("messages")
        columns = [f"{part}_ns" for part in MESSAGE_PARTS]
        if table is None or columns[0] not in table.columns:
            return
        table = table[table["workload"] == self._workload]
        known = len(table) >= sum(self._summary.get(key) or 0 for key in ("offered", "warmup_offered"))
        table = table[(table["finished"] == "1") & table[columns[0]].notna()]
        counted = table[table["start_ns"] >= 1000 * self._run.scenario.warmup_us]
        took = (counted["completed_ns"] - counted["start_ns"]).to_numpy()
        order = np.argsort(took, kind="stable")
        low, high = int(np.floor(0.985 * len(order))), int(np.ceil(0.995 * len(order)))
        chosen = order[low : max(high, low + 1)]
        pairs = table.groupby(["src", "dst"]).indices
        for row in (counted.iloc[i] for i in chosen[:: -(-len(chosen) // _MOST_MESSAGES)] if len(chosen)):
            parts = {part: row[f"{part}_ns"] / 1e3 for part in MESSAGE_PARTS}
            pair = table.iloc[pairs[row["src"], row["dst"]]]
            ahead = self._ahead(row, pair[pair["start_ns"] <= row["start_ns"]]) if known else {"unknown": parts["own_queue"]}
            yield parts, {"src": row["src"], "dst": row["dst"], "read": row["verb"] == "read", "ahead": ahead}

    def _ahead(self, row, ahead):
        """{part: µs} of its own_queue: what held those ahead while they were; "order" is what none of them accounts for."""
        wait = row["own_queue_ns"]
        out = {}
        if wait <= 0:
            return out
        begin, end = row["start_ns"], row["start_ns"] + wait
        ahead = ahead[ahead["id"] != row["id"]]
        head = ahead["start_ns"].to_numpy() + ahead["own_queue_ns"].to_numpy()
        reads = row["verb"] == "read"  # of these some are under way at once, and each has its place until it is complete
        names = [part for part in MESSAGE_PARTS if part != "own_queue"] if reads else _AT_HEAD
        host = 1.0 if reads else self._host_share
        parts = {part: ahead[f"{part}_ns"].to_numpy() * (host if part == "paused" else 1) for part in names}
        held = sum(parts.values())
        overlap = np.clip(np.minimum(head + held, end) - np.maximum(head, begin), 0, None)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(held > 0, overlap / held, 0.0)
        known = float((share * held).sum())
        scale = min(1.0, wait / known) if known > 0 else 0.0
        for part, ns in parts.items():
            out[part] = float((share * ns).sum()) * scale / 1e3
        out["order"] = max(0.0, wait - known * scale) / 1e3
        return out

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
        for part in ("ack_queued", "ack_paused"):
            same = self._set(r"nics\..+\.transport\.ack_priority", "same")
            self._put("ack_class", parts[part]) if same else self._waiting(part, parts[part], of["dst"])
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

    def _wire(self, parts):
        self._put("distance", parts.get("wire", 0.0) + parts.get("ack_wire", 0.0))

    def _set(self, pattern, value):
        return any(re.fullmatch(pattern, k) and v == value for k, v in self._settings.items())

    def _faulty(self, kind, node, port=None):
        """Whether a fault of this kind was at work there."""
        events = self._run.table("events")
        if events is None or not len(events):
            return False
        there = events[(events["event"] == "fault_start") & (events["node"] == node)]
        if port is not None:
            there = there[there["port"] == port]
        return bool(there["detail"].astype(str).str.startswith(kind).any())

    def _stations(self, us, of):
        if us <= 0:
            return
        if any(self._faulty("slow_receiver", of[end]) for end in ("src", "dst")):
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
        drops = {}
        for reason, cause in _DROPS.items():
            drops[cause] = drops.get(cause, 0) + self._drops(reason)
        total = sum(drops.values())
        for cause, count in drops.items() if total else [("earlier", 1)]:
            self._put(cause, us * count / (total or 1))

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

    def _link(self, us, node, port, queue=None):
        """What waits for a link."""
        place = f"{node}:{port}"
        if self._faulty("port_blocked", node, port) or self._faulty("link_down", node, port):
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
        roots = self._roots.get((node, port))
        if not roots:
            return self._put("host_link", us, f"{node}:{port}")
        total = sum(roots.values())
        for (kind, root, root_port, root_queue, pauser), weight in roots.items():
            self._root(us * weight / total, kind, root, root_port, root_queue, pauser)

    @cached_property
    def _roots(self):
        return roots_by_port(self._run)

    def _root(self, us, kind, node, port, queue, pauser):
        if kind == "rest":
            return self._put("earlier", us)
        place = f"{node}:{port}"
        if kind == "storm":
            return self._put("storm", us, place)
        if kind == "receiver":
            return self._put("slow_receiver" if self._faulty("slow_receiver", node) else "nic", us, place)
        if kind == "blocked":
            return self._put("blocked", us, place)
        if kind != "queue":
            return self._put("host_link", us, place)
        buffer = (self._run.summary.get("buffer") or {}).get(pauser) or {}
        if buffer.get("size_bytes") and buffer.get("peak_bytes", 0) < _LOW_BUFFER * buffer["size_bytes"]:
            return self._put("buffer", us, place)
        return self._link(us, node, port, queue)
