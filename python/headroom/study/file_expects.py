"""A scenario's `expect` in the form in which a study stores it (headroom/expected.py describes it).

`headroom check` has found the file valid before.
"""

from pathlib import Path

from headroom.about import decoded


def _may_say(path):
    """Whether the file must be parsed: a long list of messages takes seconds."""
    try:
        text = decoded(path.read_bytes())
    except (OSError, UnicodeDecodeError):
        return False
    return "expect" in text or "include" in text


def _block(path):
    """The Value of `expect`, the file's own or that of the last include; None if no file has one."""
    if not _may_say(path):
        return None
    from headroom.yaml_file import read_yaml

    found = dict(read_yaml(path).items())
    if "expect" in found:
        return found["expect"]
    included = found.get("include")
    names = [] if included is None else included.list() if included.is_list() else [included]
    blocks = (_block(path.parent / name.text()) for name in reversed(names))
    return next((block for block in blocks if block is not None), None)


def _written(value, among):
    """The text among `among` (in the form of `vary`) that has this value."""
    from headroom.yaml_file import plain_of

    return next((text for text in among if plain_of(text) == value), str(value))


def _named(term):
    """The metric of a term of a ratio or an order, METRIC or [METRIC, {key: value}]; None for values and places."""
    if isinstance(term, list) and len(term) == 2 and isinstance(term[1], dict):
        term = term[0]
    return term if isinstance(term, str) else None


def _row(found, vary):
    figure = found.get("published", found.get("value", ""))
    kind = found.get("kind") or ("published" if "published" in found else "ours")
    row = {"kind": kind, "figure": figure, "source": found["source"], "misses": found.get("misses", "")}
    for form in ("ratio", "order"):
        if form in found:
            names = dict.fromkeys(name for name in map(_named, found[form]) if name)
            return row | {"form": form, "metrics": list(names)}
    low, high = found.get("within", (found.get("min"), found.get("max")))
    settings = {key: _written(value, vary.get(key, [])) for key, value in found.get("at", {}).items()}
    metrics = found["metric"] if isinstance(found["metric"], list) else [found["metric"]]
    row |= {"form": "metric", "metrics": metrics, "at": settings, "unit": found.get("unit", "")}
    return row | {"min": low and float(low), "max": high and float(high)}


def file_expects(path, vary):
    """None if it expects nothing. `vary`: {key: [value]} of the file."""
    block = _block(Path(path))
    rows = [_row(row, vary) for row in block.plain()] if block is not None else []
    return {"vary": vary, "rows": rows} if rows else None
