"""The nodes and links of a run: names come from ports.csv, the other end of each port from the topology of
resolved.yaml."""

import itertools
import re
from dataclasses import dataclass

from headroom.port_rates import listed_ports, peer_of


@dataclass(frozen=True)
class Link:
    """Ends are (node, port)."""

    a: tuple
    b: tuple


@dataclass
class Network:
    """`tiers`: {node: number of links to the nearest host}, hosts 0; a switch without a path to a host has the highest."""

    tiers: dict
    links: list

    @property
    def hosts(self):
        return [node for node, tier in self.tiers.items() if tier == 0]

    def neighbours(self):
        """{node: {node}}"""
        found = {node: set() for node in self.tiers}
        for link in self.links:
            found[link.a[0]].add(link.b[0])
            found[link.b[0]].add(link.a[0])
        return found


def natural(name):
    """A sort key that places leaf2 before leaf10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", str(name))]


def _custom(topology):
    return (Link(*ends) for ends in listed_ports(topology.get("links") or ()))


def _star(topology):
    hosts = topology["hosts"]
    names = hosts if isinstance(hosts, list) else [f"h{i}" for i in range(int(hosts))]
    for i, name in enumerate(names):
        yield Link((str(name), "p0"), ("s0", f"p{i}"))


def _torus(topology):
    """Links in the order in which the simulator builds them."""
    dims = [int(d) for d in topology["dims"]]
    size, stride = 1, 1
    for d in dims:
        size *= d
    count = {f"s{i}": 1 for i in range(size)}

    def end(i):
        count[f"s{i}"] += 1
        return f"s{i}", f"p{count[f's{i}'] - 1}"

    for i in range(size):
        yield Link((f"h{i}", "p0"), (f"s{i}", "p0"))
    for d in dims:
        for i in range(size):
            along = (i // stride) % d
            if d > 2 or (d == 2 and along == 0):
                yield Link(end(i), end(i + ((along + 1) % d - along) * stride))
        stride *= d


def _named(topology, ports):
    """For topologies that name the other end of a port."""
    for node, port in ports:
        try:
            peer = peer_of(topology, node, int(port.removeprefix("p")))
        except (KeyError, ValueError, IndexError):
            continue
        if peer in ports and (node, port) < peer:
            yield Link((node, port), peer)


def _tiers(nodes, switches, links):
    beside = {node: [] for node in nodes}
    for link in links:
        beside[link.a[0]].append(link.b[0])
        beside[link.b[0]].append(link.a[0])
    tiers = {node: 0 for node in nodes if node not in switches}
    edge = list(tiers)
    for tier in itertools.count(1):
        edge = [node for node in dict.fromkeys(n for inner in edge for n in beside[inner]) if node not in tiers]
        if not edge:
            break
        tiers |= dict.fromkeys(edge, tier)
    last = max(tiers.values(), default=0) or 1
    return {node: tiers.get(node, last) for node in nodes}


def network_of(run):
    """The Network of a Run; None if its files do not contain it."""
    table, topology = run.table("ports"), run.scenario.topology
    if table is None or not len(table) or not topology:
        return None
    ports = set(zip(table["node"], table["port"]))
    try:
        kind = topology.get("type", "custom")
        build = {"custom": _custom, "star": _star, "torus": _torus}.get(kind)
        links = list(build(topology)) if build else sorted(_named(topology, ports), key=lambda link: (natural(link.a[0]), natural(link.a[1])))
    except (KeyError, TypeError, ValueError):
        return None
    links = [link for link in links if link.a in ports and link.b in ports]
    if not links:
        return None
    switches = {switch for switch, _ in run.buffers}
    nodes = sorted({node for link in links for node in (link.a[0], link.b[0])}, key=natural)
    return Network(_tiers(nodes, switches, links), links)
