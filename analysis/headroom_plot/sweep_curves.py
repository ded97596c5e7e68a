"""Metrics of a study against the key with the most values, a line for each setting of the others, with 95 % intervals."""

import numpy as np
import pandas as pd

from . import live
from .metric_words import metric_of
from .plot import Plot
from .quantities import format_number
from .style import QUIET, Sheet, colours, dashes, shorten
from .ticks import log_ticks

_HEADING = "Metrics against settings"
_LEFT, _WIDTH, _HEIGHT = 0.95, 7.6, 1.9
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
        others = [
            (a, str(point.settings[a.key])) for a in study.axes if a is not axis and a.key in point.settings
        ]
        words = ", ".join(f"{a.key.rpartition('.')[2]} {text}" for a, text in others)
        found.setdefault(words, {})[str(point.settings[axis.key])] = point
    return found


def _samples(axis, points, metric):
    """[(x, mean, half width or None, n, censored, text)] in order."""
    out = []
    for text in axis.texts:
        point = points.get(text)
        interval = point.interval(metric) if point else None
        if interval is not None:
            out.append(
                (axis.at[text], interval.mean, interval.half_width, interval.n, point.censored(metric), text)
            )
    return out


def _ticks(panel, axis, labelled):
    if axis.log:
        panel.set_xscale("log")
    places = [axis.at[t] for t in axis.texts]
    shown = list(zip(places, axis.texts))
    if len(shown) > 9:
        shown = shown[:: -(-len(shown) // 9)]
    panel.set_xticks([x for x, _ in shown], [t for _, t in shown] if labelled else [""] * len(shown))
    panel.set_xticks([], minor=True)
    if axis.log:
        margin = (places[-1] / places[0]) ** 0.04
        panel.set_xlim(places[0] / margin, places[-1] * margin)


def _scale(panel, samples, metric):
    values = [
        v
        for s in samples
        for _, mean, half, *_ in s
        for v in (mean * metric.scale, (mean + (half or 0)) * metric.scale)
    ]
    positive = [v for v in values if v > 0]
    if positive and len(positive) == len(values) and max(positive) / min(positive) > 20:
        low, high = min(positive) / 1.3, max(positive) * 1.3
        panel.set_yscale("log")
        panel.set_ylim(low, high)
        ticks = log_ticks(low, high)
        panel.set_yticks(ticks, [format_number(t) for t in ticks])
        panel.set_yticks([], minor=True)
    else:
        panel.set_ylim(0, 1.08 * max(values + [1e-9]))
        panel.yaxis.set_major_formatter(lambda value, _: format_number(value))


def sweep_plot(study):
    """None where no key has several values, or hardly a line would have points: a search draws its settings freely."""
    if not study.axes or not study.metrics:
        return None
    axis = _main_axis(study)
    lines = _lines(study, axis)
    lines = dict(sorted(lines.items(), key=lambda item: -len(item[1])))
    if max(len(points) for points in lines.values()) < min(_FEWEST, len(axis.texts)):
        return None
    shown = dict(list(lines.items())[:_MOST_LINES])
    metrics = [metric_of(m) for m in study.metrics[:_MOST_METRICS]]
    notes = [(f"Means over {len(study.seeds)} seeds; bars: their 95 % intervals.", QUIET)]
    if len(study.seeds) < 2:
        notes = [("One seed: no intervals.", QUIET)]
    if len(lines) > len(shown):
        notes.append(
            (
                f"{len(shown)} of {len(lines)} combinations of the other settings. All are in study.sqlite.",
                QUIET,
            )
        )
    looks = list(zip(shown, colours(len(shown)), map(dashes, range(len(shown)))))
    legend = []
    if len(shown) > 1:
        legend = [
            ({"color": c, "linestyle": d, "marker": "o", "markersize": 4}, shorten(w, 90))
            for w, c, d in looks
        ]
    sheet = Sheet(
        f"{_HEADING}: {shorten(study.name, 48)}", notes, legend, (_HEIGHT + 0.42) * len(metrics) + 0.45
    )
    rows, panels = [], []
    for number, metric in enumerate(metrics):
        panel = sheet.axes(_LEFT, 0.3 + (_HEIGHT + 0.42) * number, _WIDTH, _HEIGHT)
        panel.set_title(metric.label)
        drawn, traces = [], []
        # Intervals at one value would hide one another: lines stand a little apart.
        for place, (words, colour, dash) in enumerate(looks):
            samples = _samples(axis, shown[words], metric.path)
            if not samples:
                continue
            drawn.append(samples)
            x, y = np.array([s[0] for s in samples]), np.array([s[1] for s in samples]) * metric.scale
            half = np.array([s[2] or 0 for s in samples]) * metric.scale
            step = (place - (len(looks) - 1) / 2) * 0.006
            span = axis.at[axis.texts[-1]] - axis.at[axis.texts[0]]
            ratio = axis.at[axis.texts[-1]] / axis.at[axis.texts[0]] if axis.log else 1
            at = x * ratio**step if axis.log else x + span * step
            look = {"color": colour, "linestyle": dash, "linewidth": 1.4, "marker": "o", "markersize": 4}
            panel.errorbar(at, y, yerr=half, capsize=2.5, elinewidth=1, **look)
            trace = live.line(words or "all", x, y, colour, dash)
            trace |= {
                "mode": "lines+markers",
                "error_y": {"type": "data", "array": live.numbers(half), "width": 3},
            }
            traces.append(trace)
            for xv, mean, width, n, censored, text in samples:
                ends = ("", "") if width is None else (mean - width, mean + width)
                rows.append([metric.path, axis.key, text, words, mean, *ends, n, int(censored)])
        _scale(panel, drawn, metric)
        last = number == len(metrics) - 1
        _ticks(panel, axis, last)
        if last:
            panel.set_xlabel(axis.key)
        ticks = {"tickvals": live.numbers(axis.at[t] for t in axis.texts), "ticktext": axis.texts}
        y_axis = live.axis(metric.unit or "", log=panel.get_yscale() == "log", rangemode="tozero")
        panels.append(
            live.Panel(metric.label, live.axis(axis.key, log=axis.log, **ticks), y_axis, traces, 220)
        )
    caption = f"Means over the seeds against {axis.key}, with 95 % intervals."
    table = pd.DataFrame(rows, columns=COLUMNS)
    return Plot(
        "sweep", _HEADING, caption, sheet.figure, {"sweep": table}, [], live=live.figure(panels, same_x=True)
    )
