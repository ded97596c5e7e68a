"""One metric plotted over another: every setting, and the front of those that no other setting beats in both."""

from dataclasses import dataclass
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
_BEATEN = "#a0a0a0"
_ROLES = {"recommended": (COLOURS[1], "*", 14), "baseline": ("#000000", "D", 7)}  # colour, marker, its size


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
    return [p for p in points if not any(q[0] <= p[0] and q[1] <= p[1] and q[:2] != p[:2] for q in points)]


def _keeps(study, point):
    """Whether it keeps the constraints of the search, according to its answer."""
    if study.is_baseline(point):
        return all(c["kept"] for c in (study.answer or {}).get("baseline_constraints", []))
    finalists = (study.answer or {}).get("finalists", [])
    return all(f["keeps_constraints"] for f in finalists if f["settings"] == point.settings)


def _bar(interval):
    """Half the width of its bar. With two seeds it would be wider than all others together, without information."""
    return interval.half_width if interval.half_width and interval.n > 2 else 0


@dataclass
class _Dot:
    """A setting: its words, the Interval of each metric, its role, and whether it is on the front. `bounds`: whether each
    mean is a lower bound; `measured`: place and bars, in the numbers in which the metrics are drawn."""

    words: str
    ends: tuple
    role: str
    first: bool
    bounds: tuple
    measured: tuple

    @property
    def colour(self):
        return _ROLES[self.role][0] if self.role else COLOURS[0] if self.first else _BEATEN


@dataclass
class _Front:
    """The contents of the figure: both metrics with their signs, every setting, and those on the front in order."""

    metrics: list
    signs: list
    dots: list
    front: list

    @property
    def has_bars(self):
        return any(_bar(dot.ends[0]) for dot in self.dots)


def _role(study, point):
    return "recommended" if study.is_recommended(point) else "baseline" if study.is_baseline(point) else ""


def _contents(study):
    """None without two different metrics, or with fewer than three settings."""
    chosen = _metrics(study)
    if len(chosen) < 2:
        return None
    metrics, signs = [metric_of(path) for path, _ in chosen], [sign for _, sign in chosen]
    measured = [(point, [point.interval(metric.path) for metric in metrics]) for point in study.compared]
    measured = [(point, ends) for point, ends in measured if None not in ends]
    if len(measured) < 3:
        return None
    places = [(*(sign * end.mean for sign, end in zip(signs, ends)), id(point)) for point, ends in measured if _keeps(study, point)]
    order = [key for *_, key in sorted(_front(places), key=lambda place: place[0])]
    dots = {}
    for point, ends in measured:
        means = [end.mean * metric.scale for end, metric in zip(ends, metrics)]
        bars = [_bar(end) * metric.scale for end, metric in zip(ends, metrics)]
        bounds = tuple(point.censored(metric.path) for metric in metrics)
        words, role = study.settings_words(point), _role(study, point)
        dots[id(point)] = _Dot(words, tuple(ends), role, id(point) in order, bounds, (*means, *bars))
    return _Front(metrics, signs, list(dots.values()), [dots[key] for key in order])


def _notes(study, contents):
    count, first = len(contents.dots), len(contents.front)
    notes = [f"{format_amount(count, 'setting')}, of which {first} {is_are(first)} on the front."]
    if left_out := study.apart:
        base = ", including the unchanged scenario" if any(map(study.is_baseline, left_out)) else ""
        without = f"without all of {seeds_words(study.compared_seeds)} {is_are(len(left_out))} left out{base}."
        notes.append(f"{format_amount(len(left_out), 'setting')} {without}")
    goals = [f"{'less' if sign > 0 else 'more'} {metric.words}" for metric, sign in zip(contents.metrics, contents.signs)]
    notes.append(f"Better is {' and '.join(goals)}." + (" Bars: 95 % intervals." if contents.has_bars else ""))
    return [(text, QUIET) for text in notes] + notes_of_names(study)


def _legend(contents):
    alone = {"linestyle": "none"}
    legend = [
        ({"color": COLOURS[0], "marker": "o", "markersize": 6}, "on the front"),
        (
            {"color": _BEATEN, "marker": "o", "markersize": 4, **alone},
            "beaten: another setting is better in one objective and no worse in the other",
        ),
    ]
    roles = {dot.role for dot in contents.dots}
    named = (("recommended", 11, "recommended"), ("baseline", 6, "the unchanged scenario"))
    looks = [({"color": _ROLES[role][0], "marker": _ROLES[role][1], "markersize": size, **alone}, text) for role, size, text in named if role in roles]
    return legend + looks


def _draw(panel, dot, errors):
    x, y, half_x, half_y = dot.measured
    bars = {"xerr": half_x, "yerr": half_y} if errors else {}
    panel.errorbar([x], [y], **bars, color=dot.colour, elinewidth=0.8, capsize=2)
    marker, size = _ROLES[dot.role][1:] if dot.role else ("o", 7 if dot.first else 5)
    order = 4 if size > 5 else 3  # settings with a role are drawn above those without
    look = {"markersize": size, "markeredgecolor": "white", "markeredgewidth": 0.6, "zorder": order}
    panel.plot([x], [y], marker, color=dot.colour, **look)


def _still(study, contents):
    named = contents.front[:_FEW]
    title = f"{_HEADING}: {shorten(study.name, 48)}"
    sheet = Sheet(title, _notes(study, contents), _legend(contents), 4.6 + 0.17 * len(named))
    panel = sheet.axes(0.95, 0.2, 7.6, 3.9)
    xs, ys = ([dot.measured[axis] for dot in contents.front] for axis in (0, 1))
    panel.plot(xs, ys, color=COLOURS[0], linewidth=1, zorder=1, drawstyle="steps-post")
    for dot in contents.dots:
        _draw(panel, dot, contents.has_bars)
    for axis, name, metric in zip((panel.xaxis, panel.yaxis), (panel.set_xlabel, panel.set_ylabel), contents.metrics):
        name(metric.label)
        axis.set_major_formatter(lambda value, _, metric=metric: metric.tick(value) if value >= 0 else "")
    for number, dot in enumerate(named):
        each = zip(contents.metrics, dot.ends, dot.bounds)
        ends = [("≥ " if is_bound else "") + metric.write(end.mean) for metric, end, is_bound in each]
        sheet.text(0.95, 4.1 + 0.62 + 0.17 * number, shorten(f"{', '.join(ends)}: {dot.words}", 118), size=7.6, color=QUIET)
    return sheet.figure


def _live(contents):
    traces = []
    for dot in sorted(contents.dots, key=lambda dot: bool(dot.role)):
        x, y, half_x, half_y = dot.measured
        best = dot.role == "recommended"
        name = dot.role or ("on the front" if dot.first else "beaten")
        trace = live.points(name, [x], [y], dot.colour, "star" if best else "circle", 14 if best else 9)
        for error, half in (("error_x", half_x), ("error_y", half_y)):
            trace[error] = {"type": "data", "array": live.numbers([half]), "thickness": 1}
        traces.append(trace | {"text": [escape(dot.words)]})
    axes = [live.metric_axis(metric, metric.label) for metric in contents.metrics]
    return live.figure([live.Panel("", *axes, traces, 420)])


def _table(contents):
    rows = []
    for dot in contents.dots:
        each = zip(contents.metrics, dot.ends)
        numbers = [v for metric, end in each for v in (metric.path, end.mean, "" if end.half_width is None else end.half_width)]
        rows.append([dot.words, *numbers, dot.ends[0].n, int(dot.first), dot.role])
    return pd.DataFrame(rows, columns=COLUMNS)


def pareto_plot(study):
    """None without two different metrics, or with fewer than three settings."""
    contents = _contents(study)
    if contents is None:
        return None
    first, second = contents.metrics
    which = "of every setting that ran in full" + (f" with {seeds_words(study.compared_seeds)}" if study.apart else "")
    caption = f"{first.label} against {second.words}, {which}."
    return Plot("pareto", _HEADING, caption, _still(study, contents), {"pareto": _table(contents)}, [], live=_live(contents))
