"""What a run's files hold that causes are argued from, read once for all workloads: faults, drops, roots of pauses, and whether
all messages are on record."""

from functools import cached_property

from headroom.explain.network import Network
from headroom.explain.replay import Replays
from headroom.pauses import roots_by_port


class Grounds:
    """Of a Run."""

    def __init__(self, run):
        self.run, self.settings = run, run.scenario.settings
        self.network = Network(run)

    def all_known(self, *workloads):
        """Whether messages.csv has all messages, of these workloads or of all."""
        table, found = self.run.table("messages"), self.run.summary.get("messages") or {}
        wanted = workloads or tuple(found)
        offered = sum((found.get(w) or {}).get(key) or 0 for w in wanted for key in ("offered", "warmup_offered"))
        return table is not None and int(table["workload"].isin(wanted).sum()) >= offered

    @cached_property
    def replays(self):
        """None where not all messages are on record."""
        return Replays(self.run, self.network, self.run.table("messages")) if self.all_known() else None

    def replay(self, priority, change):
        """The Replay of a class; None where it is not known what goes where."""
        return self.replays.of(priority, change) if self.replays else None

    @cached_property
    def _faults(self):
        """{(node, port)} of those that began: [what]"""
        events, found = self.run.table("events"), {}
        if events is None or not len(events):
            return found
        began = events[events["event"] == "fault_start"]
        for node, port, detail in zip(began["node"], began["port"], began["detail"].astype(str)):
            found.setdefault((node, port), []).append(detail)
        return found

    def faulty(self, kind, node, port=None):
        """Whether a fault of this kind was at work there."""
        there = (of for (n, p), of in self._faults.items() if n == node and port in (None, p))
        return any(detail.startswith(kind) for of in there for detail in of)

    def down(self, node, port):
        """Whether the link of this port was down for a while; a fault is told of at one of its ends."""
        ends = ((n, p, detail) for (n, p), of in self._faults.items() for detail in of if detail.startswith("link_down"))
        peer = self.network.peer(node, port)
        return any((n, p) == (node, port) or (n == peer and detail == f"link_down to {node}") for n, p, detail in ends)

    def dropped(self, reasons):
        """[(reason, node, port, frames)] of those there are, all classes."""
        ports = self.run.table("ports")
        columns = {reason: f"drop_{reason}" for reason in reasons} if ports is not None else {}
        some = {reason: ports[ports[column] > 0] for reason, column in columns.items() if column in ports.columns}
        return [(reason, *row) for reason, at in some.items() for row in zip(at["node"], at["port"], at[columns[reason]])]

    @cached_property
    def roots(self):
        return roots_by_port(self.run)

    @cached_property
    def pauses_by(self):
        """As `roots`, of the pauses that a node sends by a port."""
        found = {}
        for (node, port), roots in self.roots.items():
            for root, weight in roots.items():
                back = self.network.back(node, port)
                if back:
                    found.setdefault(back, {})[root] = weight
        return found

    @cached_property
    def groups(self):
        """{(node, port) of a root: groups of that node that pause their peers for it}"""
        causes = self.run.table("pfc_causes")
        own = causes[causes["node"] == causes["root_node"]]
        return own.drop_duplicates(["node", "port", "root_port"]).groupby(["node", "root_port"]).size().to_dict()
