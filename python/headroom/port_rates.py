"""The rate of a port, from the topology of resolved.yaml. Ports are p0, p1 … in link order unless they are named."""

import re

from headroom.quantity import parse_rate
from headroom.settings import item_names, matches


def port_rate(topology, node, port):
    """Rate in bit/s. KeyError or ValueError if the topology does not show it."""
    return parse_rate(_rule(topology, node, port)[1]["rate"])


def rate_key(topology, node, port):
    """The setting that gives it, in the form of `--set`: topology.host_link.rate. KeyError or ValueError likewise."""
    return f"topology.{_rule(topology, node, port)[0]}.rate"


def _rule(topology, node, port):
    """(path in the topology, value there) of the entry that sets a port's rate."""
    path, link = link_at(topology, node, port)
    if isinstance(link, dict):
        return path, link
    ends = [end for end_place in ((node, port), peer_of(topology, node, int(port.removeprefix("p")))) for end in (end_place[0], ":".join(end_place))]
    rules = [(f"{path}.{name}", rule) for name, rule in zip(item_names(link), link) if "rate" in rule and matches(rule["match"], *ends)]
    return rules[-1]  # the last match wins


def listed_ports(links):
    """[[(node, port), (node, port)]] of the links of a custom topology."""
    count, found = {}, []
    for link in links:
        ends = []
        for end in link["ends"]:
            node, _, named = str(end).partition(":")
            ends.append((node, named or f"p{count.get(node, 0)}"))
            count[node] = count.get(node, 0) + 1
        found.append(ends)
    return found


def link_at(topology, node, port):
    """(path in the topology, mapping or list of rules) of the entry for links of its kind; for a custom topology its
    own entry. KeyError or ValueError if the topology does not show it."""
    if topology.get("type", "custom") == "custom":
        for place, ends in enumerate(listed_ports(topology["links"])):
            if (node, port) in ends:
                return f"links.{place}", topology["links"][place]
        raise KeyError(f"{node}:{port}")
    return _link_of(topology, node, int(port.removeprefix("p")))


def peer_of(topology, node, index):
    """(node, port) at the other end of a node's port."""
    kind = topology["type"]
    number = int(re.search(r"\d*$", node).group() or 0)
    if kind == "star":
        hosts = topology["hosts"]
        names = hosts if isinstance(hosts, list) else [f"h{i}" for i in range(int(hosts))]
        return (names[index], "p0") if node == "s0" else ("s0", f"p{names.index(node)}")
    if kind == "dumbbell":
        below = {"s0": int(topology["left"]), "s1": int(topology["right"])}
        if node in below:
            other = "s1" if node == "s0" else "s0"
            host = ("l" if node == "s0" else "r") + str(index)
            return (host, "p0") if index < below[node] else (other, f"p{below[other]}")
        return "s0" if node.startswith("l") else "s1", f"p{number}"
    if kind == "leaf_spine":
        below, parallel = int(topology["hosts_per_leaf"]), int(topology.get("links_per_spine", 1))
        if node.startswith("spine"):
            leaf, which = divmod(index, parallel)
            return f"leaf{leaf}", f"p{below + number * parallel + which}"
        if node.startswith("leaf"):
            spine, which = divmod(index - below, parallel)
            return (f"h{number * below + index}", "p0") if index < below else (f"spine{spine}", f"p{number * parallel + which}")
        return f"leaf{number // below}", f"p{number % below}"
    if kind == "fat_tree":
        return _peer_in_fat_tree(node.rstrip("0123456789"), number, index, int(topology["k"]) // 2)
    if kind == "region":
        count = {key: int(topology[key]) for key in ("clusters", "racks", "hosts", "t1", "t2")}
        return _peer_in_region(count, node, index)
    raise KeyError(kind)


def _peer_in_fat_tree(tier, number, index, half):
    pod, place = divmod(number, half)
    if tier == "h":
        return f"edge{pod}", f"p{place}"
    if tier == "edge":
        return (f"h{number * half + index}", "p0") if index < half else (f"agg{pod * half + index - half}", f"p{place}")
    if tier == "agg":
        lower, upper = f"edge{pod * half + index}", f"core{place * half + index - half}"
        return (lower, f"p{half + place}") if index < half else (upper, f"p{pod}")
    return f"agg{index * half + number // half}", f"p{half + number % half}"


def _peer_in_region(count, node, index):
    """Names as `_region_link` has them."""
    name = node.split("-")
    if name[0] == "rh":
        datacenter, t2 = divmod(index, count["t2"])
        return f"dc{datacenter}-t2-{t2}", f"p{count['clusters'] * count['t1'] + int(name[1])}"
    if name[1] == "t2":
        cluster, t1 = divmod(index, count["t1"])
        if cluster < count["clusters"]:
            return f"{name[0]}-c{cluster}-t1-{t1}", f"p{count['racks'] + int(name[2])}"
        hub = index - count["clusters"] * count["t1"]
        return f"rh-{hub}", f"p{int(name[0][2:]) * count['t2'] + int(name[2])}"
    above = "-".join(name[:2])
    if name[2] == "t1":
        if index < count["racks"]:
            return f"{above}-r{index}-t0", f"p{count['hosts'] + int(name[3])}"
        return f"{name[0]}-t2-{index - count['racks']}", f"p{int(name[1][1:]) * count['t1'] + int(name[3])}"
    rack = "-".join(name[:3])
    if name[3] != "t0":
        return f"{rack}-t0", f"p{int(name[3][1:])}"
    if index < count["hosts"]:
        return f"{rack}-h{index}", "p0"
    return f"{above}-t1-{index - count['hosts']}", f"p{int(name[2][1:])}"


def _link_of(topology, node, index):
    """(path, value there) of the link of a node's port: at every switch those to the tier below come first."""
    kind = topology["type"]
    if kind == "region":
        name = _region_link(topology, node.split("-"), index)
        return f"links.{name}", topology["links"][name]
    name = _link_name(topology, kind, node, index)
    if kind == "fat_tree" and name not in topology:
        name = "link"
    return name, topology[name]


def _link_name(topology, kind, node, index):
    if kind in ("star", "torus"):
        return "link"
    if kind == "dumbbell":
        below = {"s0": int(topology["left"]), "s1": int(topology["right"])}.get(node, 1)
        return "link" if index < below else "bottleneck"
    if kind == "leaf_spine":
        fabric = node.startswith("spine") or (
            node.startswith("leaf") and index >= int(topology["hosts_per_leaf"])
        )
        return "fabric_link" if fabric else "host_link"
    if kind == "fat_tree":
        upper = index >= int(topology["k"]) // 2
        if node.startswith("core"):
            return "core_link"
        if node.startswith("agg"):
            return "core_link" if upper else "edge_link"
        return "edge_link" if upper and node.startswith("edge") else "host_link"
    raise KeyError(kind)


def _region_link(topology, name, index):
    """`name`: the parts of rh-0, dc0-t2-1, dc0-c1-t1-0, dc0-c1-r2-t0 or dc0-c1-r2-h3."""
    if name[0] == "rh":
        return "t2_rh"
    if name[1] == "t2":
        return "t1_t2" if index < int(topology["clusters"]) * int(topology["t1"]) else "t2_rh"
    if name[2] == "t1":
        return "t0_t1" if index < int(topology["racks"]) else "t1_t2"
    return "t0_t1" if name[3] == "t0" and index >= int(topology["hosts"]) else "host"
