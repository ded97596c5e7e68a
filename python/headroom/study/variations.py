"""Settings of a sweep: the values of each key, and all their combinations.

    KEY=VALUE                  one value, as for `headroom run`
    KEY=[V,V,…]                each of these
    KEY,KEY=[[V,V],[V,V],…]    keys that move together: the first values of both, the second of both, …

Values keep their written form; the program that runs them reads them. So a value that is itself a list is written in a
list of one: KEY=[[1,2]].
"""

from headroom.errors import InputError
from headroom.format import counted
from headroom.labels import paths_of, short_key

_MOST_POINTS = 100_000
_OPEN, _CLOSE = "[{", "]}"


def split_list(text, where):
    """The items of "[a, [b, c], 'd, e']" as texts: "a", "[b, c]", "'d, e'"."""
    text = text.strip()
    if not text.startswith("["):
        raise InputError(f"{where}: '{text}' is not a list such as [1, 2]")
    items, depth, quote, start = [], 0, None, 1
    for index, char in enumerate(text):
        if quote:
            quote = None if char == quote else quote
        elif char in "\"'" and (text[start:index].strip() == "" or depth > 1):
            quote = char
        elif char in _OPEN:
            depth += 1
        elif char in _CLOSE:
            depth -= 1
            if depth == 0 and index != len(text) - 1:
                raise InputError(f"{where}: text after the list: '{text[index + 1:]}'")
        elif char == "," and depth == 1:
            items.append(text[start:index].strip())
            start = index + 1
    if depth != 0 or quote:
        raise InputError(f"{where}: a bracket or quote is not closed in '{text}'")
    items.append(text[start:-1].strip())
    if "" in items:
        raise InputError(f"{where}: an empty value in '{text}'")
    return items


class Variation:
    """Keys that change together, and their values: one tuple for each step, in the order of the keys."""

    def __init__(self, keys, steps):
        self.keys = tuple(keys)
        self.steps = [tuple(step) for step in steps]


def _keys(text, where):
    """Commas separate keys, except for those inside the brackets of a pattern."""
    keys = split_list(f"[{text}]", where)
    for key in keys:
        if key == "seed" or key in ("seeds", "vary", "expect"):
            raise InputError(f"{where}: {key} is not a setting of a run; give seeds by --seed and --seeds")
    if len(set(keys)) < len(keys):
        raise InputError(f"{where}: a key appears twice")
    return keys


def parse_set(argument):
    """The Variation of one --set argument."""
    where = f"--set {argument}"
    key, equals, value = argument.partition("=")
    if not equals or not key.strip():
        raise InputError(f"{where}: not an assignment; give KEY=[VALUE,VALUE,…], with a KEY as for `headroom run --set`")
    keys = _keys(key, where)
    if not value.strip():
        raise InputError(f"{where}: no value")
    listed = value.strip().startswith("[")
    values = split_list(value, where) if listed else [value.strip()]
    if len(keys) == 1:
        return Variation(keys, [(v,) for v in values])
    if not listed:
        raise InputError(f"{where}: {len(keys)} keys take lists of {len(keys)} values, [[V,V],[V,V]]")
    steps = [split_list(v, where) for v in values]
    for step in steps:
        if len(step) != len(keys):
            raise InputError(f"{where}: [{', '.join(step)}] has {counted(len(step), 'value')} for {len(keys)} keys")
    return Variation(keys, steps)


def cross(variations):
    """All combinations as dicts of key to value, the last variation fastest; each combination once."""
    count = 1
    for variation in variations:
        count *= len(variation.steps)
        if count > _MOST_POINTS:
            raise InputError(f"more than {_MOST_POINTS} combinations of settings")
    points = [{}]
    for variation in variations:
        points = [
            {**point, **dict(zip(variation.keys, step))} for point in points for step in variation.steps
        ]
    return list({tuple(point.items()): point for point in points}.values())


def plan_points(vary, sets):
    """Points of a scenario that varies `vary` ({key: [value, …]}) with these --set arguments, which override it."""
    given = [parse_set(argument) for argument in sets]
    named = [key for variation in given for key in variation.keys]
    for key in named:
        if named.count(key) > 1:
            raise InputError(f"--set: {key} is given twice; one list holds all its values")
    own = [Variation([key], [(v,) for v in values]) for key, values in vary.items() if not _is_replaced(key, named)]
    return cross(own + given)


def _is_replaced(key, named):
    """Whether --set names the keys of an entry of `vary`, one or several that change together."""
    together = paths_of(key)
    left = [one for one in together if one not in named]
    if left and len(left) < len(together):
        told = f"--set: the scenario varies {' and '.join(together)} together; give {' and '.join(left)} too"
        raise InputError(f"{told}: --set '{','.join(together)}=[[V,V],[V,V]]'")
    return not left


def point_text(settings):
    """ "kmin=50KB, fan_in=8": the ends of the keys with the values."""
    return ", ".join(f"{short_key(key)}={value}" for key, value in settings.items()) or "as it is"
