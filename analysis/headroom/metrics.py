"""Metrics of a summary by their paths: messages.burst.completion_us.p99."""

import difflib

from headroom.errors import InputError


def flatten(summary):
    """{path: number} of every number and truth value in a summary (true is 1); null where nothing was measured."""
    found = {}

    def walk(node, path):
        if isinstance(node, dict):
            for key, value in node.items():
                walk(value, f"{path}.{key}" if path else key)
        elif node is None or isinstance(node, (bool, int, float)):
            found[path] = int(node) if isinstance(node, bool) else node

    walk(summary, "")
    return found


def no_such(metric, known):
    """The sentence that says so, with the nearest name."""
    near = difflib.get_close_matches(metric, known, n=1)
    return f"{metric}: a summary has no such metric" + (f"; did you mean {near[0]}?" if near else "")


def require(metric, known):
    """InputError with the nearest name where no summary has the metric."""
    if metric in known:
        return
    raise InputError(no_such(metric, known))


def default_metrics(known):
    """What a table shows where nothing is asked for: tails, pauses, losses."""
    tails = [m for m in known if m.startswith("messages.") and m.endswith(".completion_us.p99")]
    return tails + [m for m in ("pfc.paused_us", "ecn.marked_fraction", "drops.lossless") if m in known]
