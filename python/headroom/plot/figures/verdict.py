"""The verdict of a search: the change seed by seed with its interval, and the two tails with their bands."""

import math

import numpy as np
import pandas as pd

from headroom.format import format_amount
from headroom.judge import change, judge
from headroom.metrics import metric_of
from headroom.plot.drawing import live
from headroom.plot.drawing.plot import Plot
from headroom.plot.drawing.style import COLOURS, QUIET, Sheet, shorten
from headroom.plot.drawing.tail import tail, values_of
from headroom.verdict import more_text, verdict_text

_HEADING = "Verdict"
_BASE = "#444444"


def _judged(study):
    """(the answer's entry of the first objective, the setting's Point, the baseline's); None without a verdict."""
    best = (study.answer or {}).get("recommended")
    found = best and (best["found"] if best["baseline"] else best)
    entry = found and next(filter(None, found["objectives"]), None)
    if not entry or not entry.get("verdict", {}).get("seeds"):
        return None
    by_baseline = {study.is_baseline(point): point for point in study.points if study.is_baseline(point) or point.settings == found["settings"]}
    return (entry, by_baseline[False], by_baseline[True]) if len(by_baseline) == 2 else None


def _tail(point, seeds, metric):
    """(shares, values beyond which they lie, low ends of their bands, high ends), over these seeds; None without a line
    for each message."""
    values = {seed: values_of(point.runs[seed], metric) for seed in seeds}
    if None in values.values():
        return None
    rows = tail({seed: found for seed, (found, _) in values.items() if len(found)})
    return np.array(rows).T if rows else None


def _draw_changes(panel, changes, judged, resolution, name):
    low, high, change = (100 * judged[key] for key in ("low", "high", "change"))
    panel.axhspan(-100 * resolution, 100 * resolution, color="#e8e8e8", zorder=0)
    panel.axhspan(low, high, color=COLOURS[0], alpha=0.22, linewidth=0, zorder=1)
    panel.axhline(change, color=COLOURS[0], linewidth=1.6, zorder=2)
    panel.axhline(0, color="#000000", linewidth=0.8, zorder=2)
    order = sorted(changes, key=lambda pair: pair[1])
    panel.plot(range(1, len(order) + 1), [100 * change for _, change in order], "o", color=_BASE, markersize=4, zorder=3)
    panel.set_xlabel("Fresh seeds, by their change")
    panel.set_ylabel(f"Change of {name} (%)")


def verdict_plot(study):
    """None if the study has no verdict."""
    found = _judged(study)
    if found is None:
        return None
    entry, point, base = found
    judged, metric, resolution = entry["verdict"], metric_of(entry["metric"]), study.answer["resolution"]
    seeds = [seed for seed in study.answer["fresh_seeds"] if seed in point.runs and seed in base.runs]
    effects = judge([change(base, point, metric.path, seeds=[seed]) for seed in seeds])
    changes = [(seed, effect.change) for seed, effect in zip(seeds, effects) if effect is not None]
    more = "unfinished messages leave it open" if judged["open"] else more_text(judged["more_seeds"])
    said = verdict_text(judged["says"], judged, resolution, more)
    notes = [(f"{metric.words[0].upper()}{metric.words[1:]}, against the baseline: {said}.", QUIET)]
    notes.append((f"{format_amount(len(changes), 'fresh seed')}, which took no part in the search.", QUIET))
    legend = [
        ({"color": _BASE, "marker": "o", "markersize": 4, "linestyle": "none"}, "a seed, its change"),
        ({"color": COLOURS[0], "linewidth": 1.6}, f"the change of all, and its {100 * study.answer['confidence']:g} % interval"),
        ({"color": "#cccccc", "linewidth": 6}, f"± {100 * resolution:g} %, too small to matter"),
    ]
    tails = [_tail(p, seeds, metric.path) for p in (base, point)]
    tails = tails if all(rows is not None for rows in tails) else None
    if tails:
        legend += [
            ({"color": _BASE, "linewidth": 2}, "the baseline"),
            ({"color": COLOURS[1], "linewidth": 2}, f"found: {shorten(study.settings_words(point), 96)}"),
        ]
    sheet = Sheet(f"{_HEADING}: {shorten(study.name, 48)}", notes, legend, 3.9)
    panel = sheet.axes(0.85, 0.2, 3.3 if tails else 7.6, 3.2)
    _draw_changes(panel, changes, judged, resolution, metric.short)
    tables = {"verdict-seeds": pd.DataFrame(changes, columns=["seed", "change"])}
    figures = [_live_changes(changes, judged, metric)]
    if tails:
        beside = sheet.axes(4.95, 0.2, 3.5, 3.2)
        rows, lines = [], []
        for band, colour, name in zip(tails, (_BASE, COLOURS[1]), ("baseline", "found")):
            share, value, low, high = band
            beside.fill_betweenx(share, low * metric.scale, high * metric.scale, color=colour, alpha=0.2, linewidth=0)
            beside.plot(value * metric.scale, share, color=colour, linewidth=1.8)
            rows += [[name, *row] for row in band.T.tolist()]
            lines.append(live.line(name, value * metric.scale, share, colour))
        beside.set_xscale("log")
        beside.set_yscale("log")
        beside.set_xlabel(metric.label if not metric.is_time else "Completion time")
        beside.set_ylabel("Share of messages above this value")
        beside.yaxis.set_major_formatter(lambda y, _: f"{100 * y:g} %")
        beside.xaxis.set_major_formatter(lambda x, _: metric.tick(x))
        beside.xaxis.set_minor_formatter(lambda x, _: metric.tick(x) if _is_short(x, beside) else "")
        columns = ["setting", "share_beyond", "value", "low_95", "high_95"]
        tables["verdict-tails"] = pd.DataFrame(rows, columns=columns)
        x = live.metric_axis(metric, "" if metric.is_time else metric.label, log=True)
        figures.append(live.Panel("The tails", x, live.axis("Share above this value", log=True), lines, 360))
    caption = f"The change of {metric.words} by seed, with its interval" + (", and the tails of both settings." if tails else ".")
    return Plot("verdict", _HEADING, caption, sheet.figure, tables, [f"Verdict: {said}."], live=live.figure(figures))


def _is_short(x, panel):
    """Whether there is room for a number at a minor tick: within one decade some are needed."""
    low, high = panel.get_xlim()
    return math.log10(high / low) < 1.2 and round(x / 10 ** math.floor(math.log10(x))) in (2, 5)


def _live_changes(changes, judged, metric):
    order = sorted(changes, key=lambda pair: pair[1])
    places = list(range(1, len(order) + 1))
    dots = live.points("a seed", places, [100 * change for _, change in order], _BASE)
    traces = [dots]
    for name, key in (("change", "change"), ("lower end", "low"), ("upper end", "high")):
        traces.append(live.line(name, [1, len(order)], [100 * judged[key]] * 2, COLOURS[0], "-" if key == "change" else "--"))
    y = live.axis(f"Change of {metric.short} (%)")
    return live.Panel("The change by seed", live.axis("Fresh seeds, by their change"), y, traces, 360)
