"""The largest deviations as a picture: each counter's simulated value over the measured one."""

from pathlib import Path

import pandas as pd

from headroom.format import format_bytes, format_number, format_rate, format_time
from headroom.measured.page import deviation_text
from headroom.plot.drawing.plot import Plot
from headroom.plot.drawing.style import COLOURS, QUIET, Sheet, apply_style, as_rows, shorten
from headroom.plot.output import staged, write_plot

_MOST, _ROW, _TOP = 24, 0.25, 0.08
_LEFT, _WIDTH, _EDGE = 3.55, 2.7, 10.0  # ratios beyond 1/10 and 10 are drawn at the edge
_WRITE = {"B": format_bytes, "us": format_time, "bit/s": format_rate, "Gb/s": lambda value: format_rate(1e9 * value)}
_WRITE |= {"B/s": lambda value: format_rate(8 * value)}
HEADING = "Simulated over measured"


def _words(value, unit):
    return _WRITE.get(unit, format_number)(value)


def _ratio(entry):
    """Between the edges; None if both sides are 0."""
    if entry.measured.value == 0:
        return _EDGE if entry.simulated else None
    return min(max(entry.simulated / entry.measured.value, 1 / _EDGE), _EDGE)


def _table(entries):
    columns = ["node", "port", "item", "counter", "unit", "measured", "measured_low", "measured_high", "simulated", "deviation"]
    rows = []
    for entry in entries:
        one = entry.measured
        found = [one.node, one.port, one.item, one.counter, entry.counter.unit, one.value, one.low, one.high, entry.simulated]
        rows.append([*found, entry.deviation])
    return pd.DataFrame(rows, columns=columns)


def _draw_row(panel, sheet, y, entry, percent):
    ratio = _ratio(entry)
    colour = COLOURS[0] if entry.within(percent) else COLOURS[1]
    panel.plot([1, ratio], [y, y], color=colour, linewidth=1.4, solid_capstyle="butt")
    edge = ratio in (_EDGE, 1 / _EDGE)
    marker = (">" if ratio > 1 else "<") if edge else "o"
    panel.plot([ratio], [y], marker, color=colour, markersize=4.5, clip_on=False)
    unit = entry.counter.unit
    name = f"{shorten(entry.place, 20)}  {shorten(entry.counter.words, 28)}"
    sheet.text(_LEFT - 0.1, _TOP + y + 0.04, name, size=8, ha="right")
    told = f"{_words(entry.measured.value, unit)} → {_words(entry.simulated, unit)}"
    sheet.text(_LEFT + _WIDTH + 0.15, _TOP + y + 0.04, f"{told}  ({deviation_text(entry)})", size=8, color="#222222")


def measured_plot(found, result, notes, percent):
    """Plot of the counters that matter most. None without a counter."""
    some = [entry for entry in found.entries if _ratio(entry) is not None][:_MOST]
    if not some:
        return None
    shown = [(note, QUIET) for note in notes]
    if len(found.entries) > len(some):
        shown.append((f"The {len(some)} of {len(found.entries)} counters that matter most; measured.csv has all.", QUIET))
    shown.append((f"Blue: within {percent:g} % of the measured value. Right of each row: measured → simulated.", QUIET))
    height = _ROW * len(some)
    sheet = Sheet(f"{HEADING}: {shorten(result.name, 50)}", shown, [], _TOP + height + 0.55)
    panel = sheet.axes(_LEFT, _TOP, _WIDTH, height)
    panel.set_xscale("log")
    panel.set_xlim(1 / _EDGE, _EDGE)
    as_rows(panel, height)
    panel.axvspan(max(1 - percent / 100, 1 / _EDGE), min(1 + percent / 100, _EDGE), color="#0072B2", alpha=0.1, linewidth=0)
    panel.axvline(1, color="#8a8a8a", linewidth=0.9)
    ticks = [0.1, 0.2, 0.5, 1, 2, 5, 10]
    panel.set_xticks(ticks, [f"× {tick:g}" for tick in ticks])
    panel.minorticks_off()
    panel.set_xlabel("Simulated value over the measured one")
    for number, entry in enumerate(some):
        _draw_row(panel, sheet, _ROW * (number + 0.5), entry, percent)
    details = [f"{entry.place}, {entry.counter.words}: {deviation_text(entry)}" for entry in some]
    caption = "The counters that matter most, simulated over measured."
    return Plot("measured", HEADING, caption, sheet.figure, {"measured": _table(found.entries)}, details)


def write_figure(folder, found, result, notes, percent):
    """Writes measured.svg, .png and .csv into the folder, all or none; returns a sentence."""
    apply_style()
    plot = measured_plot(found, result, notes, percent)
    if plot is None:
        return "nothing to draw: all counters are 0"
    folder = Path(folder)
    with staged(folder) as fresh:
        write_plot(fresh, plot)
        for file in sorted(fresh.iterdir()):
            file.replace(folder / file.name)
    return f"{folder}/measured.svg, .png, .csv"
