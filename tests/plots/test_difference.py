"""Differences between results: paired by seed, and honest about chance."""

import json
import tempfile
import unittest
from pathlib import Path

from synthetic_results import Builder

from headroom_plot.difference import differences, sentence, too_small_to_show
from headroom_plot.result import load_results


class Differences(unittest.TestCase):
    def setUp(self):
        self._temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self._temporary.name)
        self.addCleanup(self._temporary.cleanup)

    def result(self, name, pauses, offered=1000, p99=100.0):
        """A result whose summaries say so: {seed: pauses}."""
        for seed, count in pauses.items():
            builder = Builder(seed)
            builder.message("w", 1000, 0, 10, 5)
            folder = builder.write(self.folder / name / f"seed-{seed}")
            summary = json.loads((folder / "summary.json").read_text())
            summary["pfc"]["pauses"] = count
            summary["messages"] = {"w": {"offered": offered, "completion_us": {"p99": p99, "max": 3 * p99}}}
            (folder / "summary.json").write_text(json.dumps(summary))
        return load_results([self.folder / name])[0]

    def of(self, first, second):
        return {d.metric: d for d in differences(first, second)}

    def test_pairs_by_seed(self):
        # Differences 10, 12, 14: mean 12, s = 2, t(2) = 4.3027, half width 4.3027 × 2 / √3 = 4.968. The spread
        # over seeds, 90 to 510, does not enter.
        first = self.result("a", {1: 100, 2: 300, 3: 500})
        second = self.result("b", {1: 110, 2: 312, 3: 514})
        found = self.of(first, second)["pfc.pauses"]
        self.assertAlmostEqual(found.change.mean, 12)
        self.assertAlmostEqual(found.change.half_width, 4.968, places=3)
        self.assertTrue(found.sure)
        self.assertEqual(
            sentence(found),
            "PFC pauses rose from 300 to 312 (95 % interval of the difference +7.03 to +17, 3 seeds)",
        )

    def test_seeds_that_only_one_ran_are_left_out_of_the_difference(self):
        first, second = self.result("a", {1: 100, 2: 300}), self.result("b", {2: 310, 3: 900})
        found = self.of(first, second)["pfc.pauses"]
        self.assertEqual((found.change.mean, found.change.n), (10, 1))

    def test_one_seed_has_no_interval_and_is_never_sure(self):
        found = self.of(self.result("a", {1: 100}), self.result("b", {1: 50}))["pfc.pauses"]
        self.assertFalse(found.sure)
        self.assertEqual(sentence(found), "PFC pauses fell from 100 to 50")

    def test_what_is_written_alike_is_no_change(self):
        first = self.result("a", {1: 1, 2: 1, 3: 1}, p99=368.1)
        found = self.of(first, self.result("b", {1: 1, 2: 1, 3: 1}, p99=368.2))["messages.w.completion_us.p99"]
        self.assertTrue(found.sure)
        self.assertEqual(sentence(found), "p99 of w stayed at 368 µs")
        self.assertEqual(
            too_small_to_show([found]), "Told apart, but by less than three digits show: p99 of w 368 µs."
        )
        same = self.of(first, self.result("c", {1: 1, 2: 1, 3: 1}, p99=368.1))["messages.w.completion_us.p99"]
        self.assertIsNone(too_small_to_show([same]))

    def test_too_few_messages_for_a_percentile_make_it_the_longest(self):
        found = self.of(self.result("a", {1: 1}, offered=50), self.result("b", {1: 1}, offered=50, p99=200.0))
        self.assertNotIn("messages.w.completion_us.p99", found)
        self.assertEqual(
            sentence(found["messages.w.completion_us.max"]), "longest of w rose from 300 µs to 600 µs"
        )


if __name__ == "__main__":
    unittest.main()
