"""Bars of parts, one in each row: their legend, the still bars, and the live ones."""

from html import escape

import numpy as np
from matplotlib.patches import Rectangle

from headroom.plot.drawing import live
from headroom.plot.drawing.part_colours import PART_COLOURS

_LEFT = 0.35  # inches
_REST, _REST_COLOUR = "smaller parts", "#A9A9A9"


def _words(part):
    return part.replace("_", " ")


def draw_legend(sheet, colours, top, per_row=None):
    """`colours`: {part: colour} of the shown parts. Returns the lower end of the last row, in inches."""
    x = _LEFT
    for i, (part, colour) in enumerate(colours.items()):
        if per_row and i and i % per_row == 0:
            x, top = _LEFT, top + 0.2
        sheet.stroke(x, top, length=0.14, color=colour, linewidth=6)
        sheet.text(x + 0.22, top, _words(part), size=8.2)
        x += 0.44 + 0.066 * len(_words(part))
    return top


def merged(parts, rows, least):
    """({part: colour}, rows) of `rows` [{part: width}]: parts that have this width in some row, and the others of each
    row as one, so that a bar keeps its length."""
    shown = [part for part in parts if any(row.get(part, 0) >= least for row in rows)]
    bars = []
    for row in rows:
        bar = {part: row.get(part, 0) for part in shown}
        rest = sum(width for part, width in row.items() if part not in bar)
        bars.append(bar | ({_REST: rest} if rest > 0 else {}))
    colours = {part: PART_COLOURS[part] for part in shown}
    return colours | ({_REST: _REST_COLOUR} if any(_REST in bar for bar in bars) else {}), bars


def draw_bar(panel, middle, height, widths, colours):
    """Draws one row. `widths`: {part: width}. Returns the end of the bar."""
    left = 0.0
    for part, width in widths.items():
        panel.add_patch(Rectangle((left, middle - height / 2), width, height, facecolor=colours[part], linewidth=0))
        left += width
    return left


def live_bars(names, colours, widths, height, offset):
    """Traces, one for each part. `names`: names of the rows; `widths`: {part: a width for each row}; `height` and
    `offset` as in Plotly's horizontal bars."""
    so_far, traces = np.zeros(len(names)), []
    for part, colour in colours.items():
        width = np.array(widths[part])
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": escape(_words(part)),
                "y": names,
                "x": live.numbers(width),
                "base": live.numbers(so_far),
                "width": height,
                "offset": offset,
                "marker": {"color": colour},
            }
        )
        so_far = so_far + width
    return traces
