"""The buffer as ingress sees it: bytes of the priority groups that are closest to pausing their sender, over time.

There are two panels for each group. The upper one has its reserved and shared bytes with the threshold at which it
pauses: a dynamic threshold falls as the pool fills. The lower one has the bytes that arrived after the pause, and the
configured headroom for them.
"""

import numpy as np
import pandas as pd

from headroom.format import format_amount, format_bytes
from headroom.plot.drawing import live
from headroom.plot.drawing.margin import margin_label
from headroom.plot.drawing.plot import Plot, notes_of, result_colours, title_of
from headroom.plot.drawing.series_reduction import thin
from headroom.plot.drawing.style import QUIET, WARNING, Sheet, shade_warmup, shorten, warmup_note
from headroom.plot.drawing.ticks import bytes_axis, time_unit

_HEADING = "Buffer groups and headroom over time"
_LEFT, _WIDTH, _MOST = 0.85, 6.35, 3
_SHARED, _HEADROOM, _BETWEEN, _GAP = 1.2, 0.6, 0.24, 0.62  # inches
_FAR = 4  # a threshold beyond this many peaks is named, not drawn
_KEY = ["node", "port", "group"]
COLUMNS = [
    "result",
    "time_us",
    *_KEY,
    "shared_bytes",
    "headroom_bytes",
    "xoff_at_bytes",
    "headroom_configured_bytes",
]


def _nearness(table):
    """For each group the largest share of its threshold in a sample, plus its headroom's bytes if it exceeds one."""
    share = table["shared_bytes"] / table["xoff_at_bytes"].where(table["xoff_at_bytes"] > 0)
    near = share.fillna(0).groupby([table[k] for k in _KEY]).max()
    return near + table.groupby(_KEY)["headroom_bytes"].max()


def _of(result, table, key):
    """The samples of one group, thinned so that neither peak is lost, with COLUMNS."""
    mine = table[(table[_KEY] == list(key)).all(axis=1)]
    times = mine["time_ns"].to_numpy(float) / 1000
    kept = np.union1d(*(thin(times, mine[c])[0] for c in ("shared_bytes", "headroom_bytes")))
    mine = mine[np.isin(times, kept)]
    return mine.assign(
        result=result.name,
        time_us=mine["time_ns"] / 1000,
        headroom_configured_bytes=result.runs[0].headroom_configured.get(tuple(key), np.nan),
    )[COLUMNS].reset_index(drop=True)


def _frame(panel, title, results, unit, end_us, last, unit_name):
    panel.set_title(title)
    panel.set_xlim(0, end_us / unit)
    shade_warmup(panel, results, unit)
    bytes_axis(panel.yaxis, 5 if title else 2)
    if last:
        panel.set_xlabel(f"Time ({unit_name})")
    else:
        panel.tick_params(labelbottom=False)


def _draw_shared(panel, series, colours, alone):
    top = 1.0
    for name, samples in series.items():
        times, colour = samples["time_us"] / samples.attrs["unit"], colours[name]
        panel.plot(times, samples["shared_bytes"], color=colour, linewidth=1.1)
        if alone:
            panel.fill_between(times, samples["shared_bytes"], color=colour, alpha=0.15, linewidth=0)
        threshold = samples["xoff_at_bytes"]
        if threshold.notna().any():
            look = {"color": WARNING if alone else colour, "linestyle": (0, (4, 2)), "linewidth": 1}
            panel.plot(times, threshold, **look)
        top = max(top, 1.1 * samples["shared_bytes"].max())
    thresholds = pd.concat([s["xoff_at_bytes"] for s in series.values()]).dropna()
    low, high = thresholds.min(), thresholds.max()
    told = format_bytes(low) if low == high else f"{format_bytes(low)} to\n{format_bytes(high)}"
    if low < _FAR * top:
        # Thresholds of an empty buffer may lie far above all observed values.
        top = max(top, min(1.08 * high, 2 * _FAR * top))
        margin_label(panel, min(high, 0.9 * top), f"XOFF at {told}", WARNING if alone else QUIET)
    else:
        margin_label(panel, 0.85 * top, f"above this axis:\nXOFF at {told}", QUIET)
    panel.set_ylim(0, top)
    panel.set_ylabel("Shared")


def _draw_headroom(panel, series, colours, alone):
    top = 1.0
    for name, samples in series.items():
        times, values = samples["time_us"] / samples.attrs["unit"], samples["headroom_bytes"]
        panel.plot(times, values, color=colours[name], linewidth=1.1)
        if alone:
            panel.fill_between(times, values, color=colours[name], alpha=0.15, linewidth=0)
        configured = samples["headroom_configured_bytes"].iloc[0]
        top = max(top, 1.1 * values.max())
        if np.isfinite(configured):
            panel.axhline(configured, color=WARNING if alone else QUIET, linewidth=1, linestyle="-.")
            top = max(top, 1.1 * configured)
            margin_label(panel, configured, f"configured {format_bytes(configured)}", WARNING if alone else QUIET)
    panel.set_ylim(0, top)
    panel.set_ylabel("Headroom")


def _live(drawn, results, colours, unit, unit_name):
    panels = []
    time = live.time(unit_name)
    shaded = [live.span(0, w / unit) for w in {r.runs[0].scenario.warmup_us for r in results} if w]
    for title, series in drawn:
        shared, headroom, marks = [], [], []
        for name, s in series.items():
            times = s["time_us"] / unit
            prefix = f"{shorten(name)}: " if len(results) > 1 else ""
            shared.append(live.line(f"{prefix}shared", times, s["shared_bytes"], colours[name]))
            if s["xoff_at_bytes"].notna().any():
                look = {"colour": WARNING if len(results) == 1 else colours[name], "dash": (0, (5, 1.8))}
                shared.append(live.line(f"{prefix}XOFF at", times, s["xoff_at_bytes"], **look))
            headroom.append(
                live.line(f"{prefix}headroom", times, s["headroom_bytes"], colours[name], showlegend=False)
            )
            configured = s["headroom_configured_bytes"].iloc[0]
            if np.isfinite(configured):
                marks.append(live.level(configured, f"configured {format_bytes(configured)}", WARNING))
        held = live.axis("Headroom", unit="B", rangemode="tozero")
        panels.append(live.Panel(title, time, live.axis("Shared", unit="B"), shared, 190, shaded))
        panels.append(live.Panel("", time, held, headroom, 100, shaded + marks[:1]))
    return live.figure(panels, same_x=True)


def groups_plot(results):
    """The observed groups closest to their thresholds; None if no result observed a lossless group."""
    tables = {r.name: r.runs[0].table("groups") for r in results}
    tables = {name: t[t["xoff_at_bytes"].notna()] for name, t in tables.items() if t is not None}
    tables = {name: t for name, t in tables.items() if len(t)}
    if not tables:
        return None
    near = pd.concat([_nearness(t) for t in tables.values()]).groupby(level=[0, 1, 2]).max()
    keys = list(near.sort_values(ascending=False, kind="stable").index[:_MOST])
    colours = result_colours(results)
    end_us = max(1e-3, max(r.runs[0].end_us for r in results))
    unit, unit_name = time_unit(end_us)
    notes = notes_of(results, seeds="first") + warmup_note(results)
    if len(near) > len(keys):
        groups = format_amount(len(near), "observed lossless group")
        notes.append(
            (f"{len(keys)} of {groups}: the nearest to their thresholds. All are in groups.csv.", QUIET)
        )
    notes.append(("Dashed: where the group would pause its sender at that moment.", QUIET))
    alone = len(results) == 1
    legend = []
    if not alone:
        legend = [({"color": colours[r.name], "linewidth": 4}, shorten(r.name, 60)) for r in results]
    each = _SHARED + _BETWEEN + _HEADROOM + _GAP
    sheet = Sheet(title_of(_HEADING, results), notes, legend, each * len(keys) + 0.5)
    drawn = []
    for number, key in enumerate(keys):
        series = {r.name: _of(r, tables[r.name], key) for r in results if r.name in tables}
        series = {name: s for name, s in series.items() if len(s)}
        for samples in series.values():
            samples.attrs["unit"] = unit
        traffic = results[0].runs[0].scenario.class_of(key[2])
        title = f"{key[0]}:{key[1]}, group {key[2]}" + (f" ({traffic})" if traffic else "")
        top = 0.3 + each * number
        shared = sheet.axes(_LEFT, top, _WIDTH, _SHARED)
        _draw_shared(shared, series, colours, alone)
        _frame(shared, title, results, unit, end_us, False, unit_name)
        headroom = sheet.axes(_LEFT, top + _SHARED + _BETWEEN, _WIDTH, _HEADROOM)
        _draw_headroom(headroom, series, colours, alone)
        _frame(headroom, "", results, unit, end_us, number == len(keys) - 1, unit_name)
        drawn.append((title, series))
    table = pd.concat([s for _, series in drawn for s in series.values()], ignore_index=True)
    fullest = table["headroom_bytes"].max()
    caption = (
        "Bytes of the lossless groups nearest to pausing their senders, their thresholds at each moment, and the "
        f"headroom in use; the most is {format_bytes(fullest) if fullest else 'none'}."
    )
    return Plot(
        "headroom",
        _HEADING,
        caption,
        sheet.figure,
        {"headroom": table},
        [],
        live=_live(drawn, results, colours, unit, unit_name),
    )
