"""How full queues, groups and headroom were, as shares of the observed time, with the thresholds that act on them.

Samples have equal distances, so a share of samples is a share of time; those of the warm-up are left out.
"""

import numpy as np
import pandas as pd
from matplotlib.ticker import FuncFormatter

from headroom.format import format_bytes, format_percent
from headroom.plot.drawing import live
from headroom.plot.drawing.plot import Plot, notes_of, result_colours, title_of
from headroom.plot.drawing.style import COLOURS, INK, QUIET, WARNING, Sheet, dashes, shorten
from headroom.plot.drawing.ticks import bytes_axis, log_axis

_HEADING = "Occupancy of queues and buffers"
_MOST, _MOST_OF_SEVERAL, _POINTS = 5, 6, 400  # places of one result; curves of several results; points of a curve
_LEFT, _BLOCK, _HEIGHT, _LEGEND_ROW = 0.85, 3.35, 2.2, 0.17
_MOST_LEVELS = 5  # named thresholds of a panel
_LEVEL = (0, (4, 2))  # dashes of a threshold
_FAR = 4  # a threshold beyond this many peaks is named, not drawn
_KINDS = [
    ("Queues", "queues", "queue", "bytes"),
    ("Groups", "groups", "group", "shared_bytes"),
    ("Lossy groups", "groups", "group", "shared_bytes"),
    ("Headroom", "groups", "group", "headroom_bytes"),
]
_AXES = {
    "Queues": "Queued bytes",
    "Groups": "Reserved and shared bytes",
    "Lossy groups": "Reserved and shared bytes",
    "Headroom": "Bytes of headroom",
}
THRESHOLDS = ["result", "kind", "node", "port", "priority", "threshold", "bytes"]
COLUMNS = ["result", "kind", "node", "port", "priority", "bytes", "share_at_most", "share_at_least"]


class _Curve:
    """One place: its distribution, its thresholds, and its look."""

    def __init__(self, result, kind, key, values):
        self.result, self.kind, self.key, self.values = result, kind, key, np.sort(values)
        self.thresholds = []

    @property
    def place(self):
        return f"{self.key[0]}:{self.key[1]} {'queue' if self.kind == 'Queues' else 'group'} {self.key[2]}"

    def points(self):
        """(bytes, share of time with at most these, share with at least these)."""
        n = len(self.values)
        ranks = np.unique(np.r_[np.linspace(0, n - 1, _POINTS), n - np.geomspace(1, n, _POINTS)].astype(int))
        values = self.values[ranks]
        at_least = (n - np.searchsorted(self.values, values, side="left")) / n
        at_most = np.searchsorted(self.values, values, side="right") / n
        return values, at_most, at_least


def _thresholds(curve, run, table):
    if curve.kind == "Queues":
        found = run.thresholds(*curve.key)
        return [(found[0], "Kmin"), (found[1], "Kmax")] if found else []
    if curve.kind == "Headroom":
        configured = run.headroom_configured.get(curve.key)
        return [(configured, "configured")] if configured else []
    lowest = table["xoff_at_bytes"].min()
    return [(float(lowest), "lowest XOFF threshold")] if np.isfinite(lowest) else []


def _is_lossy(samples, table):
    """A lossy group has no XOFF threshold, so it has no place in a panel with thresholds. Where no group has one, they
    share a panel."""
    return table["xoff_at_bytes"].notna().any() and samples["xoff_at_bytes"].isna().all()


def _curves(results, kind, file, column, value):
    """The places with the highest peaks."""
    found = []
    for result in results:
        run = result.runs[0]
        table = run.table(file)
        if table is None:
            continue
        table = table[table["time_ns"] >= 1000 * run.scenario.warmup_us]
        for key, samples in table.groupby(["node", "port", column], sort=True):
            if file == "groups" and _is_lossy(samples, table) != (kind == "Lossy groups"):
                continue
            if samples[value].max() > 0:
                curve = _Curve(result, kind, key, samples[value].to_numpy(float))
                curve.thresholds = _thresholds(curve, run, samples)
                found.append(curve)
    found.sort(key=lambda c: -c.values[-1])
    places = list(dict.fromkeys(curve.place for curve in found))
    shown = places[: _MOST if len(results) == 1 else max(1, _MOST_OF_SEVERAL // len(results))]
    kept = [curve for place in shown for curve in found if curve.place == place]
    by_result = result_colours(results)
    for curve in kept:
        number = shown.index(curve.place)
        alone = len(results) == 1
        curve.colour = COLOURS[number % len(COLOURS)] if alone else by_result[curve.result.name]
        curve.level_colour = WARNING if alone else curve.colour
        curve.dash = dashes(number)
        curve.label = curve.place if alone else f"{curve.place}, {shorten(curve.result.name, 24)}"
    return kept, len(shown), len(places)


def _levels(curves):
    """([(bytes, words, colour)], [words]): thresholds to draw, in the colour of their result, or grey if several share
    one. A threshold of some of the places has their names. Those far above all data would compress the curves, so they
    are only named."""
    found, places = {}, {curve.place for curve in curves}
    for name in dict.fromkeys(name for curve in curves for _, name in curve.thresholds):
        with_it = {curve.place for curve in curves if any(name == other for _, other in curve.thresholds)}
        some = "" if with_it == places else f" of {min(with_it)}" if len(with_it) == 1 else f", {len(with_it)} of {len(places)}"
        for curve, value in ((c, v) for c in curves for v, other in c.thresholds if other == name):
            level = found.setdefault(f"{name} {format_bytes(value)}{some}", [value, set()])
            level[1].add(curve.level_colour)
    most = max(c.values[-1] for c in curves)
    named = sorted((value, words, min(inks) if len(inks) == 1 else QUIET) for words, (value, inks) in found.items())
    return [level for level in named if level[0] < _FAR * most], [w for v, w, _ in named if v >= _FAR * most]


def _lowest_share(curves):
    """The start of the axis of "at most": below the emptiest curve, so that rare values are visible."""
    least = min(c.points()[1][0] for c in curves)
    return 0.0 if least < 0.5 else 1 - 1.25 * max(1 - least, 1e-4)


def _share_text(share, _):
    """99.2 % if the axis is a small part of the whole."""
    return f"{100 * share:.6g} %"


def _draw(sheet, top, title, curves):
    panels = [sheet.axes(_LEFT, top + 0.3, 3.3, _HEIGHT), sheet.axes(5.1, top + 0.3, 3.3, _HEIGHT)]
    levels, _ = _levels(curves)
    right = 1.08 * max([c.values[-1] for c in curves] + [v for v, _, _ in levels])
    lowest = min(1 / len(c.values) for c in curves)
    for panel, share in zip(panels, (1, 2)):
        for curve in curves:
            found = curve.points()
            panel.plot(
                found[0],
                found[share],
                color=curve.colour,
                linestyle=curve.dash,
                drawstyle="steps-post" if share == 1 else "steps-pre",
                linewidth=1.4,
            )
        for value, _, colour in levels:
            panel.axvline(value, color=colour, linewidth=0.9, linestyle=_LEVEL, zorder=1.5)
        panel.set_xlim(0, right)
        bytes_axis(panel.xaxis)
        panel.set_xlabel(_AXES[title])
    panels[0].set_title(f"{title}: at most this full")
    low = _lowest_share(curves)
    panels[0].set_ylim(low, 1 + 0.02 * (1 - low))
    panels[0].yaxis.set_major_formatter(FuncFormatter(_share_text))
    panels[0].set_ylabel("Share of the time")
    panels[1].set_title("At least this full")
    log_axis(panels[1], "y", lowest / 1.5, 1.3, format_percent)


def _legend(curves, alone):
    """[(x, row, words, colour, dash)], one for each place and threshold: under the panels' titles, or in the panels,
    they would hide data, so they are below the axes."""
    places = {c.place: c for c in curves}
    named = [(shorten(place, 44), c.colour if alone else INK, c.dash) for place, c in places.items()]
    near, beyond = _levels(curves)
    named += [(words, colour, _LEVEL) for _, words, colour in near[:_MOST_LEVELS]]
    named += [(f"beyond the axes: {words}", WARNING if alone else QUIET, _LEVEL) for words in beyond[:_MOST_LEVELS]]
    found, x, row = [], _LEFT, 0
    for words, colour, dash in named:
        width = 0.42 + 0.066 * len(words) + 0.15
        if x > _LEFT and x + width > 8.6:
            x, row = _LEFT, row + 1
        found.append((x, row, words, colour, dash))
        x += width
    return found


def _draw_legend(sheet, top, entries):
    for x, row, words, colour, dash in entries:
        y = top + 0.3 + _HEIGHT + 0.57 + _LEGEND_ROW * row
        sheet.stroke(x, y, color=colour, linestyle=dash, linewidth=0.9 if dash == _LEVEL else 1.6)
        sheet.text(x + 0.4, y, words, size=7.8)


def _live(blocks):
    figures = []
    for title, curves in blocks:
        near, beyond = _levels(curves)
        marks = [live.level(value, words, colour, vertical=True) for value, words, colour in near]
        traces = []
        for c in curves:
            values, _, at_least = c.points()
            look = {"colour": c.colour, "dash": c.dash, "step": "vh"}
            traces.append(live.line(c.label, values, 100 * at_least, **look))
        share = live.axis("Share of the time (%)", log=True)
        told = f"<br>beyond: {beyond[0]}" + (" …" if len(beyond) > 1 else "") if beyond else ""
        held = live.axis(_AXES[title] + told, unit="B")
        figures.append(live.figure([live.Panel(f"{title}: at least this full", held, share, traces, 260, marks)]))
    return figures


def occupancy_plot(results):
    """Distributions of the fullest observed queues, groups and headroom; None if nothing was observed or all were
    empty."""
    blocks, left_out = [], []
    for title, file, column, value in _KINDS:
        curves, shown, found = _curves(results, title, file, column, value)
        if curves:
            blocks.append((title, curves))
            if found > shown:
                left_out.append(f"{title.lower()}: {shown} of {found}")
    if not blocks:
        return None
    notes = notes_of(results, seeds="first")
    if left_out:
        notes.append((f"The figure shows those with the highest peaks ({'; '.join(left_out)}).", QUIET))
    alone = len(results) == 1
    inks = {} if alone else result_colours(results)
    legend = [({"color": ink, "linewidth": 2}, shorten(name, 60)) for name, ink in inks.items()]
    legends = [_legend(curves, alone) for _, curves in blocks]
    heights = [_BLOCK + _LEGEND_ROW * entries[-1][1] for entries in legends]
    sheet = Sheet(title_of(_HEADING, results), notes, legend, sum(heights) + 0.05)
    rows, thresholds = [], []
    for number, (title, curves) in enumerate(blocks):
        top = sum(heights[:number])
        _draw(sheet, top, title, curves)
        _draw_legend(sheet, top, legends[number])
        for c in curves:
            values, at_most, at_least = c.points()
            named = {"result": c.result.name, "kind": title.lower()}
            place = dict(zip(("node", "port", "priority"), c.key))
            shares = {"bytes": values, "share_at_most": at_most, "share_at_least": at_least}
            rows.append(pd.DataFrame({**named, **place, **shares}, columns=COLUMNS))
            thresholds += [[*named.values(), *c.key, name, value] for value, name in c.thresholds]
    caption = "Share of the time that queues, groups and headroom were at most, and at least, so full."
    return Plot(
        "occupancy",
        _HEADING,
        caption,
        sheet.figure,
        {
            "occupancy": pd.concat(rows, ignore_index=True),
            "occupancy-thresholds": pd.DataFrame(thresholds, columns=THRESHOLDS),
        },
        [],
        live=_live(blocks),
    )
