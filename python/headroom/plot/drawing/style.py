"""The look of every figure: colours that colour-blind readers can distinguish, line styles, a sheet measured in
inches."""

import contextlib
import os
import re
import textwrap

# Otherwise it would read a matplotlibrc in the working directory and a user's own, and take its backend from the
# environment, and might fail because of them.
os.environ["MATPLOTLIBRC"] = os.devnull
os.environ["MPLBACKEND"] = "agg"
with contextlib.chdir("/"):
    import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

# Okabe and Ito, Color Universal Design, 2008; without the yellow, which is hardly visible on white paper.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
DASHES = [
    "-",
    (0, (5, 1.8)),
    (0, (1, 1.3)),
    (0, (6, 1.6, 1, 1.6)),
    (0, (3, 1.2, 1, 1.2, 1, 1.2)),
    (0, (9, 3)),
]
INK, QUIET, GRID, WARNING = "#222222", "#5f5f5f", "#e2e2e2", "#B03A00"

WIDTH = 9.0  # width of every figure, in inches
_LEFT, _LEGEND_ROW, _NOTE_ROW = 0.35, 0.2, 0.18


def apply_style():
    """Sets matplotlib's parameters; a user's own matplotlibrc has no effect on the plots: they are equal."""
    matplotlib.rcdefaults()
    matplotlib.rcParams.update(
        {
            "svg.hashsalt": "headroom",
            "svg.fonttype": "path",
            "font.family": "DejaVu Sans",
            "font.size": 9,
            "axes.edgecolor": "#8a8a8a",
            "axes.labelcolor": INK,
            "axes.linewidth": 0.8,
            "axes.titlesize": 9.5,
            "axes.titlelocation": "left",
            "axes.titleweight": "bold",
            "axes.titley": 1.0,  # otherwise each drawing measures all ticks, to see whether the title has to move away
                                 # from them
            "axes.spines.top": False,
            "axes.grid": True,
            "axes.spines.right": False,
            "axes.axisbelow": True,
            "grid.color": GRID,
            "grid.linewidth": 0.7,
            "text.color": INK,
            "text.parse_math": False,
            "xtick.color": "#8a8a8a",
            "ytick.color": "#8a8a8a",
            "xtick.labelcolor": INK,
            "ytick.labelcolor": INK,
            "lines.linewidth": 1.7,
            "path.simplify": True,
        }
    )


def colours(count):
    """This many colours: the palette, or beyond it steps of cividis, whose order every reader can see."""
    if count <= len(COLOURS):
        return COLOURS[:count]
    cividis = matplotlib.colormaps["cividis"]
    return [matplotlib.colors.to_hex(cividis(0.92 * i / (count - 1))) for i in range(count)]


def dashes(index):
    return DASHES[index % len(DASHES)]


def shorten(name, limit=36):
    """The name with its middle left out if it is longer."""
    if len(name) <= limit:
        return name
    head = (limit - 1) // 2
    return name[:head] + "…" + name[len(name) - (limit - 1 - head) :]


def _wrap(text, width):
    """Lines of at most `width` characters; a number stays with its unit."""
    return textwrap.wrap(re.sub(r"(\d) (?=[µnm]?s\b|[kMGT]?B\b|[kMGT]?b/s|%)", "\\1\u00a0", text), width)


class Sheet:
    """A figure with a layout from the top in inches: title, notes, legend, then panels that the caller places.

    notes: [(text, colour)], wrapped to the width. legend: [(keyword arguments of Line2D, text)], one row for each. No
    part of the head can overlap a panel, whatever its length."""

    def __init__(self, title, notes, legend, panels_height):
        wrapped = [(line, colour) for text, colour in notes for line in _wrap(text, 130)]
        entries = [(keywords, _wrap(text, 104)) for keywords, text in legend]
        rows = sum(len(lines) for _, lines in entries)
        self._below = 0.48 + _NOTE_ROW * len(wrapped) + _LEGEND_ROW * rows + 0.08
        self.height = self._below + panels_height
        self.figure = Figure(figsize=(WIDTH, self.height), facecolor="white")
        FigureCanvasAgg(self.figure)
        self.text(_LEFT, 0.3, title, size=12.5, weight="bold", relative=False)
        y = 0.55
        for line, colour in wrapped:
            self.text(_LEFT, y, line, size=8.5, color=colour, relative=False)
            y += _NOTE_ROW
        y += 0.02
        for keywords, lines in entries:
            self.stroke(_LEFT, y, length=0.4, relative=False, **keywords)
            for line in lines:
                self.text(_LEFT + 0.52, y, line, size=8.8, relative=False)
                y += _LEGEND_ROW

    def text(self, x, y, words, relative=True, **keywords):
        """Text at `y` inches below the head (or the sheet's top), with its baseline there."""
        top = self._below if relative else 0.0
        return self.figure.text(
            x, self.height - top - y, words, transform=self.figure.dpi_scale_trans, **keywords
        )

    def stroke(self, x, y, length=0.32, relative=True, **keywords):
        """A sample of a line next to the words of a legend, with the baseline at `y`."""
        level = self.height - (self._below if relative else 0.0) - y + 0.045
        place = {"markevery": [1], "transform": self.figure.dpi_scale_trans}
        self.figure.add_artist(Line2D([x, x + length / 2, x + length], [level] * 3, **place, **keywords))

    def axes(self, left, top, width, height, **keywords):
        """A panel with its upper left corner there, `top` inches below the head."""
        bottom = self.height - self._below - top - height
        return self.figure.add_axes(
            [left / WIDTH, bottom / self.height, width / WIDTH, height / self.height], **keywords
        )


def as_rows(panel, height):
    """A panel with `height` inches of rows from the top down, which carry their own names."""
    panel.set_ylim(height, 0)
    panel.set_yticks([])
    panel.spines["left"].set_visible(False)


def shade_warmup(panel, results, unit):
    """Greys the warm-up of a panel over time in `unit` us: its messages and counters do not count in the numbers."""
    for until in sorted({r.runs[0].scenario.warmup_us for r in results} - {0.0}):
        panel.axvspan(0, until / unit, facecolor="#000000", alpha=0.07, linewidth=0, zorder=0)


def warmup_note(results):
    """[(text, colour)] that explains the grey; empty without a warm-up."""
    some = any(r.runs[0].scenario.warmup_us > 0 for r in results)
    return [("Grey: the warm-up, which the percentiles and counters leave out.", QUIET)] if some else []


def say(axes, words):
    """A sentence in the place of a picture."""
    axes.set_axis_off()
    axes.text(
        0,
        0.5,
        textwrap.fill(words, 105),
        transform=axes.transAxes,
        va="center",
        ha="left",
        fontsize=10,
        color=INK,
    )


def spread(positions, gap):
    """Positions that are moved apart to at least `gap`, in their order and as little as possible (least squares)."""
    order = sorted(range(len(positions)), key=lambda i: positions[i])
    groups = []  # [sum of wanted places, members]: those that touch move together
    for rank, i in enumerate(order):
        groups.append([positions[i] - rank * gap, 1])
        while len(groups) > 1 and groups[-2][0] / groups[-2][1] > groups[-1][0] / groups[-1][1]:
            total, members = groups.pop()
            groups[-1][0] += total
            groups[-1][1] += members
    bases = [total / members for total, members in groups for _ in range(members)]
    placed = [0.0] * len(positions)
    for rank, i in enumerate(order):
        placed[i] = bases[rank] + rank * gap
    return placed
