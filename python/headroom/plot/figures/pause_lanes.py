"""A lane of pauses over time, as the timeline and the plot of all pauses draw it."""

import numpy as np
import pandas as pd

from headroom.format import format_amount, format_percent, format_time
from headroom.plot.drawing.series_reduction import merged

_STEPS = 4  # shades of a bar's thickness


def bars_of(pauses, unit, end_us, points=1600):
    """[(start, width)] in `unit`; intervals that are too close for this many points of the whole time are joined."""
    return merged(pauses["start_us"] / unit, pauses["duration_us"] / unit, end_us / unit / points)


def draw_lane(panel, y, height, pauses, colour, unit, end_us):
    """A line over the whole time with the pauses on it, `height` inches thick, or as much of it as their `share`."""
    panel.plot([0, end_us / unit], [y, y], color="#dddddd", linewidth=0.8, zorder=1)
    steps = np.ceil(pauses["share"] * _STEPS) if "share" in pauses else pd.Series(_STEPS, index=pauses.index)
    for step in sorted(set(steps)):
        # The thin edge keeps a pause visible that is shorter than a pixel.
        look = {"facecolors": colour, "edgecolors": colour, "linewidth": 0.35, "zorder": 2}
        thick = height * step / _STEPS
        panel.broken_barh(bars_of(pauses[steps == step], unit, end_us), (y - thick / 2, thick), **look)


def words_of(pauses, end_us):
    """"3 pauses, 12 µs (4 %) ▷": their number, their time, and whether one still lasts."""
    total = pauses["duration_us"].sum()
    words = f"{format_amount(len(pauses), 'pause')}, {format_time(total)}"
    if end_us:
        words += f" ({format_percent(total / end_us)})"
    return words + (" ▷" if pauses["still_paused"].any() else "")
