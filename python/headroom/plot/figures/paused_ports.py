"""The lower part of the timeline: when which priority of which port was paused, as horizontal bars."""

import textwrap

import pandas as pd

from headroom.format import format_percent
from headroom.pause_roots import LINK, never_fired, pauses_of
from headroom.plot.drawing import live
from headroom.plot.drawing.margin import margin_label
from headroom.plot.drawing.style import QUIET, as_rows, shade_warmup, shorten
from headroom.plot.figures.pause_lanes import bars_of, draw_lane, words_of

_MOST_LANES = 24  # bars in the figure; with several results there are fewer rows
_LABEL, _LANE, _GAP, _LINE = 0.19, 0.13, 0.07, 0.22  # inches: a row's label, a result's lane, space; a sentence
COLUMNS = ["result"] + LINK + ["start_us", "duration_us", "still_paused"]


class PauseBlock:
    """Chooses the rows, computes its height, draws, and stores the drawn data."""

    def __init__(self, results, colours):
        self.results, self.colours = results, colours
        self.pauses = {r.name: pauses_of(r.runs[0]) for r in results}
        self.some = {name: p for name, p in self.pauses.items() if p is not None and len(p)}
        if self.some:
            totals = pd.concat(list(self.some.values())).groupby(LINK)["duration_us"].sum()
            totals = totals.sort_values(ascending=False, kind="stable")
            most = max(3, min(6, _MOST_LANES // len(self.some)))
            self.keys, self.rows, self.total_us = list(totals.index[:most]), len(totals), totals.sum()
            self.shown_us = totals.iloc[:most].sum()
        else:
            self.keys, self.rows = [], 0

    @property
    def _row_height(self):
        return _LABEL + _LANE * len(self.some) + _GAP

    @property
    def height(self):
        """The height includes the panel's title, its sentences and the time axis under it."""
        return 0.35 + self._row_height * len(self.keys) + _LINE * len(self._lines()) + 0.6

    def sentences(self):
        """[text] below the rows: of results that never paused, and of rows left out."""
        out = []
        for result in self.results:
            name = "" if len(self.results) == 1 else f"{shorten(result.name)}: "
            pauses = self.pauses[result.name]
            if pauses is None:
                out.append(f"{name}pfc.csv is missing, so pauses are not shown.")
            elif len(pauses) == 0:
                out.append(name + never_fired(result, first_only=True))
        if self.rows > len(self.keys):
            out.append(
                f"{len(self.keys)} of {self.rows} paused ports: those paused longest, with {format_percent(self.shown_us / self.total_us if self.total_us else 1)} of all paused time. pfc.csv has all ports, and the plot of the pauses has each link."
            )
        return out

    def _lines(self):
        return [line for text in self.sentences() for line in textwrap.wrap(text, 100)]

    def draw(self, sheet, top, left, width, unit, unit_name, end_us):
        """Draws below `top`; always ends with the time axis, so that it also closes the queue panels."""
        rows = self._row_height * len(self.keys)
        told = self._lines()
        height = rows + _LINE * len(told)
        panel = sheet.axes(left, top + 0.35, width, height)
        panel.set_xlim(0, end_us / unit)
        as_rows(panel, height)
        panel.set_xlabel(f"Time ({unit_name})")
        panel.set_title("Paused by PFC")
        shade_warmup(panel, self.results, unit)
        for index, text in enumerate(told):
            panel.text(
                0,
                rows + _LINE * (index + 0.5),
                text,
                fontsize=8.5,
                va="center",
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
            )
        if self.keys:
            panel.annotate(
                "pauses, time (share of the run)",
                (1, 1),
                xycoords="axes fraction",
                xytext=(5, 5),
                textcoords="offset points",
                fontsize=7,
                color=QUIET,
                va="bottom",
                annotation_clip=False,
            )
        for row, key in enumerate(self.keys):
            self._row(panel, row * self._row_height, key, unit, end_us)

    def _row(self, panel, y, key, unit, end_us):
        node, port, by_node, by_port, priority = key
        name = self.results[0].runs[0].scenario.class_of(priority)
        panel.text(
            0,
            y + _LABEL - 0.045,
            f"{node}:{port} paused by {by_node}:{by_port}, priority {priority}"
            + (f" ({name})" if name else ""),
            fontsize=7.8,
            va="baseline",
        )
        y += _LABEL
        for result_name, pauses in self.some.items():
            mine = pauses[(pauses[LINK] == list(key)).all(axis=1)]
            colour = self.colours[result_name]
            draw_lane(panel, y + _LANE / 2, _LANE - 0.03, mine, colour, unit, end_us)
            words, ink = (words_of(mine, end_us), colour) if len(mine) else ("none", QUIET)
            margin_label(panel, y + _LANE / 2, words, ink, size=7.2)
            y += _LANE

    def live(self, unit, unit_name, end_us):
        """The panel for a browser, or None without a pause."""
        if not self.keys:
            return None
        traces, names = [], []
        for node, port, by_node, by_port, priority in self.keys:
            for result_name, pauses in self.some.items():
                row = f"{node}:{port} by {by_node}:{by_port}"
                row += f", {shorten(result_name, 24)}" if len(self.some) > 1 else ""
                names.append(row)
                mine = pauses[(pauses[LINK] == [node, port, by_node, by_port, priority]).all(axis=1)]
                found = bars_of(mine, unit, end_us, points=4000)
                traces.append(live.bars(shorten(result_name), row, found, self.colours[result_name]))
        rows, height = live.rows(names)
        return live.Panel("Paused by PFC", live.time(unit_name), rows, traces, height)

    @property
    def any_still_paused(self):
        return any(p["still_paused"].any() for p in self.some.values())

    def table(self):
        """Every pause of the drawn rows with its exact times, not as merged for the picture."""
        out = []
        wanted = pd.MultiIndex.from_tuples(self.keys, names=LINK) if self.keys else None
        for name, pauses in self.some.items():
            drawn = pauses[pd.MultiIndex.from_frame(pauses[LINK]).isin(wanted)]
            out.append(drawn.assign(result=name)[COLUMNS])
        return pd.concat(out, ignore_index=True) if out else pd.DataFrame(columns=COLUMNS)
