"""The links of a network, and over which of them what goes from one host to another."""

class Ways:
    """Of a Run's Network. At a switch from which several links lead on, a queue pair keeps to one. Which, is known of those whose
    slowest messages have waited there, `seen`: {(workload, sender, receiver): {(node, port)}}; of the others each link takes as
    much as it took of all bytes of the class. `even`: each takes the same of everything."""

    def __init__(self, network, seen=None, even=False):
        self._network, self._seen, self._even = network, seen or {}, even
        self._ports = {}  # {switch: [(port, switch that it leads to)]}
        for node, port in network.ports:
            peer = network.peer(node, port) if node in network.switches else None
            if peer in network.switches:
                self._ports.setdefault(node, []).append((port, peer))
        self._hops, self._ways = {}, {}

    def of(self, workload, sender, receiver, priority):
        """[{(node, port): share that goes by it}], hop by hop, from the sender's switch to the receiver's link; None where
        the results do not tell where these are. Links between switches of which they do not tell are taken to have room."""
        first, last = (self._network.link_to(host) for host in (sender, receiver))
        if not first[0] or not last[0]:
            return None
        seen = frozenset(self._seen.get((workload, sender, receiver), ()))
        key = first[0], last, priority, seen
        if key not in self._ways:
            self._ways[key] = [*self._between(first[0], last[0], priority, seen), {last: 1.0}]
        return self._ways[key]

    def _between(self, first, last, priority, seen):
        hops = self._hops_to(last)
        found, at = [], {first: 1.0}
        for left in range(hops.get(first, 0), 0, -1):
            links, then = {}, {}
            for node, share in at.items():
                on = [(port, peer) for port, peer in self._ports[node] if hops.get(peer) == left - 1]
                on = [(port, peer) for port, peer in on if (node, port) in seen] or on
                sent = [0 if self._even else self._network.sent(node, port, priority) for port, _ in on]
                for (port, peer), of in zip(on, sent):
                    by = share * (of / sum(sent) if sum(sent) else 1 / len(on))
                    if by > 0:
                        links[node, port] = by
                        then[peer] = then.get(peer, 0.0) + by
            found.append({link: by for link, by in links.items() if self._network.rate(*link)})
            at = then
        return found

    def _hops_to(self, last):
        if last not in self._hops:
            hops, border = {last: 0}, [last]
            while border:
                border = [node for node, ports in self._ports.items() if node not in hops and any(peer in border for _, peer in ports)]
                hops |= dict.fromkeys(border, max(hops.values()) + 1)
            self._hops[last] = hops
        return self._hops[last]
