"""Short names for values that are maps or lists, which do not fit in a column or on an axis.

A scenario's own name for such a value is its anchor in `vary:`, as &tuned in `- &tuned {match: "*", …}`. A short value
without an anchor stands for itself; others are numbered, with the end of their key, as "storage #1".
"""

import itertools
import json

from headroom.study_runs import damaged


def paths_of(key):
    """The keys of an entry of `vary`: one, or several that change together, "A, B". Commas in brackets or quotes do not
    separate."""
    found, depth, quoted = [""], 0, False
    for char in key:
        quoted ^= char == '"'
        depth += 0 if quoted else (char == "[") - (char == "]")
        if char == "," and depth == 0 and not quoted:
            found.append("")
        else:
            found[-1] += char
    return [one.strip() for one in found]


_SHORT = 24  # letters of a value that needs no name


def short_key(key):
    """"kmin" of switches.0.ecn.storage.kmin: its last word; of nics.0, a place in a list, both. For several keys that
    change together that of the first."""
    words = paths_of(key)[0].split(".")
    last = len(words) - 1
    while last > 0 and words[last].isdecimal():
        last -= 1
    return ".".join(words[last:])


def _has_parts(value):
    return value.startswith(("{", "["))


def labels_of(vary, names, points, before):
    """{key: {value: label}} of the maps and lists among the points' values. `vary`, `names`: {key: [value]} of the
    scenario and the anchors of the same values, or ""; `before`: earlier labels, which are kept."""
    found = {key: dict(labels) for key, labels in before.items()}
    for key, values in vary.items():
        for value, name in zip(values, names[key]):
            if name and _has_parts(value) and name not in found.get(key, {}).values():
                found.setdefault(key, {}).setdefault(value, name)
    used = {}
    for point in points:
        for key, value in point.items():
            labels = found.setdefault(key, {})
            if not _has_parts(value) or (len(value) <= _SHORT and value not in labels):
                continue
            if value not in labels:
                taken = {name for names in found.values() for name in names.values()}
                labels[value] = next(n for i in itertools.count(1) if (n := f"{short_key(key)} #{i}") not in taken)
            used.setdefault(key, {})[value] = labels[value]
    return {**before, **{key: {**before.get(key, {}), **labels} for key, labels in used.items()}}


def read_labels(text, path):
    """{key: {value: label}} as the database at `path` keeps it."""
    try:
        found = json.loads(text or "{}")
        if all(isinstance(name, str) for labels in found.values() for name in labels.values()):
            return found
    except (ValueError, TypeError, AttributeError):
        pass
    raise damaged(path, "labels of the study")
