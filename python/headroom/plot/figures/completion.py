"""Completion times: how many messages have ended after which time, and the tail on a logarithmic axis."""

import pandas as pd

from headroom.format import format_amount, format_count, format_time
from headroom.percentile import PERCENTILES, Ranked
from headroom.plot.drawing import live
from headroom.plot.drawing.distribution import Curve, curve, draw_distributions, live_distributions, unfinished_notes
from headroom.plot.drawing.plot import Plot, kept_notes, notes_of, nothing_to_draw, series_of, title_of, warmup_notes
from headroom.plot.drawing.style import Sheet, say

_HEADING = "Completion time"
_DONE, _TIME, _SHARE = "Finished within this time", "Completion time", "Share of messages offered"


def _curve_of(series):
    several = len(series.result.runs) > 1
    return Curve(series.label, series.messages, series.colour, series.dash, several)


def _words(series):
    if not series.whole:
        drawn = format_count(len(series.messages))
        return f"{series.label}: {format_amount(series.offered, 'message')}, {drawn} of them drawn"
    ranked = Ranked(series.messages["us"], series.messages["finished"])
    # If there are too few messages for a percentile it is the maximum, so it has no name of its own.
    found = [(name, ranked.percentile(per_mille)) for name, per_mille, enough in PERCENTILES if len(ranked) >= enough]
    found.append(("max", ranked.maximum()))
    values = ", ".join(f"{name} {'≥ ' if p.censored else ''}{format_time(p.value)}" for name, p in found)
    left = f"; {format_amount(series.unfinished, 'message')} unfinished" if series.unfinished else ""
    seeds = len(series.result.runs)
    pooled = f" of {seeds} seeds pooled" if seeds > 1 else ""
    return f"{series.label}: {format_amount(len(series.messages), 'message')}{pooled}, {values}{left}"


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


def completion_plot(results):
    """Distribution of completion times for each workload, of these results together; None if these have operations."""
    all_series = series_of(results)
    if not all_series and any(result.operation_kinds for result in results):
        return None
    notes = notes_of(results, seeds="lines") + warmup_notes(results) + kept_notes(all_series)
    curves = [_curve_of(series) for series in all_series]
    notes += unfinished_notes(curves, "messages")
    legend = [({"color": s.colour, "linestyle": s.dash, "linewidth": 2}, _words(s)) for s in all_series]
    # One message in each workload is not a distribution.
    points = bool(all_series) and all(len(series.messages) == 1 for series in all_series)
    curved = bool(all_series) and not points
    sheet = Sheet(title_of(_HEADING, results), notes, legend, 4.15 if curved else 0.9)
    if points:
        caption = " ".join(f"{_words(series)}." for series in all_series)
    elif curved:
        draw_distributions(sheet, curves, _DONE, _TIME, _SHARE)
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
        list(map(_words, all_series)) if curved else [],
        curved,
        live.figure(live_distributions(curves, _DONE, _TIME, _SHARE), same_x=True) if curved else None,
    )
