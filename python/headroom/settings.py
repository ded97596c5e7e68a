"""The settings in which results differ, with names in the form of `--set`: keys, and items of lists by name, match or
place."""

import ctypes
import re


def _text(value):
    return ", ".join(map(_text, value)) if isinstance(value, list) else "" if value is None else str(value)


def item_names(items):
    """How --set names the items of a list: by name or match if these distinguish them, else by place."""
    names = [
        _text(item.get("name", item.get("match"))) if isinstance(item, dict) else None for item in items
    ]
    return names if all(names) and len(set(names)) == len(names) else list(map(str, range(len(items))))


def flatten(value, path=""):
    """{path: text} of a scenario's document. A list of plain values is one value."""
    if isinstance(value, dict):
        found = {}
        for key, inner in value.items():
            found |= flatten(inner, f"{path}.{key}" if path else key)
        return found
    if isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value):
        found = {}
        for name, item in zip(item_names(value), value):
            found |= flatten(item, f"{path}.{name}")
        return found
    return {path: _text(value)}


def changed_settings(flat):
    """[(path, [text of each])] of the differences among these {path: text}, without name and seed; "–" for an absent
    key."""
    paths = dict.fromkeys(path for settings in flat for path in settings)
    rows = [(path, [settings.get(path, "–") for settings in flat]) for path in paths]
    return [(path, texts) for path, texts in rows if path not in ("name", "seed") and len(set(texts)) > 1]

_fnmatch = ctypes.CDLL(None).fnmatch
_INSIDE = re.compile("/[^:]*")  # a NIC or a device of a host


def matches(patterns, *names):
    """Whether one of the names matches a shell pattern, or one of a list, as in the program: by fnmatch(3)
    (src/scenario/yaml/pattern.h). Python's own fnmatch supports neither [^a] nor a backslash. A pattern without a slash
    is about hosts, also for their NICs: h3 matches h3/n2, and h3:p0 matches h3/n2:p0."""
    patterns = [str(p) for p in (patterns if isinstance(patterns, list) else [patterns])]
    return any(_fnmatch(p.encode(), _about(p, name).encode(), 0) == 0 for p in patterns for name in names)


def _about(pattern, name):
    """The part of a node's or port's name that the pattern is about."""
    return name if "/" in pattern else _INSIDE.sub("", name)
