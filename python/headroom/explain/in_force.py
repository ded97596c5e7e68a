"""The settings of a result, except those that later entries override at every node."""

from headroom.csv_file import read_csv
from headroom.settings import flatten, item_names, matches

_LARGEST = 1_000_000  # nodes times entries: beyond this number all entries count as in force


def _nodes(run):
    """{section: [name]} of the nodes that entries match; empty if ports.csv does not have them."""
    path, switches = run.path / "ports.csv", [name for name, _ in run.buffers]
    hosts = dict.fromkeys(read_csv(path, "ports", ["node"])["node"]) if path.is_file() else {}
    hosts = [name for name in hosts if name not in set(switches)]
    return {"switches": switches, "nics": hosts, "hosts": hosts}


def in_force(run):
    """{key: text}. A key of an entry is overridden if each node that it matches has the same key of a later entry."""
    document, settings = run.scenario.document, dict(run.scenario.settings)
    several = [s for s in ("switches", "nics", "hosts") if isinstance(document.get(s), list) and len(document[s]) > 1]
    for section, nodes in _nodes(run).items() if several else ():
        entries = document[section] if section in several else []
        if not nodes or len(nodes) * len(entries) > _LARGEST or not all(isinstance(entry, dict) for entry in entries):
            continue
        said = {}  # for each key the nodes for which a later entry has it
        for name, entry in reversed(list(zip(item_names(entries), entries))):
            matched = {node for node in nodes if matches(entry.get("match", "*"), node)}
            for key in flatten(entry):
                if matched <= said.setdefault(key, set()):
                    settings.pop(f"{section}.{name}.{key}", None)
                said[key] |= matched
    return settings
