"""Changes of single keys, as the schema describes them: the values to try (`tried`), and what a change costs (`cost`).

Equal keys of several entries of switches, nics, hosts or links change together, each by the same factor or to the same
value. src/scenario/keys/lists/tried.h describes `tried`.
"""

import yaml

from headroom import program
from headroom.changes import flow
from headroom.quantity import factor_of, parse_quantity, times
from headroom.settings import matches

COSTS = ("repair", "setting", "reconfiguration", "hardware", "diagnosis")  # the cheapest first
_NAMED = ("workloads", "services")  # lists whose items change one at a time


def _forms(node, definitions):
    """The schemas of which a value has one."""
    if "$ref" in node:
        yield from _forms(definitions[node["$ref"].rpartition("/")[2]], definitions)
    elif "properties" not in node and ("oneOf" in node or "anyOf" in node):
        for one in node.get("oneOf") or node["anyOf"]:
            yield from _forms(one, definitions)
    else:
        yield node


def _misfit(properties, value):
    """How little a mapping has these properties: keys that they lack, and another `type`."""
    of_type = properties.get("type", {}).get("const", value.get("type"))
    return sum(key not in properties for key in value) + 100 * (of_type != value.get("type", of_type))


def _inside(value, node, definitions, path, name):
    """[(path, name, value, property)] of the keys inside a value, also of those that it does not have. A name is the path
    with "*" for each place in a list."""
    forms = list(_forms(node, definitions))
    if isinstance(value, list):
        items = next((form["items"] for form in forms if isinstance(form.get("items"), dict)), {})
        for i, item in enumerate(value):
            called = item["name"] if name and name[0] in _NAMED and isinstance(item, dict) and "name" in item else "*"
            yield from _inside(item, items, definitions, (*path, i), (*name, called))
    elif isinstance(value, dict):
        mappings = [form for form in forms if "properties" in form]
        form = min(mappings, key=lambda one: _misfit(one["properties"], value), default=None)
        rows = next((one["additionalProperties"] for one in forms if isinstance(one.get("additionalProperties"), dict)), {})
        inside = form["properties"] if form else dict.fromkeys(value, rows)
        for key, about in inside.items():
            yield (*path, key), (*name, key), value.get(key), about
            if key in value:
                yield from _inside(value[key], about, definitions, (*path, key), (*name, key))


def _names(document, path, word):
    """The names that "priorities.*" means: those of the nearest mapping around the key, but the class of CNPs."""
    around, places = document, [document]
    for step in path[:-1]:
        around = around[step]
        places.append(around)
    key = word.partition(".")[0]
    return [name for name in next(place[key] for place in reversed(places) if isinstance(place, dict) and key in place) if name != "cnp"]


def _items_left_out(path, items):
    """[(variant, words, edits)]: without each item of a list, and without all."""
    for i, item in enumerate(items):
        where = next((item[key] for key in ("port", "node", "link") if item.get(key)), "")
        where = "–".join(where) if isinstance(where, list) else where
        words = f"without the {str(item.get('type', path[-1])).replace('_', ' ')}{f' at {where}' if where else ''}"
        yield f"without-{i}", words, [(path, items[:i] + items[i + 1 :])]
    if len(items) > 1:
        yield "without", f"without the {path[-1]}", [(path, [])]


def _values(document, path, value, about):
    """{word: value after the change}"""
    if value == "ideal":
        return {}  # nothing better can be had
    words = [name for word in about["tried"] for name in (_names(document, path, word) if word.endswith(".*") else [word])]
    after = {}
    for word in words:
        factor = factor_of(word)
        after[word] = times(value, factor) if factor and isinstance(value, str) else None if factor else word
        if after[word] and after[word][0] in "{[":
            after[word] = yaml.load(after[word], Loader=yaml.BaseLoader)
    return {word: new for word, new in after.items() if new is not None and new != value}


def _of_one_value(found):
    """{value: edits} that give all entries the value of one of them, where they differ in a number."""
    values = dict.fromkeys(value for _, value, _ in found if isinstance(value, str) and times(value, 2))
    return {value: [(path, value) for path, old, _ in found if old != value] for value in (values if 1 < len(values) <= 4 else ())}


def _everywhere(found):
    """Where no entry has a key, the first one for all nodes gets it; else each."""
    return [one for one in found if one[1] is not None] or found[:1]


def _brief(value):
    """The value as YAML, or the type of a mapping that has one; None if there is no value."""
    return value.get("type") or flow(value) if isinstance(value, dict) else value and flow(value)


def _told(name, values, word):
    """ "nics.transport.rto from 4ms to 1ms", or "… / 4" if the entries differ."""
    key = ".".join(step for step in name if step != "*")
    old, new = ({_brief(pair[i]) for pair in values} for i in (0, 1))
    if len(old) == len(new) == 1:
        return f"{key} {new.pop()}" if old == {None} else f"{key} from {old.pop()} to {new.pop()}"
    return f"{key} {word.replace('*', '× ').replace('/', '/ ')}" if factor_of(word) else f"{key} {word}"


def again_of(before, after):
    """The edits of the same factors again; [] if one of the values is no quantity."""
    found = []
    for (path, old), (_, new) in zip(before, after):
        factor = parse_quantity(new).value / parse_quantity(old).value
        found.append((path, times(new, factor)))
    return found if all(value for _, value in found) else []


def changes(document):
    """[(id, words, name, edits, cost, edits of the same change again or [])] of a resolved document. A name is a tuple of
    the steps of a key's path."""
    schema, groups = program.schema(), {}
    for path, name, value, about in _inside(document, schema, schema["definitions"], (), ()):
        if "tried" in about:
            groups.setdefault((name, about["cost"]), []).append((path, value, about))
    for (name, cost), found in groups.items():
        key = ".".join(step for step in name if step != "*")
        if found[0][2]["tried"] == ["without"]:
            for path, value, _ in found:
                yield from ((f"{key}={variant}", words, name, edits, cost, []) for variant, words, edits in _items_left_out(path, value or []))
            continue
        made = {}
        for path, value, about in _everywhere(found):
            for word, new in _values(document, path, value, about).items():
                made.setdefault(word, []).append((path, value, new))
        for word, edits in made.items():
            words = _told(name, [(old, new) for _, old, new in edits], word)
            again = [(path, times(new, factor_of(word))) for path, _, new in edits] if factor_of(word) and cost == "setting" else []
            yield f"{key}={word}", words, name, [(path, new) for path, _, new in edits], cost, again if all(new for _, new in again) else []
        for value, edits in _of_one_value(found).items():
            # What nobody can set but siblings have is broken here, or set wrongly.
            yield f"{key}={value}", f"{key} {value} everywhere", name, edits, "repair" if cost in ("hardware", "diagnosis") else cost, []
