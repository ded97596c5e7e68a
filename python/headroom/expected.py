"""A scenario's expectations as `headroom check --json` prints them and a study stores them: their points, and their
numbers.

    vary    {key: [value]} of the scenario: its expectations refer to these combinations
    rows    of each expectation: form (metric, ratio, order), metrics that it names, kind, figure (as it is to be shown),
            source, misses (why it is known not to hold); of a metric also at ({key: value}), min, max, unit
"""

import json
import math
import re
from dataclasses import dataclass, field

from headroom.quantity import parse_quantity
from headroom.study_runs import damaged

KINDS = ("published", "calibrated", "computed", "ours")
# {unit of a metric as drawn: {unit as written: its size in that}}
_UNITS = {
    "million": {"M/s": 1, "M": 1},
    "µs": {"ns": 1e-3, "µs": 1, "us": 1, "ms": 1e3, "s": 1e6},
    "Gb/s": {"Mb/s": 1e-3, "Mbps": 1e-3, "Gb/s": 1, "Gbps": 1, "Tbps": 1e3},
    "%": {"%": 1},
}


def _same(text, other):
    """Equal values of a key have the same text or the same size."""
    if text == other:
        return True
    try:
        one, two = parse_quantity(text), parse_quantity(other)
    except ValueError:
        return False
    return (one.kind, one.value) == (two.kind, two.value)


@dataclass
class Row:
    form: str
    metrics: list
    kind: str
    figure: str
    source: str
    misses: str
    at: dict = field(default_factory=dict)
    min: float = None
    max: float = None
    unit: str = ""

    def holds_at(self, settings):
        return all(key in settings and _same(str(settings[key]), text) for key, text in self.at.items())

    def bounds(self, metric):
        """(least or None, most or None) in the numbers in which the Metric is drawn; None if the unit does not fit."""
        scale = _UNITS.get(metric.unit, {}).get(self.unit) if self.unit else metric.scale
        return scale and tuple(end if end is None else end * scale for end in (self.min, self.max))

    def number(self, metric):
        """The number at the beginning of the figure ("about 18 M/s in the figure"), in the same units. None if that is
        not a number of this unit, or not within the bounds: then it has another meaning ("4.32 M/s each of six")."""
        found = re.match(r"(?:about |≈ ?)?(\d+(?:\.\d+)?) ?([^\s,:;]*)", self.figure)
        ends = self.bounds(metric)
        size = found and (_UNITS.get(metric.unit, {}).get(found[2]) if metric.unit else found[0] == self.figure and 1)
        if not ends or not size:
            return None
        low, high = ends
        value = float(found[1]) * size
        return value if (low is None or low <= value) and (high is None or value <= high) else None


class Expected:
    """`rows`: [Row]."""

    def __init__(self, vary, rows):
        self._vary, self.rows = vary, rows

    @property
    def metrics(self):
        """All keys that are named, in the order of the rows."""
        return list(dict.fromkeys(metric for row in self.rows for metric in row.metrics))

    def rows_for(self, metric, settings):
        """[Row] of the expectations there; empty if the scenario does not vary these settings."""
        own = all(any(_same(str(value), text) for text in self._vary.get(key, ())) for key, value in settings.items())
        rows = [r for r in self.rows if own and r.form == "metric" and metric.path in r.metrics]
        return [row for row in rows if row.holds_at(settings) and row.bounds(metric)]


def _is_number(value):
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value))


def _is_row(row):
    texts = [*row.metrics, row.kind, row.figure, row.source, row.misses, row.unit, *row.at.values()]
    whole = row.form in ("ratio", "order") or (row.form == "metric" and (row.min, row.max) != (None, None))
    return whole and row.kind in KINDS and all(isinstance(t, str) for t in texts) and _is_number(row.min) and _is_number(row.max)


def read_expected(text, path):
    """Reads the database at `path`; one without expectations gives none."""
    try:
        found = json.loads(text or "null")
        if found is None:
            return Expected({}, [])
        rows = [Row(**row) for row in found["rows"]]
        if all(map(_is_row, rows)) and all(isinstance(t, str) for texts in found["vary"].values() for t in texts):
            return Expected(found["vary"], rows)
    except (ValueError, TypeError, KeyError, AttributeError):
        pass
    raise damaged(path, "what the scenario expects")
