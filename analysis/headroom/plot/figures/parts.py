"""What the completion times of messages went to: the parts of their critical path, as shares, at the median and in the tail and
by size.

Percentiles are of all messages, as summary.json has them: means over those around the percentile. Sizes are of those of which
messages.csv has a line.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from headroom.csv_file import MESSAGE_PARTS
from headroom.format import format_bytes, format_percent, format_time
from headroom.plot.drawing import live
from headroom.plot.drawing.margin import margin_label
from headroom.plot.drawing.plot import Plot, notes_of, title_of
from headroom.plot.drawing.stacked import draw_bar, draw_legend, live_bars
from headroom.plot.drawing.style import QUIET, Sheet, as_rows, shorten

_HEADING = "Where messages' time went"
_LEFT, _WIDTH, _ROW, _GAP = 2.9, 5.0, 0.25, 0.12  # inches
_COLOURS = dict(
    zip(
        MESSAGE_PARTS,
        "#7A4E9E #B9DDBE #E69F00 #F0E442 #009E73 #0072B2 #D55E00 #000000 #D9D9D9 #7CC0E8 #F5B08A #EDEDED #8C6D31".split(),
        strict=True,
    )
)
_PERCENTILES = (("p50", "p50"), ("p99", "p99"), ("p999", "p99.9"))
_ENOUGH = {"p50": 1, "p99": 100, "p999": 1000}  # messages, for the percentile to be more than the slowest
_SIZES = (1_000, 10_000, 100_000, 1_000_000, np.inf)  # bytes: up to each


@dataclass
class _Row:
    """Some messages of one workload in one result."""

    result: object
    workload: str
    of: str  # "p99", or a span of sizes
    label: str
    parts: dict  # {part: µs}, means

    @property
    def total(self):
        return sum(self.parts.values())

    def share(self, part):
        return self.parts.get(part, 0) / self.total


def _percentile_rows(result, workload, name):
    finished = sum(result.by_seed(f"messages.{workload}.finished").values()) / len(result.runs)
    for key, told in _PERCENTILES:
        means = {p: result.interval(f"messages.{workload}.parts_us.{key}.{p}") for p in MESSAGE_PARTS}
        parts = {part: of.mean for part, of in means.items() if of is not None}
        if finished >= _ENOUGH[key] and sum(parts.values()) > 0:
            yield _Row(result, workload, told, f"{name} {told}", parts)


def _size_rows(result, workload, name, messages):
    columns = [f"{part}_ns" for part in MESSAGE_PARTS]
    found = messages[(messages["workload"] == workload) & messages[columns[0]].notna()]
    classes = [
        (low, high, found[(found["bytes"] > low) & (found["bytes"] <= high)]) for low, high in zip((-1, *_SIZES), _SIZES)
    ]
    classes = [(low, high, some) for low, high, some in classes if len(some)]
    if len(classes) < 2:  # all are of one size, or nearly
        return
    for low, high, some in classes:
        told = f"above {format_bytes(low)}" if high == np.inf else f"up to {format_bytes(high)}"
        parts = dict(zip(MESSAGE_PARTS, some[columns].mean() / 1e3))
        if sum(parts.values()) > 0:
            yield _Row(result, workload, told, f"{name} {told}", parts)


def _rows(results):
    out = []
    for result in results:
        messages = result.table("messages") if "messages" in result.tables else None
        split = messages is not None and f"{MESSAGE_PARTS[0]}_ns" in messages.columns
        if split:
            messages = messages[messages["start_ns"] >= 1000 * result.scenario.warmup_us]
        for workload in result.workloads:
            name = workload if len(results) == 1 else f"{workload}, {shorten(result.name, 16)}:"
            out += _percentile_rows(result, workload, name)
            if split:
                out += _size_rows(result, workload, name, messages)
    return out


def _shown(rows):
    """Parts that are a hundredth of some row."""
    return [part for part in MESSAGE_PARTS if any(row.share(part) >= 0.01 for row in rows)]


def _words(row):
    parts = sorted(((row.share(part), part) for part in row.parts if row.share(part) >= 0.01), reverse=True)
    return f"{row.label}: {format_time(row.total)}, " + ", ".join(
        f"{format_percent(share)} {part.replace('_', ' ')}" for share, part in parts
    )


def _offsets(rows):
    """How far down each row begins, with a gap between workloads; in inches."""
    tops, at = [], 0.05
    for before, row in zip([None, *rows], rows):
        at += _GAP if before is not None and (before.workload, before.result) != (row.workload, row.result) else 0
        tops.append(at)
        at += _ROW
    return tops, at + 0.05


def _draw(sheet, rows, tops, height, legend_rows):
    shown = {part: _COLOURS[part] for part in _shown(rows)}
    top = draw_legend(sheet, shown, 0.1, -(-len(shown) // legend_rows)) + 0.2
    panel = sheet.axes(_LEFT, top, _WIDTH, height)
    as_rows(panel, height)
    panel.set_xlim(0, 1)
    panel.xaxis.set_major_formatter(lambda share, _: format_percent(share))
    for row, down in zip(rows, tops):
        middle = down + 0.5 * _ROW
        sheet.text(_LEFT - 0.08, top + middle + 0.035, shorten(row.label, 42), size=8, ha="right")
        draw_bar(panel, middle, 0.76 * _ROW, {part: row.share(part) for part in MESSAGE_PARTS}, _COLOURS)
        margin_label(panel, middle, format_time(row.total), "#222222", size=8)


def _live(rows):
    names = [f"{row.label}, {format_time(row.total)}" for row in rows]
    shown = _shown(rows)
    widths = {part: [row.share(part) for row in rows] for part in shown}
    traces = live_bars(names, {part: _COLOURS[part] for part in shown}, widths, 0.6, -0.3)
    for part, trace in zip(shown, traces):
        trace["text"] = [format_time(row.parts.get(part, 0)) for row in rows]
        trace |= {"hovertemplate": "%{y}: %{text}", "textposition": "none"}
    row_axis, height = live.rows(names)
    share = live.axis("Share of the completion time", rangemode="tozero", tickformat=".0%")
    return [live.figure([live.Panel(_HEADING, share, row_axis, traces, height)])]


def message_parts_plot(results):
    """None where times were not split, or no message finished."""
    rows = _rows(results)
    if not rows:
        return None
    notes = notes_of(results)
    if any(row.of.startswith(("up", "above")) for row in rows):
        notes.append(("Rows of percentiles: messages around it. Rows of sizes: the mean of all of that size.", QUIET))
    tops, height = _offsets(rows)
    legend_rows = 2 if len(_shown(rows)) > 6 else 1
    sheet = Sheet(title_of(_HEADING, results), notes, [], height + 0.2 * legend_rows + 0.45)
    _draw(sheet, rows, tops, height, legend_rows)
    table = pd.DataFrame(
        [[row.result.name, row.workload, row.of, *(row.parts.get(p, 0.0) for p in MESSAGE_PARTS)] for row in rows],
        columns=["result", "workload", "messages", *(f"{p}_us" for p in MESSAGE_PARTS)],
    )
    caption = "What completion times went to, along the way of the packet that decided and of its ACK, as shares; at the right the time."
    return Plot("message-parts", _HEADING, caption, sheet.figure, {"message-parts": table}, [_words(row) for row in rows],
                True, _live(rows))
