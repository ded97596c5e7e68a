"""The plots for a browser: figures of plotly.js as plain data, with panels one under another so that a phone shows
them.

A figure shows the same as its still picture, from the same tables."""

from html import escape
from os.path import commonprefix

import numpy as np

from headroom.format import format_bytes, format_number, format_rate, format_time
from headroom.plot.drawing.style import DASHES
from headroom.plot.drawing.ticks import log_ticks

# plotly.js' names of the style's dashes, in their order.
_DASHES = ["solid", "dash", "dot", "dashdot", "longdashdot", "longdash"]
# Pixels: under a panel for its axis with and without a title, above it for its own title, and for each line that names
# thresholds.
_GAP, _TIGHT, _HEAD, _LINE = 62, 26, 30, 15
_PHONE = 46  # letters that fit in one line above a panel on a phone
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
    """A curve. step: "hv" holds a value until the next, "vh" uses the next value from the previous point on."""
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
    """Intervals [(start, width)] on the row with that name, as thick strokes."""
    x, y = [], []
    for start, width in intervals:
        x += [_number(start), _number(start + width), None]
        y += [row, row, None]
    # If they were simplified, strokes narrower than a pixel would vanish, and long ones with them.
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
    """unit: follows every tick and value, with an SI prefix that fits the number ("B": 2 MB). "µs": the numbers are µs
    and are shown as times are in words, 14.3 ms."""
    found = {"title": {"text": title}, "type": "log" if log else "linear", **more}
    if unit:
        found |= {"ticksuffix": "s" if unit == "µs" else unit, "tickformat": "~s", "hoverformat": ".3s"}
    if unit == "µs":
        found["of"] = 1e-6  # seconds, to which plotly.js adds prefixes; `figure` removes it again
    if log:
        found.setdefault("dtick", 1)
    return found


def metric_axis(metric, title, **more):
    """The axis of a headroom.metrics.Metric."""
    return axis(title, unit="µs" if metric.is_time else "", **more)


def time(unit_name, **more):
    """The axis of a run's time, in that unit. A run begins at 0, and plotly.js would leave room for markers before it."""
    return axis("Time", ticksuffix=f" {unit_name}", hoverformat=".4~g", rangemode="tozero", **more)


def rows(names):
    """(the axis of these rows from the top down, their total height). Names are inside the panel, above the row's data:
    beside it they would take the entire width of a phone. `figure` writes them, because plotly.js' own labels inside a
    panel end in an infinite recursion."""
    axis_of = {"title": {"text": ""}, "type": "category", "categoryarray": names, "showticklabels": False}
    return axis_of | {"range": [len(names) - 0.5, -0.65]}, ROW * len(names) + 8


def _few_decades(axis_of, values):
    """Ticks for a logarithmic axis with so small a range that decades alone would give it no numbers."""
    if axis_of["type"] != "log" or "tickvals" in axis_of:
        return {}
    known = [v for v in values if v is not None and v > 0]
    if not known or max(known) >= 30 * min(known):
        return {}
    low, high = min(known) / 1.15, max(known) * 1.15
    ticks = log_ticks(low, high)
    writes = {"B": format_bytes, "b/s": format_rate, "s": lambda seconds: format_time(1e6 * seconds)}
    write = writes.get(axis_of.get("ticksuffix"), format_number)
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


def _mark(layout, mark, number):
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


def _names_of_levels(panel):
    """[line] under the panel's title: the meaning of its dashed lines, each in its colour. In the panel they would
    cover curves, here or after a zoom."""
    levels = sorted((mark for mark in panel.marks if "along" in mark), key=lambda mark: mark["value"])
    lines, room = [], 0
    for mark, before in zip(levels, [None, *levels]):
        alike = commonprefix([mark["text"], before["text"]]) if before else ""
        # "lowest XOFF threshold 1.49 MB, 1.54 MB"
        words = mark["text"][alike.rfind(" ") + 1 :] if before else f"dashed: {mark['text']}"
        room -= len(words) + 2
        if room < 0:
            lines.append([])
            room = _PHONE - len(words)
        lines[-1].append(f'<span style="color:{mark["colour"]}">{escape(words)}</span>')
    return [", ".join(line) for line in lines]


def _title(text, levels, y):
    place = {"xref": "paper", "yref": "paper", "x": 0, "y": y, "xanchor": "left", "yanchor": "bottom"}
    small = [f'<span style="font-size:11px">{line}</span>' for line in levels]
    words = "<br>".join([f"<b>{escape(text)}</b>", *small])
    return {"text": words, **place, "align": "left", "showarrow": False, "font": {"size": 13}}


def _in_units(trace, which, factor):
    """The trace with its data along axis `which` multiplied by the factor."""
    if factor == 1:
        return trace
    found = dict(trace)
    for key in (which, "base"):
        if key in found and (key == which or found.get("orientation") == ("h" if which == "x" else "v")):
            found[key] = [None if v is None else _number(factor * v) for v in found[key]]
    error = found.get(f"error_{which}")
    if error:
        arrays = {key: numbers(factor * v for v in error[key]) for key in ("array", "arrayminus") if key in error}
        found[f"error_{which}"] = error | arrays
    return found


def _drawn(panel):
    """The panel in plotly.js' form: axes without additional members, and traces in their units."""
    factors = {"x": panel.x.get("of", 1), "y": panel.y.get("of", 1)}
    x, y = ({key: value for key, value in axis.items() if key != "of"} for axis in (panel.x, panel.y))
    traces = panel.traces
    for which, factor in factors.items():
        traces = [_in_units(trace, which, factor) for trace in traces]
    return Panel(panel.title, x, y, traces, panel.height, panel.marks)


def figure(panels, same_x=False):
    """{data, layout} for Plotly.newPlot. same_x: zooming one panel in time zooms all. A name in several panels has one
    entry in the legend, which shows and hides all of them. Panels without common names belong into separate figures,
    which have separate legends."""
    panels = [_drawn(panel) for panel in panels]
    shared = len(panels) if same_x else 0
    gaps = [_TIGHT if number < shared else _GAP for number in range(1, len(panels) + 1)]
    levels = [_names_of_levels(panel) for panel in panels]
    heads = [_HEAD + _LINE * len(lines) for lines in levels]
    total = sum(p.height + gap + head for p, gap, head in zip(panels, gaps, heads))
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
        top = 1 - (above + heads[number - 1]) / total
        domain = [top - panel.height / total, top]
        above += panel.height + gaps[number - 1] + heads[number - 1]
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
        layout["annotations"].append(_title(panel.title, levels[number - 1], top))
        layout["annotations"] += _row_names(panel, x, y)
        for mark in panel.marks:
            _mark(layout, mark, number)
        for trace in panel.traces:
            group = trace.get("legendgroup", trace["name"])
            shown = group not in named and trace.get("showlegend", True)
            if shown:
                named.add(group)
            data.append({**trace, "xaxis": x, "yaxis": y, "legendgroup": group, "showlegend": shown})
    layout["showlegend"] = len(named) > 1
    if len(named) > 1:
        # A legend reduces the room for the panels; on a phone every name takes a row.
        layout["height"] += 20 * len(named)
        layout["margin"]["t"] = 60
    return {"data": data, "layout": layout}
