"""Metrics of a summary by their paths, such as messages.burst.completion_us.p99: their list, and their names for
users."""

import difflib
import re
from dataclasses import dataclass

from headroom.errors import InputError
from headroom.format import format_number, format_percent, format_time


def flatten(summary):
    """{path: number} of every number and truth value in a summary (true is 1); null without a measurement."""
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
    """The sentence for an unknown metric, with the nearest name."""
    near = difflib.get_close_matches(metric, known, n=1)
    return f"{metric}: a summary has no such metric" + (f"; did you mean {near[0]}?" if near else "")


def require(metric, known):
    """InputError with the nearest name if no summary has the metric, nor data for such a percentile by size."""
    whole = re.sub(r'\.by_size\.("[^"]+"|[^."]+)(?=\.p\d+$)', "", metric)
    if metric in known or whole in known and whole.startswith("messages.") and ".delivery_us." not in whole:
        return
    raise InputError(no_such(metric, known))


def default_metrics(known):
    """The default columns of a table: number of operations on keys, tails, pauses, losses."""
    mops = [m for m in known if m.startswith("operations.") and m.endswith(".all.mops")]
    tails = [m for m in known if m.startswith("messages.") and m.endswith(".completion_us.p99")]
    tails += [m for m in known if m.startswith("operations.") and m.endswith(".all.latency_us.p99")]
    return mops + tails + [m for m in ("pfc.paused_us", "ecn.marked_fraction", "drops.lossless") if m in known]


def capital(text):
    """A sentence's beginning; p99 stays as it is written."""
    return text if re.match(r"p\d", text) else text[0].upper() + text[1:]


_KINDS = {"read": "reads of {}", "write": "writes of {}", "all": "{}"}
_KINDS |= {"get": "GETs of {}", "put": "PUTs of {}", "insert": "inserts of {}"}
_KINDS |= {"read_modify_write": "read-modify-writes of {}"}
_PERCENTILES = {"p50": "median", "p90": "p90", "p95": "p95", "p99": "p99", "p999": "p99.9", "mean": "mean"}
# Metrics of the network, and the row of a more detailed table.
_NETWORK = {
    "pfc.pauses": ("PFC pauses", "Pauses (XOFF intervals)"),
    "pfc.paused_us": ("time paused by PFC", "Paused time, all ports together"),
    "pfc.watchdog_storms": ("storms detected by PFC watchdogs", None),
    "ecn.marked_fraction": ("share of packets marked by ECN", "Packets marked by ECN"),
    "cnp.sent": ("CNPs sent", None),
    "cnp.handled": ("CNPs that cut a rate", None),
    "drops.lossless": ("lossless frames dropped", None),
    "drops.lossy": ("lossy frames dropped", None),
    "warmup.drops.lossless": ("lossless frames dropped in the warm-up", None),
    "warmup.drops.lossy": ("lossy frames dropped in the warm-up", None),
    "warmup.pause_frames": ("pause frames sent in the warm-up", None),
    "transport.retransmitted_packets": ("packets retransmitted", None),
}


@dataclass
class Metric:
    """`words` name it; with `unit` they label an axis whose numbers are the metric's times `scale`. `short` names it if
    the unit of its numbers shows that it is a completion time; `row` is the head of a table's row."""

    path: str
    words: str
    short: str
    row: str
    unit: str
    scale: float
    write: object  # one number with its unit, for users

    @property
    def is_time(self):
        return self.unit == "µs"

    @property
    def label(self):
        """The label of an axis. Times have their units at the ticks, as in words: 14.3 ms is not 10k µs."""
        return capital(self.words) + (f" ({self.unit})" if self.unit and not self.is_time else "")

    def tick(self, value):
        """A number of an axis."""
        return format_time(value) if self.is_time else format_number(value)


def _of_operations(whose, metric, statistic):
    """(words, short, row) of operations' metrics; None for an unknown one."""
    if metric == "latency_us" and statistic == "max":
        words = f"longest latency of {whose}"
        return words, f"longest of {whose}", words
    if metric == "latency_us" and statistic in _PERCENTILES:
        words = f"{_PERCENTILES[statistic]} latency of {whose}"
        return words, f"{_PERCENTILES[statistic]} of {whose}", words
    if metric == "parts_us" and statistic:
        words = f"mean time of {whose} in {statistic.replace('_', ' ')}"
        return words, words, words
    words = {
        "iops": f"I/Os a second, {whose}",
        "mops": f"operations a second, {whose}",
        "gbps": f"throughput of {whose}",
        "goodput_gbps": f"goodput of {whose}",
        "unfinished": f"unfinished operations, {whose}",
        "failed": f"failed operations, {whose}",
        "corrupt": f"operations with wrong data, {whose}",
        "retries": f"operations sent again, {whose}",
    }.get(metric)
    return words and (words,) * 3


def _names(path):
    """(words, short, row) of a metric; an unknown one has its path as name."""
    found = re.fullmatch(r"messages\.([^.]+)\.(completion_us|delivery_us|slowdown)\.(\w+)", path)
    if found and found[3] in (*_PERCENTILES, "max"):
        workload, slowdown = found[1], found[2] == "slowdown"
        if found[2] == "delivery_us":
            words = f"{'longest' if found[3] == 'max' else _PERCENTILES[found[3]]} delivery time of {workload}"
            return words, words, words
        if found[3] == "max":
            words = f"largest slowdown of {workload}" if slowdown else f"longest completion time of {workload}"
            return words, words if slowdown else f"longest of {workload}", words
        name = _PERCENTILES[found[3]]
        words = f"{name} slowdown of {workload}" if slowdown else f"{name} completion time of {workload}"
        return words, f"slowdown {name} of {workload}" if slowdown else f"{name} of {workload}", words
    found = re.fullmatch(rf"operations\.([^.]+)\.({'|'.join(_KINDS)})\.(\w+)(?:\.(\w+))?", path)
    if found:
        words = _of_operations(_KINDS[found[2]].format(found[1]), found[3], found[4])
        if words:
            return words
    for pattern, words in (
        (r"messages\.([^.]+)\.unfinished", "unfinished messages of {}"),
        (r"messages\.([^.]+)\.goodput_gbps", "goodput of {}"),
        (r"messages\.([^.]+)\.mops", "messages a second, {}"),
        (r"pfc\.by_tier\.([^.]+)\.pauses", "PFC pauses at {}"),
    ):
        found = re.fullmatch(pattern, path)
        if found:
            return (words.format(found[1]),) * 3
    words, row = _NETWORK.get(path, (path, path))
    return words, words, row or capital(words)


def metric_of(path):
    """The Metric for any path."""
    names = _names(path)
    if path.endswith("_us") or re.search(r"\.(completion|delivery|latency|parts)_us\.", path):
        return Metric(path, *names, "µs", 1, format_time)
    if path.endswith("_fraction") or ".utilisation." in path or path.startswith("cores."):
        return Metric(path, *names, "%", 100, format_percent)
    if path.endswith(("goodput_gbps", ".gbps")):
        return Metric(path, *names, "Gb/s", 1, lambda value: f"{format_number(value)} Gb/s")
    if path.endswith(".mops"):
        return Metric(path, *names, "million", 1, lambda value: f"{format_number(value)} M")
    return Metric(path, *names, "", 1, format_number)
