"""Shell patterns of scenarios, matched as the program matches them: by fnmatch(3) (src/scenario/yaml/pattern.h). Python's
own fnmatch knows neither [^a] nor a backslash."""

import ctypes

_fnmatch = ctypes.CDLL(None).fnmatch


def matches(patterns, *names):
    """Whether one of the names matches a pattern: one, or a list of them."""
    patterns = patterns if isinstance(patterns, list) else [patterns]
    return any(_fnmatch(str(p).encode(), name.encode(), 0) == 0 for p in patterns for name in names)
