"""Percentiles of the messages of all seeds together, and by size of message."""

import csv
import json
import math
import re
import unittest

from command import KMAX, KMIN, StudyTest

try:
    import headroom
except ImportError:
    headroom = None
from headroom.text_table import number_text

SIX_PLACES = 6e-7  # the file rounds slowdowns, the program computes with exact ones


@unittest.skipIf(headroom is None, "python3-numpy is not installed")
class BySize(StudyTest):
    def test_a_sweep_shows_messages_of_a_size(self):
        metric = 'messages.random.slowdown.by_size."16KiB".p99'
        code, said, err = self.sweep("--seeds", 2, "--metric", metric, "--json")
        self.assertEqual((code, err), (0, ""))
        runs = self.query("select path from runs order by seed")
        values = []
        for (path,) in runs:
            with open(self.out / path / "messages.csv", encoding="utf-8", newline="") as file:
                values += [
                    float(row["slowdown"])
                    for row in csv.DictReader(file)
                    if row["workload"] == "random" and 8192 < int(row["bytes"]) <= 16384
                ]
        expected = sorted(values)[math.ceil(0.99 * len(values)) - 1]
        code, said, err = self.sweep("--seeds", 2, "--metric", metric)
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(said, rf" {number_text(expected)} ±")
        code, _, err = self.sweep("--seeds", 2, "--metric", metric.replace("random", "rnadom"))
        self.assertEqual(code, 2)
        self.assertIn("a summary has no such metric", err)
        code, _, err = self.sweep("--seeds", 2, "--metric", metric.replace("KiB", "us"))
        self.assertEqual(code, 2)
        self.assertIn('"16us" is not a size; name a message class by its largest message size', err)

    def test_the_verdict_of_a_sweep_is_on_the_messages_of_all_seeds(self):
        words = ("--set", f"{KMIN}=[5KB,20KB]", "--seeds", 3, "--metric", "messages.random.slowdown.p99", "--json")
        code, said, err = self.sweep(*words)
        self.assertEqual((code, err), (0, ""))
        first, second = json.loads(said)["points"]
        self.assertIsNone(first["against_first"])
        for point, name in ((first, "first"), (second, "this")):
            values = []
            for (path,) in self.query("select path from runs where json_extract(settings, '$.\"" + KMIN + "\"') = '" + point["at"][KMIN] + "'"):
                with open(self.out / path / "messages.csv", encoding="utf-8", newline="") as file:
                    values += [float(row["slowdown"]) for row in csv.DictReader(file) if row["workload"] == "random"]
            values.sort()
            self.assertAlmostEqual(second["against_first"]["pooled"][name], values[math.ceil(0.99 * len(values)) - 1], delta=SIX_PLACES)


@unittest.skipIf(headroom is None, "python3-numpy is not installed")
class AsTheProgram(StudyTest):
    def test_a_sweep_shows_them_and_keeps_the_means(self):
        metric = "messages.random.completion_us.p99"
        self.call("run", self.scenario, "--seeds", 3, "--out", self.folder / "three")
        entry = headroom.load(self.folder / "three").summary["seeds"]["pooled"]["messages"]["random"]["completion_us"]["p99"]
        code, said, err = self.sweep("--seeds", 3, "--metric", metric)
        self.assertEqual((code, err), (0, ""))
        half = entry["high"] - entry["value"]
        self.assertIn(f"{number_text(entry['value'])} ±" + ("?" if half > entry["value"] else f" {number_text(half)}"), said)
        point = json.loads(self.sweep("--seeds", 3, "--metric", metric, "--json")[1])["points"][0]
        self.assertAlmostEqual(point["pooled"][metric]["mean"], entry["value"])
        (values,) = zip(*self.query(f'select "{metric}" from results'))
        self.assertAlmostEqual(point["metrics"][metric]["mean"], sum(values) / 3)

    def test_explain_lowers_slowdowns_and_messages_of_a_size(self):
        for metric in ("messages.burst.slowdown.p99", 'messages.burst.slowdown.by_size."64KiB".p99'):
            words = ("explain", self.scenario, "--metric", metric, "--seeds", 2, "--budget", "0.01s", "--out", self.out)
            code, said, err = self.call(*words, "--json")
            self.assertEqual((code, err), (0, ""))
            found = json.loads(said)
            self.assertEqual((found["metric"], found["workload"]), (metric, "burst"))
            values = []
            for (path,) in self.query("select path from runs where seed > 1"):
                with open(self.out / path / "messages.csv", encoding="utf-8", newline="") as file:
                    values += [float(row["slowdown"]) for row in csv.DictReader(file) if row["workload"] == "burst"]
            self.assertGreater(len(values), 0)
            self.assertAlmostEqual(found["baseline_us"], sorted(values)[math.ceil(0.99 * len(values)) - 1], delta=SIX_PLACES)

    def test_compare_has_slowdowns_and_messages_of_a_size(self):
        for out, kmax in (("a", "40KB"), ("b", "20KB")):
            self.call("run", self.scenario, "--seeds", 3, "--set", f"{KMAX}={kmax}", "--out", self.folder / out)
        metrics = ["messages.burst.slowdown.p99", 'messages.burst.completion_us.by_size."64KiB".p99']
        words = [word for metric in metrics for word in ("--metric", metric)]
        code, said, err = self.call("compare", self.folder / "a", self.folder / "b", *words)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("2 metrics changed, 0 are equal", said)
        # All bursts are of this size, and slowdowns are the times as shares of one.
        changes = re.findall(r"^messages.* ([-+][\d.]+ % ±[\d.]+)", said, re.M)
        self.assertEqual(len(changes), 2, said)
        self.assertEqual(*changes)
        code, said, err = self.call("compare", self.folder / "a", self.folder / "b", "--metric", "messages.burst.slowdwn.p99")
        self.assertEqual((code, said), (2, ""))
        self.assertIn('messages.burst.slowdwn.p99: neither result has this metric; did you mean "messages.burst.slowdown.p99"?', err)


if __name__ == "__main__":
    unittest.main()
