"""Durations: the share that ends within a time, and the tail on a logarithmic axis.

Both curves are shares of all offered messages. Unfinished messages lower the left curve and raise the right one up to
the end of the axis. They are never dropped. The slowest message ends the right curve.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from headroom.format import format_percent, format_time
from headroom.plot.drawing import live
from headroom.plot.drawing.style import QUIET
from headroom.plot.drawing.ticks import log_axis

_POINTS = 1000  # points of a curve over all ranks, and again over the tail
_AGE_TICKS = 150  # number of unfinished messages with a mark each
_TAIL = "The tail: took at least this long"
_LEVELS = [1, 0.5] + [10.0**-e for e in range(1, 9)]
_PERCENTILES = {0.5: " (p50)", 0.1: " (p90)", 0.01: " (p99)", 0.001: " (p99.9)"}


@dataclass
class Curve:
    """A line's content and look."""

    label: str
    rows: pd.DataFrame  # us, finished; by_seed: and run
    colour: str
    dash: object
    by_seed: bool = False  # a thin line for each seed in addition to that of all

    @property
    def unfinished(self):
        return int((~self.rows["finished"]).sum())


def _ranks(count):
    """Ranks to draw: all if there are few, otherwise evenly spread ones, which become denser towards the largest."""
    if count <= 2 * _POINTS:
        return np.arange(count)
    even = np.linspace(0, count - 1, _POINTS).astype(int)
    tail = count - np.geomspace(1, count, _POINTS).astype(int)
    return np.unique(np.concatenate([even, tail]))


def curve(rows):
    """(µs, fraction that has ended by then, fraction that took at least as long) at the ranks of the finished ones."""
    times = np.sort(rows.loc[rows["finished"], "us"].to_numpy())
    ranks = _ranks(len(times))
    return times[ranks], (ranks + 1) / len(rows), (len(rows) - ranks) / len(rows)


def _draw(panels, one, right_edge):
    times, done, longer = curve(one.rows)
    total, unfinished = len(one.rows), one.unfinished
    look = {"color": one.colour, "linestyle": one.dash}
    if len(times):
        panels[0].plot(np.r_[times[0], times], np.r_[0, done], drawstyle="steps-post", **look)
        panels[1].plot(times, longer, drawstyle="steps-pre", **look)
        panels[1].plot(times[-1:], longer[-1:], "o", color=one.colour, markersize=4)
    if unfinished == 0:
        return
    ages = np.sort(one.rows.loc[~one.rows["finished"], "us"].to_numpy())
    ages = ages[np.unique(np.linspace(0, len(ages) - 1, min(len(ages), _AGE_TICKS)).astype(int))]
    finished_by = np.searchsorted(np.sort(one.rows.loc[one.rows["finished"], "us"]), ages, side="right")
    start = times[-1] if len(times) else ages[0]
    levels = [
        (panels[0], 1 - unfinished / total, finished_by / total),
        (panels[1], unfinished / total, 1 - finished_by / total),
    ]
    dots = {"color": one.colour, "linestyle": (0, (1, 2)), "linewidth": 1.1}
    end = {"color": one.colour, "markerfacecolor": "white", "markersize": 6, "clip_on": False, "zorder": 5}
    for panel, level, heights in levels:
        panel.plot([start, right_edge], [level, level], **dots)
        panel.plot([right_edge], [level], ">", **end)
        panel.plot(ages, heights, "|", color=one.colour, markersize=6, markeredgewidth=0.8)


def _draw_seeds(panels, one):
    if not one.by_seed:
        return
    for _, rows in one.rows.groupby("run"):
        times, done, longer = curve(rows)
        look = {"color": one.colour, "linestyle": one.dash, "linewidth": 0.6, "alpha": 0.4}
        panels[0].plot(times, done, drawstyle="steps-post", **look)
        panels[1].plot(times, longer, drawstyle="steps-pre", **look)


def level_words(level):
    """1 % (p99)."""
    return format_percent(level) + next((n for v, n in _PERCENTILES.items() if abs(v / level - 1) < 1e-6), "")


def _scale_of_the_tail(panel, lowest):
    """Decades, and the percentile of each."""
    panel.set_yscale("log")
    panel.set_ylim(lowest / 1.5, 1.3)
    panel.yaxis.set_major_locator(FixedLocator([level for level in _LEVELS if level >= lowest / 1.5]))
    panel.yaxis.set_minor_locator(NullLocator())
    panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: level_words(value)))


def draw_distributions(sheet, curves, done_title, time, share):
    """Draws both panels, 4.15 inches of the sheet. `time` and `share` label the axes."""
    done = sheet.axes(0.85, 0.3, 3.3, 3.3)
    longer = sheet.axes(5.25, 0.3, 3.5, 3.3)
    times = np.concatenate([one.rows["us"].to_numpy() for one in curves])
    times = times[times > 0] if (times > 0).any() else np.array([1.0])
    low, high = times.min(), times.max()
    margin = max(1.15, (high / low) ** 0.04)
    low, high = low / margin, high * margin
    for panel in (done, longer):
        log_axis(panel, "x", low, high, format_time)
        panel.set_xlabel(time)
    for one in curves:
        _draw_seeds((done, longer), one)
        _draw((done, longer), one, high)
    done.set_title(done_title)
    done.set_ylim(0, 1.02)
    done.set_ylabel(share)
    done.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.0f} %"))
    longer.set_title(_TAIL)
    _scale_of_the_tail(longer, min(max(1, one.unfinished) / len(one.rows) for one in curves))


def live_distributions(curves, done_title, time, share):
    """The same two panels for a browser."""
    done, longer = [], []
    for one in curves:
        times, finished, rest = curve(one.rows)
        if len(times):
            look = {"colour": one.colour, "dash": one.dash}
            done.append(live.line(one.label, times, 100 * finished, step="hv", **look))
            longer.append(live.line(one.label, times, 100 * rest, step="vh", **look))
    x = live.axis(time, log=True, unit="µs")
    share = f"{share} (%)"
    levels = {"tickvals": live.numbers(100 * v for v in _LEVELS), "ticktext": [level_words(v) for v in _LEVELS]}
    tail = live.axis(share, log=True, **levels)
    return [
        live.Panel(done_title, x, live.axis(share, rangemode="tozero"), done, 300),
        live.Panel(_TAIL, x, tail, longer, 300),
    ]


def unfinished_notes(curves, what):
    """The meaning of the marks of unfinished messages, if there are some."""
    if not any(one.unfinished for one in curves):
        return []
    told = f"▷ and the dotted line: {what} unfinished at the end of the run, counted in every share; "
    told += "the ticks show how old they were. ≥: the percentile depends on how they end."
    return [(told, QUIET)]
