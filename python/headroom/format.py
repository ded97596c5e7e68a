"""Numbers and quantities in readable form: three significant digits, with a unit in which the value is at least one."""

import math

from headroom.quantity import parse_quantity
from headroom.text_table import tells_nothing


def _significant(value, digits=3):
    """At most `digits` significant digits, no exponent, no trailing zeros, thousands apart."""
    if value == 0:
        return "0"
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:,.{places}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.replace(",", "\u202f")


def _scaled(value, units):
    """`value` in the largest of `units` [(factor, name)] that leaves at least 1."""
    for factor, name in units:
        # The last digit shown must not round up into the next unit ("1000 ns").
        if abs(value) >= factor * 0.9995:
            break
    return f"{_significant(value / factor)} {name}"


def format_time(microseconds):
    """312.4 → `312 µs`, 1240 → `1.24 ms`."""
    if microseconds == 0:
        return "0 µs"
    return _scaled(microseconds, [(1e6, "s"), (1e3, "ms"), (1.0, "µs"), (1e-3, "ns")])


def format_bytes(count):
    """Decimal units, as scenarios write thresholds: 1 800 000 → `1.8 MB`; 0 has none."""
    if count == 0:
        return "0"
    return _scaled(count, [(1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "B")])


def format_setting_bytes(count):
    """Sizes as scenarios write them: 1 800 000 → `1.8MB`, 50 000 → `50KB`."""
    return format_bytes(count).replace(" ", "").replace("k", "K")


def format_rate(bits_per_second):
    """40e9 → `40 Gb/s`; 0 has no unit."""
    if bits_per_second == 0:
        return "0"
    return _scaled(bits_per_second, [(1e12, "Tb/s"), (1e9, "Gb/s"), (1e6, "Mb/s"), (1e3, "kb/s"), (1, "b/s")])


def format_percent(fraction):
    """0.0312 → `3.12 %`."""
    return f"{_significant(100 * fraction)} %"


# The sizes of the units that the functions above write, in the units that they accept.
_FACTORS = {"s": 1e6, "ms": 1e3, "µs": 1, "ns": 1e-3, "%": 0.01, "": 1}
_FACTORS |= {prefix + "B": factor for prefix, factor in (("", 1), ("k", 1e3), ("M", 1e6), ("G", 1e9))}
_FACTORS |= {prefix + "b/s": factor for prefix, factor in (("", 1), ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12))}


def format_mean(mean, half, write):
    """A mean as `write` prints it and half of its interval in the same unit: `137 ± 0.45 µs`. half: None, or 0 except
    for rounding: only the mean."""
    text = write(mean)
    if not half or half < 1e-9 * abs(mean):
        return text
    if tells_nothing(mean, half):
        return f"{text} ±?"
    number, blank, unit = text.partition(" ")
    if mean == 0 or unit not in _FACTORS:
        return f"{text} ± {write(half)}"
    return f"{number} ± {_significant(half / _FACTORS[unit], 2)}{blank}{unit}"


def format_interval(interval, write):
    """A mean with half of its interval; a dash for None."""
    return "–" if interval is None else format_mean(interval.mean, interval.half_width, write)


def format_count(count):
    """12345 → `12 345` with a narrow space."""
    return f"{int(count):,}".replace(",", "\u202f")


def format_number(value):
    """Three significant digits."""
    return _significant(value)


def is_are(count):
    return "is" if count == 1 else "are"


def format_amount(count, noun):
    """3, `pause` → `3 pauses`."""
    return f"{format_count(count)} {_plural(count, noun)}"


def counted(count, noun):
    """"1 run", "2 runs": like format_amount, for a terminal and text files."""
    return f"{count} {_plural(count, noun)}"


def _plural(count, noun):
    return noun if count == 1 else noun + "s"


# The text form of a value of each kind, and the number of its smallest units in one of the function's. A value of
# another kind, such as a length, is not drawn as a number.
_KINDS = {
    "number": (format_number, 1),
    "size": (format_setting_bytes, 1),
    "time": (format_time, 1e6),
    "rate": (format_rate, 1),
}


def parse_any(text):
    """(number, a function that prints such numbers) of a quantity, a fraction (`5%`, `1/256`) or a plain number; None for other
    texts."""
    try:
        quantity = parse_quantity(str(text))
        write, size = _KINDS[quantity.kind]
    except (ValueError, KeyError):
        return None
    return quantity.value / size, format_percent if quantity.unit == "%" else write
