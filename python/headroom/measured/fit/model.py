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


def iterations(point):
    """The messages of a run, at most as many as were measured."""
    if point.is_latency:
        return _LAT_ITERATIONS
    packets = -(-point.bytes // (point.mtu or 1024)) * point.queue_pairs
    return max(min(point.iterations, _PACKETS // packets), 20)


class Model:
    """Predicts the points between two hosts of a scenario. `parameters`: those that vary; the rest is of the set
    `base`."""

    def __init__(self, scenario, hosts, base, parameters, told=False):
        self._scenario, self._hosts, self._base = str(scenario), hosts, base
        self._parameters, self._told, self.runs, self._known = parameters, told, 0, {}

    def _arguments(self, point, resources):
        words = [program(), "perf", self._scenario, "--from", self._hosts[0], "--to", self._hosts[1], "--json", "--jobs", "1"]
        words += ["--test", point.test, "-s", str(point.bytes), "-n", str(iterations(point)), "-c", point.connection]
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
        done = subprocess.run(self._arguments(point, resources), capture_output=True, text=True, errors="surrogateescape")
        if done.returncode:
            raise ProgramError(done.stderr.strip().removeprefix("headroom: ") or "headroom perf failed", done.returncode)
        row = json.loads(done.stdout)["results"][0]
        self.runs += 1
        self._known[key] = 1e3 * row["t_typical_us"] if point.is_latency else 1e3 / row["msg_rate_mpps"]
        return self._known[key]

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
