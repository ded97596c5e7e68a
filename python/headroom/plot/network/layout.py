"""Positions of the groups of a network: hosts in a row at the bottom, each tier of switches above the previous one,
over its own hosts."""

from dataclasses import dataclass

from headroom.plot.drawing.style import spread
from headroom.plot.network.links import natural

_WIDTH = 1040  # width of the row of hosts, if they are few enough
_PITCH = (5.0, 46.0)  # distance of hosts
_TIER, _TOP = 118, 46  # distance of tiers, and the space above the highest
_ARC = 36  # additional space above the highest, if links bend upwards between switches of that tier
_GAP = 0.9  # pitches between the hosts of one switch and those of the next
_MOST_APART = 150  # distance of the switches of a tier


@dataclass
class Layout:
    """`places`: {(name, tier) of a group: (x, y)}, in pixels; `pitch`: distance of hosts."""

    places: dict
    width: float
    hosts_y: float
    pitch: float
    apart: dict  # {tier: the least distance of two neighbours}


def key_of(group):
    return group.name, group.tier


def _beside(bundles):
    found = {}
    for bundle in bundles:
        found.setdefault(key_of(bundle.a), []).append(bundle.b)
        found.setdefault(key_of(bundle.b), []).append(bundle.a)
    return found


def _hosts(groups, beside):
    """({key: x}, pitch): hosts of a switch side by side."""
    hosts = [group for group in groups if group.tier == 0]

    def above(group):
        return min((natural(other.name) for other in beside.get(key_of(group), ())), default=[])

    hosts.sort(key=lambda group: (above(group), natural(group.name)))
    x, places, last = 0.0, {}, None
    for group in hosts:
        x += 0 if last is None else 1 if above(group) == last else 1 + _GAP
        places[key_of(group)], last = x, above(group)
    pitch = min(_PITCH[1], max(_PITCH[0], _WIDTH / max(1.0, x)))
    return {key: pitch * x for key, x in places.items()}, pitch


def _tier(groups, beside, places, width):
    """{key: x} for groups of one tier: above the middle of their lower neighbours, without overlap."""
    wanted = []
    for group in groups:
        below = [places[key_of(peer)] for peer in beside.get(key_of(group), ()) if key_of(peer) in places and peer.tier < group.tier]
        wanted.append(sum(below) / len(below) if below else width / 2)
    order = sorted(range(len(groups)), key=lambda i: (round(wanted[i], 3), natural(groups[i].name)))
    gap = min(_MOST_APART, 0.92 * width / len(groups)) if len(groups) > 1 else width
    xs = spread([wanted[i] + 1e-4 * rank for rank, i in enumerate(order)], gap)
    return {key_of(groups[i]): x for i, x in zip(order, xs)}


def layout_of(groups, bundles):
    """Layout"""
    beside = _beside(bundles)
    xs, pitch = _hosts(groups, beside)
    width = max([460.0, *xs.values()])
    shift = (width - max(xs.values(), default=0.0)) / 2
    xs = {key: x + shift for key, x in xs.items()}
    highest = max(group.tier for group in groups)
    for tier in range(1, highest + 1):
        xs |= _tier([group for group in groups if group.tier == tier], beside, xs, width)
    low, high = min(xs.values()), max(xs.values())
    top = _TOP + (_ARC if any(b.a is not b.b and b.a.tier == b.b.tier == highest for b in bundles) else 0)
    places = {key: (x - low, top + _TIER * (highest - key[1])) for key, x in xs.items()}
    apart = {}
    for tier in range(highest + 1):
        row = sorted(x for (_, level), (x, _) in places.items() if level == tier)
        apart[tier] = min((b - a for a, b in zip(row, row[1:])), default=float(_MOST_APART))
    return Layout(places, high - low, top + _TIER * highest, pitch, apart)
