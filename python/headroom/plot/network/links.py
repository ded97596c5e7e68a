"""The nodes and links of a run that have counters."""

import itertools
import re
from dataclasses import dataclass

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
    table = run.table("ports")
    if table is None or run.links is None:
        return None
    ports = set(zip(table["node"], table["port"]))
    links = [link for link in run.links if link.a in ports and link.b in ports]
    if not links:
        return None
    switches = {switch for switch, _ in run.buffers}
    nodes = sorted({node for link in links for node in (link.a[0], link.b[0])}, key=natural)
    return Network(_tiers(nodes, switches, links), links)
