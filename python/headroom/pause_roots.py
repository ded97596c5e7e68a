"""The pauses of a run and their roots. Pauses come from pfc.csv, once for each end of the link. Roots come from
pfc_causes.csv, which the simulator computes from the frames.

A pause acts at the paused port; if only the pausing side has a record, that side's interval replaces it.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from headroom.format import format_percent
from headroom.summary_file import as_object

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
    pauses: pd.DataFrame  # start_us, duration_us, still_paused, share; in the order of time

    @property
    def first_us(self):
        return float(self.pauses["start_us"].iloc[0])

    @property
    def paused_us(self):
        return float(self.pauses["duration_us"].sum())

    @property
    def caused_us(self):
        """The paused time that this root caused."""
        return float((self.pauses["duration_us"] * self.pauses["share"]).sum())

    def words(self):
        node, port, by_node, by_port, _ = self.key
        return f"{by_node}:{by_port} pauses {node}:{port}"


def _links(pauses):
    links = [
        Link(key, rows.sort_values("start_us", kind="stable").reset_index(drop=True))
        for key, rows in pauses.groupby(LINK, sort=True)
    ]
    return sorted(links, key=lambda link: (link.first_us, link.key))


def links_of(run):
    """Every link that was paused, by the time of its first pause. None without pauses."""
    pauses = pauses_of(run)
    return _links(pauses.assign(share=1.0)) if pauses is not None and len(pauses) else []


@dataclass
class Root:
    """A place that causes pauses, with the links that are paused because of it. Their pauses have an additional column
    `share`: the part of the pause that this place caused."""

    node: str  # all values of the place are None if the causes of pauses are not known
    port: str
    kind: str
    workloads: list  # workloads that have frames there, the largest first; those with at least a tenth of it
    part: float  # share of all paused time
    links: list

    @property
    def paused_us(self):
        return sum(link.caused_us for link in self.links)

    def words(self):
        if self.kind is None:
            return ""
        if self.kind == "rest":
            return "small roots together"
        whose = f" ({', '.join(self.workloads)})" if self.workloads else ""
        return _KINDS[self.kind] + f"{self.node}:{self.port}{whose}"


_KINDS = {
    "queue": "",
    "blocked": "the blocked port ",
    "receiver": "the slow receiver ",
    "storm": "the pause storm of ",
    "cycle": "the cycle through ",
}


def causes_of(run):
    """One line for each sent pause and root: LINK, start_us, duration_us, still_paused, share, root_node, root_port,
    root_kind, workload. None if the run did not record causes."""
    table, sent = run.table("pfc_causes"), run.table("pfc")
    if table is None or sent is None or not len(table):
        return None
    peers = sent.drop_duplicates(["node", "port"]).set_index(["node", "port"])[["peer_node", "peer_port"]]
    paused = peers.loc[pd.MultiIndex.from_frame(table[["node", "port"]])]
    start = table["start_ns"].to_numpy(float) / 1000
    duration = table["duration_ns"].to_numpy(float) / 1000
    still = np.isnan(duration)
    causes = pd.DataFrame(
        {
            "node": paused["peer_node"].to_numpy(object),
            "port": paused["peer_port"].to_numpy(object),
            "by_node": table["node"].to_numpy(object),
            "by_port": table["port"].to_numpy(object),
            "priority": table["priority"].to_numpy(object),
            "start_us": start,
            "duration_us": np.where(still, np.maximum(run.end_us - start, 0), duration),
            "still_paused": still,
            "share": table["share"].to_numpy(float),
        }
    )
    for column in ("root_node", "root_port", "root_kind", "workload"):
        causes[column] = table[column].fillna("").to_numpy(object)
    return causes


def roots_of(run):
    """The roots of a run's pauses, most paused time first; if unknown, one root without a place. Nothing without
    pauses."""
    causes = causes_of(run)
    if causes is None:
        links = links_of(run)
        return [Root(None, None, None, [], 1.0, links)] if links else []
    place = ["root_node", "root_port", "root_kind"]
    causes["caused_us"] = causes["share"] * causes["duration_us"]
    total = max(1e-9, causes["caused_us"].sum())
    roots = []
    for (node, port, kind), rows in causes.groupby(place, sort=True):
        by_workload = rows.groupby("workload")["caused_us"].sum().sort_values(ascending=False, kind="stable")
        workloads = [name for name, us in by_workload.items() if name and us >= by_workload.sum() / 10]
        pause = [*LINK, "start_us", "duration_us", "still_paused"]
        pauses = rows.groupby(pause, sort=False)["share"].sum().reset_index()
        roots.append(Root(node, port, kind, workloads, rows["caused_us"].sum() / total, _links(pauses)))
    return sorted(roots, key=lambda root: (root.kind == "rest", -root.part))


def main_root(result):
    """The place that causes most of the paused time of all runs, after the warm-up, or None; it has no links."""
    paused, total = {}, 0.0
    for run in result.runs:
        pfc = run.summary.get("pfc") or {}
        for root in pfc.get("roots") or []:
            place = paused.setdefault((root["node"], root["port"], root["kind"]), {})
            place[root["workload"]] = place.get(root["workload"], 0.0) + root["paused_us"]
            total += root["paused_us"]
        total += (pfc.get("other_roots") or {}).get("paused_us") or 0.0
    if not total:
        return None
    (node, port, kind), whose = max(paused.items(), key=lambda item: sum(item[1].values()))
    us = sum(whose.values())
    workloads = [name for name in sorted(whose, key=lambda name: -whose[name]) if name and whose[name] >= us / 10]
    return Root(node, port, kind, workloads, us / total, [])


def longest(links, most):
    """If there are many links, those with the longest pauses for this root, in the order of `links`."""
    kept = {id(link) for link in sorted(links, key=lambda found: -found.caused_us)[:most]}
    return [link for link in links if id(link) in kept]


def never_fired(result, first_only=False):
    """The sentence for a result without a pause: how close it came to one, in all seeds or in the first."""
    nearest = []
    for run in result.runs[:1] if first_only else result.runs:
        for switch, buffer in run.buffers:
            value = buffer.get("closest_to_xoff")
            if isinstance(value, (int, float)):
                nearest.append((float(value), switch))
    if not any(run.scenario.pfc_enabled() for run in result.runs):
        return "PFC is off in this scenario; no pause was sent."
    before = any(as_object(run.summary.get("warmup")).get("pause_frames") for run in result.runs)
    never = "PFC never fired after the warm-up" if before else "PFC never fired"
    if not nearest:
        return f"{never}."
    value, switch = max(nearest, key=lambda pair: pair[0])
    return (
        f"{never}. The closest any lossless group came to its pause threshold: "
        f"{format_percent(value)} of it, at {switch}."
    )


def roots_by_port(run):
    """{(node, port) that is paused: {(kind, node, port, queue of a root, pausing node): paused ns times its share}}"""
    pfc, causes = run.table("pfc"), run.table("pfc_causes")
    if pfc is None or causes is None or not len(causes):
        return {}
    links = pfc[pfc["direction"] == "tx"][["node", "port", "peer_node", "peer_port"]].drop_duplicates()
    weighted = causes.merge(links, on=["node", "port"])
    # The remainder, `rest`, has no place.
    weighted = weighted.assign(weight=weighted["duration_ns"] * weighted["share"]).fillna({"root_node": "", "root_port": "", "root_queue": ""})
    names = ["peer_node", "peer_port", "root_kind", "root_node", "root_port", "root_queue", "node"]
    found = {}
    for (peer, peer_port, *root), weight in weighted.groupby(names, dropna=False)["weight"].sum().items():
        if weight > 0:
            found.setdefault((peer, peer_port), {})[tuple(map(str, root))] = weight
    return found
