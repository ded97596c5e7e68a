"""A scenario's expectations, marked at the points of its sweep: brackets of the permitted range, printed values, known
misses."""

from html import escape

import numpy as np

from headroom.expected import KINDS
from headroom.format import counted, is_are
from headroom.plot.drawing import live
from headroom.plot.drawing.style import INK, QUIET, WARNING, shorten

COLUMNS = ["metric", "key", "value", "other_settings", "kind", "figure", "number", "least", "most", "known_miss", "source"]
_MOST_MISSES = 3
# For each kind: marker, plotly.js' name of it, the bracket's stroke, plotly.js' name of that, the legend.
_LOOKS = {
    "published": ("D", "diamond-open", "-", "solid", "the source prints it"),
    "calibrated": ("s", "square-open", "--", "dash", "the source prints it, and a parameter of the model was derived from it"),
    "computed": ("P", "cross-open", ":", "dot", "the value follows from rules that the source prints"),
    "ours": ("*", "star-open", "-.", "dashdot", "a bound of the scenario's author"),
}
_MISS = "known miss: the scenario states that the expectation does not hold, and why"


class Mark:
    """An expectation at a point of a curve, with `text` on the axis and drawn at `x`; the numbers have the panel's
    units."""

    def __init__(self, row, metric, curve, text, x):
        self.row, self.metric, self.curve, self.text, self.x = row, metric, curve, text, x
        self.colour = curve.colour
        self.low, self.high = row.bounds(metric)
        self.value = row.number(metric)

    @property
    def numbers(self):
        """Values that must be in the panel, with room for the arrow of an open side."""
        open_ends = [self.low and 1.15 * self.low] if self.high is None else [self.high and self.high / 1.15]
        ends = [end for end in (self.low, self.high) if end is not None]
        return ends + (open_ends if None in (self.low, self.high) else [])

    def ends(self, low, high, log):
        """(lower, upper) end of the bracket, with a tenth of the panel for an open side; `low`, `high`: ends of the
        panel."""
        if self.low is None:
            down = self.high * (low / high) ** 0.1 if log else self.high - 0.1 * (high - low)
            return min(self.high, max(down, 1.02 * low, 0)), self.high
        if self.high is None:
            up = self.low * (high / low) ** 0.1 if log else self.low + 0.1 * (high - low)
            return self.low, max(self.low, min(up, high / 1.02))
        return self.low, self.high

    @property
    def middle(self):
        """The height at which a known miss is crossed out."""
        if self.value is not None:
            return self.value
        return self.low if self.high is None else self.high if self.low is None else (self.low + self.high) / 2

    @property
    def told(self):
        """Lines of text."""
        write = self.metric.write
        ends = [None if end is None else write(end / self.metric.scale) for end in (self.low, self.high)]
        allowed = f"at least {ends[0]}" if ends[1] is None else f"at most {ends[1]}" if ends[0] is None else " to ".join(ends)
        told = [f"{self.row.kind}: {self.row.figure}" if self.row.figure else self.row.kind, allowed, self.row.source]
        return told + ([f"known miss: {self.row.misses}"] if self.row.misses else [])


def draw(panel, marks):
    """REQUIRES: the panel has its limits."""
    log = panel.get_yscale() == "log"
    for mark in marks:
        marker, _, stroke, _, _ = _LOOKS[mark.row.kind]
        ends = mark.ends(*panel.get_ylim(), log)
        panel.plot([mark.x] * 2, ends, linestyle=stroke, color=mark.colour, linewidth=1.1, zorder=1.6)
        for end, bound, arrow in zip(ends, (mark.low, mark.high), "v^"):
            look = {"markersize": 8, "markeredgewidth": 1.3} if bound is not None else {"markersize": 4}
            shape = "_" if bound is not None else arrow
            if bound is not None or ends[0] != ends[1]:
                panel.plot([mark.x], [end], shape, color=mark.colour, zorder=1.6, **look)
        if mark.value is not None:
            look = {"markersize": {"P": 8, "*": 9}.get(marker, 7), "markeredgewidth": 1.1, "markerfacecolor": "none"}
            panel.plot([mark.x], [mark.value], marker, color=mark.colour, zorder=5, **look)
        if mark.row.misses:
            panel.plot([mark.x], [mark.middle], "x", color=WARNING, markersize=10, markeredgewidth=1.5, zorder=6)


def legend(marks):
    """Rows of the legend for the sheet."""
    none = {"linestyle": "none", "color": INK, "markerfacecolor": "none", "markersize": 7}
    kinds = [kind for kind in KINDS if any(m.row.kind == kind for m in marks)]
    rows = []
    for kind in kinds:
        marker, _, stroke, _, words = _LOOKS[kind]
        rows.append(({**none, "linestyle": stroke, "linewidth": 1.1, "marker": marker}, f"{kind}: {words}"))
    if any(m.row.misses for m in marks):
        rows.append(({**none, "color": WARNING, "marker": "x", "markeredgewidth": 1.5}, _MISS))
    return rows


def count_words(expected, marks):
    """Number of drawn rows of `expect`; None without any."""
    rows = expected.rows
    if not rows:
        return None
    drawn = sum(any(m.row is row for m in marks) for row in rows)
    said = f"{drawn} of {counted(len(rows), 'row')} of the scenario's expect {is_are(drawn)} drawn"
    compared = sum(row.form != "metric" for row in rows)
    rest = len(rows) - drawn - compared
    why = [f"{compared} ratio{'s' * (compared > 1)} or order{'s' * (compared > 1)}"] if compared else []
    why += [f"{rest} of metrics or settings that are not shown"] if rest else []
    return f"{said}; not drawn: {', '.join(why)}." if why else f"{said}."


def notes(expected, marks):
    """Lines under the title."""
    found = count_words(expected, marks)
    if found is None:
        return []
    if marks:
        found += " Brackets: what it allows, an arrow where a side is open; hollow marks: the value that is given, if a number."
    lines = [(found, QUIET)]
    missed = [m for m in marks if m.row.misses]
    for mark in missed[:_MOST_MISSES]:
        place = ", ".join(filter(None, (mark.curve.name, mark.text)))
        lines.append((f"Known miss at {place}: {shorten(mark.row.misses, 220)}.", QUIET))
    if len(missed) > _MOST_MISSES:
        lines.append((f"{len(missed) - _MOST_MISSES} more known misses are in sweep-expected.csv.", QUIET))
    return lines


def traces(marks, limits, log):
    """Traces of one panel for the browser: each kind has one name in the legend."""
    found = []
    for kind in KINDS:
        _, symbol, _, dash, _ = _LOOKS[kind]
        if any(m.row.kind == kind for m in marks):
            sample = {"x": [None], "y": [None], "legendgroup": f"expected {kind}"}
            found.append(live.points(kind, [], [], INK, symbol, 12) | sample)
        for colour in dict.fromkeys(m.colour for m in marks if m.row.kind == kind):
            own = [m for m in marks if m.row.kind == kind and m.colour == colour]
            told = ["<br>".join(map(escape, m.told)) for m in own]
            common = {"legendgroup": f"expected {kind}", "hoverinfo": "text", "showlegend": False}
            valued = [(m, text) for m, text in zip(own, told) if m.value is not None]
            if valued:
                x, y = [m.x for m, _ in valued], [m.value for m, _ in valued]
                found.append(live.points(kind, x, y, colour, symbol, 12, text=[text for _, text in valued], **common))
            brackets = live.points(kind, [], [], colour, **common)
            shapes, sizes, texts = [], [], []
            for mark, text in zip(own, told):
                brackets["x"] += [*live.numbers([mark.x, mark.x]), None]
                brackets["y"] += [*live.numbers(mark.ends(*limits, log)), None]
                shapes += [
                    "line-ew-open" if bound is not None else arrow
                    for bound, arrow in ((mark.low, "triangle-down"), (mark.high, "triangle-up"))
                ]
                sizes += [10 if bound is not None else 6 for bound in (mark.low, mark.high)]
                shapes, sizes, texts = shapes + ["circle"], sizes + [1], texts + [text, text, ""]
            look = {"color": colour, "symbol": shapes, "size": sizes, "line": {"width": 1.5, "color": colour}}
            brackets |= {"mode": "lines+markers", "marker": look, "text": texts}
            brackets["line"] = {"color": colour, "dash": dash, "width": 1.1}
            found.append(brackets)
    missed = [m for m in marks if m.row.misses]
    if missed:
        words = ["<br>".join(map(escape, m.told)) for m in missed]
        places = [m.x for m in missed], [m.middle for m in missed]
        cross = live.points("known miss", *places, WARNING, "x-thin-open", 12, text=words, hoverinfo="text")
        cross["marker"]["line"] = {"width": 2, "color": WARNING}
        found.append(cross)
    return found


def table_rows(marks, axis):
    """Rows of COLUMNS, in the metric's own numbers, like the other table."""
    rows = []
    for m in marks:
        own = [np.nan if v is None else v / m.metric.scale for v in (m.value, m.low, m.high)]
        place = [m.metric.path, axis.title, m.text, m.curve.words]
        rows.append([*place, m.row.kind, m.row.figure, *own, m.row.misses, m.row.source])
    return rows
