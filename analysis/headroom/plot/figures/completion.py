"""Completion times: how many messages are done after how long, and the tail on a logarithmic axis.

Both curves are fractions of all messages offered. Unfinished ones lower the left curve and hold up the right
one to the end of the axis; they are never dropped, and neither is the longest message,
which ends the right curve.
"""

import numpy as np
import pandas as pd
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from headroom.format import format_amount, format_count, format_percent, format_time
from headroom.percentile import PERCENTILES, Ranked
from headroom.plot.drawing import live
from headroom.plot.drawing.plot import Plot, kept_notes, notes_of, nothing_to_draw, series_of, title_of, warmup_notes
from headroom.plot.drawing.style import QUIET, Sheet, say
from headroom.plot.drawing.ticks import log_axis

_HEADING = "Completion time"
_POINTS = 1000  # of a curve over all ranks, and again over the tail
_AGE_TICKS = 150  # unfinished messages marked one by one


def _ranks(count):
    """Ranks worth drawing: all of a few, else evenly spread ones and ever denser ones towards the largest."""
    if count <= 2 * _POINTS:
        return np.arange(count)
    even = np.linspace(0, count - 1, _POINTS).astype(int)
    tail = count - np.geomspace(1, count, _POINTS).astype(int)
    return np.unique(np.concatenate([even, tail]))


def curve(messages):
    """(µs, fraction done by then, fraction that took at least as long) at the ranks of finished messages."""
    times = np.sort(messages.loc[messages["finished"], "us"].to_numpy())
    ranks = _ranks(len(times))
    return times[ranks], (ranks + 1) / len(messages), (len(messages) - ranks) / len(messages)


def _draw(axes, series, right_edge):
    """One series into the panels (done, at least as long)."""
    times, done, longer = curve(series.messages)
    total, unfinished = len(series.messages), series.unfinished
    look = {"color": series.colour, "linestyle": series.dash}
    if len(times):
        axes[0].plot(np.r_[times[0], times], np.r_[0, done], drawstyle="steps-post", **look)
        axes[1].plot(times, longer, drawstyle="steps-pre", **look)
        axes[1].plot(times[-1:], longer[-1:], "o", color=series.colour, markersize=4)
    if unfinished == 0:
        return
    ages = np.sort(series.messages.loc[~series.messages["finished"], "us"].to_numpy())
    ages = ages[np.unique(np.linspace(0, len(ages) - 1, min(len(ages), _AGE_TICKS)).astype(int))]
    finished_by = np.searchsorted(
        np.sort(series.messages.loc[series.messages["finished"], "us"]), ages, side="right"
    )
    start = times[-1] if len(times) else ages[0]
    levels = [
        (axes[0], 1 - unfinished / total, finished_by / total),
        (axes[1], unfinished / total, 1 - finished_by / total),
    ]
    for panel, level, at in levels:
        panel.plot(
            [start, right_edge], [level, level], color=series.colour, linestyle=(0, (1, 2)), linewidth=1.1
        )
        panel.plot(
            [right_edge],
            [level],
            ">",
            color=series.colour,
            markerfacecolor="white",
            markersize=6,
            clip_on=False,
            zorder=5,
        )
        panel.plot(ages, at, "|", color=series.colour, markersize=6, markeredgewidth=0.8)


def _draw_seeds(axes, series):
    if len(series.result.runs) < 2:
        return
    for _, messages in series.messages.groupby("run"):
        times, done, longer = curve(messages)
        look = {"color": series.colour, "linestyle": series.dash, "linewidth": 0.6, "alpha": 0.4}
        axes[0].plot(times, done, drawstyle="steps-post", **look)
        axes[1].plot(times, longer, drawstyle="steps-pre", **look)


def _words(series):
    if not series.whole:
        drawn = format_count(len(series.messages))
        return f"{series.label}: {format_amount(series.offered, 'message')}, {drawn} of them drawn"
    ranked = Ranked(series.messages["us"], series.messages["finished"])
    # A percentile for which there are too few messages is the maximum, so it is not told apart.
    found = [(name, ranked.at(per_mille)) for name, per_mille, enough in PERCENTILES if len(ranked) >= enough]
    found.append(("max", ranked.maximum()))
    values = ", ".join(f"{name} {'≥ ' if p.censored else ''}{format_time(p.value)}" for name, p in found)
    left = f"; {format_amount(series.unfinished, 'message')} unfinished" if series.unfinished else ""
    seeds = len(series.result.runs)
    pooled = f" of {seeds} seeds pooled" if seeds > 1 else ""
    return f"{series.label}: {format_amount(len(series.messages), 'message')}{pooled}, {values}{left}"


def _panels(sheet, all_series):
    done = sheet.axes(0.85, 0.3, 3.3, 3.3)
    longer = sheet.axes(5.25, 0.3, 3.5, 3.3)
    times = np.concatenate([s.messages["us"].to_numpy() for s in all_series])
    times = times[times > 0] if (times > 0).any() else np.array([1.0])
    low, high = times.min(), times.max()
    margin = max(1.15, (high / low) ** 0.04)
    low, high = low / margin, high * margin
    for panel in (done, longer):
        log_axis(panel, "x", low, high)
        panel.set_xlabel("Completion time (µs)")
    for series in all_series:
        _draw_seeds((done, longer), series)
        _draw((done, longer), series, high)
    done.set_title("Finished within this time")
    done.set_ylim(0, 1.02)
    done.set_ylabel("Share of messages offered")
    done.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.0f} %"))
    longer.set_title("The tail: took at least this long")
    longer.set_yscale("log")
    lowest = min(max(1, s.unfinished) / len(s.messages) for s in all_series)
    longer.set_ylim(lowest / 1.5, 1.3)
    names = {0.5: " (p50)", 0.1: " (p90)", 0.01: " (p99)", 0.001: " (p99.9)"}
    levels = [1, 0.5] + [10.0**-e for e in range(1, 9)]
    longer.yaxis.set_major_locator(FixedLocator([level for level in levels if level >= lowest / 1.5]))
    longer.yaxis.set_minor_locator(NullLocator())
    longer.yaxis.set_major_formatter(
        FuncFormatter(
            lambda value, _: format_percent(value)
            + next((n for v, n in names.items() if abs(v / value - 1) < 1e-6), "")
        )
    )


def _table(all_series):
    rows = []
    for series in all_series:
        times, done, longer = curve(series.messages)
        rows.append(
            pd.DataFrame(
                {
                    "result": series.result.name,
                    "workload": series.workload,
                    "completion_us": times,
                    "fraction_finished_by_then": done,
                    "fraction_at_least_as_long": longer,
                    "messages": len(series.messages),
                    "unfinished": series.unfinished,
                }
            )
        )
    columns = [
        "result",
        "workload",
        "completion_us",
        "fraction_finished_by_then",
        "fraction_at_least_as_long",
        "messages",
        "unfinished",
    ]
    return pd.concat(rows, ignore_index=True) if rows else pd.DataFrame(columns=columns)


def _live(all_series):
    done, longer = [], []
    for series in all_series:
        times, finished, rest = curve(series.messages)
        if len(times):
            look = {"colour": series.colour, "dash": series.dash}
            done.append(live.line(series.label, times, 100 * finished, step="hv", **look))
            longer.append(live.line(series.label, times, 100 * rest, step="vh", **look))
    time = live.axis("Completion time (µs)", log=True)
    share = live.axis("Share of messages offered (%)", rangemode="tozero")
    tail = live.axis("Share of messages offered (%)", log=True)
    return live.figure(
        [
            live.Panel("Finished within this time", time, share, done, 300),
            live.Panel("The tail: took at least this long", time, tail, longer, 300),
        ],
        same_x=True,
    )


def completion_plot(results):
    """Distribution of completion times per workload, of these results together; None where these are of operations."""
    all_series = series_of(results)
    if not all_series and any(result.operation_kinds for result in results):
        return None
    notes = notes_of(results, seeds="lines") + warmup_notes(results) + kept_notes(all_series)
    if any(s.unfinished for s in all_series):
        notes.append(
            (
                "▷ and the dotted line: messages unfinished at the end of the run, counted in every share; "
                "the ticks show how old they were. ≥: the percentile depends on how they end.",
                QUIET,
            )
        )
    legend = [({"color": s.colour, "linestyle": s.dash, "linewidth": 2}, _words(s)) for s in all_series]
    sheet = Sheet(title_of(_HEADING, results), notes, legend, 4.15 if all_series else 0.9)
    if all_series:
        _panels(sheet, all_series)
        caption = "Share of messages finished within a time, and the tail of it on a logarithmic axis."
    else:
        caption = nothing_to_draw(results, "completion time")
        say(sheet.axes(0.35, 0, 8, 0.7), caption)
    return Plot(
        "completion-time",
        _HEADING,
        caption,
        sheet.figure,
        {"completion-time": _table(all_series)},
        list(map(_words, all_series)),
        bool(all_series),
        _live(all_series) if all_series else None,
    )
