"""What is counted: lost messages, a starved sender, the warm-up, paused time, failed queue pairs; in summary.json, table,
explain and report."""

import json
import unittest
from pathlib import Path

from command import ANALYSIS, StudyTest

try:
    import matplotlib  # noqa: F401
    import pandas  # noqa: F401
except ImportError:
    pandas = None

LOSSY = """\
name: datagrams
duration: 50us
topology: {type: star, hosts: 2, link: {rate: 100Gbps, length: 3m}}
nics: [{match: "*", congestion_control: none}]
faults: [{type: loss, link: [h0, s0], probability: 0.3}]
workloads: [{name: d, type: verbs, transport: TRANSPORT, verb: VERB, from: h0, to: h1, message: SIZE}]
"""
STORM = """\
name: pause
duration: 3ms
topology: {type: star, hosts: 3, link: {rate: 100Gbps, length: 5m}}
switches: [{match: "*", buffer: {profile: azure-deep}}]
nics: [{match: "*", congestion_control: none}]
faults: [{type: pause_storm, node: h1, priority: 3, start: 1ms, stop: 1100us, interval: 10ms, end: expire}]
workloads: [{name: flow, type: stream, from: h0, to: h1, message: 1000B, in_flight: 64}]
"""
DROPS = """\
name: drops
duration: 3ms
warmup: 2ms
topology: {type: star, hosts: 4, link: {rate: 100Gbps, length: 5m}}
priorities: {rdma: {priority: 1, dscp: 8, lossless: false}}
switches: [{match: "*", buffer: {profile: azure-24mb, size: 4MB}}]
nics: [{match: "*", congestion_control: none}]
workloads:
  - {name: burst, type: verbs, transport: uc, priority: rdma, message: 1KiB, from: "h[012]", to: h3, window: 64, stop: 500us}
  - {name: later, type: stream, from: h0, to: h1, message: 4KB, in_flight: 1, start: 2200us, priority: rdma}
"""


class Counts(StudyTest):
    def run_of(self, scenario, *words):
        """(summary, table) of a scenario's text or file."""
        path = scenario if isinstance(scenario, Path) else self.write("given.yaml", scenario)
        code, out, err = self.call("run", path, "--out", self.folder / "r", "--force", *words)
        self.assertEqual(code, 0, err)
        return json.loads((self.folder / "r/summary.json").read_text()), out

    def lines(self, table):
        """The rows of a CSV file of the result."""
        names, *rows = (line.split(",") for line in (self.folder / "r" / f"{table}.csv").read_text().splitlines())
        return [dict(zip(names, row)) for row in rows]

    def explained(self):
        code, out, err = self.call("explain", self.folder / "r")
        self.assertEqual(code, 0, err)
        return out

    def plotted(self):
        code, _, err = self.call("plot", self.folder / "r", "--out", self.folder / "plots")
        self.assertEqual(code, 0, err)
        return (self.folder / "plots/report.html").read_text(encoding="utf-8").replace("\N{NO-BREAK SPACE}", " ")

    def test_lost_messages_are_counted_and_add_no_goodput(self):
        for transport, verb, size in (("uc", "write", "1024B"), ("uc", "send", "5000B"), ("ud", "send", "700B")):
            text = LOSSY.replace("TRANSPORT", transport).replace("VERB", verb).replace("SIZE", size)
            for streamed in ((), ("--set", "results=stream")):
                summary, table = self.run_of(text, *streamed)
                counts, rows = summary["messages"]["d"], self.lines("messages")
                delivered = [row for row in rows if row["delivered_ns"]]
                self.assertEqual(summary["conservation"]["in_flight_bytes"], 0)
                self.assertEqual(counts["lost"], len(rows) - len(delivered), text)
                self.assertGreater(counts["lost"], 5)
                ends = [float(row[end]) for row in rows for end in ("completed_ns", "delivered_ns") if row[end]]
                span = max(ends) - min(float(row["start_ns"]) for row in rows)
                self.assertAlmostEqual(counts["goodput_gbps"], sum(int(row["bytes"]) for row in delivered) * 8 / span, places=6)
                self.assertFalse(counts["delivery_us"].get("censored"))
                took = sorted(float(row["delivered_ns"]) - float(row["start_ns"]) for row in delivered)
                self.assertAlmostEqual(counts["delivery_us"]["max"], took[-1] / 1e3, places=5)
                self.assertIn(f"lost  {counts['lost']} of {len(rows)} messages of d\n", table)
        self.assertIn(f"{counts['lost']} lost", self.explained())

    @unittest.skipIf(pandas is None, "pandas or matplotlib is missing")
    def test_the_report_counts_lost_messages(self):
        summary, _ = self.run_of(LOSSY.replace("TRANSPORT", "ud").replace("VERB", "send").replace("SIZE", "700B"))
        self.assertIn(f"{summary['messages']['d']['lost']} not delivered", self.plotted())

    def test_paused_time_is_the_time_for_which_queues_stood_still(self):
        summary, _ = self.run_of(STORM)
        # 65535 quanta of 512 bits at 100 Gb/s.
        self.assertAlmostEqual(summary["pfc"]["paused_us"], 335.539, delta=0.01)
        self.assertEqual(summary["pfc"]["by_tier"]["host"]["paused_us"], summary["pfc"]["paused_us"])
        self.assertEqual(summary["pfc"]["by_priority"]["3"]["paused_us"], summary["pfc"]["paused_us"])
        paused = {(row["node"], row["port"]): row for row in self.lines("ports") if row["priority"] == "3"}
        self.assertEqual(paused["h1", "p0"]["paused_us_tx"], paused["s0", "p1"]["paused_us_rx"])
        self.assertAlmostEqual(float(paused["h1", "p0"]["paused_us_tx"]), 335.539, delta=0.01)
        # A pause of the warm-up that lasts beyond it is a pause.
        summary, table = self.run_of(STORM, "--set", "warmup=1200us")
        self.assertEqual(summary["pfc"]["pauses"], 0)
        self.assertAlmostEqual(summary["pfc"]["paused_us"], 135.7, delta=0.2)
        self.assertNotIn("never fired", table)
        self.assertNotIn("pauses: none", self.explained())

    def test_what_the_warm_up_dropped_is_not_called_none(self):
        summary, table = self.run_of(DROPS)
        self.assertEqual(summary["drops"]["lossy"], 0)
        self.assertGreater(summary["warmup"]["drops"]["lossy"], 100)
        whole, _ = self.run_of(DROPS, "--set", "warmup=0us")
        self.assertEqual(summary["warmup"]["drops"], whole["drops"])
        self.assertNotIn("warmup", whole)
        summary, table = self.run_of(DROPS)
        self.assertIn("drops  none after the warm-up\n", table)
        self.assertIn(f"in the warm-up  {summary['warmup']['drops']['lossy']:,} lossy packets dropped", table)
        told = self.explained()
        self.assertIn("drops: none after the warm-up", told)
        self.assertIn(f"drops in the warm-up: {summary['warmup']['drops']['lossy']:,} packets", told)

    @unittest.skipIf(pandas is None, "pandas or matplotlib is missing")
    def test_the_report_has_drops_of_the_warm_up(self):
        self.run_of(DROPS)
        told = self.plotted()
        self.assertNotIn("Nothing was dropped", told)
        self.assertIn("Dropped in the warm-up: ", told)

    @unittest.skipIf(pandas is None, "pandas or matplotlib is missing")
    def test_a_run_that_ends_before_its_warm_up_is_drawn(self):
        quickstart = ANALYSIS.parent / "scenarios/quickstart.yaml"
        self.run_of(quickstart, "--set", "warmup=5ms", "--set", "duration=6ms", "--seeds", "1")
        self.assertIn("No message was offered after the warm-up.", self.plotted())

    def test_a_starved_sender_lowers_the_index(self):
        # Both offer the same; the frames of one are dropped by a fault.
        text = LOSSY.replace("hosts: 2", "hosts: 3").replace("from: h0, to: h1", 'from: "h[01]", to: h2').replace("0.3", "1")
        text = text.replace("TRANSPORT", "uc").replace("VERB", "write").replace("SIZE", "1024B")
        self.assertEqual(self.run_of(text)[0]["messages"]["d"]["jain"], 0.5)
        # On a reliable connection the starved sender's messages all begin in the warm-up.
        text = text.replace("transport: uc", "transport: rc").replace("duration: 50us", "duration: 50us\nwarmup: 20us\ndeadline: 60us")
        self.assertEqual(self.run_of(text)[0]["messages"]["d"]["jain"], 0.5)


if __name__ == "__main__":
    unittest.main()
