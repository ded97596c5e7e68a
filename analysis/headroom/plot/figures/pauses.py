"""The pauses of every link over time, in the order of the first ones."""

from html import escape

import pandas as pd

from headroom.format import format_amount, format_percent, format_time
from headroom.pauses import LINK, links_of, longest
from headroom.plot.drawing import live
from headroom.plot.drawing.plot import Plot, notes_of, result_colours, title_of
from headroom.plot.drawing.style import QUIET, Sheet, as_rows, shade_warmup, shorten, warmup_note
from headroom.plot.drawing.ticks import time_unit
from headroom.plot.figures.pause_lanes import bars_of, draw_lane, words_of

_HEADING = "Who paused whom"
_LEFT, _WIDTH = 3.15, 3.95
_ROW, _TITLE, _UNTITLED, _AXIS = 0.2, 0.35, 0.1, 0.6  # inches
_MOST = 28  # rows of a figure, of all results together
_NO_CAUSE = "Links in the order of their first pauses; no cause is told by that."
COLUMNS = ["result", *LINK, "first_us", "pauses", "paused_us"]
INTERVALS = ["result", *LINK, "start_us", "duration_us", "still_paused"]


def _label(link, with_priority, limit=46):
    return shorten(link.words() + (f", priority {link.key[4]}" if with_priority else ""), limit)


def _draw(sheet, top, links, result, colour, unit, unit_name, end_us, with_priority, title):
    height, above = _ROW * len(links), _TITLE if title else _UNTITLED
    panel = sheet.axes(_LEFT, top + above, _WIDTH, height)
    panel.set_title(title)
    panel.set_xlim(0, end_us / unit)
    as_rows(panel, height)
    panel.set_xlabel(f"Time ({unit_name})")
    shade_warmup(panel, [result], unit)
    for number, link in enumerate(links):
        y = _ROW * (number + 0.5)
        draw_lane(panel, y, 0.11, link.pauses, colour, unit, end_us)
        line = top + above + y + 0.035
        sheet.text(0.35, line, _label(link, with_priority), size=7.6)
        sheet.text(_LEFT + _WIDTH + 0.07, line, words_of(link.pauses, end_us), size=7)
    return above + height + _AXIS


def _live(shown, colours, unit, unit_name, end_us, with_priority):
    panels = []
    for result, links in shown:
        traces, names = [], []
        for link in links:
            name = _label(link, with_priority, 60)
            names.append(name)
            bars = bars_of(link.pauses, unit, end_us, points=4000)
            told = f"{escape(link.words())}<br>{words_of(link.pauses, end_us)}"
            traces.append(
                live.bars(
                    shorten(result.name),
                    name,
                    bars,
                    colours[result.name],
                    hovertemplate=f"%{{x:.4~g}} {unit_name}<br>{told}<extra></extra>",
                )
            )
        time = live.axis(f"Time ({unit_name})", range=[0, end_us / unit])
        title = shorten(result.name) if len(shown) > 1 else "Paused links, by their first pauses"
        rows_axis, height = live.rows(names)
        panels.append(live.Panel(title, time, rows_axis, traces, height))
    return live.figure(panels, same_x=True)


def _tables(all_links):
    rows, intervals = [], []
    for result, links in all_links:
        for link in links:
            rows.append([result.name, *link.key, link.first_us, len(link.pauses), link.paused_us])
            named = dict(zip(LINK, link.key))
            intervals.append(link.pauses.assign(result=result.name, **named)[INTERVALS])
    empty = pd.DataFrame(columns=INTERVALS)
    return {
        "pauses": pd.DataFrame(rows, columns=COLUMNS),
        "pause-intervals": pd.concat(intervals, ignore_index=True) if intervals else empty,
    }


def pauses_plot(results):
    """The paused links of these results, one panel each; None where nothing was paused."""
    all_links = [(r, links_of(r.runs[0])) for r in results]
    all_links = [(r, links) for r, links in all_links if links]
    if not all_links:
        return None
    most = max(6, _MOST // len(all_links))
    shown = [(r, longest(links, most)) for r, links in all_links]
    end_us = max(1e-3, max(r.runs[0].end_us for r, _ in shown))
    unit, unit_name = time_unit(end_us)
    priorities = {link.key[4] for _, links in all_links for link in links}
    with_priority = len(priorities) > 1
    notes = notes_of([r for r, _ in shown], seeds="first") + warmup_note([r for r, _ in shown])
    for (result, rows), (_, links) in zip(shown, all_links):
        name = "" if len(shown) == 1 else f"{shorten(result.name)}: "
        if len(rows) < len(links):
            share = sum(link.paused_us for link in rows) / max(1e-9, sum(link.paused_us for link in links))
            notes.append(
                (
                    f"{name}{len(rows)} of {len(links)} paused links, with {format_percent(share)} of all paused time: "
                    "those paused longest.",
                    QUIET,
                )
            )
    if any(link.pauses["still_paused"].any() for _, links in all_links for link in links):
        notes.append(("▷ still paused when the run ended.", QUIET))
    if not with_priority:
        traffic = shown[0][0].runs[0].scenario.class_of(next(iter(priorities)))
        notes.append((f"Priority {next(iter(priorities))}" + (f" ({traffic})." if traffic else "."), QUIET))
    notes.append((_NO_CAUSE, QUIET))
    above = _TITLE if len(shown) > 1 else _UNTITLED
    height = sum(above + _ROW * len(rows) + _AXIS for _, rows in shown)
    sheet = Sheet(title_of(_HEADING, [r for r, _ in shown]), notes, [], height)
    colours, top = result_colours(results), 0.0
    for result, rows in shown:
        title = shorten(result.name) if len(shown) > 1 else ""
        top += _draw(sheet, top, rows, result, colours[result.name], unit, unit_name, end_us, with_priority, title)
    links = sum(len(links) for _, links in all_links)
    caption = f"Pauses of {format_amount(links, 'link')} over time. {_NO_CAUSE}"
    first = all_links[0][1][0]
    details = [f"The first pause: {first.words()} at {format_time(first.first_us)}."]
    return Plot(
        "pauses",
        _HEADING,
        caption,
        sheet.figure,
        _tables(all_links),
        details,
        live=_live(shown, colours, unit, unit_name, end_us, with_priority),
    )
