"""Words in the right margin of a panel, each beside the height that it names."""

from headroom.plot.drawing.style import spread


def margin_label(panel, y, text, colour, size=7.5, shares=False):
    """At `y` of the panel's data; shares: at that share of its height."""
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
    """Labels [(y in the panel's data, text, colour)], moved apart to `gap`, a share of the panel's height. REQUIRES: the
    panel has its limits."""
    place = panel.transScale + panel.transLimits
    low = panel.get_ylim()[0]
    at = [place.transform((panel.get_xlim()[0], max(y, low)))[1] for y, _, _ in labels]
    for (_, text, colour), share in zip(labels, spread(at, gap)):
        margin_label(panel, share, text, colour, size, shares=True)
