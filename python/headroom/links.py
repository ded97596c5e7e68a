"""The links of a run, from links.csv, and the settings that give their rates."""

import re
from dataclasses import dataclass
from statistics import median_low

from headroom.settings import item_names, matches

# The keys of links in topologies with names: the first whose pattern matches the name of a node at either end.
_KEYS = {
    "star": {"": "link"},
    "torus": {"": "link"},
    "dumbbell": {"[lr]": "link", "": "bottleneck"},
    "leaf_spine": {"h[0-9]+/nv": "nvlink", "h": "host_link", "": "fabric_link"},
    "fat_tree": {"h": "host_link", "core": "core_link", "": "edge_link"},
    "region": {".*-h": "links.host", "rh": "links.t2_rh", ".*-t0": "links.t0_t1", "": "links.t1_t2"},
}


@dataclass(frozen=True)
class Link:
    """Ends are (node, port)."""

    a: tuple
    b: tuple
    rate_bps: float
    place: int  # in the topology


def links_of(table):
    """[Link] of links.csv, which has two lines for each link."""
    ends = list(zip(table["node"], table["port"]))
    return [Link(*pair) for pair in zip(ends[::2], ends[1::2], table["rate_bps"][::2], range(len(table)))]


def link_at(links, node, port):
    """The Link at a port. KeyError if there is none."""
    found = next((link for link in links if (node, port) in (link.a, link.b)), None)
    if found is None:
        raise KeyError(f"{node}:{port}")
    return found


def slow_links(links, switches):
    """[(Link, median rate of its kind in bit/s)] of those that are slower than most of their kind: links of hosts, or of
    switches whose names differ only in numbers."""
    kinds = {}
    for link in links:
        kinds.setdefault(frozenset(re.sub("[0-9]+", "", node) if node in switches else "host" for node, _ in (link.a, link.b)), []).append(link)
    rates = {kind: median_low(link.rate_bps for link in of_kind) for kind, of_kind in kinds.items()}
    return [(link, rates[kind]) for kind, of_kind in kinds.items() for link in of_kind if link.rate_bps < rates[kind]]


def entry_of(topology, link):
    """(path in the topology, mapping or list of rules) of the entry for links of its kind; for a custom topology its
    own entry. KeyError if the topology is in another file."""
    kind = topology.get("type", "custom")
    if kind == "custom":
        return f"links.{link.place}", topology["links"][link.place]
    key = next(key for pattern, key in _KEYS[kind].items() if any(re.match(pattern, node) for node, _ in (link.a, link.b)))
    if kind == "fat_tree" and key not in topology:
        key = "link"
    section = topology["links"] if kind == "region" else topology
    return key, section[key.removeprefix("links.")]


def rate_key(topology, link):
    """The setting that gives its rate, in the form of `--set`: topology.host_link.rate. KeyError likewise."""
    path, entry = entry_of(topology, link)
    if isinstance(entry, dict):
        return f"topology.{path}.rate"
    ends = [name for node, port in (link.a, link.b) for name in (node, f"{node}:{port}")]
    named = [name for name, rule in zip(item_names(entry), entry) if "rate" in rule and matches(rule["match"], *ends)]
    return f"topology.{path}.{named[-1]}.rate"  # the last match wins
