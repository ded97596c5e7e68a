"""Which node, port and pool of the result a measured number belongs to: by the map, the name, or the alias."""

from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path

from headroom.measured.simulated import HOSTS_TOGETHER, ports_of
from headroom.yaml_file import read_yaml

_OF_RUNS = ("goodput_gbps", "iops", "io_gbps", "latency_us.", "clat_us.")


@dataclass
class NameMap:
    """The file of --map: names as measured, and names in the result. `ports` has "port" or "node:port" on both sides."""

    nodes: dict = field(default_factory=dict)
    ports: dict = field(default_factory=dict)
    pools: dict = field(default_factory=dict)
    workloads: dict = field(default_factory=dict)


def read_map(path):
    """NameMap of a YAML file. InputError with its place."""
    found = read_yaml(path).fields(("nodes", "ports", "pools", "workloads"))
    return NameMap(**{section: {key: value.text() for key, value in pairs.items()} for section, pairs in found.items()})


class NoMatch(Exception):
    """The text says why, and how to mend it."""


class Names:
    """The names of a result."""

    def __init__(self, result, names):
        self._map, self.ports, self.pools = names, defaultdict(list), defaultdict(set)
        for run in result.runs[:1]:
            table = ports_of(run)
            pairs = list(zip(table["node"], table["port"])) + [end for link in run.links or () for end in (link.a, link.b)]
            for node, port in dict.fromkeys(pairs):
                self.ports[node].append(port)
            self.switches = [switch for switch, _ in run.buffers]
            for switch, buffer in run.buffers:
                self.pools[switch] |= set(buffer.get("pools") or {})
            some = table[(table["tx_packets"] > 0) | (table["rx_packets"] > 0)]
            self.busy_hosts = set(some["node"]) - set(self.switches)

    def _node(self, name, device):
        name = self._map.nodes.get(name, name)
        if not name:
            stem = Path(device.paths[-1]).name.partition(".")[0]
            name = self._map.nodes.get(stem, stem)
            return name if name in self.ports else ""
        if name not in self.ports:
            raise NoMatch(f"the result has no node {name}; name it in --map under nodes, or give NODE={device.word.partition('=')[2] or device.word}")
        return name

    def _switch_of(self, port, device):
        """The only switch with that port; else the only switch."""
        found = [node for node in self.switches if port in self.ports[node]]
        nodes = found if len(found) == 1 else self.switches
        if len(nodes) != 1:
            raise NoMatch(f"the file does not name its switch; give NODE={device.word}")
        return nodes[0]

    def _port(self, node, measured_node, port, device):
        """The result's (node, port) of a measured one. NoMatch."""
        for name in (f"{measured_node}:{port}", f"{node}:{port}", port):
            if name in self._map.ports:
                mapped_node, _, mapped = self._map.ports[name].rpartition(":")
                node, port = mapped_node or node, mapped
                break
        node = node or self._switch_of(port, device)
        aliases = device.aliases
        of_alias = {alias: name for name, alias in aliases.items()}
        for name in (port, aliases.get(port), of_alias.get(port)):
            if name in self.ports.get(node, ()):
                return node, name
        if not port:
            if len(self.ports[node]) == 1:
                return node, self.ports[node][0]
            raise NoMatch(f"{node} has several ports; give {node}:PORT={device.word.partition('=')[2] or device.word}")
        raise NoMatch(f"{node} has no port {port}; name it in --map under ports")

    def place(self, row, device):
        """The row with names of the result. NoMatch."""
        if row.counter.startswith(_OF_RUNS):
            job, _, kind = row.item.rpartition(".")
            return replace(row, item=f"{self._map.workloads.get(job, job)}.{kind}" if job else self._map.workloads.get(kind, kind))
        measured_node = row.node or device.node
        node = self._node(measured_node, device)
        if row.counter in HOSTS_TOGETHER:
            if not node or node in self.switches:
                raise NoMatch(f"the file does not name its host; give HOST={device.word}")
            return replace(row, node=node, port="", item="")
        is_pool = not row.port and row.item and not row.item.isdigit()
        if is_pool:
            node = node or self._switch_of("", device)
            pool = self._map.pools.get(row.item, row.item)
            if pool not in self.pools[node]:
                raise NoMatch(f"{node} has no pool {row.item}; name it in --map under pools")
            return replace(row, node=node, item=pool)
        port = row.port or device.port
        if not port and not node:
            raise NoMatch(f"the file does not name its host; give HOST={device.word}")
        if row.item.isdigit() and int(row.item) > 7:
            raise NoMatch(f"queue or group {row.item}: a run has 0 to 7")
        node, port = self._port(node, measured_node, port, device)
        return replace(row, node=node, port=port)
