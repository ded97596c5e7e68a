"""A start point of the fit, computed from the tables."""

import itertools

import numpy as np

_INLINE = 220  # bytes that perftest's latency tests put into the work request
READ_STATIONS = ("tx.read", "rx.read")
WRITE_STATIONS = ("tx.fetched", "rx.write", "engine.message", "pio.line")


def _least(points, test):
    """The shortest time per message in a test of bandwidth; None without that test."""
    found = [point.ns for point in points if point.test == test]
    return min(found) if found else None


def _pcie_latency(points, shares):
    """A WRITE that is fetched takes two latencies more than an inline one. A READ takes three of them at most."""
    latency = {point.bytes: point.ns for point in points if point.test == "ib_write_lat"}
    small = [size for size in latency if size <= _INLINE]
    large = [size for size in latency if size > _INLINE]
    if small and large:
        jump = latency[min(large)] - latency[max(small)]
        return max(jump / 2 - shares, 10)
    lowest = [point.ns for point in points if point.is_latency]
    return max(min(lowest) / 4, 10) if lowest else 200


def _bandwidths(points):
    """Values for PCIe in Gb/s. If larger messages are no faster, the largest bandwidth may be its limit; in any case it
    may also be far away."""
    found = sorted((point.bytes, 8 * point.bytes / point.ns) for point in points if not point.is_latency)
    most = max([rate for _, rate in found], default=100)
    below = [rate for size, rate in found if size <= found[-1][0] / 2]
    return [4 * most, 1.02 * most] if below and max(below) > 0.8 * most else [max(4 * most, 100)]


def _contexts(points):
    """[(entries, miss in ns)] from the rates over numbers of queue pairs: around where the rate has lost half of what it
    loses; several misses may overlap."""
    by_test = {}
    for point in points:
        if not point.is_latency:
            by_test.setdefault((point.test, point.bytes), []).append((point.queue_pairs, point.ns))
    series = sorted(max(by_test.values(), key=len, default=[]))
    if len(series) < 2:
        return [(1000, 300)]
    fast = min(ns for _, ns in series)
    series = series[[ns for _, ns in series].index(fast) :]  # before, queue pairs help
    slow = max(ns for _, ns in series)
    knee = next((pairs for pairs, ns in series if ns > (fast + slow) / 2), 2 * series[-1][0])
    loss = max(slow - fast, 1)
    return list(itertools.product((max(knee / 3, 1), 0.7 * knee), (loss, 4 * loss, 16 * loss)))


def starts(points, parameters):
    """Start points, [array]: the tables say how long a message takes in the slowest station, but not which one that
    is, so each is tried."""
    write = min(filter(None, (_least(points, "ib_write_bw"), _least(points, "ib_send_bw"))), default=10)
    read, send = _least(points, "ib_read_bw") or write, _least(points, "ib_send_bw") or write
    common = {
        "pcie.latency": _pcie_latency(points, write / 4),
        "tx.inline": write / 2,
        "rx.recv": send / 2 if send < 1.05 * write else send,
    }
    keys = [parameter.key for parameter in parameters]
    reads = [key for key in READ_STATIONS if key in keys] or [None]
    writes = [key for key in WRITE_STATIONS if key in keys]
    found = []
    for slow_write, slow_read, bandwidth, contexts in itertools.product(writes, reads, _bandwidths(points), _contexts(points)):
        values = common | {"pcie.bandwidth": bandwidth, "context_cache.entries": contexts[0], "context_cache.miss": contexts[1]}
        values |= {key: write if key == slow_write else write / 3 for key in WRITE_STATIONS}
        values |= {key: read if key == slow_read else read / 3 for key in READ_STATIONS}
        found.append(np.array([min(max(values[p.key], p.least), p.most) for p in parameters]))
    return found
