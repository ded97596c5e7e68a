"""The counters that both sides have, by the names of a result's columns where it has them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Counter:
    """`kind`: count grows and has a difference over an interval; peak is a watermark since it was cleared; level is a
    rate or a time. `weight`: how much a deviation matters. `floor`: a smaller difference is none that matters."""

    unit: str
    kind: str
    weight: int
    words: str
    floor: float


def _packets(words, weight):
    return Counter("packets", "count", weight, words, 10)


def _bytes(words, kind, weight):
    return Counter("B", kind, weight, words, 1000)


def _latency(words, weight=4):
    return Counter("us", "level", weight, words, 0.01)


# What breaks applications weighs most: losses and storms, then pauses and latencies, marks, memory, and volume.
COUNTERS = {
    "drop_ingress": _packets("dropped at ingress", 8),
    "drop_egress": _packets("dropped at egress", 8),
    "drop_rx": _packets("received and dropped", 8),
    "drop_tx": _packets("dropped before sending", 8),
    "drop_corrupt": _packets("received with errors", 8),
    "storms_detected": Counter("storms", "count", 8, "storms detected", 1),
    "storms_restored": Counter("storms", "count", 8, "storms ended", 1),
    "watchdog_tx_ok": _packets("sent in storms", 2),
    "watchdog_tx_drop": _packets("dropped at egress in storms", 8),
    "watchdog_rx_ok": _packets("received in storms", 2),
    "watchdog_rx_drop": _packets("dropped at ingress in storms", 8),
    "pfc_frames_rx": _packets("PFC frames received", 4),
    "pfc_frames_tx": _packets("PFC frames sent", 4),
    "pauses_rx": Counter("pauses", "count", 4, "pauses by the peer", 5),
    "pauses_tx": Counter("pauses", "count", 4, "pauses of the peer", 5),
    "paused_us_rx": Counter("us", "count", 4, "time paused by the peer", 1),
    "paused_us_tx": Counter("us", "count", 4, "time pausing the peer", 1),
    "marked_packets": _packets("packets marked (ECN)", 3),
    "ecn_marked": _packets("marked packets, all hosts", 3),
    "cnp_sent": _packets("CNPs sent, all hosts", 3),
    "cnp_handled": _packets("CNPs handled, all hosts", 3),
    "cnp_ignored": _packets("CNPs ignored, all hosts", 3),
    "timeouts": Counter("timeouts", "count", 8, "timeouts, all hosts", 1),
    "naks": _packets("NAKs, all hosts", 6),
    "peak_group_shared_bytes": _bytes("peak of the group, shared", "peak", 2),
    "peak_headroom_bytes": _bytes("peak of headroom", "peak", 3),
    "peak_queue_shared_bytes": _bytes("peak of the queue, shared", "peak", 2),
    "peak_pool_bytes": _bytes("peak of the pool", "peak", 2),
    "tx_packets": _packets("packets sent", 1),
    "rx_packets": _packets("packets received", 1),
    "tx_bytes": _bytes("bytes sent", "count", 1),
    "rx_bytes": _bytes("bytes received", "count", 1),
    "tx_rate": Counter("B/s", "level", 1, "rate sent", 1000),
    "rx_rate": Counter("B/s", "level", 1, "rate received", 1000),
    "link_rate": Counter("bit/s", "level", 8, "rate of the link", 1),
    "goodput_gbps": Counter("Gb/s", "level", 4, "goodput", 0.01),
    "iops": Counter("IO/s", "level", 4, "I/Os a second", 1),
    "io_gbps": Counter("Gb/s", "level", 4, "throughput of I/Os", 0.01),
    **{f"latency_us.{p}": _latency(f"latency, {w}") for p, w in (("mean", "mean"), ("p50", "median"), ("p99", "p99"), ("p999", "p99.9"))},
    **{f"latency_us.{p}": _latency(f"latency, {p}", 1) for p in ("min", "max")},
    **{f"clat_us.{p}": _latency(f"completion, {w}") for p, w in (("mean", "mean"), ("p50", "median"), ("p99", "p99"), ("p999", "p99.9"))},
}
