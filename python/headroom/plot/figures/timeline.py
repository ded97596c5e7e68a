"""Queues, pauses and events on one time axis."""

from html import escape

import pandas as pd

from headroom.format import format_amount, format_count
from headroom.plot.drawing import live
from headroom.plot.drawing.margin import margin_label
from headroom.plot.drawing.plot import Plot, notes_of, result_colours, title_of
from headroom.plot.drawing.style import INK, QUIET, Sheet, as_rows, say, shade_warmup, shorten, warmup_note
from headroom.plot.drawing.ticks import time_unit
from headroom.plot.figures.paused_ports import PauseBlock
from headroom.plot.figures.queues import QueueBlock

_HEADING = "Queues and pauses over time"
_LEFT, _PLOT_WIDTH = 0.85, 6.35
_EVENT_ROW, _MOST_EVENT_KINDS = 0.22, 8
_EVENT_LETTERS = 32  # letters for which the margin has room
# Rows of the event strip have this order; events that stop traffic come first.
_GRAVEST = [
    "deadlock",
    "watchdog_detected",
    "watchdog_forced",
    "watchdog_restored",
    "qp_error",
    "fault_start",
    "fault_stop",
    "first_drop",
    "first_mark",
]


class EventStrip:
    """One row for each kind of event, with a tick for each."""

    def __init__(self, results, colours):
        self.results, self.colours = results, colours
        tables = {r.name: r.runs[0].table("events") for r in results}
        self.tables = {name: t for name, t in tables.items() if t is not None and len(t)}
        kinds = sorted(
            {kind for t in self.tables.values() for kind in t["event"].dropna().unique()},
            key=lambda k: (_GRAVEST.index(k) if k in _GRAVEST else len(_GRAVEST), k),
        )
        self.kinds = kinds[:_MOST_EVENT_KINDS]

    @property
    def height(self):
        return 0.38 + _EVENT_ROW * len(self.kinds) if self.kinds else 0.0

    def draw(self, sheet, top, unit, end_us):
        if not self.kinds:
            return
        height = _EVENT_ROW * len(self.kinds)
        panel = sheet.axes(_LEFT, top + 0.3, _PLOT_WIDTH, height)
        panel.set_title("Events")
        shade_warmup(panel, self.results, unit)
        panel.set_xlim(0, end_us / unit)
        as_rows(panel, height)
        panel.tick_params(labelbottom=False)
        lane = _EVENT_ROW * 0.8 / len(self.results)
        for row, kind in enumerate(self.kinds):
            counts = []
            for index, result in enumerate(self.results):
                table = self.tables.get(result.name)
                times = [] if table is None else table.loc[table["event"] == kind, "time_ns"] / 1000
                counts.append(len(times))
                y = row * _EVENT_ROW + 0.02 + lane * (index + 0.5)
                panel.plot(
                    times / unit if len(times) else [],
                    [y] * len(times),
                    "|",
                    color=self.colours[result.name],
                    markersize=max(3, lane * 72),
                    markeredgewidth=1.3,
                )
            words = f"{kind.replace('_', ' ')}: {' / '.join(map(format_count, counts))}"
            if len(words) > _EVENT_LETTERS:
                words = f"{kind.replace('_', ' ')}: {format_count(sum(counts))} in all"
            margin_label(panel, (row + 0.5) * _EVENT_ROW, words, INK, size=7.5)

    def live(self, unit, unit_name):
        """The panel for a browser, or None without an event."""
        if not self.kinds:
            return None
        traces = []
        for result in self.results:
            table = self.tables.get(result.name)
            if table is None:
                continue
            table = table[table["event"].isin(self.kinds)]
            places = [
                escape(f"{n}:{p}" if isinstance(p, str) else str(n)) for n, p in zip(table["node"], table["port"])
            ]
            look = {"text": places, "symbol": "line-ns-open", "size": 7}
            kinds = [kind.replace("_", " ") for kind in table["event"]]
            times, colour = table["time_ns"] / 1000 / unit, self.colours[result.name]
            traces.append(live.points(shorten(result.name), times, kinds, colour, **look))
        time = live.time(unit_name)
        rows, height = live.rows([kind.replace("_", " ") for kind in self.kinds])
        return live.Panel("Events", time, rows, traces, height)


def timeline_plot(results):
    """Queue bytes with ECN thresholds, events and pauses, of these results on one time axis."""
    colours = result_colours(results)
    queues, pauses, events = (block(results, colours) for block in (QueueBlock, PauseBlock, EventStrip))
    end_us = max(1e-3, max(r.runs[0].end_us for r in results))
    unit, unit_name = time_unit(end_us)
    told = pauses.sentences()
    notes = notes_of(results, seeds="first") + warmup_note(results)
    if queues.keys and queues.sentence():
        notes.append((queues.sentence(), QUIET))
    if pauses.any_still_paused:
        notes.append(("▷ still paused when the run ended.", QUIET))
    trouble = [
        f"{shorten(r.name)}: {r.runs[0].scenario.trouble}" for r in results if r.runs[0].scenario.trouble
    ]
    if trouble and queues.keys:
        notes.append(("No ECN thresholds: " + "; ".join(trouble) + ".", QUIET))
    legend = []
    if len(results) > 1:
        legend = [({"color": colours[r.name], "linewidth": 4}, shorten(r.name, 60)) for r in results]
    told_queues = [queues.sentence()] if queues.sentence() else []
    anything = bool(queues.keys or events.kinds or pauses.keys)
    if anything:
        sheet = Sheet(
            title_of(_HEADING, results), notes, legend, queues.height + events.height + pauses.height
        )
        queues.draw(sheet, 0.0, _LEFT, _PLOT_WIDTH, unit, end_us)
        events.draw(sheet, queues.height, unit, end_us)
        pauses.draw(sheet, queues.height + events.height, _LEFT, _PLOT_WIDTH, unit, unit_name, end_us)
        caption = "Queued bytes over time with the ECN thresholds, and the PFC pauses of each port."
        details = (
            told_queues
            + told
            + [f"{shorten(name)} paused {format_amount(len(p), 'time')}." for name, p in pauses.some.items()]
        )
    else:
        # Without any time series, only the sentences remain.
        sheet = Sheet(title_of(_HEADING, results), notes, [], 0.25 + 0.42 * (len(told) + len(told_queues)))
        for index, text in enumerate(told + told_queues):
            say(sheet.axes(0.35, 0.42 * index, 8, 0.4), text)
        caption, details = " ".join(told + told_queues), []
    panels = queues.live(unit, unit_name, end_us) + [
        panel for panel in (events.live(unit, unit_name), pauses.live(unit, unit_name, end_us)) if panel
    ]
    return Plot(
        "timeline",
        _HEADING,
        caption,
        sheet.figure,
        {
            "timeline-queues": queues.table(),
            "timeline-pauses": pauses.table(),
            "timeline-events": _event_table(events),
        },
        details,
        anything,
        live.figure(panels, same_x=True) if anything else None,
    )


def _event_table(events):
    columns = ["result", "event", "time_us"]
    rows = [t.assign(result=name, time_us=t["time_ns"] / 1000)[columns] for name, t in events.tables.items()]
    return pd.concat(rows, ignore_index=True) if rows else pd.DataFrame(columns=columns)
