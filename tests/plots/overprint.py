"""Names that overlap in a drawn figure, or extend beyond its edge, measured by the areas that they cover."""

from matplotlib.text import Text


def _not_drawn(figure):
    """Labels of ticks beyond the ends of their axis, which exist nevertheless."""
    out = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            slack = 1e-6 * (high - low)
            for tick in [*axis.majorTicks, *axis.minorTicks]:
                if not (axis.get_visible() and axes.axison and low - slack <= tick.get_loc() <= high + slack):
                    out |= {id(tick.label1), id(tick.label2)}
    return out


def _boxes(figure):
    """[(text, its area in pixels)] of everything drawn."""
    figure.canvas.draw()
    renderer, hidden = figure.canvas.get_renderer(), _not_drawn(figure)
    shown = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip() and id(t) not in hidden]
    return [(text.get_text(), text.get_window_extent(renderer)) for text in shown]


def overprints(figure, slack=1.0):
    """["A over B"] for names that overlap by more than `slack` pixels in both directions, and for names beyond the
    figure's edge."""
    boxes, (width, height) = _boxes(figure), figure.canvas.get_width_height()
    out = [f"{text!r} leaves the figure" for text, box in boxes if box.x0 < -1 or box.x1 > width + 1 or box.y0 < -1 or box.y1 > height + 1]
    for number, (text, box) in enumerate(boxes):
        for other, other_box in boxes[number + 1 :]:
            if min(box.x1, other_box.x1) - max(box.x0, other_box.x0) > slack and min(box.y1, other_box.y1) - max(box.y0, other_box.y0) > slack:
                out.append(f"{text!r} over {other!r}")
    return out
