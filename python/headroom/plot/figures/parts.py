"""The parts of the times of messages and of operations along their critical path, as shares, at the median, in the tail
and by size.

Percentiles are means over those around the percentile, as in summary.json: of all messages, and of operations with a
line. Sizes include those that have a line in messages.csv or operations.csv."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from headroom.csv_file import MESSAGE_PARTS, PARTS
from headroom.format import format_bytes, format_percent, format_time
from headroom.plot.drawing import live
from headroom.plot.drawing.margin import margin_label
from headroom.plot.drawing.plot import Plot, notes_of, title_of
from headroom.plot.drawing.stacked import draw_bar, draw_legend, live_bars, merged
from headroom.plot.drawing.style import QUIET, Sheet, as_rows, shorten

_LEFT, _WIDTH, _ROW, _GAP = 2.9, 5.0, 0.25, 0.12  # inches
_PERCENTILES = (("p50", "p50"), ("p99", "p99"), ("p999", "p99.9"))
_ENOUGH = {"p50": 1, "p99": 100, "p999": 1000}  # messages above which the percentile is not simply the slowest
_SIZES = (1_000, 10_000, 100_000, 1_000_000, np.inf)  # bytes: upper end of each class


@dataclass
class _Row:
    """Some messages of one workload in one result."""

    result: object
    workload: str
    subset: str  # "p99", or a span of sizes
    label: str
    parts: dict  # {part: µs}, means

    @property
    def total(self):
        return sum(self.parts.values())

    def share(self, part):
        return self.parts.get(part, 0) / self.total


def _percentile_rows(result, split, prefix, parts_at, workload, name):
    finished = sum(result.by_seed(f"{prefix}.finished").values()) / len(result.runs)
    for key, told in _PERCENTILES:
        means = {p: result.interval(f"{prefix}.{parts_at}.{key}.{p}") for p in split.parts}
        parts = {part: mean.mean for part, mean in means.items() if mean is not None}
        if finished >= _ENOUGH[key] and sum(parts.values()) > 0:
            yield _Row(result, workload, told, f"{name} around {told}", parts)


def _size_rows(result, split, found, workload, name):
    columns = [f"{part}_ns" for part in split.parts]
    found = found[found[columns[0]].notna()]
    classes = [
        (low, high, found[(found["bytes"] > low) & (found["bytes"] <= high)]) for low, high in zip((-1, *_SIZES), _SIZES)
    ]
    classes = [(low, high, some) for low, high, some in classes if len(some)]
    if len(classes) < 2:  # all have one size, or nearly
        return
    for low, high, some in classes:
        told = f"above {format_bytes(low)}" if high == np.inf else f"up to {format_bytes(high)}"
        parts = dict(zip(split.parts, some[columns].mean() / 1e3))
        if sum(parts.values()) > 0:
            yield _Row(result, workload, told, f"{name} {told}", parts)


def _split_table(result, split):
    """The lines of messages or operations, with the parts of their times; None if they were not split."""
    table = result.table(split.table) if split.table in result.tables else None
    if table is None or f"{split.parts[-1]}_ns" not in table.columns:
        return None
    return table[table["start_ns"] >= 1000 * result.scenario.warmup_us]


def _named(results, result, name):
    return name if len(results) == 1 else f"{name}, {shorten(result.name, 16)}:"


def _rows_of_messages(results):
    out = []
    for result in results:
        table = _split_table(result, MESSAGES)
        for workload in result.workloads:
            name = _named(results, result, workload)
            out += _percentile_rows(result, MESSAGES, f"messages.{workload}", "parts_us", workload, name)
            if table is not None:
                found = table[table["workload"] == workload]
                out += _size_rows(result, MESSAGES, found, workload, name)
    return out


def _rows_of_operations(results):
    out = []
    for result in results:
        table = _split_table(result, OPERATIONS)
        for workload, kind in result.operation_kinds:
            told = f"{workload} {kind.replace('_', '-')}"
            name = _named(results, result, told)
            out += _percentile_rows(result, OPERATIONS, f"operations.{workload}.{kind}", "parts_at_us", told, name)
            if table is not None:
                found = table[(table["workload"] == workload) & (table["kind"] == kind) & (table["ramp"].astype(str) == "0")]
                out += _size_rows(result, OPERATIONS, found, told, name)
    return out


@dataclass(frozen=True)
class _Of:
    """One figure: its table, parts and titles."""

    plot: str
    heading: str
    caption: str
    table: str
    parts: tuple
    rows: object


MESSAGES = _Of(
    "message-parts",
    "Where messages' time went",
    "The parts of completion times, along the path of the deciding packet and of its ACK, as shares, with the time.",
    "messages",
    tuple(MESSAGE_PARTS),
    _rows_of_messages,
)
OPERATIONS = _Of(
    "operation-times",
    "Where operations' time went",
    "The parts of operations' times, along the events that led to their ends: cores, devices, and the parts of their messages, as shares, "
    "with the time.",
    "operations",
    tuple(PARTS),
    _rows_of_operations,
)


def _bars(split, rows):
    """({part: colour}, [{part: share}]): parts that are at least a hundredth of some row, and the others of each row as
    one."""
    return merged(split.parts, [{part: row.share(part) for part in split.parts} for row in rows], 0.01)


def _words(row):
    parts = sorted(((row.share(part), part) for part in row.parts if row.share(part) >= 0.01), reverse=True)
    return f"{row.label}: {format_time(row.total)}, " + ", ".join(
        f"{format_percent(share)} {part.replace('_', ' ')}" for share, part in parts
    )


def _offsets(rows):
    """The position of the top of each row, with a gap between workloads; in inches."""
    tops, y = [], 0.05
    for before, row in zip([None, *rows], rows):
        y += _GAP if before is not None and (before.workload, before.result) != (row.workload, row.result) else 0
        tops.append(y)
        y += _ROW
    return tops, y + 0.05


def _draw(sheet, split, rows, tops, height, legend_rows):
    colours, bars = _bars(split, rows)
    top = draw_legend(sheet, colours, 0.1, -(-len(colours) // legend_rows)) + 0.2
    panel = sheet.axes(_LEFT, top, _WIDTH, height)
    as_rows(panel, height)
    panel.set_xlim(0, 1)
    panel.xaxis.set_major_formatter(lambda share, _: format_percent(share))
    for row, bar, down in zip(rows, bars, tops):
        middle = down + 0.5 * _ROW
        sheet.text(_LEFT - 0.08, top + middle + 0.035, shorten(row.label, 42), size=8, ha="right")
        draw_bar(panel, middle, 0.76 * _ROW, bar, colours)
        margin_label(panel, middle, format_time(row.total), "#222222", size=8)


def _live(split, rows):
    names = [f"{row.label}, {format_time(row.total)}" for row in rows]
    colours, bars = _bars(split, rows)
    widths = {part: [bar.get(part, 0) for bar in bars] for part in colours}
    traces = live_bars(names, colours, widths, 0.42, -0.17)
    for part, trace in zip(colours, traces):
        trace["text"] = [format_time(bar.get(part, 0) * row.total) for row, bar in zip(rows, bars)]
        trace |= {"hovertemplate": "%{y}: %{text}", "textposition": "none"}
    row_axis, height = live.rows(names)
    share = live.axis("Share of the time", rangemode="tozero", tickformat=".0%")
    return [live.figure([live.Panel("At percentiles, and by size", share, row_axis, traces, height)])]


def _plot(split, results):
    rows = split.rows(results)
    if not rows:
        return None
    notes = notes_of(results)
    notes.append((f"Around a percentile: the mean of the {split.table} near it, so it differs from the percentile itself.", QUIET))
    if any(row.subset.startswith(("up", "above")) for row in rows):
        notes.append((f"Rows of sizes: the mean of all {split.table} of that size.", QUIET))
    tops, height = _offsets(rows)
    legend_rows = 2 if len(_bars(split, rows)[0]) > 6 else 1
    sheet = Sheet(title_of(split.heading, results), notes, [], height + 0.2 * legend_rows + 0.45)
    _draw(sheet, split, rows, tops, height, legend_rows)
    table = pd.DataFrame(
        [[row.result.name, row.workload, row.subset, *(row.parts.get(p, 0.0) for p in split.parts)] for row in rows],
        columns=["result", "workload", split.table, *(f"{p}_us" for p in split.parts)],
    )
    told = [_words(row) for row in rows]
    return Plot(split.plot, split.heading, split.caption, sheet.figure, {split.plot: table}, told, True, _live(split, rows))


def message_parts_plot(results):
    """None if times were not split, or no message finished."""
    return _plot(MESSAGES, results)


def operation_parts_plot(results):
    """None if operations were not followed, or none finished."""
    return _plot(OPERATIONS, results)
