"""Metrics of a study over the key with the most values, with a line for each setting of the others, and 95 %
intervals."""

import textwrap

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from headroom.plot.drawing import live
from headroom.plot.drawing.plot import Plot
from headroom.plot.drawing.style import QUIET, Sheet, shorten
from headroom.plot.figures import expected_marks
from headroom.plot.figures.sweep_contents import Content, curves_of
from headroom.plot.figures.sweep_panels import panels_of

_HEADING = "Metrics against settings"
_LEFT, _WIDTH, _GAP = 0.95, 7.6, 0.42
_MOST_LINES, _MOST_METRICS, _FEWEST = 7, 4, 3
COLUMNS = ["metric", "key", "value", "other_settings", "mean", "low_95", "high_95", "seeds", "censored"]


def _main_axis(study):
    return max(study.axes, key=lambda axis: (len(axis.texts), axis.numeric))


def _lines(study, axis):
    """{words of the other settings: {text of the value: point}}"""
    found = {}
    for point in study.points:
        if axis.key not in point.settings:
            continue
        words = study.settings_words(point, without=[axis])
        found.setdefault(words, {})[str(point.settings[axis.key])] = point
    return found


def _wrapped(axis):
    """{text: label in lines side by side under the axis}; numbers are not wrapped."""
    if axis.numeric:
        return {text: text for text in axis.texts}
    width = max(8, int(_WIDTH * 12.5 / len(axis.texts)) - 1)  # letters of 9 points
    return {text: textwrap.fill(axis.label(text), width) for text in axis.texts}


def _thinned(axis):
    """The values whose labels do not touch, from the first to the last; categories have all."""
    if not axis.numeric:
        return axis.texts
    first, last = axis.positions[axis.texts[0]], axis.positions[axis.texts[-1]]
    span = np.log(last / first) if axis.log else last - first
    letter = 0.085 / _WIDTH

    def ends(text):
        position = axis.positions[text]
        share = (np.log(position / first) if axis.log else position - first) / span if span else 0.0
        return share - letter * (len(text) / 2 + 0.7), share + letter * (len(text) / 2 + 0.7)

    kept = [axis.texts[0]]
    for text in axis.texts[1:-1]:
        if ends(kept[-1])[1] <= ends(text)[0] and ends(text)[1] <= ends(axis.texts[-1])[0]:
            kept.append(text)
    return kept + axis.texts[1:][-1:]


def _ticks(panel, axis, labelled):
    if axis.log:
        panel.set_xscale("log")
    places, labels = [axis.positions[t] for t in axis.texts], _wrapped(axis)
    shown = _thinned(axis)
    panel.set_xticks([axis.positions[t] for t in shown], [labels[t] if labelled else "" for t in shown])
    panel.set_xticks([], minor=True)
    if axis.log:
        margin = (places[-1] / places[0]) ** 0.04
        panel.set_xlim(places[0] / margin, places[-1] * margin)
    elif not axis.numeric:
        panel.set_xlim(-0.5, len(places) - 0.5)


def _is_bound(samples):
    return any(sample[4] for sample in samples)


def _seeds_note(lines, metrics):
    counts = {p.interval(m.path).n for points in lines.values() for p in points.values() for m in metrics if p.interval(m.path)}
    if counts <= {1}:
        return "One seed: no intervals."
    if len(counts) == 1:
        return f"Means over {max(counts)} seeds; bars: their 95 % intervals."
    alone = " Points without a bar have one seed." if 1 in counts else ""
    return f"Means over {min(counts)} to {max(counts)} seeds; bars: their 95 % intervals.{alone}"


def _contents(study):
    """(axis, lines, shown lines, curves, [Content]); None if no key has several values, or hardly any line would have
    points. The plot is also for a search, which draws its settings freely."""
    if not study.axes or study.is_search:
        return None
    axis = _main_axis(study)
    lines = dict(sorted(_lines(study, axis).items(), key=lambda item: -len(item[1])))
    if max(len(points) for points in lines.values()) < min(_FEWEST, len(axis.texts)):
        return None
    shown = dict(list(lines.items())[:_MOST_LINES])
    panels = panels_of(study, len(shown), _MOST_METRICS, _MOST_LINES)
    curves = curves_of(shown, panels)
    contents = [Content(panel, axis, curves, study.expected) for panel in panels]
    contents = [content for content in contents if content.drawn]
    return (axis, lines, shown, curves, contents) if contents else None


def _notes(axis, lines, shown, contents, about_marks):
    metrics = [metric for content in contents for metric in content.metrics.values()]
    notes = [(_seeds_note(shown, metrics), QUIET)]
    if len(lines) > len(shown):
        text = f"{len(shown)} of {len(lines)} combinations of the other settings. All are in study.sqlite."
        notes.append((text, QUIET))
    notes += about_marks
    if any(_is_bound(samples) for content in contents for _, samples, _ in content.drawn):
        notes.append(("△: a lower bound, where the percentile falls on an unfinished message.", QUIET))
    if any([content.scale(Figure().add_subplot()) for content in contents]):
        notes.append(("▼ at the edge of a panel: the interval continues below.", QUIET))
    return notes


def _legend(axis, curves, marks):
    legend = []
    if len(curves) > 1:
        looks = [{"color": c.colour, "linestyle": c.dash if axis.numeric else "none", "marker": "o", "markersize": 4} for c in curves]
        legend = [(look, shorten(curve.name, 90)) for look, curve in zip(looks, curves) if curve.name]
    return legend + expected_marks.legend(marks)


def _still_curve(panel, axis, content, curve, samples, xs):
    y, half = content.numbers(samples)
    # There is no line between two categories.
    look = {"color": curve.colour, "linestyle": curve.dash if axis.numeric else "none", "linewidth": 1.4}
    panel.errorbar(xs, y, yerr=half, capsize=2.5, elinewidth=1, marker="o", markersize=4, **look)
    bounds = [s[4] for s in samples]
    panel.plot(xs[bounds], y[bounds], "^", color=curve.colour, markersize=7, markerfacecolor="white")


def _still_panel(panel, axis, content, last):
    panel.set_title(content.label)
    for drawn in content.drawn:
        _still_curve(panel, axis, content, *drawn)
    if content.scale(panel):
        low = panel.get_ylim()[0]
        for curve, samples, xs in content.drawn:
            y, half = content.numbers(samples)
            below = y - half < low
            panel.plot(xs[below], np.full(below.sum(), low), "v", color=curve.colour, markersize=6, clip_on=False)
    expected_marks.draw(panel, content.marks)
    _ticks(panel, axis, last)
    if last:
        panel.set_xlabel(axis.title)


def _live_curve(axis, content, curve, samples, xs):
    y, half = content.numbers(samples)
    below = np.where(y > 0, np.minimum(half, y), half)  # the panel begins at 0, as the still one does
    # Expected values are at their line's position, which is not a value of the key.
    aside = not axis.numeric or content.marks
    trace = live.line(curve.name or "all", xs if aside else [s[0] for s in samples], y, curve.colour, curve.dash)
    ends = {"array": live.numbers(half), "arrayminus": live.numbers(below)}
    trace["mode"] = "lines+markers" if axis.numeric else "markers"
    trace["error_y"] = {"type": "data", "symmetric": False, **ends, "width": 3}
    if axis.numeric and content.marks:
        write = content.metric.write
        written = [(s[5], write(s[1]), f" ± {write(s[2])}" if s[2] else "") for s in samples]
        trace |= {"text": [f"{text}: {mean}{width}" for text, mean, width in written], "hoverinfo": "text+name"}
    return trace


def _live_panel(axis, content, still):
    """`still`: the panel of the still picture, whose scale this one has."""
    is_log = still.get_yscale() == "log"
    traces = [_live_curve(axis, content, *drawn) for drawn in content.drawn]
    traces += expected_marks.traces(content.marks, still.get_ylim(), is_log)
    labels = [_wrapped(axis)[t].replace("\n", "<br>") for t in _thinned(axis)]
    ticks = {"tickvals": live.numbers(axis.positions[t] for t in _thinned(axis)), "ticktext": labels}
    if not axis.numeric:
        ticks["range"] = [-0.5, len(axis.texts) - 0.5]
    metric = content.metric
    y_axis = live.metric_axis(metric, "" if metric.is_time else metric.unit, log=is_log, rangemode="tozero")
    x_axis = live.axis(axis.title, log=axis.log, **ticks)
    return live.Panel(content.label, x_axis, y_axis, traces, round(116 * content.height))


def _table(axis, contents):
    rows = []
    for content in contents:
        for curve, samples, _ in content.drawn:
            path = content.metrics[curve.workload].path
            for _, mean, width, n, censored, text in samples:
                ends = ("", "") if width is None else (mean - width, mean + width)
                rows.append([path, axis.title, text, curve.words, mean, *ends, n, int(censored)])
    return pd.DataFrame(rows, columns=COLUMNS)


def sweep_plot(study):
    """None if there is nothing to draw."""
    found = _contents(study)
    if found is None:
        return None
    axis, lines, shown, curves, contents = found
    marks = [mark for content in contents for mark in content.marks]
    about_marks = expected_marks.notes(study.expected, marks)
    named = [f"{name}: {text}" for name, key, text in study.named_values]
    named = [line for text in named for line in textwrap.wrap(text, 128, subsequent_indent="    ")]
    label_rows = max(label.count("\n") for label in _wrapped(axis).values())
    below = sum(content.height + _GAP for content in contents) + 0.45 + 0.14 * label_rows
    notes, height = _notes(axis, lines, shown, contents, about_marks), below + (0.16 * len(named) + 0.15 if named else 0)
    sheet = Sheet(f"{_HEADING}: {shorten(study.name, 48)}", notes, _legend(axis, curves, marks), height)
    for number, line in enumerate(named):
        sheet.text(0.35, below + 0.16 * (number + 0.5), line, size=7.2, color=QUIET)
    live_panels, top = [], 0.3
    for content in contents:
        panel = sheet.axes(_LEFT, top, _WIDTH, content.height)
        top += content.height + _GAP
        _still_panel(panel, axis, content, content is contents[-1])
        live_panels.append(_live_panel(axis, content, panel))
    caption = " ".join([f"Against {axis.title}.", *(text for text, _ in about_marks)])
    tables = {"sweep": _table(axis, contents)}
    if marks:
        tables["sweep-expected"] = pd.DataFrame(expected_marks.table_rows(marks, axis), columns=expected_marks.COLUMNS)
    return Plot("sweep", _HEADING, caption, sheet.figure, tables, [], live=live.figure(live_panels, same_x=True))
