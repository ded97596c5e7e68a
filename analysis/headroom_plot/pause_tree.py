"""Who paused whom, as trees from the first causes.

A link's pauses have a cause further on where the pausing switch was itself held back in that priority when they
began: its queue could not drain. Of the links that held it, the one that did so at most of these beginnings is the
parent, if it began to pause earlier. A link without a parent is where congestion starts: its pauser drains a slow
or an overloaded port. How many pauses the parent explains is counted, not assumed.
"""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from .pauses import LINK, pauses_of


@dataclass
class Link:
    """One direction of one link in one priority: `node` is paused by `by_node`."""

    key: tuple  # LINK
    pauses: pd.DataFrame  # start_us, duration_us, still_paused
    begun_us: np.ndarray  # when the pauser began each: earlier than it acts at the paused end
    parent: object = None  # the Link that held the pauser back
    explained: int = 0  # pauses that began while the parent held the pauser
    children: list = field(default_factory=list)

    @property
    def first_us(self):
        return float(self.begun_us[0])

    @property
    def paused_us(self):
        return float(self.pauses["duration_us"].sum())

    def words(self):
        node, port, by_node, by_port, _ = self.key
        return f"{by_node}:{by_port} pauses {node}:{port}"


def _beginnings(run):
    """{link: sorted times at which its pauser began}, where the pausing side is on record."""
    table = run.table("pfc")
    sent = table[table["direction"] == "tx"]
    keys = ["peer_node", "peer_port", "node", "port", "priority"]
    return {key: np.sort(rows.to_numpy(float)) / 1000 for key, rows in sent.groupby(keys)["time_ns"]}


def _held_at(link, times):
    """For each time, whether this link's paused end was paused."""
    starts = link.pauses["start_us"].to_numpy()
    ends = starts + link.pauses["duration_us"].to_numpy()
    at = np.searchsorted(starts, times, side="right") - 1
    return (at >= 0) & (times < ends[np.maximum(at, 0)])


def links_of(run):
    """Every link that was paused, its parent found; by the time of the first pause. Nothing without pauses."""
    pauses = pauses_of(run)
    if pauses is None or not len(pauses):
        return []
    begun = _beginnings(run)
    links = []
    for key, rows in pauses.groupby(LINK, sort=True):
        rows = rows.sort_values("start_us", kind="stable").reset_index(drop=True)
        links.append(Link(key, rows, begun.get(key, rows["start_us"].to_numpy())))
    links.sort(key=lambda link: (link.first_us, link.key))
    held = {}
    for link in links:
        held.setdefault((link.key[0], link.key[4]), []).append(link)
    for link in links:
        for other in held.get((link.key[2], link.key[4]), []):
            explained = int(_held_at(other, link.begun_us).sum())
            if other.first_us < link.first_us and explained > link.explained:
                link.parent, link.explained = other, explained
        if link.parent is not None:
            link.parent.children.append(link)
    return links


def in_order(links, most):
    """[(depth, Link)] of a tree after the other, roots by their first pause; of many, those paused longest, each with
    the links that lead to it."""
    kept = set()
    for link in sorted(links, key=lambda found: -found.paused_us):
        way = [link]
        while way[-1].parent is not None:
            way.append(way[-1].parent)
        new = {id(step) for step in way} - kept
        if kept and len(kept) + len(new) > most:
            continue
        kept |= new
    out = []

    def walk(link, depth):
        if id(link) in kept:
            out.append((depth, link))
            for child in link.children:
                walk(child, depth + 1)

    for link in links:
        if link.parent is None:
            walk(link, 0)
    return out
