"""Changes of a scenario: in its resolved document, and in the form of `--set`."""

import copy
import json
import re

from headroom.settings import item_names

_PLAIN = re.compile(r"[A-Za-z0-9_./][A-Za-z0-9_./*%+-]*")  # a text that YAML reads unchanged, also in a flow collection


def changed(document, edits):
    """A copy with edits [(path, value)]. A path is a tuple of keys and positions in lists; a position beyond the end
    appends."""
    document = copy.deepcopy(document)
    for path, value in edits:
        place = document
        for step in path[:-1]:
            place = place.setdefault(step, {}) if isinstance(place, dict) else place[step]
        if isinstance(place, list) and path[-1] == len(place):
            place.append(copy.deepcopy(value))
        else:
            place[path[-1]] = copy.deepcopy(value)
    return document


def flow(value):
    """The value as YAML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{flow(key)}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    if value is None:
        return "~"
    return value if _PLAIN.fullmatch(value) else json.dumps(value, ensure_ascii=False)


_BY_NAME = ("workloads", "services")  # lists whose items have their own names


def forms(document, edits):
    """Returns [{key: text}], the shortest first. The last one has the same meaning in every file: it sets sections that
    the edits touch as a whole, except for items that have names. The others may have another meaning in a file with
    another order of entries than in the resolved document, or without a section. If they give the digest of the last
    one, their meaning is the same."""
    sections = [section for section in dict.fromkeys(path[0] for path, _ in edits) if section not in _BY_NAME]
    found = []
    for whole in [(), *((section,) for section in sections if len(sections) > 1), sections]:
        keys = by_key(document, [edit for edit in edits if edit[0][0] not in whole])
        if keys is not None:
            after = changed(document, [edit for edit in edits if edit[0][0] in whole])
            found.append({section: flow(after[section]) for section in whole} | keys)
    return found


def by_key(document, edits):
    """Returns {key: text} in the shortest form, with items of lists by name or match; None if an edit has no such form.
    In a file with another order of entries than the resolved document its meaning may differ."""
    found = {}
    for path, value in edits:
        place, steps = document, []
        for depth, step in enumerate(path):
            if isinstance(place, list):
                if step == len(place):  # a new entry of switches, nics or hosts: its pattern creates it
                    inner = {key: item for key, item in value.items() if key != "match"}
                    if depth != len(path) - 1 or set(value) == set(inner):
                        return None
                    for key, item in inner.items():
                        found[".".join([*steps, f'"{value["match"]}"', key])] = flow(item)
                    break
                name = item_names(place)[step]
                several = isinstance(place[step], dict) and isinstance(place[step].get("match"), list)
                steps.append(f'"[{name.replace(", ", ",")}]"' if several and ", " in name else f'"{name}"' if _needs_quotes(name) else name)
                place = place[step]
            else:
                steps.append(f'"{step}"' if "." in step else step)
                place = place.get(step, {}) if isinstance(place, dict) else {}
        else:
            found[".".join(steps)] = flow(value)
    return found


def _needs_quotes(name):
    return not re.fullmatch(r"[A-Za-z0-9_-]+", name)
