"""Result folders like those of a run, invented but consistent: incast, storage traffic, pauses, rates.

The numbers follow simple rules (a shared bottleneck, a queue that fills and drains), so the plots look like real ones
and every expected value can be computed. No run is needed; the program gives only Student's t.
"""

import csv
import json
import os
import random
import re
import sys
from pathlib import Path

ANALYSIS = Path(__file__).resolve().parents[2] / "python"
sys.path.insert(0, str(ANALYSIS))
os.environ.setdefault("HEADROOM_PROGRAM", str(ANALYSIS.parent / "build/release/headroom"))

from headroom.csv_file import PARTS, columns_of  # noqa: E402
from headroom.percentile import Ranked  # noqa: E402
from headroom.quantity import parse_bytes  # noqa: E402



def _columns(name, version=9, split=False):
    """The columns of a file in one of its versions, without those of some runs only."""
    return [c for c, about in columns_of(name).items() if about["since"] <= version and (split or "when" not in about)]


MESSAGES, PFC, CAUSES, EVENTS, QUEUES, RATES = map(_columns, "messages pfc pfc_causes events queues rates".split())
GROUPS, CNPS, LINKS, MARKING = map(_columns, "groups cnps links marking".split())
PORTS = _columns("ports", version=4)
OPERATIONS = _columns("operations", version=3, split=True)

# Size in bytes and cumulative probability, like published storage traffic: many small, a few very large.
STORAGE_SIZES = [
    (500, 0.0),
    (4000, 0.23),
    (8000, 0.69),
    (16000, 0.8),
    (64000, 0.93),
    (256000, 0.975),
    (2000000, 1.0),
]

RESOLVED = """\
name: {name}
seed: {seed}
warmup: {warmup}
priorities:
  storage: {{priority: 3, dscp: 3, lossless: true, weight: 1}}
  cnp:
    priority: 6
    dscp: 48
    lossless: false
switches:
  - match: "*"
    latency: 500ns
    ecn:
      storage: {{kmin: {kmin}, kmax: {kmax}, pmax: 5%}}
    pfc: {{enabled: {pfc}, quanta: 65535}}
"""


def _ns(microseconds):
    return f"{1000 * microseconds:.3f}"


def page_text(path):
    """A report without its contents list, with normal blanks, headings without ids, and cells without the column names
    for phones."""
    text = re.sub(r"<nav.*?</nav>", "", path.read_text(encoding="utf-8").replace("\u00a0", " "), flags=re.S)
    text = re.sub(r'<h2 id="[^"]*">', "<h2>", text)
    return re.sub(r'<td data-column="[^"]*">', "<td>", text)


def write_csv(path, header, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def write_ports(folder, rows):
    """ports.csv of {column: value}, 0 elsewhere."""
    write_csv(folder / "ports.csv", PORTS, [[row.get(column, 0) for column in PORTS] for row in rows])


def _distribution(values, finished):
    """Percentiles as in summary.json; empty without values."""
    if not values:
        return {}
    ranked = Ranked(values, finished)
    found = {name: ranked.percentile(p) for name, p in (("p50", 500), ("p90", 900), ("p99", 990), ("p999", 999), ("max", 1000))}
    return {name: value.value for name, value in found.items()} | {"censored": {name: value.censored for name, value in found.items()}}


class Builder:
    """Collects the rows of one result and writes its files; every series is optional."""

    def __init__(self, seed=1):
        self.random = random.Random(seed)
        self.seed = seed
        self.messages, self.pauses, self.events, self.queues, self.rates = [], [], [], [], []
        self.causes = []
        self.groups, self.notifications = [], []
        self.operations, self.one_in, self.messages_one_in = [], 1, 1
        self.end_us = 5000.0
        self.status = "complete"
        self.closest_to_xoff = 0.62
        self.observed = set()

    def message(self, workload, size, start, duration, ideal, src="a", dst="c"):
        """One message; if `duration` is None it did not finish."""
        number = len(self.messages)
        row = [f"{workload}/{src}/{number}", workload, src, dst, "rack", 3, "write", size, _ns(start)]
        if duration is None:
            row += ["", "", _ns(ideal), "", 0, 0, 0]
        else:
            row += [
                _ns(start + duration - 1),
                _ns(start + duration),
                _ns(ideal),
                f"{duration / ideal:.6f}",
                1,
                2,
                0,
            ]
        self.messages.append(row)

    def operation(self, workload, kind, start, duration, status="ok", ramp=0, size=8192):
        """One I/O, 1 µs of it on a core, 20 µs at the disk; if `duration` is None it did not finish."""
        number = len(self.operations)
        row = [f"{workload}/c0/{number}", workload, "store", kind, "c0", size, _ns(start)]
        if duration is None:
            row += ["", "", 0, "e0", "", ramp, *[""] * (6 + len(PARTS))]
        else:
            sent, end = start + 1, start + duration
            row += [_ns(end), status, 0, "e0", 3, ramp, *map(_ns, (sent, sent, sent + 1, end - 1, end - 1, end))]
            spent = {"core": 1, "device": 20, "network": duration - 21}
            row += [_ns(spent.get(part, 0)) for part in PARTS]
        self.operations.append(row)

    def disks(self, count=300, workload="disks", slowness=1.0, unfinished=0):
        """Reads and writes of a disk in turn, the first of them in the ramp; writes are twice as fast."""
        for number in range(count):
            kind = ("read", "write")[number % 2]
            took = (60 if kind == "read" else 30) * (1 + slowness * self.random.paretovariate(3))
            last = number >= count - unfinished
            self.operation(workload, kind, 10 * number, None if last else took, ramp=int(number < 4))
        return self

    def keys(self, count=300, workload="gets"):
        """GETs of a service of keys; one in ten of its operations is a read-modify-write, which takes twice as long."""
        for number in range(count):
            changes = number % 10 == 0
            took = (50 if changes else 25) * (1 + self.random.paretovariate(3))
            self.operation(workload, "read_modify_write" if changes else "get", 10 * number, took, size=32)
        return self

    def _of_operations(self, workload, kind):
        """The operations' part of summary.json, with two of the percentiles."""
        rows = [r for r in self.operations if r[1] == workload and kind in (r[3], "all") and not r[12]]
        ended = [r for r in rows if r[7]]
        us = sorted([(float(r[7]) - float(r[6])) / 1000 for r in ended] + [self.end_us - float(r[6]) / 1000 for r in rows if not r[7]])
        out = {"offered": len(rows), "finished": len(ended), "failed": 0, "corrupt": 0, "unfinished": len(rows) - len(ended)}
        out |= {"iops": 1e6 * len(ended) / self.end_us, "gbps": 0.1} if rows else {"iops": None, "gbps": None}
        ranks = {"p50": 500, "p99": 990, "p999": 999, "max": 1000}
        out["latency_us"] = {n: us[max(1, -(-p * len(us) // 1000)) - 1] if us else None for n, p in ranks.items()}
        out["latency_us"]["censored"] = {"max": True} if len(ended) < len(rows) else {}
        if self.one_in:
            parts = [[float(r[19 + i]) / 1000 for r in ended] for i in range(len(PARTS))]
            out["parts_us"] = {p: sum(us) / len(us) if us else None for p, us in zip(PARTS, parts)}
        return out

    def storage_size(self):
        u = self.random.random()
        for (low, p), (high, q) in zip(STORAGE_SIZES, STORAGE_SIZES[1:]):
            if u <= q:
                return max(1, round(low + (high - low) * (u - p) / (q - p)))
        return STORAGE_SIZES[-1][0]

    def poisson(self, count, slowness=1.0, workload="background", unfinished=0):
        """`count` storage messages over the run, slowed down by a heavy-tailed factor; some do not finish."""
        for number in range(count):
            size = self.storage_size()
            ideal = 3 + size * 8 / 100e3
            factor = 1 + slowness * 0.3 * self.random.paretovariate(1.6)
            start = self.end_us * 0.9 * number / count
            self.message(
                workload,
                size,
                start,
                ideal * min(factor, 400) if number < count - unfinished else None,
                ideal,
            )
        return self

    def incast(self, fan_in=16, bursts=3, slowness=1.0, workload="burst", size=1_000_000):
        """`fan_in` senders share one link, in burst after burst."""
        ideal = 3 + size * 8 / 100e3
        for burst in range(bursts):
            for sender in range(fan_in):
                together = fan_in * size * 8 / 100e3 * slowness
                self.message(
                    workload,
                    size,
                    1000 * (burst + 1),
                    together * (0.8 + 0.25 * self.random.random()),
                    ideal,
                    src=f"h{sender}",
                )
        return self

    def queue(self, node="t0", port="p2", queue=3, peak=1_800_000, every=10.0, bursts=3):
        """The queue fills at each burst and drains over 600 µs."""
        self.observed.add("queues")
        for step in range(int(self.end_us / every) + 1):
            time = step * every
            since = min(
                (time - 1000 * (b + 1) for b in range(bursts) if time >= 1000 * (b + 1)), default=None
            )
            level = (
                0
                if since is None or since > 700
                else peak * min(since / 100, max(0, 1 - (since - 100) / 600))
            )
            noise = 0.03 * peak * self.random.random() if level else 0
            self.queues.append([_ns(time), node, port, queue, round(level + noise)])
        return self

    def pause_storm(self, ports=3, per_burst=20, bursts=3, each=4.0, both_ends=True):
        """Short pauses after each burst, on `ports` links between the hosts h0 … and t0."""
        for port in range(ports):
            for burst in range(bursts):
                # A priority is not paused twice at once: pauses that would reach the next burst are left out.
                for number in range(min(per_burst, int(900 / (each + 7 + port)))):
                    start = 1000 * (burst + 1) + 60 + number * (each + 6 + port) + self.random.random()
                    tx = ["t0", f"p{port}", f"h{port}", "p0", 3, "tx", _ns(each), 0, 900_000]
                    self.pauses.append([_ns(start), *tx])
                    if both_ends:
                        rx = [f"h{port}", "p0", "t0", f"p{port}", 3, "rx", _ns(each), 0, 0]
                        self.pauses.append([_ns(start + 0.6), *rx])
        self.closest_to_xoff = 1.0
        return self

    def event(self, time, kind, node="t0", port="p2", priority=3, detail=""):
        self.events.append([_ns(time), kind, node, port, priority, detail])
        return self

    def rate(self, host, qp=0, line=40e9, cut_at=(500.0, 1500.0), every=10.0, idle_from=3000.0, peer="t"):
        """The rate starts at line rate, each cut halves it, and it recovers exponentially in between; the sender uses
        it until all is sent."""
        self.observed.add("rates")
        rate, target = line, line
        for step in range(int(self.end_us / every) + 1):
            time = step * every
            if any(time - every < cut <= time for cut in cut_at):
                target, rate = rate, rate / 2
            elif step % 6 == 0:
                target = min(line, target + 0.2e9)
                rate = (rate + target) / 2
            sent = rate * every / 8e6 if 0 < time <= idle_from else 0
            self.rates.append([_ns(time), host, qp, round(rate), round(sent), peer])
        return self

    def group(self, node="t0", port="p0", group=3, xoff_at=2_000_000, every=10.0):
        """The group fills up to its threshold in the middle of the run, while the threshold falls; headroom takes some
        more."""
        self.observed.add("groups")
        for step in range(int(self.end_us / every) + 1):
            level = max(0.0, 1 - abs(2 * step * every / self.end_us - 1) * 3)
            limit = "" if xoff_at is None else round(xoff_at * (1 - 0.4 * level))
            shared = round((xoff_at or 500_000) * 0.6 * level)
            spill = round(40_000 * max(0.0, level - 0.8))
            self.groups.append([_ns(step * every), node, port, group, shared, spill, limit])
        return self

    def cnps(self, host, qp=0, every=7.0, cut_every=7):
        """Notifications come now and then, and every seventh cuts the rate."""
        self.observed.add("cnps")
        for number in range(100):
            effect = "cut" if number % cut_every == 0 else "none"
            self.notifications.append([_ns(500 + number * every), host, qp, effect])
        return self

    def _of_messages(self, workload, warmup_us):
        """The notifications' part of summary.json."""
        rows = [r for r in self.messages if r[1] == workload]
        counted = [r for r in rows if float(r[8]) >= 1000 * warmup_us]
        finished = [bool(r[10]) for r in counted]
        us = [((float(r[10]) if r[10] else 1000 * self.end_us) - float(r[8])) / 1000 for r in counted]
        slowdown = [t / (float(r[11]) / 1000) for t, r in zip(us, counted)]
        return {
            "offered": len(counted),
            "finished": sum(finished),
            "unfinished": len(counted) - sum(finished),
            "warmup_offered": len(rows) - len(counted),
            "completion_us": _distribution(us, finished),
            "delivery_us": _distribution([t - 1 if done else t for t, done in zip(us, finished)], finished),
            "slowdown": _distribution(slowdown, finished),
        }

    def _services(self):
        """The sections of a summary that other scenarios do not have."""
        workloads = dict.fromkeys(row[1] for row in self.operations)
        if not workloads:
            return {}
        kinds = {w: {k: self._of_operations(w, k) for k in ("read", "write", "all")} for w in workloads}
        for workload in [w for w, operations in kinds.items() if operations["read"]["offered"] + operations["write"]["offered"] == 0]:
            kinds[workload] = {k: self._of_operations(workload, k) for k in ("get", "put", "read_modify_write", "all")}
            for counts in kinds[workload].values():
                counts["mops"] = None if counts["iops"] is None else counts["iops"] / 1e6
        return {"operations": kinds, "services": {"store": {"corrupt": 0}}, "cores": {"c0": {"utilisation": {"0": 0.25}}}}

    def summary(self, name, warmup_us=0.0):
        transmitted = [row for row in self.pauses if row[6] == "tx"]
        return {
            "scenario": name,
            "seed": self.seed,
            "status": self.status,
            "sim_time_us": self.end_us,
            "version": "0.1.0",
            "run": {"wall_s": 1.0},
            "messages": {w: self._of_messages(w, warmup_us) for w in dict.fromkeys(row[1] for row in self.messages)},
            **self._services(),
            "pfc": {
                "pauses": len(transmitted),
                "pause_frames": len(transmitted),
                "resume_frames": len(transmitted),
                "paused_us": sum(float(row[7]) for row in transmitted) / 1000,
                "by_tier": {},
                "by_priority": {},
            },
            "ecn": {"marked_packets": 1200, "marked_fraction": 0.0312},
            "cnp": {"sent": 300, "handled": 280, "ignored": 20},
            "drops": {"lossless": 0, "lossy": 0, "by_reason": {"headroom_full": 0}},
            "buffer": {
                "t0": {
                    "size_bytes": 24_000_000,
                    "peak_bytes": 2_000_000,
                    "peak_headroom_bytes": 40_000,
                    "headroom_configured_bytes": 6_000_000,
                    "peak_ingress_pool_bytes": 1_900_000,
                    "closest_to_xoff": self.closest_to_xoff,
                }
            },
            "transport": {"retransmitted_packets": 0, "naks": 0, "timeouts": 0},
            "conservation": {
                "sent_bytes": 1,
                "delivered_bytes": 1,
                "dropped_bytes": 0,
                "in_flight_bytes": 0,
                "ok": True,
            },
        }

    def write(self, folder, kmin="400kB", kmax="1600kB", warmup="0us", pfc="true"):
        folder = Path(folder)
        folder.mkdir(parents=True)
        (folder / "summary.json").write_text(json.dumps(self.summary(folder.name, float(warmup.removesuffix("us")))), encoding="utf-8")
        (folder / "resolved.yaml").write_text(
            RESOLVED.format(name=folder.name, seed=self.seed, kmin=kmin, kmax=kmax, warmup=warmup, pfc=pfc),
            encoding="utf-8",
        )
        write_csv(folder / "messages.csv", MESSAGES, self.messages[:: self.messages_one_in] if self.messages_one_in else [])
        write_csv(folder / "pfc.csv", PFC, sorted(self.pauses, key=lambda row: float(row[0])))
        if self.causes:
            write_csv(folder / "pfc_causes.csv", CAUSES, self.causes)
        write_csv(folder / "events.csv", EVENTS, self.events)
        peaks = {}
        for _, node, port, queue, level in self.queues:
            peaks[node, port, queue] = max(level, peaks.get((node, port, queue), 0))
        curve = [parse_bytes(kmin), parse_bytes(kmax), 0.05]
        write_csv(folder / "marking.csv", MARKING, [[node, port, queue, *curve] for node, port, queue in peaks if queue == 3])
        headroom = {"utilisation": 0.5, "peak_headroom_bytes": 20_000, "headroom_configured_bytes": 96_928}
        write_ports(folder, [{"node": node, "port": port, "priority": queue, "peak_queue_bytes": peak} | headroom for (node, port, queue), peak in peaks.items()])
        series = [
            ("queues", QUEUES, self.queues),
            ("rates", RATES, self.rates),
            ("groups", GROUPS, self.groups),
        ]
        series.append(("cnps", CNPS, self.notifications))
        if self.operations:
            kept = [r for n, r in enumerate(self.operations) if self.one_in and n % self.one_in == 0]
            write_csv(folder / "operations.csv", OPERATIONS, kept)
        for name, header, rows in series:
            if name in self.observed:
                write_csv(folder / f"{name}.csv", header, rows)
        return folder
