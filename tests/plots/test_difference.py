"""Differences between results: paired by seed, and with their statistical uncertainty."""

import json
import tempfile
import unittest
from pathlib import Path

from synthetic_results import Builder

from headroom.difference import differences, left_out_words, range_words, sentence, too_small_to_show
from headroom.format import format_percent, format_time
from headroom.plot.figures.difference import difference_plot
from headroom.result import load_results


class Differences(unittest.TestCase):
    def setUp(self):
        self._temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self._temporary.name)
        self.addCleanup(self._temporary.cleanup)

    def result(self, name, pauses, offered=1000, p99=100.0, censored=False):
        """A result with these values in its summaries: {seed: pauses}; p99 for all seeds, or {seed: p99}."""
        for seed, count in pauses.items():
            builder = Builder(seed)
            builder.message("w", 1000, 0, 10, 5)
            folder = builder.write(self.folder / name / f"seed-{seed}")
            summary = json.loads((folder / "summary.json").read_text())
            summary["pfc"]["pauses"] = count
            tail = p99[seed] if isinstance(p99, dict) else p99
            times = {"p99": tail, "max": 3 * tail, "censored": {"p99": censored, "max": censored}}
            summary["messages"] = {"w": {"offered": offered, "completion_us": times}}
            (folder / "summary.json").write_text(json.dumps(summary))
        return load_results([self.folder / name])[0]

    def changes_of(self, first, second):
        return {d.metric: d for d in differences(first, second)}

    def test_pairs_by_seed(self):
        # Differences 10, 12, 14: mean 12, s = 2, t(2) = 4.3027, half width 4.3027 × 2 / √3 = 4.968. The spread over
        # seeds, 90 to 510, does not matter.
        first = self.result("a", {1: 100, 2: 300, 3: 500})
        second = self.result("b", {1: 110, 2: 312, 3: 514})
        found = self.changes_of(first, second)["pfc.pauses"]
        self.assertAlmostEqual(found.change.mean, 12)
        self.assertAlmostEqual(found.change.half_width, 4.968, places=3)
        self.assertTrue(found.sure)
        self.assertEqual(
            sentence(found),
            "PFC pauses rose from 300 to 312 (95 % interval of the difference +7.03 to +17, 3 seeds)",
        )

    def test_seeds_that_only_one_ran_are_left_out_of_the_difference(self):
        first, second = self.result("a", {1: 100, 2: 300}), self.result("b", {2: 310, 3: 900})
        found = self.changes_of(first, second)["pfc.pauses"]
        self.assertEqual((found.change.mean, found.change.n), (10, 1))
        # So the change compares both means: 100 and 600 would suggest that seed 3 is a change.
        self.assertEqual((found.before, found.after), (300, 310))
        self.assertEqual(sentence(found), "PFC pauses rose from 300 to 310")
        self.assertEqual(
            left_out_words(first, second),
            "Compared over the one seed that both ran; 2 seeds that only one ran are left out.",
        )
        self.assertIsNone(left_out_words(first, first))

    def tail(self, first, second, bounds):
        """p99 of w, with these means for three seeds each; `bounds` states which of them is a lower bound."""
        self._count = getattr(self, "_count", 0) + 1
        results = [
            self.result(f"{name}{self._count}", {1: 1, 2: 1, 3: 1}, p99={s: p99 + s**2 * p99 / 100 for s in (1, 2, 3)},
                        censored=censored)
            for name, p99, censored in zip("ab", (first, second), bounds)
        ]
        return self.changes_of(*results)["messages.w.completion_us.p99"]

    def test_at_least_is_said_of_lower_bounds_alone(self):
        rose = self.tail(100.0, 200.0, (False, True))
        self.assertTrue(rose.sure)
        self.assertIn("p99 of w rose from 105 µs to at least 209 µs (95 % interval of the difference +9", sentence(rose))
        self.assertIn(" µs or more, 3 seeds)", sentence(rose))
        fell = self.tail(200.0, 100.0, (True, False))
        self.assertIn("p99 of w fell from at least 209 µs to 105 µs (", sentence(fell))
        self.assertIn(" µs or less, 3 seeds)", sentence(fell))

    def test_a_lower_bound_below_the_other_leaves_open_which_is_less(self):
        for first, second, bounds in ((200.0, 100.0, (False, True)), (100.0, 200.0, (True, False)), (1.0, 2.0, (True, True))):
            found = self.tail(first, second, bounds)
            self.assertFalse(found.sure)
            self.assertNotIn("fell", sentence(found))
            self.assertNotIn("rose", sentence(found))
        self.assertEqual(
            sentence(self.tail(200.0, 100.0, (False, True))),
            "p99 of w was 209 µs and is at least 105 µs; because of unfinished messages the sign is unknown",
        )

    def test_differences_of_shares_are_percentage_points(self):
        self.assertEqual(range_words(0.0369, 0.0869, format_percent), "+3.69 to +8.69 percentage points")
        self.assertEqual(range_words(-2, 5, format_time), "−2 µs to +5 µs")

    def test_one_seed_has_no_interval_and_is_never_sure(self):
        found = self.changes_of(self.result("a", {1: 100}), self.result("b", {1: 50}))["pfc.pauses"]
        self.assertFalse(found.sure)
        self.assertEqual(sentence(found), "PFC pauses fell from 100 to 50")

    def test_what_is_written_alike_is_no_change(self):
        first = self.result("a", {1: 1, 2: 1, 3: 1}, p99=368.1)
        found = self.changes_of(first, self.result("b", {1: 1, 2: 1, 3: 1}, p99=368.2))["messages.w.completion_us.p99"]
        self.assertTrue(found.sure)
        self.assertEqual(sentence(found), "p99 of w stayed at 368 µs")
        self.assertEqual(
            too_small_to_show([found]), "Differences too small for three digits: p99 of w 368 µs."
        )
        same = self.changes_of(first, self.result("c", {1: 1, 2: 1, 3: 1}, p99=368.1))["messages.w.completion_us.p99"]
        self.assertIsNone(too_small_to_show([same]))

    def test_too_few_messages_for_a_percentile_make_it_the_longest(self):
        found = self.changes_of(self.result("a", {1: 1}, offered=50), self.result("b", {1: 1}, offered=50, p99=200.0))
        self.assertNotIn("messages.w.completion_us.p99", found)
        self.assertEqual(
            sentence(found["messages.w.completion_us.max"]), "longest of w rose from 300 µs to 600 µs"
        )

    def compared(self, seeds, p99=105.0):
        """Returns (the panel of the still figure, {name of a row: (symbol, value, minus, plus) of the live one}, its
        range) for {seed: (pauses before, after)} with a p99 of 100 before."""
        before, after = ({seed: two[i] for seed, two in seeds.items()} for i in (0, 1))
        tail = {seed: p99 + seed / 10 for seed in seeds}
        plot = difference_plot([self.result("a", before), self.result("b", after, p99=tail)])
        dots, *more = plot.live["data"]
        error = dots["error_x"]
        rows = zip(dots["y"], dots["marker"]["symbol"], dots["x"], error["arrayminus"], error["array"])
        edges = [t["marker"]["symbol"] for t in more]
        return plot.figure.axes[0], {name: tuple(texts) for name, *texts in rows} | {"edges": edges}, plot.live["layout"]["xaxis"]["range"]

    def test_nothing_becomes_less_than_nothing(self):
        # Pauses fall by 100, 20 and 30, of 100, 20 and 30: the lower end of the interval is −316 %.
        panel, rows, ends = self.compared({1: (100, 0), 2: (20, 0), 3: (30, 0)}, 180.0)
        self.assertEqual(rows["PFC pauses"][:3], ("circle", -100, 0))
        self.assertEqual(rows["edges"], [])
        self.assertGreaterEqual(min(x for line in panel.lines for x in line.get_xdata()), -1)
        self.assertGreaterEqual(panel.get_xlim()[0], -1.1)
        self.assertGreaterEqual(ends[0], -110)

    def test_a_row_that_reaches_far_leaves_the_others_readable(self):
        # Changes of +100, +800 and −99 %: the mean and both ends of its interval are beyond the edges.
        panel, rows, ends = self.compared({1: (100, 200), 2: (100, 900), 3: (100, 1)})
        self.assertLess(panel.get_xlim()[1], 0.6)
        self.assertLess(ends[1], 60)
        symbol, middle, minus, plus = rows["PFC pauses"]
        self.assertEqual((symbol, middle, plus), ("triangle-right", ends[1], 0))
        self.assertAlmostEqual(minus, ends[1] - ends[0], places=3)
        self.assertEqual(rows["p99 of w"][:2], ("circle", 5.2))
        self.assertEqual([line.get_marker() for line in panel.lines].count(">"), 1)

    def test_an_interval_that_reaches_far_is_cut_at_the_edge(self):
        panel, rows, ends = self.compared({1: (100, 120), 2: (100, 80), 3: (100, 103)})
        self.assertEqual(rows["PFC pauses"][:2], ("circle", 1))
        self.assertEqual(rows["edges"], ["triangle-left", "triangle-right"])
        self.assertEqual([line.get_marker() for line in panel.lines].count("<"), 1)

    def test_where_all_rows_reach_alike_nothing_is_cut(self):
        panel, rows, _ = self.compared({1: (100, 108), 2: (100, 106), 3: (100, 104)})
        self.assertEqual(rows["PFC pauses"][0], "circle")
        self.assertEqual(rows["edges"], [])
        self.assertNotIn(">", [line.get_marker() for line in panel.lines])


if __name__ == "__main__":
    unittest.main()
