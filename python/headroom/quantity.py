"""Quantities with units as scenarios write them: reads and writes them. format.py writes them for users."""

import math
import re
from decimal import Decimal
from fractions import Fraction

# Unit: its kind, and its size in the smallest unit that a scenario can have.
_MOST_DIGITS = 18
_UNITS = {
    "": ("number", 1),
    "%": ("number", Fraction(1, 100)),
    **{unit: ("time", 10**power) for unit, power in (("ps", 0), ("ns", 3), ("us", 6), ("ms", 9), ("s", 12))},
    **{unit: ("rate", 10**power) for unit, power in (("bps", 0), ("Kbps", 3), ("Mbps", 6), ("Gbps", 9), ("Tbps", 12))},
    **{unit: ("size", 10**power) for unit, power in (("B", 0), ("kB", 3), ("KB", 3), ("MB", 6), ("GB", 9), ("TB", 12))},
    **{unit: ("size", 2**power) for unit, power in (("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40))},
    **{unit: ("clock", 10**power) for unit, power in (("Hz", 0), ("kHz", 3), ("MHz", 6), ("GHz", 9))},
    **{unit: ("length", size) for unit, size in (("cm", 1), ("m", 100), ("km", 100_000))},
}


class Quantity:
    """`value` counts in the smallest unit of its kind; it was written as `number`, a Fraction, of `unit`."""

    def __init__(self, value, unit, number=None):
        self.value, self.unit, self.number = value, unit, number

    @property
    def kind(self):
        return _UNITS[self.unit][0]


def shortened(text):
    """The text for a message."""
    return text if len(text) <= 40 else text[:39] + "…"


def _is_in_range(digits):
    """Whether it has a size that a user may mean: far larger ones would not fit a number, or take for ever."""
    size = abs(float(digits))
    return 1e-30 < size < 1e30 or (size == 0 and not re.search("[1-9]", digits.lower().partition("e")[0]))


def parse_quantity(text):
    """"50KB", "5%", "1/256", "3". ValueError with the reason."""
    match = re.fullmatch(r"([-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?)(?:/([0-9]+))?([A-Za-z%]*)", text.strip())
    if not match or match[3] not in _UNITS or (match[2] is not None and (match[3] or int(match[2]) == 0)):
        raise ValueError(f"'{shortened(text)}' is not a quantity such as 50KB, 55us, 40Mbps, 5% or 1/256")
    size = _UNITS[match[3]][1]
    if not _is_in_range(match[1]) or (match[2] and len(match[2]) > _MOST_DIGITS) or len(match[1]) > 1000:
        raise ValueError(f"'{shortened(text)}' is too large or too small for any quantity")
    number = Fraction(match[1]) / int(match[2] or 1)
    return Quantity(float(number * size), match[3], number)


def _parse_in(text, kind, size):
    """The number of units of that size in a quantity of this kind; a bare number counts them. ValueError if it is
    neither."""
    quantity = parse_quantity(str(text))
    if quantity.unit == "":
        return quantity.value
    if quantity.kind != kind:
        raise ValueError(f"'{shortened(str(text))}' is not a {kind}")
    return quantity.value / size


def parse_bytes(text):
    """`1MB`, `64KiB` or a bare number of bytes."""
    return _parse_in(text, "size", 1)


def parse_microseconds(text):
    """`55us`, `4ms` or a bare 0."""
    return _parse_in(text, "time", _UNITS["us"][1])


def parse_rate(text):
    """`100Gbps` in bit/s."""
    return _parse_in(text, "rate", 1)


# Units of one kind, from small to large, in which a value may be written.
_FAMILIES = (
    ("B", "KB", "MB", "GB", "TB"),
    ("B", "KiB", "MiB", "GiB", "TiB"),
    ("ps", "ns", "us", "ms", "s"),
    ("bps", "Kbps", "Mbps", "Gbps", "Tbps"),
    ("cm", "m", "km"),
    ("Hz", "kHz", "MHz", "GHz"),
)


def _family(unit):
    unit = {"kB": "KB"}.get(unit, unit)
    return next((family for family in _FAMILIES if unit in family), (unit,))


def quantity_text(value, unit):
    """The text of `value`, a number of the smallest unit of its kind (such as ps). It has three significant digits, in
    the largest unit related to `unit` that gives at least 1. There are no fractions of a byte or of a picosecond."""
    family = _family(unit)
    unit = next((u for u in reversed(family) if abs(value) >= _UNITS[u][1]), family[0])
    size = _UNITS[unit][1]
    scaled = value / float(size)
    if scaled != 0:
        scaled = round(scaled, 2 - math.floor(math.log10(abs(scaled))))
    text = str(int(scaled)) if scaled == int(scaled) else format(Decimal(repr(scaled)), "f")
    if len(family) > 1 and (Fraction(text) * size).denominator != 1:
        return str(max(1, round(value))) + family[0]
    return text + unit


def multiple_text(count, step):
    """A multiple of a Quantity, exactly, in its unit: 3 × 0.5us is 1.5us."""
    number = count * step.number
    return f"{Decimal(number.numerator) / Decimal(number.denominator):f}{step.unit}"


_SMALLEST = {"time": "ps", "rate": "bps", "size": "B", "length": "cm", "clock": "Hz"}  # units of exact multiples


def times(text, factor):
    """A quantity times a factor; None for another value, and if nothing changes."""
    try:
        quantity = parse_quantity(str(text))
    except ValueError:
        return None
    value = quantity.value * factor
    if quantity.kind in _SMALLEST:
        found = quantity_text(round(value), _SMALLEST[quantity.kind])
    else:
        whole = "." not in str(text) and "/" not in str(text) and "%" not in str(text)
        found = str(max(1, round(value))) if whole else f"{value:.6g}"
    return found if quantity.value and found != str(text) else None


def factor_of(word):
    """4.0 for "*4", 0.25 for "/4"; None for a value."""
    if word[:1] not in "*/":
        return None
    return float(word[1:]) if word[0] == "*" else 1 / float(word[1:])
