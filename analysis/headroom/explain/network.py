"""What a run says of its ports: which face hosts, which are equal, how busy they were."""

import re
from functools import cached_property

from headroom.port_rates import peer_of, port_rate


class Network:
    """Of a Run."""

    def __init__(self, run):
        self._run = run
        self._topology = run.scenario.topology
        self._ports = run.table("ports")
        self.switches = set((run.summary.get("buffer") or {}).keys())
        self._rates, self._to_hosts, self._siblings_busy = {}, {}, {}

    @cached_property
    def _peers(self):
        """{(node, port): node at the other end}: as pauses and waits have it."""
        found = {}
        pfc = self._run.table("pfc")
        if pfc is not None and len(pfc):
            for node, port, peer in set(zip(pfc["node"], pfc["port"], pfc["peer_node"])):
                found[node, port] = peer
        for messages in (self._run.summary.get("messages") or {}).values():
            for places in (messages.get("waits_us") or {}).values():
                for place, of in places.items():
                    node, port, _ = place.split(":")
                    if of.get("towards"):
                        found[node, port] = of["towards"]
        for node, port, peer in _custom_links(self._topology):
            found[node, port] = peer
        return found

    def peer(self, node, port):
        """The node at the other end; None where the results do not tell."""
        if (node, port) not in self._peers:
            try:
                self._peers[node, port] = peer_of(self._topology, node, int(port.removeprefix("p")))[0]
            except (KeyError, ValueError, IndexError):
                self._peers[node, port] = None
        return self._peers[node, port]

    def back(self, node, port):
        """(node, port) at the other end, where pauses have told of it; else None."""
        return self._back.get((node, port))

    @cached_property
    def _back(self):
        pfc = self._run.table("pfc")
        ends = zip(*(pfc[name] for name in ("node", "port", "peer_node", "peer_port"))) if pfc is not None else ()
        return {(node, port): (peer, peer_port) for node, port, peer, peer_port in set(ends)}

    def rate(self, node, port):
        """B/ns; None where the topology does not tell."""
        if (node, port) not in self._rates:
            try:
                self._rates[node, port] = port_rate(self._topology, node, port) / 8e9
            except (KeyError, ValueError, IndexError):
                self._rates[node, port] = None
        return self._rates[node, port]

    def link_to(self, host):
        """(node, port) of the switch that sends to a host; two empty names where the results do not tell."""
        if host not in self._to_hosts:
            try:
                self._to_hosts[host] = tuple(peer_of(self._topology, host, 0))
            except (KeyError, ValueError, IndexError):
                towards = (at for at, peer in self._peers.items() if peer == host and at[0] in self.switches)
                self._to_hosts[host] = next(towards, ("", ""))
        return self._to_hosts[host]

    def faces_host(self, node, port):
        """Whether its link is a host's."""
        return node not in self.switches or self.peer(node, port) not in self.switches

    @cached_property
    def _busy(self):
        """{(node, port): [share of the run's time that its link sent, {priority: bytes}]}"""
        found = {}
        if self._ports is None:
            return {}
        rows = zip(*(self._ports[name] for name in ("node", "port", "priority", "tx_bytes", "utilisation")))
        for node, port, priority, sent, share in rows:
            of = found.setdefault((node, port), [0.0, {}])
            of[0] += share
            of[1][str(priority)] = sent
        return found

    def busy(self, node, port):
        """Share of the run's time, until all was done, that the link was sending, all classes."""
        return self._busy.get((node, port), (0.0, {}))[0]

    @property
    def ports(self):
        """[(node, port)] of all there are."""
        return list(self._busy)

    def sent(self, node, port, priority):
        """Bytes of a class that left by this port."""
        return self._busy.get((node, port), (0.0, {}))[1].get(str(priority), 0)

    def share_of_class(self, node, port, priority):
        """Of the bytes that left by this port."""
        sent = self._busy.get((node, port), (0.0, {}))[1]
        total = sum(sent.values())
        return sent.get(str(priority), 0.0) / total if total else 1.0

    def siblings_busy(self, node, port):
        """What `busy` is on average of those that routes may choose among, itself included; infinite where there is no other."""
        if (node, port) not in self._siblings_busy:
            busy = [self.busy(node, of) for of in self._siblings(node, port)]
            self._siblings_busy[node, port] = sum(busy) / len(busy) if len(busy) > 1 else float("inf")
        return self._siblings_busy[node, port]

    def _siblings(self, node, port):
        """Ports of the same switch: in a topology of tiers those towards the same tier, else those towards the same node."""
        tiers = self._topology.get("type") in ("leaf_spine", "fat_tree", "region")
        kind = (lambda name: re.sub(r"\d+", "", name)) if tiers else str
        peer = self.peer(node, port)
        if peer is None:
            return [port]
        ports = dict.fromkeys(of for at, of in self._busy if at == node)
        return [of for of in ports if (other := self.peer(node, of)) and kind(other) == kind(peer)]

    def marked(self, node, port, priority):
        """Share of the frames of a class that left marked."""
        return self._marked.get((node, port, str(priority)), 0.0)

    @cached_property
    def _marked(self):
        rows = zip(*(self._ports[name] for name in ("node", "port", "priority", "marked_packets", "tx_packets")))
        return {(node, port, str(priority)): marked / sent for node, port, priority, marked, sent in rows if sent}

    def marks(self):
        """[(share of all marks, node, port)], the most first."""
        if self._ports is None:
            return []
        found = self._ports.groupby(["node", "port"])["marked_packets"].sum()
        total = found.sum()
        return sorted(((n / total, node, port) for (node, port), n in found.items() if n > 0), reverse=True) if total else []


def _custom_links(topology):
    if topology.get("type") != "custom":
        return
    count = {}
    for link in topology.get("links") or ():
        ends = [str(end).partition(":") for end in link["ends"]]
        for (name, _, named), (other, _, _) in (ends, ends[::-1]):
            index = count.get(name, 0)
            count[name] = index + 1
            yield name, named or f"p{index}", other
