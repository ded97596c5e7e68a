"""Slowdown (completion time over the ideal one) against message size, in bins of equal count.

Messages of one size always share a bin, and the last bin ends with the largest message. If a bin has too few messages
for a percentile, it is the maximum and drawn hollow; a percentile that depends on unfinished messages is a lower bound
and drawn as a triangle.
"""

import numpy as np
import pandas as pd
from matplotlib.ticker import FixedLocator

from headroom.format import format_amount, format_bytes, format_count, format_number
from headroom.percentile import PERCENTILES, Ranked
from headroom.plot.drawing import live
from headroom.plot.drawing.plot import Plot, kept_notes, notes_of, nothing_to_draw, series_of, title_of, warmup_notes
from headroom.plot.drawing.style import QUIET, Sheet, say
from headroom.plot.drawing.ticks import bytes_log_axis, log_axis

_WIDTH, _HEIGHT = 3.5, 2.4  # inches of each panel
_HEADING = "Slowdown against message size"
_MOST_BINS, _MOST_BINS_OF_MANY, _MANY_LINES = 20, 10, 6
# Messages in a bin: enough for p99.9 if that leaves a good number of bins, else for p99. A tenth more than the
# percentile needs, because frequent sizes make the other bins smaller.
_LARGE_BIN, _SMALL_BIN, _GOOD_NUMBER = 1100, 110, 8
COLUMNS = [
    "result",
    "workload",
    "from_bytes",
    "to_bytes",
    "median_bytes",
    "messages",
    "unfinished",
    "p50",
    "p50_censored",
    "p99",
    "p99_censored",
    "p99.9",
    "p99.9_censored",
]


def bins_of(sizes, most=_MOST_BINS, each=None):
    """Slices [begin, end) of sorted `sizes`, with `each` in one: as equal in count as frequent sizes allow."""
    count = len(sizes)
    if each is None:
        each = _LARGE_BIN if count >= _GOOD_NUMBER * _LARGE_BIN else _SMALL_BIN
    wanted = max(1, min(most, count // each))
    slices, begin = [], 0
    while begin < count:
        share = -(-(count - begin) // max(1, wanted - len(slices)))
        end = int(np.searchsorted(sizes, sizes[begin + share - 1], side="right"))
        slices.append((begin, end))
        begin = end
    return slices


def _wide(slices, sizes, most):
    """Neighbours are joined if frequent sizes make bins too narrow to distinguish."""
    if not slices:
        return []
    low, high = np.log(max(1, sizes[0])), np.log(max(1, sizes[-1]))
    least = (high - low) / (1.5 * most)
    joined = [slices[0]]
    for begin, end in slices[1:]:
        first = joined[-1][0]
        if np.log(max(1, sizes[begin])) - np.log(max(1, sizes[first])) < least:
            joined[-1] = (first, end)
        else:
            joined.append((begin, end))
    return joined


def binned(messages, most=_MOST_BINS):
    """One row for each bin, at most `most` of them: from_bytes … p99.9_censored of COLUMNS."""
    known = messages[np.isfinite(messages["slowdown"])].sort_values("bytes", kind="stable")
    sizes = known["bytes"].to_numpy()
    slowdown, finished = known["slowdown"].to_numpy(), known["finished"].to_numpy()
    rows = []
    slices = _wide(bins_of(sizes, most), sizes, most)
    if len(slices) < _GOOD_NUMBER:
        slices = _wide(bins_of(sizes, most, _SMALL_BIN), sizes, most)
    for begin, end in slices:
        ranked = Ranked(slowdown[begin:end], finished[begin:end])
        row = {
            "from_bytes": sizes[begin],
            "to_bytes": sizes[end - 1],
            "median_bytes": sizes[(begin + end - 1) // 2],
            "messages": end - begin,
            "unfinished": int((~finished[begin:end]).sum()),
        }
        for name, per_mille, _ in PERCENTILES:
            found = ranked.percentile(per_mille)
            row[name], row[name + "_censored"] = found.value, found.censored
        rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS[2:])


def _draw(panel, series, bins, name, enough):
    panel.plot(bins["median_bytes"], bins[name], color=series.colour, linestyle=series.dash, linewidth=1.4)
    for censored, marker, size in ((False, "o", 4.5), (True, "^", 6)):
        for full in (True, False):
            rows = bins[(bins[name + "_censored"] == censored) & ((bins["messages"] >= enough) == full)]
            panel.plot(
                rows["median_bytes"],
                rows[name],
                marker,
                color=series.colour,
                markersize=size,
                markerfacecolor=series.colour if full else "white",
            )


def _legend(series, bins):
    low, high = bins["messages"].min(), bins["messages"].max()
    each = format_count(low) if low == high else f"{format_count(low)} to {format_count(high)}"
    count = "1 bin" if len(bins) == 1 else f"{len(bins)} bins"
    largest = format_bytes(bins["to_bytes"].max())
    return (
        {
            "color": series.colour,
            "linestyle": series.dash,
            "linewidth": 1.6,
            "marker": "o",
            "markersize": 4.5,
        },
        f"{series.label}: {count} {'with' if len(bins) == 1 else 'of'} n = {each}, "
        f"the largest message {largest}",
    )


def _pooled(drawn):
    """Suffix of the name of a percentile: tables have means over the seeds instead."""
    return ", seeds pooled" if any(len(series.result.runs) > 1 for series, _ in drawn) else ""


def _panels(sheet, drawn):
    # On logarithmic axes messages without payload are at one byte. Unfinished ones that are too young for a slowdown of
    # one are drawn at one, which is a true lower bound as well.
    clipped = ["from_bytes", "to_bytes", "median_bytes"] + [name for name, _, _ in PERCENTILES]
    drawn = [
        (series, bins.assign(**{name: bins[name].clip(lower=1) for name in clipped}))
        for series, bins in drawn
    ]
    smallest = min(bins["from_bytes"].min() for _, bins in drawn)
    largest = max(bins["to_bytes"].max() for _, bins in drawn)
    # A few tiny messages in the first bin are not worth decades of empty axis: its bar then extends beyond the panel.
    smallest = max(smallest, min(bins["median_bytes"].min() for _, bins in drawn) / 4)
    margin = 3 if smallest == largest else max(1.3, (largest / smallest) ** 0.03)
    size_range = smallest / margin, largest * margin
    drawn = [
        (s, bins.assign(from_bytes=bins["from_bytes"].clip(lower=size_range[0] / 2))) for s, bins in drawn
    ]
    places = [(0.85, 0.3), (5.25, 0.3), (0.85, 3.5), (5.25, 3.5)]
    panels = [sheet.axes(x, y, _WIDTH, _HEIGHT) for x, y in places]
    for panel, (name, _, enough) in zip(panels, PERCENTILES):
        told = name + _pooled(drawn)
        panel.set_title(told if name == "p50" else f"{told} (hollow: n < {format_count(enough)})")
        # Every axis begins at the ideal, so that small differences do not look large.
        high = max(2.0, max(bins[name].max() for _, bins in drawn))
        log_axis(panel, "y", high**-0.06, high**1.08, lambda v: "× " + format_number(v))
        for series, bins in drawn:
            _draw(panel, series, bins, name, enough)
    for panel in (panels[0], panels[2]):
        panel.set_ylabel("Completion time ÷ ideal")
    counts = panels[3]
    counts.set_title("Messages in each bin (n)")
    most, least = max(b["messages"].max() for _, b in drawn), min(b["messages"].min() for _, b in drawn)
    log_axis(counts, "y", min(least / 1.5, 60), max(most * 1.5, 1500), format_count)
    counts.yaxis.set_major_locator(FixedLocator([t for t in counts.yaxis.get_major_locator().locs if t >= 1]))
    for name, _, enough in PERCENTILES[1:]:
        counts.axhline(enough, color=QUIET, linewidth=0.9, linestyle=(0, (1, 2)), zorder=1.5)
        counts.annotate(
            f"enough for {name}",
            (size_range[1], enough),
            (0, 2),
            textcoords="offset points",
            ha="right",
            va="bottom",
            fontsize=7.5,
            color=QUIET,
        )
    for series, bins in drawn:
        look = {"color": series.colour, "linestyle": series.dash, "linewidth": 1.4}
        counts.plot(bins["median_bytes"], bins["messages"], marker="o", markersize=4.5, **look)
    for panel in panels:
        bytes_log_axis(panel, "x", *size_range)
        panel.set_xlabel("Message size")


def _live(drawn):
    panels = []
    size = live.axis("Message size", log=True, unit="B")
    for name, _, enough in PERCENTILES:
        traces = []
        for series, bins in drawn:
            shown = bins.assign(bytes=bins["median_bytes"].clip(lower=1), value=bins[name].clip(lower=1))
            curve = live.line(series.label, shown["bytes"], shown["value"], series.colour, series.dash)
            full = (shown["messages"] >= enough).tolist()
            curve["mode"] = "lines+markers"
            symbols = ["circle" if enough_here else "circle-open" for enough_here in full]
            curve["marker"] = {"color": series.colour, "size": 7, "symbol": symbols}
            curve["text"] = [f"n = {n}" for n in bins["messages"]]
            traces.append(curve)
        title = name + _pooled(drawn)
        title += "" if name == "p50" else f" (hollow: n < {enough}, the maximum)"
        panels.append(live.Panel(title, size, live.axis("Completion time ÷ ideal", log=True), traces))
    return live.figure(panels, same_x=True)


def _in_words(series, bins):
    """A single bin: "burst: 80 messages of 250 kB, slowdown p50 27.2, max 43.9"."""
    only = bins.iloc[0]
    ends = dict.fromkeys(format_bytes(only[f"{end}_bytes"]) for end in ("from", "to"))
    found = [(name, only[name], only[f"{name}_censored"]) for name, _, enough in PERCENTILES if only["messages"] >= enough]
    known = series.messages[np.isfinite(series.messages["slowdown"])]
    largest = Ranked(known["slowdown"], known["finished"]).maximum()
    found.append(("max", largest.value, largest.censored))
    told = ", ".join(f"{name} {'≥ ' if bound else ''}{format_number(value)}" for name, value, bound in found)
    seeds = len(series.result.runs)
    pooled = f" of {seeds} seeds pooled" if seeds > 1 else ""
    return f"{series.label}: {format_amount(only['messages'], 'message')} of {' to '.join(ends)}{pooled}, slowdown {told}."


def slowdown_plot(results):
    """p50, p99 and p99.9 of the slowdown over the message size, of these results together; None if there are operations
    and no messages. Words replace the plot if every line would be a point."""
    lines = list(series_of(results))
    if not lines and any(result.operation_kinds for result in results):
        return None
    most = _MOST_BINS if len(lines) < _MANY_LINES else _MOST_BINS_OF_MANY
    drawn = [(series, binned(series.messages, most)) for series in lines]
    drawn = [(series, bins) for series, bins in drawn if len(bins)]
    notes = notes_of(results) + warmup_notes(results) + kept_notes(lines)
    unknown = sum(int((~np.isfinite(result.messages["slowdown"])).sum()) for result in results)
    if unknown:
        notes.append((f"{format_amount(unknown, 'message')} without a known ideal time left out.", QUIET))
    points = bool(drawn) and all(len(bins) == 1 for _, bins in drawn)
    if not points and any((bins["messages"] < PERCENTILES[-1][2]).any() for _, bins in drawn):
        notes.append(
            (
                "Hollow: the bin has too few messages (n) for this percentile, so it shows their maximum.",
                QUIET,
            )
        )
    if not points and any(bins["unfinished"].any() for _, bins in drawn):
        notes.append(("△: a lower bound, because unfinished messages may raise it.", QUIET))
    legend = [] if points else [_legend(*d) for d in drawn]
    height = 0.5 + 0.4 * len(drawn) if points else 6.5 if drawn else 0.9
    sheet = Sheet(title_of(_HEADING, results), notes, legend, height)
    if points:
        caption = " ".join(_in_words(*d) for d in drawn)
        for row, d in enumerate(drawn):
            say(sheet.axes(0.35, 0.4 * row, 8, 0.4), _in_words(*d))
    elif drawn:
        _panels(sheet, drawn)
        caption = (
            "Completion time over the ideal one, at p50, p99 and p99.9, against message size in bins of "
            "equal count."
        )
    else:
        caption = nothing_to_draw(results, "slowdown")
        say(sheet.axes(0.35, 0, 8, 0.7), caption)
    tables = [bins.assign(result=s.result.name, workload=s.workload)[COLUMNS] for s, bins in drawn]
    table = pd.concat(tables) if tables else pd.DataFrame(columns=COLUMNS)
    return Plot(
        "slowdown",
        _HEADING,
        caption,
        sheet.figure,
        {"slowdown": table},
        [] if points else [_legend(*d)[1] for d in drawn],
        bool(drawn) and not points,
        _live(drawn) if drawn and not points else None,
    )
