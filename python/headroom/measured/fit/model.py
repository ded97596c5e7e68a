"""The model of a fit: `headroom perf` itself, run for each point."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from headroom.errors import InputError, ProgramError
from headroom.measured.fit.parameters import as_resources
from headroom.program import program

_PACKETS = 20_000  # of one run: then a bandwidth is within 0.1 % of that of a longer one
_LAT_ITERATIONS = 11  # a latency without other traffic is the same each time
_DEPTH = 128  # perftest's --tx-depth


def lengths(point):
    """Messages of each queue pair in the runs of a point, at most as many as were measured. Queue pairs that share a
    cache begin in step: once each has sent more than it may post at once, the time grows evenly. Two runs beyond that
    give the time of a longer one."""
    if point.is_latency:
        return [_LAT_ITERATIONS]
    if point.queue_pairs > 1:
        depth = point.tx_depth or _DEPTH
        return [3 * depth // 2, 3 * depth] if point.iterations > 3 * depth else [point.iterations]
    packets = -(-point.bytes // (point.mtu or 1024))
    return [max(min(point.iterations, _PACKETS // packets), 20)]


def time_of(point, found):
    """The time per message of the measured length from {messages of a queue pair: time per message}."""
    if len(found) == 1:
        return next(iter(found.values()))
    (short, fast), (long, slow) = found.items()
    even = (long * slow - short * fast) / (long - short)
    return (long * slow + (point.iterations - long) * even) / point.iterations


class Model:
    """Predicts the points between two hosts of a scenario. `parameters`: those that vary; the rest is of the set
    `base`."""

    def __init__(self, scenario, hosts, base, parameters, told=False):
        self._scenario, self._hosts, self._base = str(scenario), hosts, base
        self._parameters, self._told, self.runs, self._known = parameters, told, 0, {}

    def _arguments(self, point, resources, length):
        words = [program(), "perf", self._scenario, "--from", self._hosts[0], "--to", self._hosts[1], "--json", "--jobs", "1"]
        words += ["--test", point.test, "-s", str(point.bytes), "-n", str(length), "-c", point.connection]
        words += ["--set", f"nics.*.resources={resources}"]
        if point.mtu is not None:
            words += ["--set", f"mtu={point.mtu}"]
        if not point.is_latency:
            words += ["--qp", str(point.queue_pairs)]
            words += ["--tx-depth", str(point.tx_depth)] if point.tx_depth else []
        if point.inline is not None and "read" not in point.test:
            words += ["--inline_size", str(min(point.inline, 256))]
        return words

    def _resources(self, point, values):
        """Without keys that do not concern the point: so runs that only they would change are made once."""
        some = [(p, v) for p, v in zip(self._parameters, values) if p.concerns(point) and not np.isnan(v)]
        return as_resources(self._base, [p for p, _ in some], [v for _, v in some])

    def _run(self, point, resources):
        key = (point, resources)
        if key in self._known:
            return self._known[key]
        found = {length: self._once(point, self._arguments(point, resources, length)) for length in lengths(point)}
        self._known[key] = time_of(point, found)
        return self._known[key]

    def _once(self, point, words):
        done = subprocess.run(words, capture_output=True, text=True, errors="surrogateescape")
        if done.returncode:
            raise ProgramError(done.stderr.strip().removeprefix("headroom: ") or "headroom perf failed", done.returncode)
        row = json.loads(done.stdout)["results"][0]
        self.runs += 1
        return 1e3 * row["t_typical_us"] if point.is_latency else 1e3 / row["msg_rate_mpps"]

    def predict(self, points, values):
        """The time per message in ns of each point, as an array. A value NaN is that of the base set."""
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            found = np.array(list(pool.map(lambda point: self._run(point, self._resources(point, values)), points)))
        if self._told:
            print(f"\rfit: {self.runs} runs", end="", file=sys.stderr, flush=True)
        if not np.all(np.isfinite(found) & (found > 0)):
            raise InputError("headroom perf gives no time for a point of the tables")
        return found

    def residuals(self, points, values):
        """ln(simulated / measured) of each point."""
        return np.log(self.predict(points, values) / np.array([point.ns for point in points]))
