"""A network small enough to draw: unchanged, or with hosts of the same switches joined, or switches of a tier, too."""

from dataclasses import dataclass, field

from headroom.format import format_count
from headroom.plot.network.links import natural

MOST_NODES = 300  # nodes with a drawing each
_MOST_GROUPS = 150  # switches and groups of hosts
_MOST_OF_TIER = 24  # groups that a tier may have
_CHUNKS = 8  # of a tier without separate parts


@dataclass
class Group:
    """Nodes that are drawn as one."""

    name: str
    tier: int
    members: list

    @property
    def words(self):
        """ "h0 … h7, 8 hosts"."""
        if len(self.members) == 1:
            return self.members[0]
        return f"{self.members[0]} … {self.members[-1]}, {self.count}"

    @property
    def count(self):
        return f"{format_count(len(self.members))} {'switches' if self.tier else 'hosts'}"


@dataclass
class Bundle:
    """The links between two groups. `there`, `back`: ports (node, port) that send from the first to the second, and back."""

    a: Group
    b: Group
    there: list = field(default_factory=list)
    back: list = field(default_factory=list)


def _components(network, tier):
    """{switch: any switch of its component} if the switches above the tier are removed."""
    parent = {node: node for node, level in network.tiers.items() if 0 < level <= tier}

    def root(node):
        while parent[node] != node:
            parent[node] = node = parent[parent[node]]
        return node

    for link in network.links:
        if link.a[0] in parent and link.b[0] in parent:
            parent[root(link.a[0])] = root(link.b[0])
    return {node: root(node) for node in parent}


def _parts_of_tier(network, tier, members):
    """[[node]]: nodes that are connected without the tiers above; if each is alone, or all are connected, runs of
    neighbours by name."""
    for highest in range(tier, max(network.tiers.values()) + 1):
        component_of = _components(network, highest)
        parts = {}
        for node in members:
            parts.setdefault(component_of[node], []).append(node)
        if 1 < len(parts) <= _MOST_OF_TIER:
            return list(parts.values())
    size = -(-len(members) // min(len(members), _CHUNKS))
    return [members[first : first + size] for first in range(0, len(members), size)]


def _by_neighbours(hosts, beside, group_of):
    """[[host]] of hosts that have the same groups of switches next to them."""
    found = {}
    for host in hosts:
        found.setdefault(frozenset(group_of.get(node, node) for node in beside[host]), []).append(host)
    return list(found.values())


def groups_of(network, most_nodes=MOST_NODES, most_groups=_MOST_GROUPS):
    """([Group], [Bundle]), in the natural order of names."""
    beside = network.neighbours()
    switches = [node for node, tier in network.tiers.items() if tier > 0]
    parts = [[node] for node in network.tiers]
    if len(parts) > most_nodes:
        of_hosts = _by_neighbours(network.hosts, beside, {})
        parts = of_hosts + [[node] for node in switches]
        if len(parts) > most_groups:
            tiers = {}
            for node in switches:
                tiers.setdefault(network.tiers[node], []).append(node)
            parts = [part for tier, members in sorted(tiers.items()) for part in _parts_of_tier(network, tier, members)]
            group_of = {node: number for number, part in enumerate(parts) for node in part}
            parts += _by_neighbours(network.hosts, beside, group_of)
    groups = [Group(min(part, key=natural), network.tiers[part[0]], sorted(part, key=natural)) for part in parts]
    groups.sort(key=lambda group: (group.tier, natural(group.name)))
    group_of = {node: group for group in groups for node in group.members}
    bundles = {}
    for link in network.links:
        ends = [link.a, link.b]
        low, high = sorted(ends, key=lambda end: (group_of[end[0]].tier, natural(group_of[end[0]].name), end[0] != link.a[0]))
        a, b = group_of[low[0]], group_of[high[0]]
        bundle = bundles.setdefault((a.name, a.tier, b.name, b.tier), Bundle(a, b))
        bundle.there.append(low)
        bundle.back.append(high)
    return groups, list(bundles.values())
