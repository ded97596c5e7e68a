"""A sweep over kinds of settings, as plots: tails of messages, queues and pauses side by side; and keys that change
together."""

import csv
import json
import sys
import unittest
from pathlib import Path

import numpy as np
from command import TINY, StudyTest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "plots"))
from overprint import overprints

from headroom.plot.drawing.style import apply_style
from headroom.plot.figures.tails import tails_plot
from headroom.study_folder import Study

TOGETHER = "nics.0.congestion_control, switches.0.ecn.storage"
STEP = "{kmin: 20KB, kmax: 20KB, pmax: 100%}"
CONTROLS = TINY + f"""\
nics: [{{match: "*"}}]
observe: {{queues: {{every: 1us, match: ["h*", "s*"]}}}}
vary:
  {TOGETHER}:
    - &dcqcn [dcqcn, {{kmin: 10KB, kmax: 40KB, pmax: 10%}}]
    - &dctcp [dctcp, {STEP}]
seeds: 3
"""


class Tails(StudyTest):
    def setUp(self):
        super().setUp()
        self.scenario = self.write("tiny.yaml", CONTROLS)

    def rows(self, run, table):
        with open(self.out / run / f"{table}.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def test_curves_are_those_of_the_tables_of_all_seeds(self):
        code, out, _ = self.sweep()
        self.assertEqual(code, 0)
        self.assertIn("congestion_control dctcp: [dctcp, " + STEP, out)
        apply_style()
        plot = tails_plot(Study(self.out))
        self.assertEqual(overprints(plot.figure), [])
        runs = {}
        for settings, path in self.query("select settings, path from runs"):
            runs.setdefault("dctcp" if "20KB" in settings else "dcqcn", []).append(path)
        for name, paths in runs.items():
            self.assertEqual(len(paths), 3)
            for path in paths:
                # Both keys changed.
                resolved = (self.out / path / "resolved.yaml").read_text(encoding="utf-8")
                self.assertEqual(("kmin: 20KB" in resolved, "type: dctcp" in resolved), (name == "dctcp",) * 2)
            messages = [row for path in paths for row in self.rows(path, "messages")]
            took = [(int(m["completed_ns"].split(".")[0]) - int(m["start_ns"].split(".")[0])) / 1e3 for m in messages if m["workload"] == "burst"]
            self.check(plot, "Completion time of burst", name, took, 2e-3)
            self.check(plot, "Slowdown of random", name, [float(m["slowdown"]) for m in messages if m["workload"] == "random"], 1e-9)
            fullest = []
            for path in paths:
                peaks = {}
                for row in self.rows(path, "queues"):
                    if row["node"] == "s0" and float(row["time_ns"]) <= 100_000:
                        peaks[row["time_ns"]] = max(peaks.get(row["time_ns"], 0), int(row["bytes"]))
                fullest += peaks.values()
            self.check(plot, "Length of the fullest switch queue", name, fullest, 1e-9)
        pauses = plot.tables["tails-pauses"]
        self.assertEqual((list(pauses["setting"]), list(pauses["seeds"])), (["dcqcn", "dctcp"], [3, 3]))

    def check(self, plot, what, setting, values, within):
        """For each point of the curve the share of values that are at least as large."""
        table = plot.tables["tails"]
        curve = table[(table["what"] == what) & (table["setting"] == setting)]
        self.assertGreater(len(curve), 5)
        for value, share in zip(curve["value"], curve["share_at_least"]):
            low, high = (np.mean(np.array(values) >= value * (1 + sign * within)) for sign in (1, -1))
            self.assertTrue(low - 1e-9 <= share <= high + 1e-9, (what, setting, value, share, low, high))

    def test_a_sweep_over_numbers_has_curves_alone(self):
        self.scenario = self.write("numbers.yaml", TINY)
        self.sweep("--set", "switches.0.ecn.storage.kmin=[5KB,10KB]")
        self.assertIsNone(tails_plot(Study(self.out)))

    def test_keys_that_the_file_moves_together_are_replaced_together(self):
        both = "nics.0.congestion_control,switches.0.ecn.storage"
        code, _, _ = self.sweep("--seeds", "1", "--set", f"{both}=[[hpcc,{STEP}],[none,{STEP}]]")
        self.assertEqual(code, 0)
        found = {json.loads(s)["nics.0.congestion_control"] for (s,) in self.query("select settings from runs")}
        self.assertEqual(found, {"hpcc", "none"})
        code, _, err = self.sweep("--set", "nics.0.congestion_control=[hpcc,none]")
        self.assertEqual(code, 2)
        self.assertIn("the scenario varies nics.0.congestion_control and switches.0.ecn.storage together; give switches.0.ecn.storage too", err)


if __name__ == "__main__":
    unittest.main()
