"""Congestion notifications over time, under the rates: one row for each queue pair and result, with a tick for each."""

import pandas as pd

from headroom.format import format_count
from headroom.plot.drawing import live
from headroom.plot.drawing.margin import margin_label
from headroom.plot.drawing.style import QUIET, as_rows, shorten

_ROW = 0.17  # inches
COLUMNS = ["result", "host", "qp", "time_us", "effect"]
_MOST_LIVE = 2000  # most ticks of a row in a browser


class CnpStrip:
    """The notifications of those queue pairs whose rates have their own lines. `looks`: colour by (result, key);
    `labels`: words by key."""

    def __init__(self, results, keys, looks, labels):
        self.rows = []  # (result, key, colour, table)
        self.looks, self.labels = looks, labels
        for result in results:
            table = result.runs[0].table("cnps")
            if table is None:
                continue
            for key in keys:
                mine = table[(table["host"] == key[0]) & (table["qp"] == key[1])]
                if len(mine):
                    self.rows.append((result, key, looks[result.name, key], mine))

    @property
    def height(self):
        return 0.4 + _ROW * len(self.rows) if self.rows else 0.0

    def draw(self, sheet, top, left, width, unit, unit_name, end_us):
        """Draws them below `top`, with the time axis."""
        height = _ROW * len(self.rows)
        panel = sheet.axes(left, top + 0.3, width, height)
        panel.set_title("CNPs: dark ones cut the rate")
        panel.set_xlim(0, end_us / unit)
        as_rows(panel, height)
        panel.set_xlabel(f"Time ({unit_name})")
        for number, (_, key, colour, table) in enumerate(self.rows):
            y = _ROW * (number + 0.5)
            cut = table["effect"] == "cut"
            for some, shade, size in ((table[~cut], "#c4c4c4", 5), (table[cut], colour, 9)):
                times = some["time_ns"] / 1000 / unit
                panel.plot(times, [y] * len(times), "|", color=shade, markersize=size, markeredgewidth=0.9)
            words = f"{format_count(len(table))} to {shorten(key[0], 9)}, {format_count(cut.sum())} cut"
            margin_label(panel, y, words, colour if cut.any() else QUIET, size=7.2)
        return panel

    def live(self, unit, unit_name):
        """The panel for a browser, or None without a notification."""
        if not self.rows:
            return None
        traces, names = [], []
        for result, key, colour, table in self.rows:
            name = self.labels[key] + (
                f" {result.name}" if len({r.name for r, *_ in self.rows}) > 1 else ""
            )
            names.append(name)
            cut = table["effect"] == "cut"
            for some, shade, size, kind in (
                (table[~cut], "#c4c4c4", 5, "CNP without effect"),
                (table[cut], colour, 8, "CNP that cut a rate"),
            ):
                times = (some["time_ns"] / 1000 / unit).tolist()[:: max(1, len(some) // _MOST_LIVE)]
                if times:
                    found = live.points(kind, times, [name] * len(times), shade, "line-ns-open", size, showlegend=False)
                    traces.append(found)
        time = live.time(unit_name)
        rows, height = live.rows(names)
        return live.Panel("CNPs: dark ones cut the rate", time, rows, traces, height)

    def table(self):
        tables = [
            pd.DataFrame(
                {
                    "result": result.name,
                    "host": key[0],
                    "qp": key[1],
                    "time_us": table["time_ns"] / 1000,
                    "effect": table["effect"],
                }
            )
            for result, key, _, table in self.rows
        ]
        return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=COLUMNS)
