"""Tails: the messages or operations behind a percentile, and the share beyond a value with its band."""

import math
import re
from pathlib import Path

import numpy as np

from headroom.interval import student_t
from headroom.quantity import parse_bytes
from headroom.result import Run
from headroom.summary_file import read_summary

# The shares of messages beyond a value that a tail shows.
_BEYOND = (0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01, 0.005, 0.003, 0.002, 0.001)
_METRIC = re.compile(r'(messages|operations)\.([^.]+)\.(?:([^.]+)\.)?(completion_us|latency_us|slowdown)(?:\.by_size\."?([^".]+)"?)?\.p\d+')


def values_of(run, metric):
    """(values, which of them are lower bounds) that a percentile of a study's run is of; None for another metric, and if
    the run does not have a line for each."""
    found = _METRIC.fullmatch(metric)
    if not found or run.folder is None:
        return None
    section, workload, kind, column, size = found.groups()
    result = Run(Path(run.folder), read_summary(Path(run.folder)))
    counted = (result.summary.get(section) or {}).get(workload, {})
    counted = counted.get(kind, {}) if kind else counted
    table = result.operations if kind else result.messages
    if table is None or "offered" not in counted:
        return None
    rows = table[table["workload"] == workload]
    rows = rows[rows["kind"] == kind] if kind not in (None, "all") else rows
    if len(rows) != counted["offered"]:
        return None
    if size:
        most = parse_bytes(size)
        rows = rows[(rows["bytes"] <= most) & (rows["bytes"] > most / 2)]
    values = rows["slowdown" if column == "slowdown" else "us"].to_numpy(float)
    known = np.isfinite(values)  # a message without an ideal time has no slowdown
    return values[known], ~rows["finished"].to_numpy(bool)[known]


def tail(arrays):
    """Rows (share, the value that this share exceeds, and its 95 % interval by the jackknife over seeds, as in
    src/report/pooled.h) for {seed: values}. Shares go from half of all values down to ten values. Lower bounds count as
    infinite. None if such a value is 0."""
    arrays = list(arrays.values())
    count, n, rows = sum(map(len, arrays)), len(arrays), []
    for share in _BEYOND:
        if share * count < 10 or n < 2:
            break
        value, *left_out = (_nearest_rank(arrays[:i] + arrays[i + 1 :] if i >= 0 else arrays, share) for i in range(-1, n))
        if min(value, *left_out) <= 0:
            return None
        if not math.isfinite(max(value, *left_out)):
            break
        half = student_t(n - 1) * math.sqrt((n - 1) * np.var(np.log(left_out)))
        rows.append((share, value, value * math.exp(-half), value * math.exp(half)))
    return rows


def _nearest_rank(arrays, beyond):
    values = np.concatenate(arrays)
    rank = -(-len(values) * round(1000 * (1 - beyond)) // 1000)
    return float(np.partition(values, rank - 1)[rank - 1])
