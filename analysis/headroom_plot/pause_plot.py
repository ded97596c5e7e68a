"""The pauses of every link over time, in trees from the first causes."""

import pandas as pd

from . import live
from .pause_tree import in_order, links_of
from .pauses import LINK
from .plot import Plot, notes_of, title_of
from .quantities import format_amount, format_percent, format_time
from .series_reduction import merged
from .style import COLOURS, QUIET, Sheet, shade_warmup, shorten, warmup_note
from .ticks import time_unit

_HEADING = "Who paused whom"
_LEFT, _WIDTH = 3.15, 3.95
_ROW, _TITLE, _UNTITLED, _AXIS = 0.2, 0.35, 0.1, 0.6  # inches
_MOST = 28  # rows of a figure, of all results together
_ROOT, _FURTHER = COLOURS[1], COLOURS[0]
COLUMNS = [
    "result",
    "tree",
    "depth",
    *LINK,
    "parent_by_node",
    "parent_by_port",
    "first_us",
    "pauses",
    "paused_us",
    "begun_while_pauser_was_held",
]
INTERVALS = ["result", *LINK, "start_us", "duration_us", "still_paused"]


def _label(depth, link, with_priority, limit=46):
    words = link.words() + (f", priority {link.key[4]}" if with_priority else "")
    return "    " * (depth - 1) + "└ " * (depth > 0) + shorten(words, max(16, limit - 4 * depth))


def _total(link, end_us):
    words = f"{format_amount(len(link.pauses), 'pause')}, {format_time(link.paused_us)}"
    if end_us:
        words += f" ({format_percent(link.paused_us / end_us)})"
    return words + (" ▷" if link.pauses["still_paused"].any() else "")


def _explained(link):
    if link.parent is None:
        return ""
    return f"{format_percent(link.explained / len(link.begun_us))} while held"


def _draw(sheet, top, rows, result, unit, unit_name, end_us, with_priority, title):
    height, above = _ROW * len(rows), _TITLE if title else _UNTITLED
    panel = sheet.axes(_LEFT, top + above, _WIDTH, height)
    panel.set_title(title)
    panel.set_xlim(0, end_us / unit)
    panel.set_ylim(height, 0)
    panel.set_yticks([])
    panel.spines["left"].set_visible(False)
    panel.set_xlabel(f"Time ({unit_name})")
    shade_warmup(panel, [result], unit)
    for number, (depth, link) in enumerate(rows):
        y = _ROW * (number + 0.5)
        panel.plot([0, end_us / unit], [y, y], color="#dddddd", linewidth=0.8, zorder=1)
        colour = _FURTHER if depth else _ROOT
        bars = merged(link.pauses["start_us"] / unit, link.pauses["duration_us"] / unit, end_us / unit / 1600)
        # The thin edge keeps a pause visible that is shorter than a pixel.
        look = {"facecolors": colour, "edgecolors": colour, "linewidth": 0.35, "zorder": 2}
        panel.broken_barh(bars, (y - 0.055, 0.11), **look)
        line = top + above + y + 0.035
        sheet.text(0.35, line, _label(depth, link, with_priority), size=7.6, color=colour)
        sheet.text(_LEFT + _WIDTH + 0.07, line, _total(link, end_us), size=7, color=colour)
    return above + height + _AXIS


def _live(shown, unit, unit_name, end_us, with_priority):
    panels = []
    for result, rows in shown:
        traces, names = [], []
        for depth, link in rows:
            # A browser keeps hard blanks alone.
            name = _label(depth, link, with_priority, 60).replace(" ", "\u00a0")
            names.append(name)
            bars = merged(
                link.pauses["start_us"] / unit, link.pauses["duration_us"] / unit, end_us / unit / 4000
            )
            kind = "held by one further on" if depth else "where congestion starts"
            told = f"{link.words()}<br>{_total(link, end_us)}<br>{_explained(link)}"
            traces.append(
                live.bars(
                    kind,
                    name,
                    bars,
                    _FURTHER if depth else _ROOT,
                    hovertemplate=f"%{{x:.4~g}} {unit_name}<br>{told}<extra></extra>",
                )
            )
        time = live.axis(f"Time ({unit_name})", range=[0, end_us / unit])
        title = shorten(result.name) if len(shown) > 1 else "Paused links, causes first"
        rows_axis, height = live.rows(names)
        panels.append(live.Panel(title, time, rows_axis, traces, height))
    return live.figure(panels, same_x=True)


def _tables(shown, all_links):
    rows, intervals = [], []
    for result, links in all_links:
        for depth, link in in_order(links, len(links)):
            root = link
            while root.parent is not None:
                root = root.parent
            by = (link.parent.key[2], link.parent.key[3]) if link.parent else ("", "")
            rows.append(
                [
                    result.name,
                    root.words(),
                    depth,
                    *link.key,
                    *by,
                    link.first_us,
                    len(link.pauses),
                    link.paused_us,
                    link.explained,
                ]
            )
            named = dict(zip(LINK, link.key))
            intervals.append(link.pauses.assign(result=result.name, **named)[INTERVALS])
    empty = pd.DataFrame(columns=INTERVALS)
    return {
        "pauses": pd.DataFrame(rows, columns=COLUMNS),
        "pause-intervals": pd.concat(intervals, ignore_index=True) if intervals else empty,
    }


def pauses_plot(results):
    """The trees of these results, one panel each; None where nothing was paused."""
    all_links = [(r, links_of(r.runs[0])) for r in results]
    all_links = [(r, links) for r, links in all_links if links]
    if not all_links:
        return None
    most = max(6, _MOST // len(all_links))
    shown = [(r, in_order(links, most)) for r, links in all_links]
    end_us = max(1e-3, max(r.runs[0].end_us for r, _ in shown))
    unit, unit_name = time_unit(end_us)
    priorities = {link.key[4] for _, links in all_links for link in links}
    with_priority = len(priorities) > 1
    notes = notes_of([r for r, _ in shown], seeds="first") + warmup_note([r for r, _ in shown])
    for (result, rows), (_, links) in zip(shown, all_links):
        name = "" if len(shown) == 1 else f"{shorten(result.name)}: "
        if len(rows) < len(links):
            share = sum(link.paused_us for _, link in rows) / max(1e-9, sum(link.paused_us for link in links))
            notes.append(
                (
                    f"{name}{len(rows)} of {len(links)} paused links, with {format_percent(share)} of all paused time: "
                    "those paused longest and what led to them.",
                    QUIET,
                )
            )
    if any(link.pauses["still_paused"].any() for _, links in all_links for link in links):
        notes.append(("▷ still paused when the run ended.", QUIET))
    if not with_priority:
        traffic = shown[0][0].runs[0].scenario.class_of(next(iter(priorities)))
        notes.append((f"Priority {next(iter(priorities))}" + (f" ({traffic})." if traffic else "."), QUIET))
    legend = [
        (
            {"color": _ROOT, "linewidth": 5},
            "where congestion starts: the pauser was not held back itself when it first paused",
        ),
        (
            {"color": _FURTHER, "linewidth": 5},
            "further back: the pauser was held by the link it is indented under",
        ),
    ]
    above = _TITLE if len(shown) > 1 else _UNTITLED
    height = sum(above + _ROW * len(rows) + _AXIS for _, rows in shown)
    sheet = Sheet(title_of(_HEADING, [r for r, _ in shown]), notes, legend, height)
    top = 0.0
    for result, rows in shown:
        title = shorten(result.name) if len(shown) > 1 else ""
        top += _draw(sheet, top, rows, result, unit, unit_name, end_us, with_priority, title)
    roots = sum(link.parent is None for _, links in all_links for link in links)
    links = sum(len(links) for _, links in all_links)
    caption = f"Pauses of {format_amount(links, 'link')} over time, in {format_amount(roots, 'tree')} from the first causes."
    first = all_links[0][1][0]
    details = [f"The first pause: {first.words()} at {format_time(first.first_us)}."]
    return Plot(
        "pauses",
        _HEADING,
        caption,
        sheet.figure,
        _tables(shown, all_links),
        details,
        live=_live(shown, unit, unit_name, end_us, with_priority),
    )
