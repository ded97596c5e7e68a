"""The pauses of links over time, under their roots."""

from html import escape

import pandas as pd

from headroom.format import format_amount, format_percent, format_time
from headroom.pause_roots import LINK, longest, roots_of
from headroom.plot.drawing import live
from headroom.plot.drawing.plot import Plot, notes_of, result_colours, title_of
from headroom.plot.drawing.style import QUIET, Sheet, as_rows, shade_warmup, shorten, warmup_note
from headroom.plot.drawing.ticks import time_unit
from headroom.plot.figures.pause_lanes import bars_of, draw_lane, words_of

_HEADING = "Who paused whom"
_LEFT, _WIDTH = 3.15, 3.95
_ROW, _TITLE, _UNTITLED, _AXIS = 0.2, 0.35, 0.1, 0.6  # inches
_MOST = 28  # rows of a figure, for all results together
_MOST_OF_ROOT = 6  # links
_SHOWN = 0.1  # share of a pause that its root has if the browser shows it
_LEAST = 0.01  # share of a root that a link has if it is shown under it
_NO_CAUSE = "Links in the order of their first pauses; their causes were not recorded."
_BY_ROOT = "Under each root are the links that it pauses; a bar's thickness is the share of the pause that the root causes."
COLUMNS = ["result", "root_node", "root_port", "root_kind", *LINK, "first_us", "pauses", "paused_us", "caused_us"]
INTERVALS = ["result", "root_node", "root_port", "root_kind", *LINK, "start_us", "duration_us", "still_paused", "share"]


def _label(link, with_priority, limit=46):
    return shorten(link.words() + (f", priority {link.key[4]}" if with_priority else ""), limit)


def _amount(root, link, end_us):
    """The time for which a link was paused, by its root if that is known."""
    if root.kind is None:
        return words_of(link.pauses, end_us)
    last = " ▷" if link.pauses["still_paused"].any() else ""
    return f"{format_time(link.caused_us)} of {format_amount(len(link.pauses), 'pause')}{last}"


def _heading(root):
    return f"{format_percent(root.part)} of paused time comes from {root.words()}"


def _rows(roots, most):
    """[(root, link)]; a row without a link has the name of a root. The first result always has its rows, whatever their
    number."""
    rows = []
    for root in roots:
        if root.kind is None:
            return [(root, link) for link in longest(root.links, most)]
        shown = [link for link in root.links if link.caused_us >= _LEAST * root.paused_us]
        added = [(root, None)] + [(root, link) for link in longest(shown, _MOST_OF_ROOT)]
        if rows and len(rows) + len(added) > most:
            break
        rows += added
    return rows


def _draw(sheet, top, rows, result, colour, unit, unit_name, end_us, with_priority, title):
    height, above = _ROW * len(rows), _TITLE if title else _UNTITLED
    panel = sheet.axes(_LEFT, top + above, _WIDTH, height)
    panel.set_title(title)
    panel.set_xlim(0, end_us / unit)
    as_rows(panel, height)
    panel.set_xlabel(f"Time ({unit_name})")
    shade_warmup(panel, [result], unit)
    for number, (root, link) in enumerate(rows):
        y = _ROW * (number + 0.5)
        line = top + above + y + 0.035
        if link is None:
            panel.axhspan(y - _ROW / 2, y + _ROW / 2, color="white", zorder=1.5)
            sheet.text(0.35, line, shorten(_heading(root), 110), size=7.8, weight="bold")
            continue
        draw_lane(panel, y, 0.13, link.pauses, colour, unit, end_us)
        sheet.text(0.35 if root.kind is None else 0.5, line, _label(link, with_priority), size=7.6)
        sheet.text(_LEFT + _WIDTH + 0.07, line, _amount(root, link, end_us), size=7)
    return above + height + _AXIS


def _live(shown, colours, unit, unit_name, end_us, with_priority):
    panels = []
    for result, rows in shown:
        traces, names = [], []
        for root, link in rows:
            if link is None:
                continue
            name = _label(link, with_priority, 60)
            told = f"{escape(link.words())}<br>{words_of(link.pauses, end_us)}"
            pauses = link.pauses
            if root.kind is not None:
                name += f", for {shorten(root.words(), 40)}"
                told += f"<br>{escape(_heading(root))}<br>{format_time(link.caused_us)} of it at this link"
                pauses = pauses[pauses["share"] >= _SHOWN]
            names.append(name)
            bars = bars_of(pauses, unit, end_us, points=4000)
            traces.append(
                live.bars(
                    shorten(result.name),
                    name,
                    bars,
                    colours[result.name],
                    hovertemplate=f"%{{x}}<br>{told}<extra></extra>",
                    showlegend=False,
                )
            )
        time = live.time(unit_name, range=[0, end_us / unit])
        title = shorten(result.name) if len(shown) > 1 else "Paused links and their causes"
        rows_axis, height = live.rows(names)
        panels.append(live.Panel(title, time, rows_axis, traces, height))
    return live.figure(panels, same_x=True)


def _tables(all_roots):
    rows, intervals = [], []
    for result, roots in all_roots:
        for root in roots:
            place = {"root_node": root.node, "root_port": root.port, "root_kind": root.kind}
            for link in root.links:
                told = [link.first_us, len(link.pauses), link.paused_us, link.caused_us]
                rows.append([result.name, *place.values(), *link.key, *told])
                named = dict(zip(LINK, link.key))
                intervals.append(link.pauses.assign(result=result.name, **place, **named)[INTERVALS])
    empty = pd.DataFrame(columns=INTERVALS)
    return {
        "pauses": pd.DataFrame(rows, columns=COLUMNS),
        "pause-intervals": pd.concat(intervals, ignore_index=True) if intervals else empty,
    }


def _left_out(name, roots, rows):
    """The sentence on pauses without a row, or None."""
    shown = {id(link): link.caused_us for _, link in rows if link is not None}
    links = sum(len(root.links) for root in roots)
    if len(shown) == links:
        return None
    part = sum(shown.values()) / max(1e-9, sum(root.paused_us for root in roots))
    if roots[0].kind is None:
        return f"{name}{len(shown)} of {links} paused links, with {format_percent(part)} of all paused time: those paused longest."
    drawn = len({id(root) for root, _ in rows})
    return f"{name}{drawn} of {format_amount(len(roots), 'root')}, and links with {format_percent(part)} of all paused time."


def pauses_plot(results):
    """The paused links of these results, one panel each; None without pauses."""
    all_roots = [(r, roots_of(r.runs[0])) for r in results]
    all_roots = [(r, roots) for r, roots in all_roots if roots]
    if not all_roots:
        return None
    most = max(6, _MOST // len(all_roots))
    shown = [(r, _rows(roots, most)) for r, roots in all_roots]
    end_us = max(1e-3, max(r.runs[0].end_us for r, _ in shown))
    unit, unit_name = time_unit(end_us)
    every = [link for _, roots in all_roots for root in roots for link in root.links]
    priorities = {link.key[4] for link in every}
    with_priority = len(priorities) > 1
    notes = notes_of([r for r, _ in shown], seeds="first") + warmup_note([r for r, _ in shown])
    for (result, rows), (_, roots) in zip(shown, all_roots):
        told = _left_out("" if len(shown) == 1 else f"{shorten(result.name)}: ", roots, rows)
        if told:
            notes.append((told, QUIET))
    if any(link.pauses["still_paused"].any() for link in every):
        notes.append(("▷ still paused when the run ended.", QUIET))
    if not with_priority:
        traffic = shown[0][0].runs[0].scenario.class_of(next(iter(priorities)))
        notes.append((f"Priority {next(iter(priorities))}" + (f" ({traffic})." if traffic else "."), QUIET))
    known = any(root.kind is not None for _, roots in all_roots for root in roots)
    about = _BY_ROOT if known else _NO_CAUSE
    notes.append((about, QUIET))
    above = _TITLE if len(shown) > 1 else _UNTITLED
    height = sum(above + _ROW * len(rows) + _AXIS for _, rows in shown)
    sheet = Sheet(title_of(_HEADING, [r for r, _ in shown]), notes, [], height)
    colours, top = result_colours(results), 0.0
    for result, rows in shown:
        title = shorten(result.name) if len(shown) > 1 else ""
        top += _draw(sheet, top, rows, result, colours[result.name], unit, unit_name, end_us, with_priority, title)
    links = len({(result.name, link.key) for result, roots in all_roots for root in roots for link in root.links})
    caption = f"Pauses of {format_amount(links, 'link')} over time. {about}"
    first = min(all_roots[0][1], key=lambda root: root.links[0].first_us).links[0]
    details = [f"The first pause: {first.words()} at {format_time(first.first_us)}."]
    details += [_heading(root) + "." for root in all_roots[0][1][:1] if root.kind is not None]
    return Plot(
        "pauses",
        _HEADING,
        caption,
        sheet.figure,
        _tables(all_roots),
        details,
        live=_live(shown, colours, unit, unit_name, end_us, with_priority),
    )
