"""Inputs of ../shared/data/reports-2 that once gave a wrong result, each against its right value."""

import filecmp
import json
import re
import unittest

from command import ANALYSIS, HAS_RANKS, StudyTest

REPORTS = ANALYSIS.parents[1] / "shared/data/reports-2"
# Reports that need features of other changes, by what they wait for.
WAIT = {
    "explain finds the setting that is wrong": ["night", "default-priority", "never-sprayed", "queue-without-wred", "nccl-timeout"],
    "more chips": ["spectrum-wred", "spectrum-6-dynamic", "spectrum-6-traditional"],
}
# Files that other tests read; without a comment: tests/cli/check/remedies_test.cc.
ELSEWHERE = {"short-study", "short-study-scenario",  # test_tune.py
             "remote-depth", "xoff-beyond-memory", "lookup-remedy", "sliced-egress", "th4-memory", "default-dynamic-th"}


@unittest.skipUnless(REPORTS.is_dir(), f"there is no folder {REPORTS}")
class Reports(StudyTest):
    def run_of(self, name, *words, out="r", code=0):
        """summary.json of a report's run, and the run's table."""
        path = self.folder / out
        found, said, err = self.call("run", REPORTS / f"{name}.yaml", "--out", path, "--force", *words)
        self.assertEqual(found, code, err)
        summary = path / "summary.json"
        return (json.loads(summary.read_text()) if summary.is_file() else None), said

    def rows(self, table, out="r"):
        names, *rows = (line.split(",") for line in (self.folder / out / f"{table}.csv").read_text().splitlines())
        return [dict(zip(names, row)) for row in rows]

    def checked(self, name, *words):
        code, said, err = self.call("check", REPORTS / f"{name}.yaml", *words)
        self.assertEqual(code, 0, err)
        return said

    def test_every_report_is_read_here_or_waits(self):
        waiting = {name for names in WAIT.values() for name in names}
        here = {re.sub(r"_", "-", name[len("test_of_"):]) for name in dir(self) if name.startswith("test_of_")}
        for path in REPORTS.glob("*.yaml"):
            with self.subTest(path.name):
                self.assertIn(path.stem, here | waiting | ELSEWHERE)
        if waiting:
            self.skipTest("; ".join(f"{', '.join(names)}: {why}" for why, names in WAIT.items()))

    def test_of_starved(self):
        for seed in range(1, 4):
            self.run_of("starved", "--seed", seed)
            delivered = [sum(row["src"] == host and bool(row["delivered_ns"]) for row in self.rows("messages"))
                         for host in ("h0", "h1")]
            self.assertLess(abs(delivered[0] - delivered[1]), 0.05 * sum(delivered), (seed, delivered))

    def test_of_spurious_repeat(self):
        summary, _ = self.run_of("spurious-repeat")
        self.assertEqual(summary["transport"]["retransmitted_packets"], 2)

    def test_of_naks_of_reordering(self):
        for control, least, most in (("dctcp", 165, 180), ("swift", 165, 175), ("none", 165, 170)):
            summary, _ = self.run_of("naks-of-reordering", "--set", f"nics.0.congestion_control={control}")
            for field in ("p50", "max"):
                self.assertTrue(least < summary["messages"]["a"]["completion_us"][field] < most, control)

    def same_in_parts(self, name):
        self.run_of(name, out="one")
        for kind in ("--parts", "--ranks"):
            if kind == "--ranks" and not HAS_RANKS:
                continue
            self.run_of(name, kind, "2", out="two")
            for path in (self.folder / "one").glob("*.csv"):
                self.assertTrue(filecmp.cmp(path, self.folder / "two" / path.name, shallow=False), (kind, path.name))
        for row in self.rows("messages", "one"):
            for key, value in row.items():
                self.assertFalse(key.endswith("_ns") and value.startswith("-"), (key, value))

    def test_of_reorder_tie_parts(self):
        self.same_in_parts("reorder-tie-parts")

    def test_of_parts_differ_naks(self):
        self.same_in_parts("parts-differ-naks")

    def test_of_parts_differ(self):
        self.same_in_parts("parts-differ")
        self.run_of("parts-differ", "--set", "results=stream", out="streamed")
        self.assertTrue(filecmp.cmp(self.folder / "one/messages.csv", self.folder / "streamed/messages.csv", shallow=False))

    def test_of_order_of_ranks(self):
        self.run_of("order-of-ranks")
        ring = {(row["client"], row["server"]) for row in self.rows("operations")}
        self.assertEqual(ring, {("h0", "h2"), ("h2", "h1"), ("h1", "h3"), ("h3", "h0")})

    def test_of_same_paths_every_seed(self):
        fullest = set()
        for seed in range(1, 7):
            summary, _ = self.run_of("same-paths-every-seed", "--seed", seed)
            fullest.add(round(summary["messages"]["a"]["completion_us"]["max"] / 171))
        self.assertGreater(len(fullest), 1)

    def test_of_lost_datagrams(self):
        summary, said = self.run_of("lost-datagrams")
        message = summary["messages"]["d"]
        self.assertEqual((message["offered"], message["lost"]), (667, 598))
        self.assertAlmostEqual(message["goodput_gbps"], 5.65, delta=0.01)
        self.assertIn("598 of 667 messages", said)

    def test_of_drops_in_warmup(self):
        _, said = self.run_of("drops-in-warmup")
        self.assertRegex(said, r"drops +none after the warm-up\nin the warm-up +\d+ lossy packets dropped")
        code, explained, err = self.call("explain", self.folder / "r")
        self.assertEqual(code, 0, err)
        self.assertRegex(explained, r"drops: none after the warm-up\n +drops in the warm-up: \d+ packets")

    def test_of_pause_length(self):
        summary, _ = self.run_of("pause-length")
        self.assertAlmostEqual(summary["pfc"]["paused_us"], 838.848, delta=0.1)

    def test_of_begun_in_warmup(self):
        _, said = self.run_of("begun-in-warmup")
        self.assertIn("The warm-up is shorter than the median operation of nccl", said)
        self.assertRegex(said, r"% of nccl: \d+ of \d+ operations; others began in ramp or warm-up")
        self.assertIn("the warm-up, 100us, is over before a lone message of 8MB", " ".join(self.checked("begun-in-warmup").split()))

    def test_of_storm_victim(self):
        summary, said = self.run_of("storm-victim")
        self.assertEqual(set(summary["failed_queue_pairs"]), {"a/0", "b/0"})
        self.assertIn("6 of 247 finished", said)
        self.assertIn("a/0", said)

    def test_of_service_path(self):
        said = self.checked("service-path", "--path", "h1", "h2")
        self.assertIn("nccl, queue pair 0", said)
        ports = set(re.findall(r"^leaf0:(\S+) +spine", said, re.M))
        self.assertTrue(ports, said)
        self.run_of("service-path")
        used = {row["port"] for row in self.rows("ports") if row["node"] == "leaf0" and int(row["tx_bytes"]) > 1_000_000}
        self.assertTrue(ports <= used, (ports, used))

    def test_of_memory_maximum(self):
        for recovery in ("receiver_window", "counter", "sender_window"):
            self.run_of("memory-maximum", "--set", f"nics.0.transport.recovery.type={recovery}")

    def test_of_tcp_fair_rate(self):
        self.assertRegex(self.checked("tcp-fair-rate"), r"31\.6")
        self.assertNotRegex(self.checked("tcp-fair-rate"), r"32\.6|32\.7")

    def test_of_rate_iops_fio(self):
        loads = [re.findall(r"offered load.*", self.checked(name)) for name in ("rate-iops-fio", "rate-iops-io")]
        self.assertTrue(loads[0])
        self.assertEqual(*loads)

    test_of_rate_iops_io = test_of_rate_iops_fio

    def test_of_max_rate_without_control(self):
        code, said, err = self.call("check", REPORTS / "max-rate-without-control.yaml")
        self.assertIn("max_rate", said + err)


if __name__ == "__main__":
    unittest.main()
