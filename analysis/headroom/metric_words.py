"""Metrics of summary.json as axes and sentences name them, with units that people read."""

import re
from dataclasses import dataclass

from headroom.format import format_number, format_percent, format_time

_PERCENTILES = {"p50": "median", "p90": "p90", "p95": "p95", "p99": "p99", "p999": "p99.9"}
_PERCENTILES |= {"mean": "mean", "max": "longest"}
_NETWORK = {
    "pfc.pauses": "PFC pauses",
    "pfc.paused_us": "time paused by PFC",
    "ecn.marked_fraction": "share of packets marked by ECN",
    "cnp.handled": "CNPs that cut a rate",
    "drops.lossless": "lossless frames dropped",
    "drops.lossy": "lossy frames dropped",
    "transport.retransmitted_packets": "packets retransmitted",
}


@dataclass
class Metric:
    """`words` name it, with `unit` they label an axis whose numbers are the metric's times `scale`."""

    path: str
    words: str
    unit: str
    scale: float
    write: object  # one number with its unit, for people

    @property
    def label(self):
        text = self.words[0].upper() + self.words[1:] if not re.match(r"p\d", self.words) else self.words
        return text + (f" ({self.unit})" if self.unit else "")


def metric_of(path):
    """Any metric; one that is not known is named by its path."""
    found = re.fullmatch(r"messages\.([^.]+)\.(completion_us|slowdown)\.(\w+)", path)
    if found and found[3] in _PERCENTILES:
        name, of = _PERCENTILES[found[3]], found[1]
        if found[2] == "slowdown":
            name = "largest" if name == "longest" else name
            return Metric(path, f"{name} slowdown of {of}", "", 1, format_number)
        return Metric(path, f"{name} completion time of {of}", "µs", 1, format_time)
    if path.endswith("_us"):
        return Metric(path, _NETWORK.get(path, path), "µs", 1, format_time)
    if path.endswith("_fraction"):
        return Metric(path, _NETWORK.get(path, path), "%", 100, format_percent)
    if path.endswith("goodput_gbps"):
        words = f"goodput of {path.split('.')[1]}"
        return Metric(path, words, "Gb/s", 1, lambda value: f"{format_number(value)} Gb/s")
    return Metric(path, _NETWORK.get(path, path), "", 1, format_number)
