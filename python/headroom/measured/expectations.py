"""Measured values as a scenario's `expect:` block."""

import json
from pathlib import Path

from headroom.errors import InputError
from headroom.format import counted
from headroom.partial import partial_beside


def _bounds(entry, percent):
    """(low, high, reason): the range of several intervals, which is measured; of one interval the given tolerance."""
    one = entry.measured
    if one.high > one.low:
        return one.low - one.half, one.high + one.half, "the smallest and the largest measured interval"
    half = max(abs(one.value) * percent / 100, one.half)
    return one.value - half, one.value + half, f"± {percent:g} %, assumed; several dumps give the measured spread"


def as_yaml(found, result, percent):
    """(text, number of expectations, number of measured values that no metric has)"""
    lines, left = ["expect:"], 0
    for entry in found.entries:
        if not entry.metric:
            left += 1
            continue
        low, high, reason = _bounds(entry, percent)
        fields = {
            "metric": entry.metric,
            "within": [float(f"{low:.9g}"), float(f"{high:.9g}")],
            "kind": "ours",
            "value": f"{entry.measured.value:.9g} {entry.counter.unit}",
            "range": reason,
            "source": f"measured, {entry.measured.place}",
        }
        lines.append("  - {" + ", ".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in fields.items()) + "}")
    return "\n".join(lines) + "\n", len(lines) - 1, left


def write_expectations(path, found, result, percent):
    """Writes the block; returns a sentence for the user. InputError if there is nothing to write, or the file exists."""
    text, count, left = as_yaml(found, result, percent)
    path = Path(path)
    if not count:
        raise InputError("no measured value has a metric of a summary; nothing to expect")
    if path.exists():
        raise InputError(f"{path}: exists; give another name to --expect")
    fresh = partial_beside(path)
    try:
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    more = f"; {counted(left, 'value')} cannot be expected, such as sums over priorities" if left else ""
    return f"{path}: {counted(count, 'expectation')}{more}"
