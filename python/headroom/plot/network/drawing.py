"""The map as SVG in HTML: groups and the links between them, coloured by the reader's choice. It needs no script.

The half of a link beside a node is the node's own port: its traffic, and its queue."""

from dataclasses import dataclass
from html import escape

from headroom.format import format_count
from headroom.plot.network.layout import key_of, layout_of
from headroom.plot.network.measures import class_of, scale_words

_LEFT, _RIGHT = 62, 34
_COLOURS = "#D3D3D3 #F3D98B #F2A93B #E06A10 #B02A0C #5C0A14".split()  # colours of the classes, each darker than the
                                                                      # previous one
_WIDTHS = (1.0, 1.8, 2.6, 3.4, 4.3, 5.4)
_LETTER = 0.6  # average width of a letter, as a share of its height
_FONT = 10.5
_ROW_OF_NAMES = 13
_MOST_THICK = 160  # number of halves of links above which lines are thin


def _rules():
    """The part of the style sheet that colours by the selected measure."""
    out = []
    for number in range(4):
        out.append(f".by{number}:checked ~ .key{number} {{ display: flex; }}")
        out.append(f".by{number}:checked + label {{ background: #222; color: #fff; }}")
        for rank, (colour, width) in enumerate(zip(_COLOURS, _WIDTHS)):
            out.append(f".by{number}:checked ~ .scroll .m{number}-{rank} {{ --k: {colour}; --w: {width}px; }}")
    return "\n".join(out)


CSS = (
    """
.netmap { border: 0; margin: 0 0 1rem; padding: 0; min-width: 0; }
.netmap legend { padding: 0; font-size: .9rem; color: #5f5f5f; }
.netmap input { position: absolute; opacity: 0; }
.netmap label { display: inline-block; padding: .2rem .7rem; margin: .25rem .35rem .25rem 0; border: 1px solid #888; border-radius: 1rem;
  font-size: .9rem; cursor: pointer; }
.netmap input:focus-visible + label { outline: 3px solid #0072B2; outline-offset: 1px; }
.key { display: none; flex-wrap: wrap; gap: .1rem 1rem; align-items: center; font-size: .85rem; margin: .25rem 0 .5rem; }
.key span { white-space: nowrap; }
.key .about { flex-basis: 100%; white-space: normal; color: #5f5f5f; }
.key i { display: inline-block; width: 1.6em; margin-right: .4em; vertical-align: middle; print-color-adjust: exact; }
.netmap svg { display: block; height: auto; margin: 0 auto; max-width: 100%; }
.netmap .half { fill: none; stroke: var(--k); stroke-width: var(--w); stroke-linecap: butt; }
.netmap .thin .half { stroke-width: max(.7px, calc(var(--w) * .45)); }
.netmap .hit { fill: none; stroke: transparent; stroke-width: 11px; }
.netmap .thin .hit { stroke-width: 5px; }
.netmap a:hover .half, .netmap a:focus-visible .half { stroke: #0072B2; stroke-width: 6px; }
.netmap a:focus-visible { outline: none; }
.netmap rect { fill: var(--k); stroke: #444; stroke-width: 1; }
.netmap text { fill: #222; paint-order: stroke; stroke: #fff; stroke-width: 4px; stroke-linejoin: round; }
.netmap .tier { fill: #5f5f5f; font-weight: 600; }
@media screen and (max-width: 42rem) { .netmap svg { max-width: none; min-width: 44rem; } }
"""
    + _rules()
)


@dataclass
class Side:
    """The values of one direction of a bundle: the largest and the mean of each measure, and the port with the most."""

    ports: list  # [(place, Port)]

    def largest(self, measure):
        return max((measure.value(port) for _, port in self.ports), default=0.0)

    def mean(self, measure):
        return sum(measure.value(port) for _, port in self.ports) / max(1, len(self.ports))

    def classes(self, measures):
        return " ".join(f"m{number}-{class_of(measure, self.largest(measure))}" for number, measure in enumerate(measures))

    def words(self, measures):
        """"utilisation 31 %, paused time 0 %"; for several ports the largest and the mean."""
        out = []
        for measure in measures:
            told = measure.write(self.largest(measure))
            if len(self.ports) > 1:
                told = f"at most {told}, mean {measure.write(self.mean(measure))}"
            out.append(f"{measure.words.lower()} {told}")
        return ", ".join(out)

    def idle(self, measures):
        return all(self.largest(measure) == 0 for measure in measures)


def worst_port(side, measures):
    """The place of the port to which a click leads: the one that holds longest, of equal ones the one that marks most,
    and so on."""
    return max(side.ports, key=lambda item: tuple(measure.value(item[1]) for measure in reversed(measures)))[0]


def _name_at(text, x, y, **more):
    look = "".join(f' {key.rstrip("_").replace("_", "-")}="{value}"' for key, value in more.items())
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{_FONT}"{look}>{escape(text)}</text>'


def _short(group):
    """The name under or above a group."""
    if len(group.members) == 1:
        return [group.name]
    return [f"{group.members[0]} …", group.members[-1], f"({format_count(len(group.members))})"]


def _width(lines):
    return _LETTER * _FONT * max(map(len, lines)) + 6


def _names_of_tier(groups, layout, tier):
    """[<text>] above the groups of a tier of switches: in one row, or in two if they are wide, or every n-th."""
    row = [(layout.places[key_of(group)], group) for group in groups if group.tier == tier]
    row.sort(key=lambda item: item[0])
    if not row:
        return []
    widest, most_lines = max(_width(_short(group)) for _, group in row), max(len(_short(group)) for _, group in row)
    step = max(1, -(-int(widest) // max(1, int(layout.apart[tier])))) if len(row) > 1 else 1
    rows = 2 if step == 2 and most_lines == 1 else 1
    out = []
    for number, ((x, y), group) in enumerate(row):
        if rows == 1 and number % step:
            continue
        lines = _short(group)
        down = y - 10 - _ROW_OF_NAMES * ((number % 2 if rows == 2 else 0) + len(lines) - 1)
        out += [_name_at(line, x, down + _ROW_OF_NAMES * i, text_anchor="middle") for i, line in enumerate(lines)]
    return out


def _names_of_hosts(groups, layout):
    """([<text>] below the hosts, their lower end)."""
    row = [(layout.places[key_of(group)], group) for group in groups if group.tier == 0]
    apart, out = layout.apart[0], []
    if apart < 1.05 * _FONT:
        return [], 14
    if apart >= max(_width(_short(group)) for _, group in row):
        for (x, y), group in row:
            out += [_name_at(line, x, y + 22 + _ROW_OF_NAMES * i, text_anchor="middle") for i, line in enumerate(_short(group))]
        return out, 26 + _ROW_OF_NAMES * max(len(_short(group)) for _, group in row)
    for (x, y), group in row:
        name = group.words if len(group.members) == 1 else f"{group.members[0]} … ({format_count(len(group.members))})"
        out.append(_name_at(name, x + 3.5, y + 14, text_anchor="end", transform=f"rotate(-90 {x + 3.5:.1f} {y + 14:.1f})"))
    longest = max(len(group.words if len(group.members) == 1 else f"{group.members[0]} … (00)") for _, group in row)
    return out, 22 + _LETTER * _FONT * longest


def _half(start, end, level):
    """The path from a node to the middle of its link; between nodes of one tier it bends upwards."""
    (x0, y0), (x1, y1) = start, end
    if not level:
        return f"M{x0:.1f} {y0:.1f}L{(x0 + x1) / 2:.1f} {(y0 + y1) / 2:.1f}"
    bend = min(70, 18 + 0.12 * abs(x1 - x0))
    middle = (x0 + x1) / 2
    return f"M{x0:.1f} {y0:.1f}Q{(x0 + middle) / 2:.1f} {y0 - bend:.1f} {middle:.1f} {y0 - bend:.1f}"


class Map:
    """The map of one result. `ports`: {(node, port): Port}; `anchor`: the id of a port's row, by its place."""

    def __init__(self, groups, bundles, ports, measures, anchor):
        self.groups, self.bundles = groups, bundles
        self.measures, self.anchor = measures, anchor
        self._ports = ports
        self._layout = layout_of(groups, bundles)

    def side(self, places):
        return Side([(place, self._ports[place]) for place in places if place in self._ports])

    def _link(self, group, other, places):
        side = self.side(places)
        if not side.ports or group is other:
            return 0, ""
        start, towards = self._layout.places[key_of(group)], self._layout.places[key_of(other)]
        worst = worst_port(side, self.measures)
        if len(side.ports) == 1:
            title = f"{':'.join(worst)} towards {other.words}: "
        else:
            title = f"{format_count(len(side.ports))} ports of {group.words} towards {other.words}: "
        title = escape(title + side.words(self.measures))
        path = _half(start, towards, group.tier == other.tier)
        skip = ' tabindex="-1"' if side.idle(self.measures) else ""
        drawn = (
            f'<a href="#{self.anchor(worst)}" class="{side.classes(self.measures)}" aria-label="{title}"{skip}><title>{title}</title>'
            f'<path class="half" d="{path}"/><path class="hit" d="{path}"/></a>'
        )
        return class_of(self.measures[0], side.largest(self.measures[0])), drawn

    def _node(self, group, places):
        x, y = self._layout.places[key_of(group)]
        side = self.side(places)
        wide = 7 if group.tier else min(5.0, 0.4 * self._layout.pitch)
        wide, high = (1.6 * wide, 7) if len(group.members) > 1 else (wide, wide)
        title = escape(f"{group.words}; its ports: {side.words(self.measures)}")
        return (
            f'<g class="{side.classes(self.measures)}"><title>{title}</title>'
            f'<rect x="{x - wide:.1f}" y="{y - high:.1f}" width="{2 * wide:.1f}" height="{2 * high:.1f}" rx="{0 if group.tier else 3}"/></g>'
        )

    def svg(self, name):
        layout, of_group, links = self._layout, {}, []
        for bundle in self.bundles:
            for group, other, places in ((bundle.a, bundle.b, bundle.there), (bundle.b, bundle.a, bundle.back)):
                of_group.setdefault(key_of(group), []).extend(places)
                links.append(self._link(group, other, places))
        links = [drawn for _, drawn in sorted(links, key=lambda item: item[0]) if drawn]
        nodes = [self._node(group, of_group.get(key_of(group), [])) for group in self.groups]
        names, below = _names_of_hosts(self.groups, layout)
        for tier in range(1, max(group.tier for group in self.groups) + 1):
            names += _names_of_tier(self.groups, layout, tier)
        tiers = {group.tier: layout.places[key_of(group)][1] for group in self.groups}
        for tier, y in tiers.items():
            names.append(_name_at(f"tier {tier}" if tier else "hosts", -_LEFT + 2, y + 3.5, class_="tier"))
        width, height = layout.width + _LEFT + _RIGHT, layout.hosts_y + below
        thin = ' class="thin"' if layout.pitch < 14 or len(links) > _MOST_THICK else ""
        return (
            f'<svg viewBox="{-_LEFT} 0 {width:.0f} {height:.0f}" width="{width:.0f}" role="group" aria-label="{escape(name)}">'
            f"<g{thin}>{''.join(links)}</g>{''.join(nodes)}<g>{''.join(names)}</g></svg>"
        )


def _key(measures):
    out = []
    for number, measure in enumerate(measures):
        steps = "".join(
            f'<span><i style="height:{max(3, 1.6 * width):.0f}px;background:{colour}"></i>{escape(text)}</span>'
            for text, colour, width in zip(scale_words(measure), _COLOURS, _WIDTHS)
        )
        about = f"{measure.words}: {measure.about}."
        out.append(f'<div class="key key{number}"><span class="about">{escape(about)}</span>{steps}</div>')
    return "".join(out)


def map_html(drawn, number, name):
    """The map with the controls that select its colours. `number`: number of the map in the page."""
    picks = "".join(
        f'<input type="radio" class="by{i}" name="by-{number}" id="by-{number}-{i}"{" checked" if i == 0 else ""}>'
        f'<label for="by-{number}-{i}">{escape(measure.words)}</label>'
        for i, measure in enumerate(drawn.measures)
    )
    return (
        f'<fieldset class="netmap"><legend>Colour by</legend>{picks}{_key(drawn.measures)}'
        f'<div class="scroll" tabindex="0" aria-label="{escape(name)}, scrolls sideways">{drawn.svg(name)}</div></fieldset>'
    )
