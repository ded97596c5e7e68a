"""One metric plotted over another: every setting, and the front of those that no other setting beats in both."""

from html import escape

import pandas as pd

from headroom.format import format_amount, is_are
from headroom.metrics import metric_of
from headroom.over_seeds import seeds_words
from headroom.plot.drawing import live
from headroom.plot.drawing.plot import Plot, notes_of_names
from headroom.plot.drawing.style import COLOURS, QUIET, Sheet, shorten

_HEADING = "Pareto front"
COLUMNS = [
    "settings",
    "metric_x",
    "x",
    "x_half_width_95",
    "metric_y",
    "y",
    "y_half_width_95",
    "seeds",
    "on_front",
    "role",
]
_NEXT = ("pfc.paused_us", "ecn.marked_fraction")
_FEW = 12  # settings on the front that have their own names


def _metrics(study):
    """[(metric, sign)]: a search's objectives and its bounded metric; for a sweep, a tail and its cost."""
    asked = [
        (o["metric"], 1 if o["goal"] == "minimise" else -1)
        for o in (study.answer or {}).get("objectives", [])
    ]
    found = asked[:2]
    # For a metric with both bounds, sign 0, less counts as better.
    bounded = [(b["metric"], b["sign"] or 1) for b in (study.answer or {}).get("bounds", [])]
    # A metric outside a search's objectives makes no setting worse.
    others = [] if study.is_search else [(m, study.sign(m)) for m in [*study.metrics, *_NEXT]]
    for metric, sign in [*bounded, *others]:
        values = {v for p in study.points for v in p.by_seed(metric).values()}
        if len(found) < 2 and len(values) > 1 and metric not in [m for m, _ in found]:
            found.append((metric, sign))
    return found


def _front(points):
    """For [(x, y, …)] in which less is better: the points that no other equals in both and beats in one."""
    return [
        p
        for p in points
        if not any(q[0] <= p[0] and q[1] <= p[1] and (q[0] < p[0] or q[1] < p[1]) for q in points)
    ]


def _keeps(study, point):
    """Whether it keeps the constraints of the search, according to its answer."""
    if study.is_baseline(point):
        return all(c["kept"] for c in (study.answer or {}).get("baseline_constraints", []))
    finalists = (study.answer or {}).get("finalists", [])
    return all(f["keeps_constraints"] for f in finalists if f["settings"] == point.settings)


def _bar(interval):
    """Half the width of its bar. With two seeds it would be wider than all others together, without information."""
    return interval.half_width if interval.half_width and interval.n > 2 else 0


def _draw(panel, name, measured, colour, marker, size, errors):
    x, y, half_x, half_y = measured
    panel.errorbar(
        [x],
        [y],
        xerr=half_x if errors else None,
        yerr=half_y if errors else None,
        color=colour,
        elinewidth=0.8,
        capsize=2,
    )
    order = 4 if size > 5 else 3  # settings with a role are drawn above those without
    panel.plot([x], [y], marker, color=colour, markersize=size, markeredgecolor="white", markeredgewidth=0.6, zorder=order)


def pareto_plot(study):
    """None without two different metrics, or with fewer than three settings."""
    chosen = _metrics(study)
    if len(chosen) < 2:
        return None
    (mx, sx), (my, sy) = [(metric_of(m), s) for m, s in chosen]
    rows = []
    for point in study.compared:
        ix, iy = point.interval(mx.path), point.interval(my.path)
        if ix is not None and iy is not None:
            rows.append((sx * ix.mean, sy * iy.mean, point, ix, iy))
    if len(rows) < 3:
        return None
    allowed = [r for r in rows if _keeps(study, r[2])]
    front = sorted(_front(allowed), key=lambda r: r[0])
    errors = any(_bar(r[3]) for r in rows)
    notes = [(f"{format_amount(len(rows), 'setting')}, of which {len(front)} {is_are(len(front))} on the front.", QUIET)]
    seeds, left_out = seeds_words(study.compared_seeds), study.apart
    if left_out:
        base = ", including the unchanged scenario" if any(map(study.is_baseline, left_out)) else ""
        told = f"{format_amount(len(left_out), 'setting')} without all of {seeds} {is_are(len(left_out))} left out{base}."
        notes.append((told, QUIET))
    goals = " and ".join(f"{'less' if s > 0 else 'more'} {m.words}" for m, s in ((mx, sx), (my, sy)))
    notes.append(
        (
            f"Better is {goals}."
            + (" Bars: 95 % intervals." if errors else ""),
            QUIET,
        )
    )
    legend = [
        ({"color": COLOURS[0], "marker": "o", "markersize": 6}, "on the front"),
        (
            {"color": "#a0a0a0", "marker": "o", "markersize": 4, "linestyle": "none"},
            "beaten: another setting is better in one objective and no worse in the other",
        ),
    ]
    if any(study.is_recommended(r[2]) for r in rows):
        legend.append(
            ({"color": COLOURS[1], "marker": "*", "markersize": 11, "linestyle": "none"}, "recommended")
        )
    if any(study.is_baseline(r[2]) for r in rows):
        legend.append(
            (
                {"color": "#000000", "marker": "D", "markersize": 6, "linestyle": "none"},
                "the unchanged scenario",
            )
        )
    notes += notes_of_names(study)
    sheet = Sheet(f"{_HEADING}: {shorten(study.name, 48)}", notes, legend, 4.6 + 0.17 * min(len(front), _FEW))
    panel = sheet.axes(0.95, 0.2, 7.6, 3.9)
    table, dots, special = [], [], []
    on_front = {id(r[2]) for r in front}
    panel.plot(
        [sx * r[0] * mx.scale for r in front],
        [sy * r[1] * my.scale for r in front],
        color=COLOURS[0],
        linewidth=1,
        zorder=1,
        drawstyle="steps-post",
    )
    for x, y, point, ix, iy in rows:
        measured = (
            ix.mean * mx.scale,
            iy.mean * my.scale,
            _bar(ix) * mx.scale,
            _bar(iy) * my.scale,
        )
        best, base = study.is_recommended(point), study.is_baseline(point)
        first = id(point) in on_front
        colour = COLOURS[1] if best else "#000000" if base else COLOURS[0] if first else "#a0a0a0"
        marker, size = ("*", 14) if best else ("D", 7) if base else ("o", 7 if first else 5)
        _draw(panel, "", measured, colour, marker, size, errors)
        role = "recommended" if best else "baseline" if base else ""
        halves = [i.half_width if i.half_width is not None else "" for i in (ix, iy)]
        table.append(
            [
                study.settings_words(point),
                mx.path,
                ix.mean,
                halves[0],
                my.path,
                iy.mean,
                halves[1],
                ix.n,
                int(first),
                role,
            ]
        )
        (special if best or base else dots).append(
            (role or ("on the front" if first else "beaten"), measured, colour, point, best)
        )
    panel.set_xlabel(mx.label)
    panel.set_ylabel(my.label)
    for axis, metric in ((panel.xaxis, mx), (panel.yaxis, my)):
        axis.set_major_formatter(lambda value, _, metric=metric: metric.tick(value) if value >= 0 else "")
    line = 4.1 + 0.62
    for r in front[:_FEW]:
        ends = [
            ("≥ " if r[2].censored(m.path) else "") + m.write(interval.mean) for m, interval in ((mx, r[3]), (my, r[4]))
        ]
        told = f"{ends[0]}, {ends[1]}: {study.settings_words(r[2])}"
        sheet.text(0.95, line, shorten(told, 118), size=7.6, color=QUIET)
        line += 0.17
    traces = []
    for role, measured, colour, point, best in dots + special:
        dot = live.points(role, [measured[0]], [measured[1]], colour, "star" if best else "circle", 14 if best else 9)
        dot["error_x"] = {"type": "data", "array": live.numbers([measured[2]]), "thickness": 1}
        dot["error_y"] = {"type": "data", "array": live.numbers([measured[3]]), "thickness": 1}
        dot["text"] = [escape(study.settings_words(point))]
        traces.append(dot)
    which = "of every setting that ran in full" + (f" with {seeds}" if left_out else "")
    caption = f"{mx.label} against {my.words}, {which}."
    return Plot(
        "pareto",
        _HEADING,
        caption,
        sheet.figure,
        {"pareto": pd.DataFrame(table, columns=COLUMNS)},
        [],
        live=live.figure([live.Panel("", live.metric_axis(mx, mx.label), live.metric_axis(my, my.label), traces, 420)]),
    )
