"""The rate of a port, from the topology of resolved.yaml. Ports are p0, p1 … in link order unless they are named."""

from .quantities import parse_rate


def port_rate(topology, node, port):
    """In bit/s. KeyError or ValueError where the topology does not tell."""
    if topology.get("type", "custom") == "custom":
        return _of_listed_links(topology["links"], node, port)
    return parse_rate(_link_of(topology, node, int(port.removeprefix("p")))["rate"])


def _of_listed_links(links, node, port):
    count = 0
    for link in links:
        for end in link["ends"]:
            name, _, named = str(end).partition(":")
            if name != node:
                continue
            if (named or f"p{count}") == port:
                return parse_rate(link["rate"])
            count += 1
    raise KeyError(f"{node}:{port}")


def _link_of(topology, node, index):
    """The link of a node's port: at every switch those to the tier below come first."""
    kind = topology["type"]
    if kind in ("star", "torus"):
        return topology["link"]
    if kind == "dumbbell":
        below = {"s0": int(topology["left"]), "s1": int(topology["right"])}.get(node, 1)
        return topology["link" if index < below else "bottleneck"]
    if kind == "leaf_spine":
        fabric = node.startswith("spine") or (
            node.startswith("leaf") and index >= int(topology["hosts_per_leaf"])
        )
        return topology["fabric_link" if fabric else "host_link"]
    if kind == "fat_tree":
        upper = index >= int(topology["k"]) // 2
        if node.startswith("core"):
            return topology["core_link"]
        if node.startswith("agg"):
            return topology["core_link" if upper else "edge_link"]
        return topology["edge_link" if upper and node.startswith("edge") else "host_link"]
    if kind == "region":
        return topology["links"][_region_link(topology, node.split("-"), index)]
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
