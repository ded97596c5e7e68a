"""Differences of results from the first, as shares of its values, with their 95 % intervals."""

from statistics import median_low

import pandas as pd
from matplotlib.ticker import MaxNLocator

from headroom.difference import differences, interval_words, left_out_words, sentence
from headroom.plot.drawing import live
from headroom.plot.drawing.plot import Plot, result_colours
from headroom.plot.drawing.style import QUIET, Sheet, as_rows, shorten

_HEADING = "What changed"
_LEFT, _WIDTH, _ROW = 2.6, 3.9, 0.2
_FARTHEST = 4.0  # the axis ends at a change of +400 %; larger ones are named, not drawn
_MOST = 3.0  # times the length of the middle row: longer rows are cut there, because otherwise the others would vanish
_LEAST = 0.1
_SYMBOLS = {"": "circle", "<": "triangle-left", ">": "triangle-right"}
COLUMNS = [
    "metric",
    "first",
    "second",
    "first_mean",
    "second_mean",
    "difference",
    "low_95",
    "high_95",
    "seeds",
]


def _shares(d):
    """(low, mean, high) as shares of the first; None if that was 0. None of these quantities can be negative, so
    intervals are cut at zero."""
    if not d.before:
        return None
    half = d.change.half_width or 0
    return tuple(max(-1.0, d.share(value)) for value in (d.change.mean - half, d.change.mean, d.change.mean + half))


def _limits(shares):
    """(left, right) end of the axis."""
    reaches = [reach for low, _, high in shares if (reach := max(abs(low), abs(high)))]
    most = max(_LEAST, _MOST * median_low(reaches)) if reaches else _LEAST
    low = max([-most, min([-_LEAST] + [low for low, _, _ in shares])])
    high = min([most, _FARTHEST, max([_LEAST] + [high for _, _, high in shares])])
    return 1.08 * low, 1.08 * high


def _cut(shares, limits):
    """(the part of the interval on the axis, the ends beyond it: "<", ">")."""
    inside = tuple(min(max(s, limits[0]), limits[1]) for s in shares)
    return inside, [mark for mark, gone in (("<", shares[0] < limits[0]), (">", shares[2] > limits[1])) if gone]


def _told(d):
    return f"{'≥ ' if d.before_bound else ''}{d.write(d.before)} → {'≥ ' if d.after_bound else ''}{d.write(d.after)}"


def _draw(sheet, top, rows, name, colour, limits):
    height = _ROW * len(rows)
    panel = sheet.axes(_LEFT, top + 0.35, _WIDTH, height)
    panel.set_title(shorten(name, 48))
    panel.set_xlim(*limits)
    as_rows(panel, height)
    panel.axvline(0, color="#8a8a8a", linewidth=1)
    panel.xaxis.set_major_formatter(
        lambda value, _: f"{'+' if value > 0 else ''}{100 * value:.0f} %".replace("-", "−")
    )
    panel.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    panel.set_xlabel("Difference as a share of the first")
    for number, d in enumerate(rows):
        y = _ROW * (number + 0.5)
        row_y = top + 0.35 + y + 0.035
        sheet.text(_LEFT - 0.1, row_y, shorten(d.words, 40), size=7.8, ha="right")
        sheet.text(_LEFT + _WIDTH + 0.1, row_y, _told(d), size=7.4, color=QUIET)
        shares = _shares(d)
        if shares is None:
            panel.text(0, y, " from nothing", fontsize=7, va="center", color=colour)
            continue
        (low, mean, high), gone = _cut(shares, limits)
        if d.change.half_width:
            panel.plot([low, high], [y, y], color=colour, linewidth=2.2, solid_capstyle="butt")
        full = d.sure or d.change.half_width is None
        filled = {"color": colour, "markersize": 5, "markerfacecolor": colour if full else "white", "clip_on": False}
        if mean == shares[1]:
            panel.plot([mean], [y], "o", **filled)
        for mark in gone:
            panel.plot([limits[mark == ">"]], [y], mark, **filled)
    return 0.35 + height + 0.55


def _symbol(shares, limits):
    """The marker of the mean: a dot, or a sign that it lies beyond the edge."""
    return _SYMBOLS["<" if shares[1] < limits[0] else ">" if shares[1] > limits[1] else ""]


def _live(groups, colours, limits):
    ends = [100 * limit for limit in limits]
    panels = []
    for name, rows in groups:
        some = [d for d in rows if _shares(d) is not None]
        shares = [_shares(d) for d in some]
        cut = [_cut(share, limits) for share in shares]
        told = [f"{_told(d)}<br>{interval_words(d)}" for d in some]
        names = [d.words for d in some]
        dots = live.points(shorten(name), [100 * mean for (_, mean, _), _ in cut], names, colours[name], size=9)
        dots["marker"]["symbol"] = [_symbol(share, limits) for share in shares]
        dots["error_x"] = {
            "type": "data",
            "symmetric": False,
            "array": live.numbers(100 * (high - mean) for (_, mean, high), _ in cut),
            "arrayminus": live.numbers(100 * (mean - low) for (low, mean, _), _ in cut),
            "thickness": 2,
        }
        traces = [dots | {"text": told, "cliponaxis": False, "showlegend": False}]
        for mark, end in zip("<>", ends):
            beyond = [i for i, (_, gone) in enumerate(cut) if mark in gone and _symbol(shares[i], limits) == "circle"]
            if beyond:
                more = {"text": [told[i] for i in beyond], "cliponaxis": False, "showlegend": False}
                positions = [end] * len(beyond), [names[i] for i in beyond]
                traces.append(live.points(shorten(name), *positions, colours[name], _SYMBOLS[mark], 9, **more))
        rows, height = live.rows(names)
        change = live.axis("Difference (%)", zeroline=True, zerolinecolor="#8a8a8a", range=live.numbers(ends))
        panels.append(live.Panel(shorten(name), change, rows, traces, height))
    return live.figure(panels)


def difference_plot(results):
    """Every result compared with the first; None for one result, or if nothing can be compared."""
    found = [(r, differences(results[0], r)) for r in results[1:]]
    groups = [(r.name, rows) for r, rows in found if rows]
    if not groups:
        return None
    first, colours = results[0].name, result_colours(results)
    shares = [s for _, rows in groups for d in rows if (s := _shares(d)) is not None]
    limits = _limits(shares)
    notes = [(f"Compared with {shorten(first, 60)}. Left of the line: smaller values than there.", QUIET)]
    if any(d.change.half_width is not None for _, rows in groups for d in rows):
        notes.append(
            ("Bars: 95 % intervals of the mean difference, seed by seed. Hollow: the difference may be chance.", QUIET)
        )
    else:
        notes.append(("One seed in common: no intervals. Run with --seeds 10 for intervals.", QUIET))
    left_out = [(r, told) for r, rows in found if rows and (told := left_out_words(results[0], r))]
    notes += [(told if len(groups) == 1 else f"{shorten(r.name, 48)}: {told}", QUIET) for r, told in left_out]
    if any(not d.direction_known for _, rows in groups for d in rows):
        notes.append(("≥: a lower bound, of unfinished messages. Also hollow: the bound leaves open which value is smaller.", QUIET))
    if any(_cut(share, limits)[1] for share in shares):
        notes.append(("◁ ▷ at the edge: the bar extends beyond the axis; its value is printed beside it.", QUIET))
    height = sum(0.35 + _ROW * len(rows) + 0.55 for _, rows in groups)
    sheet = Sheet(_HEADING, notes, [], height)
    top, table = 0.0, []
    for name, rows in groups:
        top += _draw(sheet, top, rows, name, colours[name], limits)
        for d in rows:
            half = d.change.half_width
            ends = ("", "") if half is None else (d.change.low, d.change.high)
            table.append([d.metric, first, name, d.before, d.after, d.change.mean, *ends, d.change.n])
    caption = f"Differences to {first}, with 95 % intervals where several seeds ran."
    details = [sentence(d) for _, rows in groups for d in rows[:6]]
    return Plot(
        "difference",
        _HEADING,
        caption,
        sheet.figure,
        {"difference": pd.DataFrame(table, columns=COLUMNS)},
        details,
        live=_live(groups, colours, limits),
    )
