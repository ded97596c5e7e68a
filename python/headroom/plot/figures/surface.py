"""Response surfaces: a metric over two keys, as a grid of cells if every pair of values ran, else as points."""

import itertools
import textwrap
from html import escape

import numpy as np
import pandas as pd
from matplotlib.colors import LogNorm
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator

from headroom.format import parse_any
from headroom.interval import Interval
from headroom.metrics import metric_of
from headroom.plot.drawing import live
from headroom.plot.drawing.colour_scale import colour_norm, extend_of, is_beyond
from headroom.plot.drawing.plot import Plot, notes_of_names
from headroom.plot.drawing.style import COLOURS, QUIET, Sheet, shorten
from headroom.plot.drawing.ticks import log_axis, log_ticks
from headroom.scenario import Scenario

_HEADING = "Response surfaces"
_SIZE, _PITCH, _MOST, _MOST_METRICS = 3.0, 4.35, 4, 4
_LETTER, _LINE = 0.085, 0.145  # inches for the labels of values
_BEYOND = COLOURS[1]  # the outline of values beyond the scale of colours
_MAP = "cividis"  # every reader sees the same order of lightness
COLUMNS = ["metric", "x_key", "x", "y_key", "y", "other_settings", "mean", "half_width_95", "seeds"]


_OF_ESTIMATES = (
    "Each point is one setting; its colour is the value that all runs together predict for a full run. Single runs would show "
    "their seeds more than their settings."
)
_OF_SHORT_RUNS = (
    "Each point is one setting, in a run of a part of the duration: most settings had no other. Seeds take turns, so a part of "
    "the differences between neighbours comes from seeds."
)


class _Estimate:
    """A setting with the value of each objective that a search expects: {metric: value}."""

    def __init__(self, settings, expected):
        self.settings, self._expected = settings, expected

    def interval(self, metric):
        value = self._expected.get(metric)
        return None if value is None else Interval(value, None, 0)


def _estimates(study):
    """[_Estimate] of all settings that a search examined; empty if its answer has none."""
    answer = study.answer or {}
    objectives = [objective["metric"] for objective in answer.get("objectives", [])]
    trials = [trial for trial in answer.get("trials", []) if trial.get("expected")]
    return [_Estimate(trial["settings"], dict(zip(objectives, trial["expected"]))) for trial in trials]


def _points(study):
    """(points, their description, for a search). A sweep has its full runs, a search its estimates of its settings. If
    its answer does not have these, full or shortened runs, whichever are many more."""
    full = [p for p in study.points if p.settings]
    estimates = _estimates(study)
    if len(estimates) >= max(3, len(study.short) // 2):
        return estimates, _OF_ESTIMATES
    return (study.short, _OF_SHORT_RUNS) if len(study.short) > 2 * len(full) else (full, "")


def _pairs(study):
    """The two keys with the most values first."""
    numeric = sorted(study.axes, key=lambda a: -len(a.texts))
    return list(itertools.combinations(numeric, 2))


def _panels(study, points, metric):
    """[(x axis, y axis, words of the other settings, points)]"""
    pairs = _pairs(study)
    if not pairs:
        return []
    x, y = pairs[0]
    grid = {}
    for point in points:
        if x.key in point.settings and y.key in point.settings:
            words = study.settings_words(point, without=[x, y])
            grid.setdefault(words, []).append(point)
    if all(len(found) == len(x.texts) * len(y.texts) for found in grid.values()):
        return [(x, y, words, found) for words, found in grid.items()]
    # Settings were drawn freely: every pair of keys is possible, with all points in each.
    found = [p for p in points if p.interval(metric) is not None]
    return [(x, y, "", [p for p in found if x.key in p.settings and y.key in p.settings]) for x, y in pairs]


_LOOKS = {  # role: colour, marker here, and in a browser, size
    "recommended": (COLOURS[1], "*", "star", 13),
    "baseline": ("#000000", "D", "diamond", 7),
}


class _Role:
    """A setting with a name, and its position on a pair of axes."""

    def __init__(self, study, role, point):
        self.role, self._settings, self._scenario = role, point.settings, None
        result = next((run.path for run in point.runs.values() if run.path), None)
        if result:
            self._scenario = Scenario(study.path / result / "resolved.yaml")

    def text(self, axis):
        """Its value of the axis' key, or None: the scenario's if the setting does not set it."""
        if axis.key in self._settings:
            return str(self._settings[axis.key])
        text = self._scenario and self._scenario.value(axis.key)
        number = parse_any(text) if text and axis.numeric else None
        return next((t for t in axis.texts if number and axis.positions[t] == number[0]), text)

    def place(self, axis):
        """The number on the axis, or None."""
        text = self.text(axis)
        if text in axis.positions:
            return axis.positions[text]
        number = parse_any(text) if text and axis.numeric else None
        return number[0] if number and (number[0] > 0 or not axis.log) else None


def _roles(study):
    """[_Role] of the setting that `tune` found, and of the one that it was compared with, which may be the recommended
    one."""
    out = [_Role(study, "baseline", point) for point in study.points if study.is_baseline(point)]
    others = [point for point in study.points if study.is_recommended(point) and not study.is_baseline(point)]
    return out + [_Role(study, "recommended", point) for point in others]


def _x_labels(axis):
    """(labels, their rotation, inches that they take below the panel)"""
    room = _SIZE / len(axis.texts)
    labels = [axis.label(t) for t in axis.texts]
    wrapped = [textwrap.fill(label, 16 if axis.numeric else max(8, int(room / _LETTER))) for label in labels]
    if max(_LETTER * len(line) for text in wrapped for line in text.split("\n")) <= room and max(t.count("\n") for t in wrapped) < 5:
        return wrapped, 0, _LINE * (1 + max(text.count("\n") for text in wrapped))
    turned = [shorten(label, 22) for label in labels]
    return turned, 90, _LETTER * max(map(len, turned))


def _y_labels(axis):
    """(labels, their rotation): names are along the axis if there is room for them."""
    room = _SIZE / len(axis.texts)
    labels = [axis.label(t) for t in axis.texts]
    if axis.numeric or room < 8 * _LETTER:
        return [shorten(label, 9 if axis.numeric else 7) for label in labels], {}
    letters = int(room / _LETTER)
    lines = [textwrap.wrap(shorten(label, 2 * letters - 2), letters)[:2] for label in labels]
    return ["\n".join(parts) for parts in lines], {"rotation": 90, "va": "center"}


def _ticks(panel, which, axis, name):
    """The values themselves, at equal distances."""
    if which == "x":
        labels, turned, _ = _x_labels(axis)
        panel.set_xticks(range(len(axis.texts)), labels, rotation=turned)
    else:
        labels, look = _y_labels(axis)
        panel.set_yticks(range(len(axis.texts)), labels, **look)
    getattr(panel, f"set_{which}label")(name)


def _scale(panel, which, axis, name):
    """An axis of values that were drawn freely."""
    panel.tick_params(axis=which, labelsize=8)
    low, high = axis.positions[axis.texts[0]], axis.positions[axis.texts[-1]]
    if axis.log:
        margin = (high / low) ** 0.05
        log_axis(panel, which, low / margin, high * margin, axis.write)
    elif axis.numeric:
        found = panel.xaxis if which == "x" else panel.yaxis
        found.set_major_locator(MaxNLocator(5))
        found.set_major_formatter(FuncFormatter(lambda value, _: axis.write(value)))
    else:
        return _ticks(panel, which, axis, name)
    getattr(panel, f"set_{which}label")(name)


def _cells(panel, x, y, points, metric, norm, names):
    """A grid of equal cells, each with its number."""
    values = np.full((len(y.texts), len(x.texts)), np.nan)
    for point in points:
        interval = point.interval(metric.path)
        if interval is not None:
            cell = y.texts.index(str(point.settings[y.key])), x.texts.index(str(point.settings[x.key]))
            values[cell] = interval.mean * metric.scale
    image = panel.imshow(values, origin="lower", aspect="auto", cmap=_MAP, norm=norm)
    for (row, column), value in np.ndenumerate(values):
        if np.isfinite(value):
            dark = norm(value) < 0.55
            panel.text(
                column,
                row,
                metric.tick(value),
                ha="center",
                va="center",
                fontsize=min(7.5, 45 / len(x.texts)),
                color="white" if dark else "black",
            )
            if is_beyond(norm, value):
                look = {"fill": False, "edgecolor": _BEYOND, "linewidth": 2.2, "zorder": 3}
                panel.add_patch(Rectangle((column - 0.44, row - 0.44), 0.88, 0.88, **look))
    panel.grid(False)
    _ticks(panel, "x", x, names[x.key])
    _ticks(panel, "y", y, names[y.key])
    return image


def _scatter(panel, x, y, points, metric, norm, names):
    spots = [
        (x.positions[str(p.settings[x.key])], y.positions[str(p.settings[y.key])], p.interval(metric.path).mean)
        for p in points
    ]
    _scale(panel, "x", x, names[x.key])
    _scale(panel, "y", y, names[y.key])
    far = [is_beyond(norm, a[2] * metric.scale) for a in spots]
    edges = [_BEYOND if beyond else "#555555" for beyond in far]
    look = {"cmap": _MAP, "norm": norm, "edgecolors": edges, "linewidths": [2 if beyond else 0.4 for beyond in far], "s": 26}
    return panel.scatter([a[0] for a in spots], [a[1] for a in spots], c=[a[2] * metric.scale for a in spots], **look)


def _mark(panel, x, y, full, roles):
    """The settings that have names, if they have a position here. REQUIRES: the panel has its limits, which widen for
    them."""
    for role in roles:
        colour, marker, _, size = _LOOKS[role.role]
        if full:
            texts = role.text(x), role.text(y)
            spot = [a.texts.index(t) if t in a.texts else None for a, t in zip((x, y), texts)]
            spot = [None if place is None else place + 0.3 for place in spot]  # next to the number
        else:
            spot = [role.place(x), role.place(y)]
        if None in spot:
            continue
        if not full:
            for place, limits, widen in zip(spot, (panel.get_xlim(), panel.get_ylim()), (panel.set_xlim, panel.set_ylim)):
                widen(min(limits[0], 0.95 * place), max(limits[1], 1.05 * place))
        panel.plot(*[[place] for place in spot], marker, color=colour, markersize=size, markeredgecolor="white", zorder=5)


def _live_marks(x, y, full, roles):
    """Traces of these settings."""
    traces = []
    for role in roles:
        colour, _, symbol, size = _LOOKS[role.role]
        texts = role.text(x), role.text(y)
        if full:
            spot = [[a.label(t)] if t in a.texts else None for a, t in zip((x, y), texts)]
        else:
            spot = [None if (place := role.place(a)) is None else live.numbers([place]) for a in (x, y)]
        if None not in spot:
            told = escape(f"{role.role}: {x.label(texts[0])}, {y.label(texts[1])}")
            look = {"color": colour, "symbol": symbol, "size": size + 2, "line": {"color": "#fff", "width": 1}}
            mark = {"type": "scatter", "mode": "markers", "name": role.role, "x": spot[0], "y": spot[1], "marker": look}
            traces.append(mark | {"text": [told], "hoverinfo": "text"})
    return traces


def _live_beyond(places, means, told, norm):
    """[trace] that outlines values beyond the scale of colours."""
    far = [i for i, mean in enumerate(means) if is_beyond(norm, mean)]
    if not far:
        return []
    marker = {"color": _BEYOND, "symbol": "square-open", "size": 16, "line": {"width": 2.5}}
    trace = {"type": "scatter", "mode": "markers", "name": "beyond the scale", "marker": marker, "hoverinfo": "text"}
    return [trace | {"x": [places[i][0] for i in far], "y": [places[i][1] for i in far], "text": [told[i] for i in far]}]


def _live_axis(axis, name):
    if not axis.numeric:
        ticks = {"tickvals": live.numbers(axis.positions[t] for t in axis.texts), "ticktext": list(map(axis.label, axis.texts))}
        return live.axis(name, **ticks)
    low, high = axis.positions[axis.texts[0]], axis.positions[axis.texts[-1]]
    ticks = log_ticks(low, high) if axis.log else MaxNLocator(5).tick_values(low, high)
    return live.axis(name, log=axis.log, tickvals=live.numbers(ticks), ticktext=[axis.write(t) for t in ticks])


def _live(shown, metric, norm, names, roles):
    """Cells or points as in the still picture, on one scale of colours."""
    log = isinstance(norm, LogNorm)
    factor = 1e-6 if metric.is_time else 1  # in seconds, to which plotly.js adds prefixes
    panels = []
    for x, y, words, points in shown:
        points = [p for p in points if p.interval(metric.path) is not None]
        means = [p.interval(metric.path).mean * metric.scale for p in points]
        shades = live.numbers(np.log10(means) if log else np.array(means) * factor)
        values = [(str(p.settings[x.key]), str(p.settings[y.key])) for p in points]
        places = [(x.label(a), y.label(b)) for a, b in values]
        told = [escape(f"{a}, {b}: ") + metric.write(m / metric.scale) for (a, b), m in zip(places, means)]
        full = len(points) == len(x.texts) * len(y.texts)
        if full:
            xs, ys = zip(*places)
            trace = {
                "type": "heatmap",
                "name": metric.words,
                "x": xs,
                "y": ys,
                "z": shades,
                "coloraxis": "coloraxis",
            }
            axes = [live.axis(names[a.key], categoryarray=list(map(a.label, a.texts))) | {"type": "category"} for a in (x, y)]
        else:
            trace = live.points(
                metric.words, [x.positions[a] for a, _ in values], [y.positions[b] for _, b in values], "", size=10
            )
            trace["marker"] |= {"color": shades, "coloraxis": "coloraxis"}
            axes = [_live_axis(x, names[x.key]), _live_axis(y, names[y.key])]
        trace |= {"text": told, "hoverinfo": "text", "showlegend": False}
        spots = places if full else list(zip(trace["x"], trace["y"]))
        traces = [trace, *_live_beyond(spots, means, told, norm), *_live_marks(x, y, full, roles)]
        panels.append(live.Panel(", ".join(filter(None, (metric.label, words))), *axes, traces, 300))
    found = live.figure(panels)
    bar = {"thickness": 10, "lenmode": "pixels", "len": 320, "y": 1, "yanchor": "top", "outlinewidth": 0}
    if log:
        ticks = log_ticks(norm.vmin, norm.vmax)
        bar |= {"tickvals": live.numbers(np.log10(ticks)), "ticktext": [metric.tick(t) for t in ticks]}
    elif metric.is_time:
        bar |= {"tickformat": "~s", "ticksuffix": "s"}
    ends = live.numbers(np.log10([norm.vmin, norm.vmax]) if log else [factor * norm.vmin, factor * norm.vmax])
    found["layout"]["coloraxis"] = {
        "colorscale": "Cividis",
        "cmin": ends[0],
        "cmax": ends[1],
        "colorbar": bar,
    }
    return found


def surface_plots(study):
    """A plot of each objective, or of each metric that the sweep was asked for, without either of the first metric; none
    if fewer than two keys have several values."""
    points, what = _points(study)
    metrics = [m for m in study.metrics if any(p.interval(m) is not None for p in points)]
    asked = [m for m in metrics if m in study.asked] or metrics[:1]
    several = len(asked) > 1
    found = [
        _plot(study, metric_of(metric), points, what, f"surface-{number}" if number > 1 else "surface", several)
        for number, metric in enumerate(asked[:_MOST_METRICS], 1)
    ]
    return [plot for plot in found if plot is not None]


def _notes(study, metric, values, norm, what, found, shown, roles):
    notes = [f"{metric.label}: dark is less."]
    far = [value for value in values if is_beyond(norm, value)]
    if far:
        ends = " and ".join(metric.write(value / metric.scale) for value in sorted({min(far), max(far)}))
        notes.append(f"Outlined: values beyond the colour scale; a larger scale would make all other points alike ({ends}).")
    notes += [what] if what else []
    if len(found) > len(shown):
        notes.append(f"{len(shown)} of {len(found)} panels. All settings are in study.sqlite.")
    notes = [(text, QUIET) for text in notes] + notes_of_names(study)
    for role in roles:
        axes = dict.fromkeys(axis for x, y, *_ in shown for axis in (x, y))
        lacks = [study.short_keys[axis.key] for axis in axes if role.place(axis) is None]
        if lacks:
            notes.append((f"The {role.role} has no {' nor '.join(lacks)}: it has no place there.", QUIET))
    return notes


def _still(sheet, shown, metric, norm, values, names, roles, pitch):
    image = None
    for number, (x, y, words, some) in enumerate(shown):
        left, top = 0.95 + _PITCH * (number % 2), 0.3 + pitch * (number // 2)
        panel = sheet.axes(left, top, _SIZE, _SIZE)
        panel.set_title(shorten(words, 44))
        full = len(some) == len(x.texts) * len(y.texts)
        image = (_cells if full else _scatter)(panel, x, y, some, metric, norm, names)
        _mark(panel, x, y, full, roles)
    bar = sheet.axes(0.95, pitch * -(-len(shown) // 2) + 0.05, 7.35, 0.13)
    sheet.figure.colorbar(image, cax=bar, orientation="horizontal", extend=extend_of(norm, values), format=lambda v, _: metric.tick(v))
    bar.set_xlabel(metric.label)


def _table(shown, metric):
    rows = []
    for x, y, words, some in shown:
        for p in some:
            interval = p.interval(metric.path)
            if interval:
                half = "" if interval.half_width is None else interval.half_width
                places = [x.title, p.settings[x.key], y.title, p.settings[y.key]]
                rows.append([metric.path, *places, words, interval.mean, half, interval.n or ""])
    return pd.DataFrame(rows, columns=COLUMNS)


def _plot(study, metric, points, what, stem, several):
    found = _panels(study, points, metric.path)
    shown = [panel for panel in found if panel[3]][:_MOST]
    if not shown:
        return None
    intervals = [p.interval(metric.path) for *_, some in shown for p in some]
    values = [interval.mean * metric.scale for interval in intervals if interval]
    norm, names, roles = colour_norm(values), study.short_keys, _roles(study)
    placed = [r.role for r in roles if any(None not in (r.place(x), r.place(y)) for x, y, *_ in shown)]
    legend = [({"color": _LOOKS[role][0], "marker": _LOOKS[role][1], "markersize": 8, "linestyle": "none"}, role) for role in placed]
    pitch = _SIZE + 0.8 + max(_x_labels(x)[2] for x, *_ in shown)
    notes = _notes(study, metric, values, norm, what, found, shown, roles)
    sheet = Sheet(f"{_HEADING}: {shorten(study.name, 48)}", notes, legend, pitch * -(-len(shown) // 2) + 0.75)
    _still(sheet, shown, metric, norm, values, names, roles, pitch)
    axes = dict.fromkeys(axis for x, y, *_ in shown for axis in (x, y))
    told = ", ".join(f"{names[axis.key]} ({axis.title})" for axis in axes)
    caption = f"{metric.label} over pairs of settings: {told}."
    heading = f"{_HEADING}: {metric.words}" if several else _HEADING
    tables = {stem: _table(shown, metric)}
    return Plot(stem, heading, caption, sheet.figure, tables, [], live=_live(shown, metric, norm, names, roles))
