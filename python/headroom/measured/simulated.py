"""What a run counted, by the names of counters.py."""

import json
import math
from collections import defaultdict

from headroom import csv_file, program
from headroom.errors import InputError
from headroom.measured.formats import fio
from headroom.measured.formats.row import Row, Source
from headroom.metrics import flatten

# The drops that `headroom show priority-group drop counters` sums.
_INGRESS = ("headroom_full", "group_cap", "ingress_limit", "buffer_full", "on_chip_full")
_SAME = (
    "tx_packets", "tx_bytes", "rx_packets", "rx_bytes", "marked_packets", "pfc_frames_rx", "pfc_frames_tx", "pauses_rx",
    "pauses_tx", "paused_us_rx", "paused_us_tx", "peak_group_shared_bytes", "peak_headroom_bytes", "peak_queue_shared_bytes",
)  # fmt: skip
_WATCHDOG = {"storms_detected": "storms_detected", "storms_restored": "storms_restored"}
_WATCHDOG |= {f"watchdog_{name}": name for name in ("tx_ok", "tx_drop", "rx_ok", "rx_drop")}
HOSTS_TOGETHER = {
    "cnp_sent": "cnp.sent",
    "cnp_handled": "cnp.handled",
    "cnp_ignored": "cnp.ignored",
    "ecn_marked": "ecn.marked_packets",
    "timeouts": "transport.timeouts",
    "naks": "transport.naks",
}


def duration_s(run):
    """The time in which the run counted."""
    return max(run.end_us - run.scenario.warmup_us, 0) * 1e-6


def ports_of(run):
    """ports.csv. InputError if the result has none."""
    found = run.table("ports")
    if found is None:
        raise InputError(f"{run.path}: has no ports.csv; run the scenario again with --force")
    return found


def _port_rows(run):
    """Counters of queues, groups and ports from ports.csv. NaN: the result is of a version without that column."""
    ports, sums = ports_of(run), defaultdict(float)
    reasons = [f"drop_{reason}" for reason in _INGRESS if ports[f"drop_{reason}"].notna().all()]
    for row in ports.itertuples():
        node, port, priority = row.node, row.port, str(row.priority)
        ingress = sum(getattr(row, reason) for reason in reasons)
        for counter in _SAME:
            yield Row(node, port, priority, counter, getattr(row, counter), metric=f"ports.{node}.{port}.{priority}.{counter}")
        yield Row(node, port, priority, "drop_ingress", ingress)
        metric = f"ports.{node}.{port}.{priority}.drop_egress_limit"
        yield Row(node, port, priority, "drop_egress", row.drop_egress_limit, metric=metric)
        for counter in ("rx_packets", "tx_packets", "rx_bytes", "tx_bytes"):
            sums[node, port, counter] += getattr(row, counter)
        sums[node, port, "drop_rx"] += ingress + row.drop_no_route + row.drop_ttl
        sums[node, port, "drop_tx"] += row.drop_egress_limit
        sums[node, port, "drop_corrupt"] += row.drop_corrupt
    seconds = duration_s(run)
    for (node, port, counter), value in sums.items():
        yield Row(node, port, "", counter, value)
        if counter.endswith("_bytes") and seconds:
            yield Row(node, port, "", counter.replace("bytes", "rate"), value / seconds)


def _other_rows(run):
    """Watchdogs, links, pools, and what hosts count together."""
    watchdog = run.table("watchdog")
    for row in () if watchdog is None else watchdog.itertuples():
        for counter, column in _WATCHDOG.items():
            yield Row(row.node, row.port, str(row.priority), counter, getattr(row, column))
    for link in run.links or ():
        for node, port in (link.a, link.b):
            yield Row(node, port, "", "link_rate", link.rate_bps)
    for switch, buffer in run.buffers:
        for name, pool in (buffer.get("pools") or {}).items():
            peaks = {side: pool[side] for side in ("peak_ingress_bytes", "peak_egress_bytes") if side in pool}
            if peaks:
                side = max(peaks, key=peaks.get)
                yield Row(switch, "", name, "peak_pool_bytes", peaks[side], metric=f"buffer.{switch}.pools.{name}.{side}")
            if "peak_headroom_bytes" in pool:
                metric = f"buffer.{switch}.pools.{name}.peak_headroom_bytes"
                yield Row(switch, "", name, "peak_headroom_bytes", pool["peak_headroom_bytes"], metric=metric)
    counted = flatten(run.summary)
    for counter, metric in HOSTS_TOGETHER.items():
        if counted.get(metric) is not None:
            yield Row("", "", "", counter, counted[metric], metric=metric)


def _workload_rows(run):
    """Workloads whose messages have one size and one verb, as a test of perftest has. The latency of a WRITE and a SEND
    ends at the receiver, that of a READ with its completion."""
    counted = flatten(run.summary)
    raw = csv_file.read_csv(run.path / "messages.csv", "messages", ["workload", "verb", "bytes"])
    alike = raw.groupby("workload").agg(sizes=("bytes", "nunique"), verbs=("verb", "nunique"), bytes=("bytes", "first"), verb=("verb", "first"))
    items = defaultdict(list)
    for name, row in alike[(alike["sizes"] == 1) & (alike["verbs"] == 1)].iterrows():
        items[f"{row['verb']} of {int(row['bytes'])} B"].append(name)
    for item, names in items.items():
        if len(names) > 1:
            continue  # which of them is the test is unknown
        times = "completion_us" if item.startswith("read") else "delivery_us"
        path = f"messages.{names[0]}"
        metrics = {"goodput_gbps": f"{path}.goodput_gbps"}
        metrics |= {f"latency_us.{p}": f"{path}.{times}.{p}" for p in ("mean", "p50", "p99", "p999", "max")}
        for counter, metric in metrics.items():
            if counted.get(metric) is not None:
                yield Row("", "", item, counter, counted[metric], metric=metric)


def _operation_rows(run):
    """I/Os, as `headroom show io` reports them."""
    paths = {"iops": "iops", "io_gbps": "gbps", "latency_us.mean": "latency_us.mean"}
    if not any("read" in kinds or "write" in kinds for kinds in (run.summary.get("operations") or {}).values()):
        return
    try:
        shown = program.show(run.path, "io")
    except program.ProgramError:
        return  # operations, but no workload of I/Os
    for row in fio.read(Source(f"{run.path} io", json.dumps(shown))):
        metric = f"operations.{row.item}.{paths[row.counter]}" if row.counter in paths else ""
        yield Row("", "", row.item, row.counter, row.value, row.half, metric=metric)


def simulated_of(result):
    """{key: (mean over seeds, smallest, largest, metric)}"""
    values, metrics = defaultdict(list), {}
    for run in result.runs:
        for rows in (_port_rows(run), _other_rows(run), _workload_rows(run), _operation_rows(run)):
            for row in rows:
                if not math.isnan(row.value):
                    values[row.key].append(float(row.value))
                    metrics[row.key] = row.metric
    return {key: (sum(found) / len(found), min(found), max(found), metrics[key]) for key, found in values.items()}
