"""Who paused whom, and when: the pauses of a run, link by link.

Nothing here says why. That a switch pauses while it is held back itself is not because it is: frames of other ports fill
its buffer as well, and the two directions of one link hold each other now and then by chance.
"""

from dataclasses import dataclass

import pandas as pd

from headroom.pauses import LINK, pauses_of


@dataclass
class Link:
    """One direction of one link in one priority: `node` is paused by `by_node`."""

    key: tuple  # LINK
    pauses: pd.DataFrame  # start_us, duration_us, still_paused; in the order of time

    @property
    def first_us(self):
        return float(self.pauses["start_us"].iloc[0])

    @property
    def paused_us(self):
        return float(self.pauses["duration_us"].sum())

    def words(self):
        node, port, by_node, by_port, _ = self.key
        return f"{by_node}:{by_port} pauses {node}:{port}"


def links_of(run):
    """Every link that was paused, by the time of its first pause. Nothing without pauses."""
    pauses = pauses_of(run)
    if pauses is None or not len(pauses):
        return []
    links = [
        Link(key, rows.sort_values("start_us", kind="stable").reset_index(drop=True))
        for key, rows in pauses.groupby(LINK, sort=True)
    ]
    return sorted(links, key=lambda link: (link.first_us, link.key))


def longest(links, most):
    """Of many those that were paused longest, in the order of `links`."""
    kept = {id(link) for link in sorted(links, key=lambda found: -found.paused_us)[:most]}
    return [link for link in links if id(link) in kept]
