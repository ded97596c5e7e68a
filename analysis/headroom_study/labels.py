"""Short names for values that are maps or lists, which fit in no column and on no axis.

A scenario's own name for one is its anchor in `vary:`, as &tuned in `- &tuned {match: "*", …}`. Others are numbered.
"""

import yaml


def _anchors(path):
    """{key: [anchor or None]} of the values that the file lists under `vary:`."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        top, events = yaml.compose(text, yaml.BaseLoader), yaml.parse(text, yaml.BaseLoader)
        starts = [event for event in events if isinstance(event, yaml.CollectionStartEvent)]
    except (OSError, yaml.YAMLError, UnicodeDecodeError):
        return {}
    names = {event.start_mark.index: event.anchor for event in starts}
    found = {}
    for word, vary in getattr(top, "value", []):
        if word.value == "vary" and isinstance(vary, yaml.MappingNode):
            for key, values in vary.value:
                if isinstance(values, yaml.SequenceNode):
                    found[key.value] = [names.get(value.start_mark.index) for value in values.value]
    return found


def _needs_one(value):
    return value.startswith(("{", "["))


def labels_of(path, vary, points, before):
    """{key: {value: label}} of the maps and lists among the points' values. `vary`: {key: [value]} as the scenario in this
    file has it; `before`: labels that were given, which stay."""
    found = {key: dict(labels) for key, labels in before.items()}
    for key, anchors in _anchors(path).items():
        values = vary.get(key, [])
        if len(values) != len(anchors):
            continue
        for value, anchor in zip(values, anchors):
            if anchor and _needs_one(value) and anchor not in found.get(key, {}).values():
                found.setdefault(key, {}).setdefault(value, anchor)
    used = {}
    for point in points:
        for key, value in point.items():
            if not _needs_one(value):
                continue
            labels = found.setdefault(key, {})
            if value not in labels:
                kind = "map" if value.startswith("{") else "list"
                labels[value] = next(n for i in range(1, len(labels) + 2) if (n := f"{kind} {i}") not in labels.values())
            used.setdefault(key, {})[value] = labels[value]
    return {**before, **{key: {**before.get(key, {}), **labels} for key, labels in used.items()}}
