"""A scale of colours on which a few outliers do not compress all other values: outliers have the colour of its end, and
are marked."""

import numpy as np
from matplotlib.colors import LogNorm, Normalize

_FENCE = 3  # times the width of the middle half: values farther beyond it are outliers
_FLAT = 0.25  # share of the whole range: outliers are cut off if the others cover less of it
_LOG_FROM = 20  # times the lowest value: from there the scale is logarithmic


def _kept(values):
    """Values within the fences; if all are above 0, their ratios count."""
    scaled = np.log(values) if values.min() > 0 else values
    low, high = np.percentile(scaled, [25, 75])
    inside = (scaled >= low - _FENCE * (high - low)) & (scaled <= high + _FENCE * (high - low))
    if high == low or np.ptp(scaled[inside]) >= _FLAT * np.ptp(scaled):
        return values
    return values[inside]


def colour_norm(values):
    """A matplotlib Normalize or LogNorm from the smallest to the largest value, without outliers."""
    kept = _kept(np.array(values, float))
    low, high = kept.min(), kept.max()
    if low > 0 and high / low > _LOG_FROM:
        return LogNorm(low, high)
    return Normalize(low, high if high > low else low + 1)


def is_beyond(norm, value):
    return not norm.vmin <= value <= norm.vmax


def extend_of(norm, values):
    """The ends at which a colour bar is extended, in matplotlib's names."""
    low, high = min(values) < norm.vmin, max(values) > norm.vmax
    return {(False, False): "neither", (True, False): "min", (False, True): "max", (True, True): "both"}[low, high]
