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
_LEFT, _WIDTH = 0.95, 7.6
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


def sweep_plot(study):
    """None if no key has several values, or hardly any line would have points. The plot is also for a search, which
    draws its settings freely."""
    if not study.axes or study.is_search:
        return None
    axis = _main_axis(study)
    lines = _lines(study, axis)
    lines = dict(sorted(lines.items(), key=lambda item: -len(item[1])))
    if max(len(points) for points in lines.values()) < min(_FEWEST, len(axis.texts)):
        return None
    shown = dict(list(lines.items())[:_MOST_LINES])
    panels = panels_of(study, len(shown), _MOST_METRICS, _MOST_LINES)
    curves = curves_of(shown, panels)
    contents = [Content(panel, axis, curves, study.expected) for panel in panels]
    contents = [content for content in contents if content.drawn]
    if not contents:
        return None
    marks = [mark for content in contents for mark in content.marks]
    metrics = [metric for panel in panels for metric in panel.metrics.values()]
    notes = [(_seeds_note(shown, metrics), QUIET)]
    if len(lines) > len(shown):
        notes.append(
            (
                f"{len(shown)} of {len(lines)} combinations of the other settings. All are in study.sqlite.",
                QUIET,
            )
        )
    told = expected_marks.notes(study.expected, marks)
    notes += told
    legend = []
    if len(curves) > 1:
        legend = [
            (
                {"color": c.colour, "linestyle": c.dash if axis.numeric else "none", "marker": "o", "markersize": 4},
                shorten(c.name, 90),
            )
            for c in curves
            if c.name
        ]
    legend += expected_marks.legend(marks)
    named = [f"{name}: {text}" for name, key, text in study.named_values]
    named = [line for text in named for line in textwrap.wrap(text, 128, subsequent_indent="    ")]
    label_rows = max(label.count("\n") for label in _wrapped(axis).values())
    below = sum(content.height + 0.42 for content in contents) + 0.45 + 0.14 * label_rows
    if any(_is_bound(samples) for content in contents for _, samples, _ in content.drawn):
        notes.append(("△: a lower bound, where the percentile falls on an unfinished message.", QUIET))
    cut = any([content.scale(Figure().add_subplot()) for content in contents])
    if cut:
        notes.append(("▼ at the edge of a panel: the interval continues below.", QUIET))
    sheet = Sheet(
        f"{_HEADING}: {shorten(study.name, 48)}", notes, legend, below + (0.16 * len(named) + 0.15 if named else 0)
    )
    for number, line in enumerate(named):
        sheet.text(0.35, below + 0.16 * (number + 0.5), line, size=7.2, color=QUIET)
    rows, live_panels, top = [], [], 0.3
    for number, content in enumerate(contents):
        panel = sheet.axes(_LEFT, top, _WIDTH, content.height)
        top += content.height + 0.42
        panel.set_title(content.label)
        metric, traces, spots = content.metric, [], []
        for curve, samples, xs in content.drawn:
            x, y = np.array([s[0] for s in samples]), np.array([s[1] for s in samples]) * metric.scale
            half = np.array([s[2] or 0 for s in samples]) * metric.scale
            # There is no line between two categories.
            look = {"color": curve.colour, "linestyle": curve.dash if axis.numeric else "none", "linewidth": 1.4}
            panel.errorbar(xs, y, yerr=half, capsize=2.5, elinewidth=1, marker="o", markersize=4, **look)
            below = np.where(y > 0, np.minimum(half, y), half)  # the browser's panel begins at 0, too
            bounds = [s[4] for s in samples]
            panel.plot(xs[bounds], y[bounds], "^", color=curve.colour, markersize=7, markerfacecolor="white")
            spots.append((xs, y - half, curve.colour))
            # Expected values are at their line's position, which is not a value of the key.
            aside = not axis.numeric or content.marks
            trace = live.line(curve.name or "all", xs if aside else x, y, curve.colour, curve.dash)
            trace |= {
                "mode": "lines+markers" if axis.numeric else "markers",
                "error_y": {"type": "data", "symmetric": False, "array": live.numbers(half), "arrayminus": live.numbers(below), "width": 3},
            }
            if axis.numeric and content.marks:
                written = [(s[5], metric.write(s[1]), f" ± {metric.write(s[2])}" if s[2] else "") for s in samples]
                trace |= {"text": [f"{text}: {mean}{width}" for text, mean, width in written], "hoverinfo": "text+name"}
            traces.append(trace)
            for xv, mean, width, n, censored, text in samples:
                ends = ("", "") if width is None else (mean - width, mean + width)
                path = content.metrics[curve.workload].path
                rows.append([path, axis.title, text, curve.words, mean, *ends, n, int(censored)])
        if content.scale(panel):
            low = panel.get_ylim()[0]
            for xs, ends, colour in spots:
                panel.plot(xs[ends < low], np.full((ends < low).sum(), low), "v", color=colour, markersize=6, clip_on=False)
        is_log = panel.get_yscale() == "log"
        expected_marks.draw(panel, content.marks)
        traces += expected_marks.traces(content.marks, panel.get_ylim(), is_log)
        last = number == len(contents) - 1
        _ticks(panel, axis, last)
        if last:
            panel.set_xlabel(axis.title)
        labels = [_wrapped(axis)[t].replace("\n", "<br>") for t in _thinned(axis)]
        ticks = {"tickvals": live.numbers(axis.positions[t] for t in _thinned(axis)), "ticktext": labels}
        if not axis.numeric:
            ticks["range"] = [-0.5, len(axis.texts) - 0.5]
        y_axis = live.metric_axis(metric, "" if metric.is_time else metric.unit, log=is_log, rangemode="tozero")
        x_axis = live.axis(axis.title, log=axis.log, **ticks)
        live_panels.append(live.Panel(content.label, x_axis, y_axis, traces, round(116 * content.height)))
    caption = " ".join([f"Against {axis.title}.", *(text for text, _ in told)])
    tables = {"sweep": pd.DataFrame(rows, columns=COLUMNS)}
    if marks:
        tables["sweep-expected"] = pd.DataFrame(expected_marks.table_rows(marks, axis), columns=expected_marks.COLUMNS)
    return Plot(
        "sweep", _HEADING, caption, sheet.figure, tables, [], live=live.figure(live_panels, same_x=True)
    )
