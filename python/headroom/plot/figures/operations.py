"""Latency of operations, by workload and kind: how many have ended after which time, the tail, and the parts of their
mean time.

The curves show the operations that have a line in operations.csv, as shares of those offered; the bars show all, as in
summary.json.
"""

from dataclasses import dataclass
import pandas as pd

from headroom.csv_file import PARTS
from headroom.format import format_amount, format_count, format_time
from headroom.percentile import PERCENTILES, Ranked
from headroom.plot.drawing import live
from headroom.plot.drawing.distribution import Curve, curve, draw_distributions, live_distributions, unfinished_notes
from headroom.plot.drawing.margin import margin_label
from headroom.plot.drawing.plot import Plot, notes_of, result_colours, title_of
from headroom.plot.drawing.stacked import draw_bar, draw_legend, live_bars, merged
from headroom.plot.drawing.style import QUIET, Sheet, as_rows, colours, dashes, shorten

_HEADING = "Latency of operations"
_DONE, _TIME, _SHARE = "Ended within this time", "Latency", "Share of operations offered"
_LEFT, _WIDTH, _ROW = 2.1, 5.4, 0.26  # inches
_PER_ROW = 7  # parts in a row of the legend
COLUMNS = ["result", "workload", "kind", "latency_us", "fraction_finished_by_then"]
COLUMNS += ["fraction_at_least_as_long", "operations", "unfinished"]


@dataclass
class _Line:
    """The operations of one workload and kind in one result, and their look."""

    result: object
    workload: str
    kind: str
    label: str
    colour: str
    dash: object
    operations: pd.DataFrame  # empty if no line was kept
    parts: dict  # {part: µs}; empty if no operation was followed

    @property
    def prefix(self):
        return f"operations.{self.workload}.{self.kind}"

    @property
    def offered(self):
        return sum(self.result.by_seed(f"{self.prefix}.offered").values())


def _lines(results):
    kinds = list(dict.fromkeys(found for result in results for found in result.operation_kinds))
    alone = dict(zip(kinds, colours(len(kinds))))
    by_result = result_colours(results)
    out = []
    for workload, kind in kinds:
        for result in results:
            if (workload, kind) not in result.operation_kinds:
                continue
            found = result.operations
            found = found[(found["workload"] == workload) & (found["kind"] == kind)]
            label, colour = f"{workload} {kind.replace('_', '-')}", alone[workload, kind]
            if len(results) > 1:
                label, colour = f"{label}, {shorten(result.name)}", by_result[result.name]
            means = {p: result.interval(f"operations.{workload}.{kind}.parts_us.{p}") for p in PARTS}
            parts = {part: interval.mean for part, interval in means.items() if interval is not None}
            out.append(_Line(result, workload, kind, label, colour, dashes(kinds.index((workload, kind))), found, parts))
    return out


def _words(line):
    """Percentiles of all seeds together, if every operation has a line."""
    told = f"{line.label}: {format_amount(line.offered, 'operation')}"
    if len(line.operations) < line.offered:
        return f"{told}, {format_count(len(line.operations))} of them drawn"
    ranked = Ranked(line.operations["us"], line.operations["finished"])
    found = [(name, ranked.percentile(per_mille)) for name, per_mille, enough in PERCENTILES if len(ranked) >= enough]
    found.append(("max", ranked.maximum()))
    told += ", " + ", ".join(f"{name} {'≥ ' if p.censored else ''}{format_time(p.value)}" for name, p in found)
    left = int((~line.operations["finished"]).sum())
    return told + (f"; {format_count(left)} unfinished" if left else "")


def _bars(followed):
    """({part: colour}, [{part: µs}]): visible parts, and the others of each line as one."""
    most = max(sum(line.parts.values()) for line in followed)
    return merged(PARTS, [line.parts for line in followed], 0.002 * most)


def _draw_parts(sheet, followed, top):
    height = _ROW * len(followed) + 0.1
    sheet.text(0.35, top, "Where the mean time went", size=9.5, weight="bold")
    colours_of, bars = _bars(followed)
    top = draw_legend(sheet, colours_of, top + 0.22, _PER_ROW)
    panel = sheet.axes(_LEFT, top + 0.12, _WIDTH, height)
    as_rows(panel, height)
    panel.set_xlim(0, 1.02 * max(sum(line.parts.values()) for line in followed))
    panel.xaxis.set_major_formatter(lambda us, _: format_time(us))
    for row, (line, bar) in enumerate(zip(followed, bars)):
        y = 0.05 + _ROW * (row + 0.5)
        sheet.text(_LEFT - 0.08, top + 0.12 + y + 0.035, shorten(line.label, 30), size=8, ha="right")
        draw_bar(panel, y, 0.72 * _ROW, bar, colours_of)
        margin_label(panel, y, format_time(sum(line.parts.values())), "#222222", size=8)


def _live(curves, followed):
    figures = [live.figure(live_distributions(curves, _DONE, _TIME, _SHARE), same_x=True)] if curves else []
    if followed:
        names = [f"{line.label}, {format_time(sum(line.parts.values()))}" for line in followed]
        colours_of, bars = _bars(followed)
        widths = {part: [bar.get(part, 0) for bar in bars] for part in colours_of}
        traces = live_bars(names, colours_of, widths, 0.3, -0.18)
        rows, height = live.rows(names)
        mean = live.axis("Mean time", unit="µs", rangemode="tozero")
        figures.append(live.figure([live.Panel("Where the mean time went", mean, rows, traces, height)]))
    return figures


def _tables(drawn, followed):
    curves = []
    for line in drawn:
        us, done, longer = curve(line.operations)
        left = int((~line.operations["finished"]).sum())
        row = [line.result.name, line.workload, line.kind]
        curves += [[*row, *point, len(line.operations), left] for point in zip(us, done, longer)]
    means = [[line.result.name, line.workload, line.kind, *(line.parts.get(p, 0.0) for p in PARTS)] for line in followed]
    return {
        "operations": pd.DataFrame(curves, columns=COLUMNS),
        "operation-parts": pd.DataFrame(means, columns=[*COLUMNS[:3], *(f"{p}_us" for p in PARTS)]),
    }


def _mean_words(line):
    parts = sorted(((us, part) for part, us in line.parts.items() if us), reverse=True)
    told = ", ".join(f"{part.replace('_', ' ')} {format_time(us)}" for us, part in parts)
    return f"mean of {line.label}: {format_time(sum(line.parts.values()))}" + (f", of which {told}" if told else "")


def operations_plot(results):
    """None if no operation was offered."""
    lines = _lines(results)
    if not lines:
        return None
    drawn = [line for line in lines if len(line.operations)]
    followed = [line for line in lines if sum(line.parts.values()) > 0]
    notes = notes_of(results)
    if len(drawn) < len(lines):
        notes.append(("Workloads without recorded operations have no curve (observe: {operations: none}).", QUIET))
    if any(0 < len(line.operations) < line.offered for line in lines):
        notes.append(("Curves show recorded operations only; means cover all.", QUIET))
    curves = [Curve(line.label, line.operations, line.colour, line.dash) for line in drawn]
    notes += unfinished_notes(curves, "operations")
    legend = [({"color": line.colour, "linestyle": line.dash, "linewidth": 2}, _words(line)) for line in lines]
    curves_height = 4.3 if drawn else 0.3
    below = _ROW * len(followed) + 1.1 + 0.2 * ((len(_bars(followed)[0]) - 1) // _PER_ROW) if followed else 0
    sheet = Sheet(title_of(_HEADING, results), notes, legend, curves_height + below)
    if drawn:
        draw_distributions(sheet, curves, _DONE, _TIME, _SHARE)
    if followed:
        _draw_parts(sheet, followed, curves_height)
    caption = "Share of operations that ended within a time, and the tail of it on a logarithmic axis"
    caption = caption + "; below, what their mean time went to." if followed else caption + "."
    details = [_words(line) for line in lines] + [_mean_words(line) for line in followed]
    return Plot(
        "operations",
        _HEADING,
        caption,
        sheet.figure,
        _tables(drawn, followed),
        details,
        bool(drawn or followed),
        _live(curves, followed) if drawn or followed else None,
    )
