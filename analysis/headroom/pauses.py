"""Who paused whom, and when: the pauses of a run, from pfc.csv, where one stands once at each end of its link.

It acts at the paused port; where only the pausing side is on record, that side's interval stands in. Nothing here says why.
That a switch pauses while it is held back itself is not because it is: frames of other ports fill its buffer as well, and
the two directions of one link hold each other now and then by chance.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from headroom.format import format_percent

LINK = ["node", "port", "by_node", "by_port", "priority"]


def pauses_of(run):
    """One line per pause: LINK, start_us, duration_us, still_paused; None without pfc.csv."""
    table = run.table("pfc")
    if table is None:
        return None
    start = table["time_ns"].to_numpy(float) / 1000
    duration = table["duration_ns"].to_numpy(float) / 1000
    still = np.isnan(duration)
    received = (table["direction"] == "rx").to_numpy()

    def pick(rx, tx):
        return np.where(received, table[rx].to_numpy(object), table[tx].to_numpy(object))

    pauses = pd.DataFrame(
        {
            "node": pick("node", "peer_node"),
            "port": pick("port", "peer_port"),
            "by_node": pick("peer_node", "node"),
            "by_port": pick("peer_port", "port"),
            "priority": table["priority"].to_numpy(object),
            "start_us": start,
            "duration_us": np.where(still, np.maximum(run.end_us - start, 0), duration),
            "still_paused": still,
            "received": received,
        }
    )
    if len(pauses) == 0:
        return pauses.drop(columns="received")
    acts = pauses.groupby(LINK)["received"].transform("any")
    return pauses[pauses["received"] | ~acts].drop(columns="received").reset_index(drop=True)


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


def never_fired(result, first_only=False):
    """The sentence for a result without a pause: how near it came, in all seeds or in the first."""
    nearest = []
    for run in result.runs[:1] if first_only else result.runs:
        for switch, buffer in run.buffers:
            value = buffer.get("closest_to_xoff")
            if isinstance(value, (int, float)):
                nearest.append((float(value), switch))
    if not any(run.scenario.pfc_enabled() for run in result.runs):
        return "PFC is off in this scenario; no pause was sent."
    if not nearest:
        return "PFC never fired."
    value, switch = max(nearest, key=lambda pair: pair[0])
    return (
        f"PFC never fired. The nearest any lossless group came to its pause threshold: "
        f"{format_percent(value)} of it, at {switch}."
    )
