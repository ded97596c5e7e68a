"""Sending rates of queue pairs over time, as the reaction points set them.

One result with few QPs: a line each in one panel. Several results with few QPs: a panel per QP, the results
over each other. Many QPs: a panel per result, every QP a thin line, the median among them thick.
"""

import numpy as np
import pandas as pd
from matplotlib.ticker import FuncFormatter, MaxNLocator

from .plot import Plot, notes_of, result_colours, title_of
from .quantities import format_rate
from .series_reduction import thin
from .style import COLOURS, QUIET, Sheet, dashes, shorten, spread
from .ticks import time_unit

_HEADING = "Sending rate per queue pair"
_LEFT, _FEW, _MOST_LINES = 0.85, 6, 200
_STEP = {"drawstyle": "steps-post"}


def _by_qp(table):
    """{(host, qp): (µs, bit/s)} in the order of host and QP number."""
    found = {
        key: (t["time_ns"].to_numpy(float) / 1000, t["rate_bps"].to_numpy(float))
        for key, t in table.groupby(["host", "qp"], sort=False)
    }
    return dict(sorted(found.items(), key=lambda item: (item[0][0], len(item[0][1]), item[0][1])))


def _label(key):
    return f"{key[0]}, QP {key[1]}"


def _frame(panel, title, unit, end_us, top, last, unit_name):
    panel.set_title(title)
    panel.set_xlim(0, end_us / unit)
    panel.set_ylim(0, 1.06 * max(top, 1))
    panel.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: format_rate(value)))
    panel.set_ylabel("Rate")
    if last:
        panel.set_xlabel(f"Time ({unit_name})")
    else:
        panel.tick_params(labelbottom=False)


def _end_labels(panel, labels, height):
    """[(y, text, colour)] in the right margin, moved apart where they would touch."""
    top = panel.get_ylim()[1]
    for (_, text, colour), y in zip(labels, spread([y for y, _, _ in labels], 0.16 / height * top)):
        panel.annotate(
            text,
            (1, y),
            xycoords=("axes fraction", "data"),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=colour,
            annotation_clip=False,
        )


def _median(lines, end_us):
    """The median rate among the QPs that exist, on a common grid."""
    grid = np.linspace(0, end_us, 400)
    rates = np.full((len(lines), len(grid)), np.nan)
    for row, (times, values) in enumerate(lines):
        at = np.searchsorted(times, grid, side="right") - 1
        alive = (at >= 0) & (grid <= times[-1])
        rates[row, alive] = values[at[alive]]
    some = ~np.isnan(rates).all(axis=0)
    return grid[some], np.nanmedian(rates[:, some], axis=0)


def rates_plot(results):
    """Rate over time of the observed QPs; None if no result observed rates."""
    tables = {r.name: r.runs[0].table("rates") for r in results}
    lines = {name: _by_qp(t) for name, t in tables.items() if t is not None and len(t)}
    if not lines:
        return None
    shown = [r for r in results if r.name in lines]
    colours = result_colours(results)
    keys = list(dict.fromkeys(key for found in lines.values() for key in found))
    end_us = max(1e-3, max(r.runs[0].end_us for r in shown))
    unit, unit_name = time_unit(end_us)
    top = max(values.max() for found in lines.values() for _, values in found.values())
    few = len(keys) <= _FEW
    notes = notes_of(results, seeds="first")
    absent = [shorten(r.name) for r in results if r.name not in lines]
    if absent:
        notes.append(("Rates were not observed in " + ", ".join(absent) + ".", QUIET))
    legend = []
    if len(results) > 1:
        legend = [
            (
                {
                    "color": colours[r.name],
                    "linewidth": 2,
                    "linestyle": dashes(results.index(r)) if few else "-",
                },
                shorten(r.name, 60),
            )
            for r in shown
        ]
    if not few:
        notes.append(
            (
                f"{len(keys)} QPs: each a thin line ({_MOST_LINES} at most), the median a thick one.",
                QUIET,
            )
        )
    count = 1 if few and len(results) == 1 else (len(keys) if few else len(shown))
    width = 7.8 if few and len(results) > 1 else 6.8  # the lines' labels stand in the right margin
    height = {1: 3.2, 2: 2.0}.get(count, 1.35)
    sheet = Sheet(title_of(_HEADING, results), notes, legend, (height + 0.38) * count + 0.5)
    drawn = []

    def draw(panel, result, key, **look):
        times, values = thin(*lines[result.name][key], points=1500 if few else 300)
        panel.plot(times / unit, values, **_STEP, **look)
        drawn.append(
            pd.DataFrame(
                {"result": result.name, "host": key[0], "qp": key[1], "time_us": times, "rate_bps": values}
            )
        )

    for index in range(count):
        panel = sheet.axes(_LEFT, 0.3 + index * (height + 0.38), width, height)
        last = index == count - 1
        if few and len(results) == 1:
            _frame(panel, "", unit, end_us, top, last, unit_name)
            labels = []
            for number, key in enumerate(keys):
                draw(panel, shown[0], key, color=COLOURS[number], linewidth=1.4, linestyle=dashes(number))
                labels.append((lines[shown[0].name][key][1][-1], _label(key), COLOURS[number]))
            _end_labels(panel, labels, height)
        elif few:
            _frame(panel, _label(keys[index]), unit, end_us, top, last, unit_name)
            for result in shown:
                if keys[index] in lines[result.name]:
                    draw(
                        panel,
                        result,
                        keys[index],
                        color=colours[result.name],
                        linewidth=1.4,
                        linestyle=dashes(results.index(result)),
                    )
        else:
            result = shown[index]
            found = lines[result.name]
            _frame(
                panel, shorten(result.name) if len(results) > 1 else "", unit, end_us, top, last, unit_name
            )
            for key in list(found)[:_MOST_LINES]:
                draw(panel, result, key, color=colours[result.name], linewidth=0.6, alpha=0.45)
            times, median = _median(list(found.values()), end_us)
            panel.plot(times / unit, median, color="#000000", linewidth=2)
            _end_labels(panel, [(median[-1], "median", "#000000")], height)
    caption = f"Rate over time of {len(keys)} queue pairs; the highest is {format_rate(top)}."
    return Plot("rates", _HEADING, caption, sheet.figure, {"rates": pd.concat(drawn, ignore_index=True)}, [])
