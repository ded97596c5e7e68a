"""Peaks compared with configured sizes: memory, headroom of switches and of groups, and how close groups came to a
pause.

The fullest of each kind; over several seeds the highest of all.
"""

from html import escape

import pandas as pd

from headroom.format import format_bytes, format_percent
from headroom.plot.drawing import live
from headroom.plot.drawing.margin import margin_label
from headroom.plot.drawing.plot import Plot, notes_of, result_colours, title_of
from headroom.plot.drawing.style import QUIET, Sheet, say, shorten

_HEADING = "Watermarks against configured sizes"
_LEFT, _WIDTH = 2.75, 4.3
_LANE, _GAP, _TITLE, _SECTION = 0.13, 0.09, 0.3, 0.16  # inches
_MOST = 5
COLUMNS = ["result", "kind", "place", "peak_bytes", "configured_bytes", "share"]
_KINDS = [
    ("Memory of a switch", "peak_bytes", "size_bytes"),
    ("Headroom of a switch, all groups", "peak_headroom_bytes", "headroom_configured_bytes"),
]
_GROUP, _XOFF = "Headroom of a group", "Nearest to a pause, by switch"


def _of_switches(result):
    for run in result.runs:
        for switch, buffer in run.buffers:
            for kind, peak, size in _KINDS:
                if buffer.get(size) and isinstance(buffer.get(peak), (int, float)):
                    yield kind, switch, float(buffer[peak]), float(buffer[size])
            if isinstance(buffer.get("closest_to_xoff"), (int, float)):
                yield _XOFF, switch, float("nan"), float(buffer["closest_to_xoff"])


def _of_groups(result):
    for run in result.runs:
        ports = run.table("ports")
        if ports is None:
            continue
        some = ports[(ports["headroom_configured_bytes"] > 0) & (ports["peak_headroom_bytes"] > 0)]
        for row in some.itertuples():
            place = f"{row.node}:{row.port} group {row.priority}"
            yield _GROUP, place, float(row.peak_headroom_bytes), float(row.headroom_configured_bytes)


def _table(results):
    rows = []
    for result in results:
        for kind, place, peak, size in [*_of_switches(result), *_of_groups(result)]:
            share = size if kind == _XOFF else peak / size
            rows.append([result.name, kind, place, peak, float("nan") if kind == _XOFF else size, share])
    found = pd.DataFrame(rows, columns=COLUMNS)
    best = found.groupby(["result", "kind", "place"], sort=False)["share"].idxmax()
    return found.loc[best].reset_index(drop=True)


def _sections(table):
    """[(kind, [place])]: the fullest of each."""
    out = []
    for kind in [name for name, _, _ in _KINDS] + [_GROUP, _XOFF]:
        mine = table[table["kind"] == kind]
        if len(mine) == 0:
            continue
        order = mine.groupby("place", sort=True)["share"].max().sort_values(ascending=False, kind="stable")
        out.append((kind, list(order.index[:_MOST]), len(order)))
    return out


def _words(row):
    if row["kind"] == _XOFF:
        return format_percent(row["share"])
    return f"{format_bytes(row['peak_bytes'])} of {format_bytes(row['configured_bytes'])}"


def _draw(sheet, sections, table, results, colours):
    lanes = len(results)
    top, right = 0.0, max(1.0, table["share"].max()) * 1.02
    for number, (kind, places, _) in enumerate(sections):
        each = _LANE * lanes + _GAP
        height = each * len(places) + _GAP
        panel = sheet.axes(_LEFT, top + _TITLE, _WIDTH, height)
        panel.set_title(kind)
        panel.set_xlim(0, right)
        panel.set_ylim(height, 0)
        panel.set_yticks([])
        panel.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
        if number == len(sections) - 1:
            panel.set_xlabel("Share of what is configured")
        else:
            panel.tick_params(labelbottom=False)
        for row, place in enumerate(places):
            y = _GAP + each * row
            label = top + _TITLE + y + _LANE * lanes / 2 + 0.035
            sheet.text(_LEFT - 0.08, label, shorten(place, 34), size=7.8, ha="right")
            for lane, result in enumerate(results):
                mine = table[
                    (table["result"] == result.name) & (table["kind"] == kind) & (table["place"] == place)
                ]
                if not len(mine):
                    continue
                found, lane_y = mine.iloc[0], y + _LANE * (lane + 0.5)
                panel.barh(lane_y, found["share"], _LANE * 0.82, color=colours[result.name])
                margin_label(panel, lane_y, _words(found), colours[result.name], size=7.2)
        top += _TITLE + height + _SECTION


def _live(sections, table, results, colours):
    panels = []
    for kind, places, _ in sections:
        traces = []
        pitch = live.ROW + 22 * (len(results) - 1)
        width = 0.38 / len(results)
        for lane, result in enumerate(results):
            mine = table[(table["result"] == result.name) & (table["kind"] == kind)].set_index("place")
            some = [p for p in places if p in mine.index]
            traces.append(
                {
                    "type": "bar",
                    "orientation": "h",
                    "name": escape(shorten(result.name)),
                    "y": some,
                    "x": live.numbers(100 * mine.loc[some, "share"]),
                    "text": [_words(mine.loc[p]) for p in some],
                    "textposition": "outside",
                    "cliponaxis": False,
                    "width": width,
                    "offset": -6 / pitch + width * lane,  # 6 pixels: the name is above them
                    "marker": {"color": colours[result.name]},
                }
            )
        # Leaves room for the words after a full bar.
        most = 100 * max(1, table["share"].max())
        share = live.axis("Share of what is configured (%)", range=[0, 1.4 * most], tickvals=[0, 20, 40, 60, 80, 100])
        rows, height = live.rows(places)
        panels.append(live.Panel(kind, share, rows, traces, height + (pitch - live.ROW) * len(places)))
    return live.figure(panels)


def _in_words(sections, table):
    """If each kind would be a single bar: one sentence for all."""
    told = []
    for kind, (place, *_), _ in sections:
        row = table[(table["kind"] == kind) & (table["place"] == place)].iloc[0]
        told.append(f"{kind.partition(',')[0].lower()} {_words(row)} ({place})")
    return f"At most, {'; '.join(told)}."


def watermarks_plot(results):
    """The fullest buffers of these results; None if no summary has any. Words for a single switch."""
    table = _table(results)
    sections = _sections(table)
    if not sections:
        return None
    if len(results) == 1 and all(len(places) == 1 for _, places, _ in sections):
        caption = _in_words(sections, table)
        sheet = Sheet(title_of(_HEADING, results), notes_of(results, seeds="highest"), [], 0.9)
        say(sheet.axes(0.35, 0, 8, 0.7), caption)
        return Plot("watermarks", _HEADING, caption, sheet.figure, {"watermarks": table}, [], False)
    colours = result_colours(results)
    notes = notes_of(results, seeds="highest")
    left_out = [
        f"{kind.lower()}: {len(places)} of {count}" for kind, places, count in sections if count > len(places)
    ]
    if left_out:
        notes.append((f"The fullest are shown ({'; '.join(left_out)}).", QUIET))
    if _GROUP not in [kind for kind, _, _ in sections]:
        notes.append(("No group used headroom.", QUIET))
    legend = []
    if len(results) > 1:
        legend = [({"color": colours[r.name], "linewidth": 5}, shorten(r.name, 60)) for r in results]
    each = _LANE * len(results) + _GAP
    height = sum(_TITLE + each * len(places) + _GAP + _SECTION for _, places, _ in sections) + 0.4
    sheet = Sheet(title_of(_HEADING, results), notes, legend, height)
    _draw(sheet, sections, table, results, colours)
    caption = "The highest use of memory and headroom against what is configured, and how near groups came to a pause."
    details = [
        f"{kind}: {row['place']} {_words(row)}, {row['result']}"
        for kind, places, _ in sections
        for _, row in table[(table["kind"] == kind) & (table["place"] == places[0])].iterrows()
    ]
    return Plot(
        "watermarks",
        _HEADING,
        caption,
        sheet.figure,
        {"watermarks": table},
        details,
        live=_live(sections, table, results, colours),
    )
