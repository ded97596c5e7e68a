"""The panels of a sweep: curves through the points of a study, with their expectations."""

from dataclasses import dataclass

import numpy as np

from headroom.plot.drawing.style import colours, dashes
from headroom.plot.drawing.ticks import log_ticks
from headroom.plot.figures import expected_marks

_HEIGHT, _MARKED_HEIGHT = 1.9, 3.0


def _samples(axis, points, metric):
    """[(x, mean, half width or None, n, censored, text)] in order."""
    out = []
    for text in axis.texts:
        point = points.get(text)
        interval = point.interval(metric) if point else None
        if interval is not None:
            out.append(
                (axis.positions[text], interval.mean, interval.half_width, interval.n, point.censored(metric), text)
            )
    return out


def _scale(panel, samples, metric, marks):
    """Logarithmic if means differ much. True if an interval continues below the panel."""
    means = [mean * metric.scale for s in samples for _, mean, *_ in s]
    values = [(mean + sign * (half or 0)) * metric.scale for s in samples for _, mean, half, *_ in s for sign in (-1, 1)]
    expected = [number for mark in marks for number in mark.numbers]
    above_0 = [v for v in expected if v > 0]
    if min(means) > 0 and max(values + expected) / min(means + above_0) > 20:
        low = min([max(min(means) / 4, min([v for v in values if v > 0] + means)), *above_0]) / 1.3
        high = max(values + expected) * 1.3
        panel.set_yscale("log")
        panel.set_ylim(low, high)
        ticks = log_ticks(low, high)
        panel.set_yticks(ticks, [metric.tick(t) for t in ticks])
        panel.set_yticks([], minor=True)
        return min(values) < low
    # An interval by Student's t may reach below 0 though the metric cannot: then the panel begins at 0.
    low = min([*means, *expected, 0])
    panel.set_ylim(1.08 * low, 1.08 * max([*values, *expected, 1e-9]))
    panel.yaxis.set_major_formatter(lambda value, _: metric.tick(value).replace("-", "−"))
    return min(values) < 1.08 * low


@dataclass
class Curve:
    """A line of one look: in each panel that has this workload's metric, or in the only one ("")."""

    words: str  # words for the settings
    workload: str
    points: dict
    colour: str
    dash: object

    @property
    def name(self):
        return ", ".join(filter(None, (self.workload, self.words)))

    def marks(self, samples, xs, metric, expected):
        """Expectations at its points, which are drawn `at` these x."""
        marks = []
        for (*_, text), x in zip(samples, xs):
            for row in expected.rows_for(metric, self.points[text].settings):
                marks.append(expected_marks.Mark(row, metric, self, text, x))
        return marks


def curves_of(shown, panels):
    lines = [(words, name) for words in shown for name in dict.fromkeys(n for p in panels for n in p.metrics)]
    looks = zip(lines, colours(len(lines)), map(dashes, range(len(lines))))
    return [Curve(words, name, shown[words], colour, dash) for (words, name), colour, dash in looks]


def _aside(axis, x, place, count):
    """The position at which the line with this number among so many is drawn: intervals at one value would hide one
    another."""
    step = (place - (count - 1) / 2) * (0.006 if axis.numeric else min(0.12, 0.7 / count))
    if axis.log:
        return x * (axis.positions[axis.texts[-1]] / axis.positions[axis.texts[0]]) ** step
    return x + (axis.positions[axis.texts[-1]] - axis.positions[axis.texts[0]] if axis.numeric else 1) * step


class Content:
    """The contents of one panel: `drawn`, [(curve, samples, their x)], and `marks` of the expectations."""

    def __init__(self, panel, axis, curves, expected):
        self.label, self.metrics, self.metric = panel.label, panel.metrics, panel.first
        self.drawn, self.marks = [], []
        own = [curve for curve in curves if curve.workload in panel.metrics]
        for place, curve in enumerate(own):
            metric = panel.metrics[curve.workload]
            samples = _samples(axis, curve.points, metric.path)
            if samples:
                xs = _aside(axis, np.array([s[0] for s in samples]), place, len(own))
                self.drawn.append((curve, samples, xs))
                self.marks += curve.marks(samples, xs, metric, expected)
        self.height = _MARKED_HEIGHT if self.marks else _HEIGHT

    def numbers(self, samples):
        """(means, half widths) as drawn."""
        scale = self.metric.scale
        return np.array([s[1] for s in samples]) * scale, np.array([s[2] or 0 for s in samples]) * scale

    def scale(self, axes):
        return _scale(axes, [samples for _, samples, _ in self.drawn], self.metric, self.marks)
