"""Percentiles of the messages of all seeds together, and by size of message."""

import csv
import json
import math
import unittest

from command import KMIN, StudyTest

try:
    import numpy as np

    from headroom import pooled
except ImportError:
    np = None
from headroom.errors import InputError


@unittest.skipIf(np is None, "python3-numpy is not installed")
class Pooled(unittest.TestCase):
    def test_intervals_cover_a_change_as_often_as_they_say(self):
        # Messages of a seed share its effect, and so do the two settings of a seed. 600 trials: a standard error of 0.9 %.
        draw, trials, seeds, messages, covered = np.random.default_rng(3), 600, 8, 300, 0
        for _ in range(trials):
            shared = 0.2 * draw.standard_normal((seeds, 1))
            before, after = (
                np.exp(shared + 0.1 * draw.standard_normal((seeds, 1)) + 1.2 * draw.standard_normal((seeds, messages)))
                for _ in range(2)
            )
            found, _ = pooled.pooled_effect(dict(enumerate(before)), dict(enumerate(0.8 * after)), 990)
            covered += found.low <= -0.2 <= found.high
        self.assertAlmostEqual(covered / trials, 0.95, delta=0.03)

    def test_the_percentile_is_the_nearest_rank_over_all_seeds(self):
        before = {1: np.arange(1.0, 51.0), 2: np.arange(51.0, 101.0)}
        found, ends = pooled.pooled_effect(before, {seed: 2 * values for seed, values in before.items()}, 990)
        self.assertEqual(ends, [99.0, 198.0])
        self.assertAlmostEqual(found.change, 1.0)
        self.assertAlmostEqual(found.low, found.high)
        self.assertIsNone(pooled.pooled_effect({1: np.ones(3)}, {1: np.ones(3)}, 990))
        self.assertIsNone(pooled.pooled_effect({1: np.ones(3), 2: np.zeros(0)}, {1: np.ones(3), 2: np.ones(3)}, 990))

    def test_which_metrics_are_percentiles(self):
        found = pooled.percentile('messages.reads.slowdown.by_size."64KiB".p99')
        self.assertEqual((found.workload, found.column, found.size, found.permille), ("reads", "slowdown", 65536, 990))
        self.assertEqual(pooled.percentile("messages.reads.completion_us.by_size.64KiB.p50").size, 65536)
        self.assertEqual(pooled.percentile("operations.disks.read.latency_us.p999").kind, "read")
        for other in ("pfc.paused_us", "messages.reads.completion_us.mean", "messages.reads.delivery_us.p99"):
            self.assertIsNone(pooled.percentile(other))
        with self.assertRaisesRegex(InputError, "'64us' is not a size; give the largest of a class"):
            pooled.percentile('messages.reads.slowdown.by_size."64us".p99')


@unittest.skipIf(np is None, "python3-numpy is not installed")
class BySize(StudyTest):
    def test_a_sweep_shows_messages_of_a_size(self):
        metric = 'messages.random.slowdown.by_size."16KiB".p99'
        code, said, err = self.sweep("--seeds", 2, "--metric", metric, "--json")
        self.assertEqual((code, err), (0, ""))
        runs = self.query("select path from runs order by seed")
        expected = []
        for (path,) in runs:
            with open(self.out / path / "messages.csv", encoding="utf-8", newline="") as file:
                values = sorted(
                    float(row["slowdown"])
                    for row in csv.DictReader(file)
                    if row["workload"] == "random" and 8192 < int(row["bytes"]) <= 16384
                )
            expected.append(values[math.ceil(0.99 * len(values)) - 1])
        code, said, err = self.sweep("--seeds", 2, "--metric", metric)
        self.assertEqual((code, err), (0, ""))
        mean = sum(expected) / 2
        self.assertIn(f"{mean:.3g}", said)
        code, _, err = self.sweep("--seeds", 2, "--metric", metric.replace("random", "rnadom"))
        self.assertEqual(code, 2)
        self.assertIn("a summary has no such metric", err)

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
            self.assertEqual(second["against_first"]["pooled"][name], values[math.ceil(0.99 * len(values)) - 1])


if __name__ == "__main__":
    unittest.main()
