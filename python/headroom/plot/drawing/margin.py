"""Words in the right margin of a panel, each next to the height that it names."""

from headroom.plot.drawing.style import spread


def margin_label(panel, y, text, colour, size=7.5, shares=False):
    """The text is at `y` of the panel's data; with shares, at that share of its height."""
    panel.annotate(
        text,
        (1, y),
        xycoords="axes fraction" if shares else ("axes fraction", "data"),
        xytext=(5, 0),
        textcoords="offset points",
        va="center",
        fontsize=size,
        color=colour,
        annotation_clip=False,
    )


def margin_labels(panel, labels, gap, size=7.5):
    """Labels [(y in the panel's data, text, colour)] are moved apart to `gap`, a share of the panel's height, and into
    the panel if they fit there. REQUIRES: the panel has its limits."""
    place = panel.transScale + panel.transLimits
    low = panel.get_ylim()[0]
    heights = [place.transform((panel.get_xlim()[0], max(y, low)))[1] for y, _, _ in labels]
    placed, ranks = spread(heights, gap), sorted(range(len(heights)), key=lambda i: heights[i])
    for above, i in enumerate(reversed(ranks)):
        placed[i] = min(placed[i], 1.0 - above * gap)
    for below, i in enumerate(ranks):
        placed[i] = max(placed[i], below * gap)
    for (_, text, colour), share in zip(labels, placed):
        margin_label(panel, share, text, colour, size, shares=True)
