"""The plots for a browser: figures of plotly.js as plain data, panels one under another so that a phone shows them.

A figure says the same as its still picture; what is drawn comes from the same tables.
"""

from html import escape

import numpy as np

from headroom.format import format_bytes, format_number, format_rate
from headroom.plot.drawing.style import DASHES
from headroom.plot.drawing.ticks import log_ticks

# plotly.js' names of the style's dashes, in their order.
_DASHES = ["solid", "dash", "dot", "dashdot", "longdashdot", "longdash"]
# Pixels: under a panel for its axis with and without a title, over it for its own title.
_GAP, _TIGHT, _HEAD = 62, 26, 30
ROW = 34  # pixels of a named row
_INK, _GRID = "#222222", "#e2e2e2"


def _number(value):
    """Six significant digits are more than a screen shows; JSON has no NaN."""
    value = float(value)
    return None if not np.isfinite(value) else float(f"{value:.6g}")


def numbers(values):
    return [_number(v) for v in values]


def dash_of(dash):
    return _DASHES[DASHES.index(dash)] if dash in DASHES else "solid"


def line(name, x, y, colour, dash="-", step=None, **more):
    """A curve. step: "hv" holds a value until the next, "vh" has it from the one before."""
    shape = {"line": {"color": colour, "dash": dash_of(dash), "width": 1.8}, "mode": "lines"}
    if step:
        shape["line"]["shape"] = step
    return {"type": "scatter", "name": escape(name), "x": numbers(x), "y": numbers(y), **shape, **more}


def points(name, x, y, colour, symbol="circle", size=7, **more):
    marker = {"color": colour, "symbol": symbol, "size": size}
    return {
        "type": "scatter",
        "mode": "markers",
        "name": escape(name),
        "x": numbers(x),
        "y": y if y and isinstance(y[0], str) else numbers(y),
        "marker": marker,
        **more,
    }


def bars(name, row, intervals, colour, **more):
    """Intervals [(start, width)] on the row of that name, as thick strokes."""
    x, y = [], []
    for start, width in intervals:
        x += [_number(start), _number(start + width), None]
        y += [row, row, None]
    # Simplified, strokes that are narrower than a pixel would vanish, and long ones with them.
    stroke = {"color": colour, "width": 9, "simplify": False}
    return {"type": "scatter", "mode": "lines", "name": escape(name), "x": x, "y": y, "line": stroke, **more}


def level(value, text, colour=_INK, vertical=False):
    """A threshold across a panel, with its name: shape and annotation."""
    along, across = ("x", "y") if vertical else ("y", "x")
    return {"along": along, "across": across, "value": _number(value), "text": text, "colour": colour}


def span(start, end):
    """A stretch of the x axis that is shaded, such as the warm-up."""
    return {"start": _number(start), "end": _number(end)}


class Panel:
    """One pair of axes. `x`, `y`: dicts of plotly.js' axis (title text, type, ticksuffix, …)."""

    def __init__(self, title, x, y, traces, height=230, marks=()):
        self.title, self.x, self.y, self.traces = title, x, y, traces
        self.height, self.marks = height, list(marks)


def axis(title, log=False, unit="", **more):
    """unit: behind every tick, with an SI prefix where the number wants one ("B": 2 MB)."""
    found = {"title": {"text": title}, "type": "log" if log else "linear", **more}
    if unit:
        found |= {"ticksuffix": unit, "tickformat": "~s", "hoverformat": ".3s"}
    if log:
        found.setdefault("dtick", 1)
    return found


def rows(names):
    """(the axis of these rows from the top down, the height that they take). Their names stand in the panel, over what
    the row shows: beside it they would leave nothing of a phone's width. `figure` writes them: plotly.js' own labels
    inside a panel end in an endless recursion."""
    axis_of = {"title": {"text": ""}, "type": "category", "categoryarray": names, "showticklabels": False}
    return axis_of | {"range": [len(names) - 0.5, -0.65]}, ROW * len(names) + 8


def _few_decades(axis_of, values):
    """Ticks for a logarithmic axis whose values span so little that decades alone would leave it without numbers."""
    if axis_of["type"] != "log" or "tickvals" in axis_of:
        return {}
    known = [v for v in values if v is not None and v > 0]
    if not known or max(known) >= 30 * min(known):
        return {}
    low, high = min(known) / 1.15, max(known) * 1.15
    ticks = log_ticks(low, high)
    write = {"B": format_bytes, "b/s": format_rate}.get(axis_of.get("ticksuffix"), format_number)
    return {
        "tickvals": numbers(ticks),
        "ticktext": [write(t) for t in ticks],
        "range": numbers([np.log10(low), np.log10(high)]),
    }


def _row_names(panel, x, y):
    """Annotations with the names of a panel's rows, if it has some."""
    if panel.y.get("showticklabels", True):
        return []
    place = {"xref": f"{x} domain", "x": 0, "xanchor": "left", "yref": y, "yanchor": "bottom", "yshift": 7}
    look = {"showarrow": False, "font": {"size": 11}}
    names = panel.y["categoryarray"]
    return [{"text": escape(name), "y": row, **place, **look} for row, name in enumerate(names)]


def _nth(name, number):
    """plotly.js calls the first axes x and y, the next x2 and y2."""
    return name if number == 1 else f"{name}{number}"


def _mark(layout, mark, number, nth):
    """nth: of the lines of its panel. Names of neighbours stand lower, or further left, so that they do not meet."""
    x, y = _nth("x", number), _nth("y", number)
    if "start" in mark:
        ends = {"x0": mark["start"], "x1": mark["end"], "y0": 0, "y1": 1}
        look = {"fillcolor": "#000000", "opacity": 0.07, "line": {"width": 0}, "layer": "below"}
        layout["shapes"].append({"type": "rect", "xref": x, "yref": f"{y} domain", **ends, **look})
        return
    along, across = mark["along"], mark["across"]
    vertical = along == "x"
    refs = {"xref": x if vertical else f"{x} domain", "yref": f"{y} domain" if vertical else y}
    ends = {f"{along}0": mark["value"], f"{along}1": mark["value"], f"{across}0": 0, f"{across}1": 1}
    stroke = {"color": mark["colour"], "width": 1.2, "dash": "dash"}
    layout["shapes"].append({"type": "line", **refs, **ends, "line": stroke})
    log = layout[_nth(f"{along}axis", number)]["type"] == "log"
    at = _number(np.log10(mark["value"])) if log else mark["value"]
    if vertical:
        place = {"x": at, "y": 1, "yanchor": "top", "yshift": -14 * nth}
    else:
        place = {"x": 1 - 0.42 * (nth % 2), "y": at, "yanchor": "bottom"}
    look = {
        "showarrow": False,
        "xanchor": "left" if vertical else "right",
        "font": {"size": 11, "color": mark["colour"]},
        "bgcolor": "rgba(255,255,255,0.75)",
    }
    layout["annotations"].append({"text": mark["text"], **refs, **place, **look})


def _title(text, y):
    place = {"xref": "paper", "yref": "paper", "x": 0, "y": y, "xanchor": "left", "yanchor": "bottom"}
    return {"text": f"<b>{escape(text)}</b>", **place, "showarrow": False, "font": {"size": 13}}


def figure(panels, same_x=False):
    """{data, layout} for Plotly.newPlot. same_x: zooming one panel in time zooms all, or the first so many. A name that stands in several
    panels has one entry in the legend, which shows and hides all of them."""
    shared = len(panels) if same_x is True else int(same_x)
    gaps = [_TIGHT if number < shared else _GAP for number in range(1, len(panels) + 1)]
    total = sum(p.height + gap + _HEAD for p, gap in zip(panels, gaps))
    legend = {"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0, "font": {"size": 12}}
    layout = {
        "height": total + 20,
        "margin": {"l": 72, "r": 16, "t": 12, "b": 8},
        "font": {"family": "system-ui, sans-serif", "size": 12, "color": _INK},
        "paper_bgcolor": "#fff",
        "plot_bgcolor": "#fff",
        "hovermode": "closest",
        "legend": legend,
        "shapes": [],
        "annotations": [],
    }
    data, named, above = [], set(), 0
    all_x = [v for p in panels[:shared] for t in p.traces for v in t["x"]]
    for number, panel in enumerate(panels, 1):
        top = 1 - (above + _HEAD) / total
        domain = [top - panel.height / total, top]
        above += panel.height + gaps[number - 1] + _HEAD
        look = {"gridcolor": _GRID, "zeroline": False, "linecolor": "#8a8a8a", "automargin": True}
        x, y = _nth("x", number), _nth("y", number)
        own_x = all_x if number <= shared else [v for t in panel.traces for v in t["x"]]
        own_y = [v for t in panel.traces for v in t["y"]]
        layout[_nth("xaxis", number)] = {**look, "anchor": y, **panel.x, **_few_decades(panel.x, own_x)}
        if 1 < number <= shared:
            layout[_nth("xaxis", number)]["matches"] = "x"
        if number < shared:
            layout[_nth("xaxis", number)].pop("title")
        layout[_nth("yaxis", number)] = {**look, "anchor": x, "domain": domain, **panel.y, **_few_decades(panel.y, own_y)}
        layout["annotations"].append(_title(panel.title, top))
        layout["annotations"] += _row_names(panel, x, y)
        spans = [mark for mark in panel.marks if "start" in mark]
        for nth, mark in enumerate([*spans, *(mark for mark in panel.marks if mark not in spans)], -len(spans)):
            _mark(layout, mark, number, nth)
        for trace in panel.traces:
            group = trace.get("legendgroup", trace["name"])
            shown = group not in named and trace.get("showlegend", True)
            if shown:
                named.add(group)
            data.append({**trace, "xaxis": x, "yaxis": y, "legendgroup": group, "showlegend": shown})
    layout["showlegend"] = len(named) > 1
    if len(named) > 1:
        # A legend takes its room from the panels; on a phone every name is a row.
        layout["height"] += 20 * len(named)
        layout["margin"]["t"] = 60
    return {"data": data, "layout": layout}
