"""Changes of a scenario's links, for the table of counterfactuals.py: each yields (variant, words, edits) of a Case."""

from headroom.links import entry_of, link_at
from headroom.quantity import parse_quantity, parse_rate, quantity_text


def _custom_links(case):
    """[(link, [node, node])] of a custom topology; none for other topologies."""
    links = case.document["topology"]["links"] if case.document["topology"].get("type", "custom") == "custom" else []
    return [(link, [str(end).partition(":")[0] for end in link["ends"]]) for link in links]


def _sections(case):
    """[(path, list or mapping, whether its links lead to hosts)] of the kinds of links."""
    topology = case.document["topology"]
    if topology.get("type", "custom") == "custom":
        return []
    found = [(("topology", key), links) for key, links in topology.items()]
    found += [(("topology", "links", key), links) for key, links in topology["links"].items()] if isinstance(topology.get("links"), dict) else []
    links = [(path, links_of_key) for path, links_of_key in found if isinstance(links_of_key, dict) and "rate" in links_of_key or isinstance(links_of_key, list) and links_of_key and isinstance(links_of_key[0], dict) and "match" in links_of_key[0]]
    named = {path[-1] for path, _ in links}
    return [(path, links_of_key, path[-1] in ("host", "host_link") or path[-1] == "link" and "host_link" not in named) for path, links_of_key in links]


def _links_edits(case, change, of_hosts=None):
    """Changes all links, or those of hosts, or those between switches. `change`: from {rate, delay, loss …} to the
    changed values."""
    edits = []
    for path, links, hosts in _sections(case):
        if of_hosts in (None, hosts):
            rows = list(enumerate(links)) if isinstance(links, list) else [(None, links)]
            for i, row in rows:
                edits += [((*path, *([] if i is None else [i]), key), value) for key, value in change(row).items()]
    for i, (link, nodes) in enumerate(_custom_links(case)):
        if of_hosts in (None, any(node in case.hosts for node in nodes)):
            edits += [(("topology", "links", i, key), value) for key, value in change(link).items()]
    return edits


def _twice(link):
    return {"rate": quantity_text(2 * parse_rate(link["rate"]), "bps")} if "rate" in link else {}


def _loads_halved(case):
    """Loads are shares of hosts' links: if these are twice as fast, half the share is the same traffic."""
    loads = [(i, entry["load"]) for i, entry in case.entries("workloads") if entry.get("load")]
    return [(("workloads", i, "load"), f"{parse_quantity(load).value / 2:.6g}") for i, load in loads]


def faster_links(case):
    fabric, hosts = (_links_edits(case, _twice, of_hosts) for of_hosts in (False, True))
    whose = "hosts' links" if fabric or case.document["topology"].get("type") == "star" else "all links"
    yield "fabric", "links between switches twice as fast", fabric
    yield "hosts", f"{whose} twice as fast, with loads as before", hosts and hosts + _loads_halved(case)


def one_faster_link(case):
    """Applies if one link holds most of the waiting time, and no load is a share of it."""
    total = sum(case.waits.values())
    place = max(case.waits, key=case.waits.get, default=None)
    if not place or case.waits[place] < 0.5 * total:
        return
    topology, (node, port) = case.document["topology"], place.split(":")
    try:
        link = link_at(case.links, node, port)
        path, links = entry_of(topology, link)
    except KeyError:
        return  # the topology does not show which link that is
    ends = [end for each in case.links for end in (each.a[0], each.b[0])]
    if any(end in case.hosts and ends.count(end) > 1 for end, _ in (link.a, link.b)):
        return  # the ports of a host have the same rate
    rate = quantity_text(2 * link.rate_bps, "bps")
    path = ("topology", *(int(step) if step.isdecimal() else step for step in path.split(".")))
    rules = list(links) if isinstance(links, list) else [{"match": "*", **links}]
    edits = [((*path, "rate"), rate)] if _custom_links(case) else [(path, [*rules, {"match": place, "rate": rate}])]
    if not _loads_halved(case) or not any(hosts for section, _, hosts in _sections(case) if section == path):
        yield place, f"the link at {place} twice as fast", edits


def slow_member(case):
    """Links that are slower than others of the same kind, or than others between the same two nodes."""
    edits = []
    for path, links, _ in _sections(case):
        rates = [parse_rate(row["rate"]) for row in links if "rate" in row] if isinstance(links, list) else []
        edits += [((*path, i, "rate"), quantity_text(max(rates), "bps")) for i, row in enumerate(links if rates else ()) if "rate" in row and row["match"] != "*" and parse_rate(row["rate"]) < max(rates)]
    bundles = {}
    for i, (link, nodes) in enumerate(_custom_links(case)):
        bundles.setdefault(frozenset(nodes), []).append((i, link["rate"]))
    for members in bundles.values():
        most = max((rate for _, rate in members), key=parse_rate)
        edits += [(("topology", "links", i, "rate"), most) for i, rate in members if parse_rate(rate) < parse_rate(most)]
    yield "", "slow links at the rate of their siblings", edits
