"""Readable tick marks: 1, 2, 5 steps on logarithmic axes, units on bytes and times."""

import math

from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

from headroom.format import format_bytes, format_number

_DECADES_ONLY = 250  # an axis with this ratio of ends only has labels at decades


def log_ticks(low, high):
    """Between three and about nine ticks from `low` to `high`: decades, or 1-2-5 steps, or linear steps."""
    decades = math.log10(high / low)
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    if high / low >= _DECADES_ONLY:
        step = max(1, round(decades / 8))
        ticks = [10.0**e for e in exponents if e % step == 0]
    elif decades >= 0.9:
        ticks = [m * 10.0**e for e in exponents for m in (1, 2, 5)]
    else:
        ticks = list(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high))
    return [t for t in ticks if low <= t <= high]


def _set(axis, low, high, text):
    axis.set_major_locator(FixedLocator(log_ticks(low, high)))
    # Between plain decades, small unlabelled marks show that the axis is logarithmic.
    axis.set_minor_locator(LogLocator(subs=range(2, 10)) if high / low >= _DECADES_ONLY else NullLocator())
    axis.set_minor_formatter(NullFormatter())
    axis.set_major_formatter(FuncFormatter(lambda value, _: text(value)))


def log_axis(axes, which, low, high, text=format_number):
    """Makes axis `which` ("x" or "y") logarithmic from low to high; `text` writes its ticks."""
    if which == "x":
        axes.set_xscale("log")
        axes.set_xlim(low, high)
        _set(axes.xaxis, low, high, text)
    else:
        axes.set_yscale("log")
        axes.set_ylim(low, high)
        _set(axes.yaxis, low, high, text)


def bytes_log_axis(axes, which, low, high):
    log_axis(axes, which, low, high, format_bytes)


def bytes_axis(axis, most=5):
    axis.set_major_locator(MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: format_bytes(value)))


def time_unit(span_us):
    """(µs per unit, name) with which the numbers of an axis of this length have a readable size."""
    if span_us >= 3e6:
        return 1e6, "s"
    return (1e3, "ms") if span_us >= 3e3 else (1.0, "µs")
