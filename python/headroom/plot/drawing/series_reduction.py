"""Long series reduced to as many points as a figure can show, without losing a peak or a pause."""

import numpy as np


def thin(times, values, points=1500):
    """At most about `points` samples: the first, the smallest, the largest and the last of each stretch."""
    times, values = np.asarray(times, float), np.asarray(values, float)
    if len(times) <= points:
        return times, values
    keep = []
    for part in np.array_split(np.arange(len(times)), points // 4):
        keep += [part[0], part[values[part].argmin()], part[values[part].argmax()], part[-1]]
    keep = np.unique(keep)
    return times[keep], values[keep]


def merged(starts, durations, gap):
    """[(start, width)] of the intervals, sorted, with those closer than `gap` joined."""
    if len(starts) == 0:
        return []
    order = np.argsort(starts, kind="stable")
    begin = np.asarray(starts, float)[order]
    end = np.maximum.accumulate(begin + np.asarray(durations, float)[order])
    first = np.r_[True, begin[1:] > end[:-1] + gap]
    last = np.r_[first[1:], True]
    return list(zip(begin[first], (end[last] - begin[first])))
