"""Metrics of a study against the key with the most values, a line for each setting of the others, with 95 % intervals."""

import textwrap

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from headroom.format import format_number
from headroom.metrics import metric_of
from headroom.plot.drawing import live
from headroom.plot.drawing.plot import Plot
from headroom.plot.drawing.style import QUIET, Sheet, colours, dashes, shorten
from headroom.plot.drawing.ticks import log_ticks

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
        words = study.settings_words(point, without=[axis])
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


def _wrapped(axis):
    """{text: label in lines that stand beside one another under the axis}; numbers stay on one line."""
    if axis.numeric:
        return {text: text for text in axis.texts}
    width = max(8, int(_WIDTH * 12.5 / len(axis.texts)) - 1)  # letters of 9 points
    return {text: textwrap.fill(axis.label(text), width) for text in axis.texts}


def _thinned(axis):
    """Those values whose labels do not meet, from the first to the last; categories all."""
    if not axis.numeric:
        return axis.texts
    first, last = axis.at[axis.texts[0]], axis.at[axis.texts[-1]]
    span = np.log(last / first) if axis.log else last - first
    letter = 0.085 / _WIDTH

    def ends(text):
        at = axis.at[text]
        share = (np.log(at / first) if axis.log else at - first) / span if span else 0.0
        return share - letter * (len(text) / 2 + 0.7), share + letter * (len(text) / 2 + 0.7)

    kept = [axis.texts[0]]
    for text in axis.texts[1:-1]:
        if ends(kept[-1])[1] <= ends(text)[0] and ends(text)[1] <= ends(axis.texts[-1])[0]:
            kept.append(text)
    return kept + axis.texts[1:][-1:]


def _ticks(panel, axis, labelled):
    if axis.log:
        panel.set_xscale("log")
    places, labels = [axis.at[t] for t in axis.texts], _wrapped(axis)
    shown = _thinned(axis)
    panel.set_xticks([axis.at[t] for t in shown], [labels[t] if labelled else "" for t in shown])
    panel.set_xticks([], minor=True)
    if axis.log:
        margin = (places[-1] / places[0]) ** 0.04
        panel.set_xlim(places[0] / margin, places[-1] * margin)
    elif not axis.numeric:
        panel.set_xlim(-0.5, len(places) - 0.5)


def _scale(panel, samples, metric):
    """Logarithmic where means differ much. True where an interval then goes on below the panel."""
    means = [mean * metric.scale for s in samples for _, mean, *_ in s]
    values = [(mean + sign * (half or 0)) * metric.scale for s in samples for _, mean, half, *_ in s for sign in (-1, 1)]
    if min(means) > 0 and max(values) / min(means) > 20:
        low, high = max(min(means) / 4, min([v for v in values if v > 0] + means)) / 1.3, max(values) * 1.3
        panel.set_yscale("log")
        panel.set_ylim(low, high)
        ticks = log_ticks(low, high)
        panel.set_yticks(ticks, [format_number(t) for t in ticks])
        panel.set_yticks([], minor=True)
        return min(values) < low
    # An interval by Student's t may reach below 0 though the metric cannot.
    panel.set_ylim(1.08 * min(values + [0]), 1.08 * max(values + [1e-9]))
    panel.yaxis.set_major_formatter(lambda value, _: format_number(value).replace("-", "−"))
    return False


def _all_samples(axis, lines, metric):
    return [found for points in lines.values() if (found := _samples(axis, points, metric.path))]


def _is_bound(samples):
    return any(sample[4] for sample in samples)


def _seeds_note(lines, metrics):
    counts = {p.interval(m.path).n for points in lines.values() for p in points.values() for m in metrics if p.interval(m.path)}
    if counts <= {1}:
        return "One seed: no intervals."
    if len(counts) == 1:
        return f"Means over {max(counts)} seeds; bars: their 95 % intervals."
    alone = " Without a bar: one seed." if 1 in counts else ""
    return f"Means over {min(counts)} to {max(counts)} seeds; bars: their 95 % intervals.{alone}"


def sweep_plot(study):
    """None where no key has several values, or hardly a line would have points, and of a search, which draws its settings
    freely."""
    if not study.axes or not study.metrics or study.is_search:
        return None
    axis = _main_axis(study)
    lines = _lines(study, axis)
    lines = dict(sorted(lines.items(), key=lambda item: -len(item[1])))
    if max(len(points) for points in lines.values()) < min(_FEWEST, len(axis.texts)):
        return None
    shown = dict(list(lines.items())[:_MOST_LINES])
    metrics = [metric_of(m) for m in study.metrics[:_MOST_METRICS]]
    notes = [(_seeds_note(shown, metrics), QUIET)]
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
            ({"color": c, "linestyle": d if axis.numeric else "none", "marker": "o", "markersize": 4}, shorten(w, 90))
            for w, c, d in looks
        ]
    named = [f"{name}: {text}" for name, key, text in study.named_values]
    named = [line for text in named for line in textwrap.wrap(text, 128, subsequent_indent="    ")]
    label_rows = max(label.count("\n") for label in _wrapped(axis).values())
    below = (_HEIGHT + 0.42) * len(metrics) + 0.45 + 0.14 * label_rows
    if any(_is_bound(samples) for words in shown for m in metrics for samples in [_samples(axis, shown[words], m.path)]):
        notes.append(("△: a lower bound, where the percentile falls on an unfinished message.", QUIET))
    cut = any(_scale(Figure().add_subplot(), _all_samples(axis, shown, m), m) for m in metrics)
    if cut:
        notes.append(("▼ at the edge of a logarithmic panel: the interval goes on below.", QUIET))
    sheet = Sheet(
        f"{_HEADING}: {shorten(study.name, 48)}", notes, legend, below + (0.16 * len(named) + 0.15 if named else 0)
    )
    for number, line in enumerate(named):
        sheet.text(0.35, below + 0.16 * (number + 0.5), line, size=7.2, color=QUIET)
    rows, panels = [], []
    for number, metric in enumerate(metrics):
        panel = sheet.axes(_LEFT, 0.3 + (_HEIGHT + 0.42) * number, _WIDTH, _HEIGHT)
        panel.set_title(metric.label)
        drawn, traces, spots = [], [], []
        # Intervals at one value would hide one another: lines stand a little apart.
        for place, (words, colour, dash) in enumerate(looks):
            samples = _samples(axis, shown[words], metric.path)
            if not samples:
                continue
            drawn.append(samples)
            x, y = np.array([s[0] for s in samples]), np.array([s[1] for s in samples]) * metric.scale
            half = np.array([s[2] or 0 for s in samples]) * metric.scale
            step = (place - (len(looks) - 1) / 2) * (0.006 if axis.numeric else min(0.12, 0.7 / len(looks)))
            span = axis.at[axis.texts[-1]] - axis.at[axis.texts[0]]
            ratio = axis.at[axis.texts[-1]] / axis.at[axis.texts[0]] if axis.log else 1
            at = x * ratio**step if axis.log else x + (span if axis.numeric else 1) * step
            # There is nothing between two categories.
            look = {"color": colour, "linestyle": dash if axis.numeric else "none", "linewidth": 1.4}
            panel.errorbar(at, y, yerr=half, capsize=2.5, elinewidth=1, marker="o", markersize=4, **look)
            bounds = [s[4] for s in samples]
            panel.plot(at[bounds], y[bounds], "^", color=colour, markersize=7, markerfacecolor="white")
            spots.append((at, y - half, colour))
            trace = live.line(words or "all", x if axis.numeric else at, y, colour, dash)
            trace |= {
                "mode": "lines+markers" if axis.numeric else "markers",
                "error_y": {"type": "data", "array": live.numbers(half), "width": 3},
            }
            traces.append(trace)
            for xv, mean, width, n, censored, text in samples:
                ends = ("", "") if width is None else (mean - width, mean + width)
                rows.append([metric.path, axis.title, text, words, mean, *ends, n, int(censored)])
        if _scale(panel, drawn, metric):
            low = panel.get_ylim()[0]
            for at, ends, colour in spots:
                panel.plot(at[ends < low], np.full((ends < low).sum(), low), "v", color=colour, markersize=6, clip_on=False)
        last = number == len(metrics) - 1
        _ticks(panel, axis, last)
        if last:
            panel.set_xlabel(axis.title)
        labels = [_wrapped(axis)[t].replace("\n", "<br>") for t in _thinned(axis)]
        ticks = {"tickvals": live.numbers(axis.at[t] for t in _thinned(axis)), "ticktext": labels}
        if not axis.numeric:
            ticks["range"] = [-0.5, len(axis.texts) - 0.5]
        y_axis = live.axis(metric.unit or "", log=panel.get_yscale() == "log", rangemode="tozero")
        panels.append(
            live.Panel(metric.label, live.axis(axis.title, log=axis.log, **ticks), y_axis, traces, 220)
        )
    caption = f"Means over the seeds against {axis.title}, with 95 % intervals."
    table = pd.DataFrame(rows, columns=COLUMNS)
    return Plot(
        "sweep", _HEADING, caption, sheet.figure, {"sweep": table}, [], live=live.figure(panels, same_x=True)
    )
