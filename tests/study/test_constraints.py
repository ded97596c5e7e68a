"""Constraints of `tune`: proposals, the choice of the settings that run further, the recommendation, and the message if
no setting keeps them.

The runs are those of landscape.py.
"""

import math
import unittest

import command  # noqa: F401  (finds the package)
from landscape import STUDY, Landscape, Run, landscape, u_of

try:
    import numpy as np
    import optuna  # noqa: F401
    from headroom.study.proposals import Proposals
except ImportError:
    np = None
from headroom.over_seeds import Point
from headroom.study import verdict
from headroom.study.answer_text import answer_text
from headroom.study.fidelity import Setting
from headroom.study.rating import Rating, ranking, rate
from headroom.study.study_file import Bound


class Violations(unittest.TestCase):
    def test_constraints_of_any_unit_add_up(self):
        self.assertEqual(Bound("pauses", None, 2000).violation(3000), 0.5)
        self.assertEqual(Bound("pauses", None, 2000).violation(2000), 0)
        self.assertEqual(Bound("rate", 80, None).violation(60), 0.25)
        self.assertEqual(Bound("drops", None, 0).violation(3), 3)

    def test_the_sign_of_what_is_better(self):
        self.assertEqual([Bound("m", *ends).sign for ends in ((None, 5), (5, None), (5, 9))], [1, -1, 0])

    def test_the_order_is_keeps_misses_least_objective(self):
        ranked = [([5], [0, 0.5]), ([9], [0, 0]), ([1], [0.2, 0.2]), ([7], [0, 0]), ([4], [0.5, 0])]
        ratings = [Rating(*both) for both in ranked]
        self.assertEqual(ranking(ratings), [3, 1, 2, 4, 0])
        failed = Rating([math.inf], [math.inf, math.inf])
        self.assertEqual(ranking([failed, ratings[0], ratings[2]]), [2, 1, 0])


@unittest.skipIf(np is None, "python3-optuna is not installed")
class Proposed(Landscape):
    def proposed(self, rating):
        """u of the proposals, after 40 known ratings of settings in the entire space."""
        study, chance = self.file(), np.random.default_rng(3)
        proposals, known = Proposals(study, 1), {}
        for _ in range(40):
            setting = proposals.setting({"u": float(chance.random()), "v": float(chance.random())})
            known[setting] = rating(u_of(setting))
        return [u_of(s) for _ in range(4) for s in proposals.batch(8, known)]

    def test_where_the_constraint_is_missed_by_less(self):
        # No setting keeps it: a flag would not distinguish them.
        near = self.proposed(lambda u: Rating([1.0], [0.1 + u]))
        self.assertLess(np.mean(near), 0.3)

    def test_the_objective_draws_only_where_the_constraint_is_kept(self):
        found = self.proposed(lambda u: Rating([1.0 - u], [max(0.0, u - 0.4)]))
        self.assertLess(np.mean([u > 0.5 for u in found]), 0.25)
        self.assertGreater(np.mean(found), 0.2)

    def test_a_run_that_failed_is_worse_than_any_that_misses(self):
        found = self.proposed(lambda u: None if u < 0.5 else Rating([1.0], [u]))
        self.assertLess(np.mean([u < 0.4 for u in found]), 0.2)


@unittest.skipIf(np is None, "python3-optuna is not installed")
class Found(Landscape):
    def test_the_best_of_what_keeps_a_tight_bound(self):
        # 4000 u² × 1.15 stays within 100 up to u = 0.147: a seventh of the space, and the objective pulls away from it.
        # A short run has a quarter of the pauses: alone it would seem to keep the bound up to u = 0.29.
        study = self.file(STUDY.replace("max: 1000", "max: 100"))
        search = self.search(study)
        self.assertTrue(rate(search.best.full, study).usable)
        self.assertEqual(sorted(search.best.full.runs), [1, 2, 3, 4, 5, 6])
        # The result is within 10 % of the best possible one: u = 0.147, v = 0.
        p99 = search.best.full.interval("p99").mean
        self.assertLess(p99, 1.1 * 100 * (3 - 2 * 0.147))
        inside = [u_of(s) <= 0.147 for s in search.settings]
        self.assertGreater(np.mean(inside[16:]), 2 * 0.147)
        self.assertIs(verdict.chosen(search, study), search.best)  # the baseline breaks the constraint

    def test_a_short_run_is_not_taken_at_its_word(self):
        study = self.file(STUDY.replace("max: 1000", "max: 100"))
        search = self.search(study)
        only_short = [s for s in search.settings if s.full is None and 0.2 < u_of(s) < 0.28]
        for setting in only_short:
            self.assertTrue(rate(setting.short, study).usable)
            self.assertFalse(search.estimates[setting].usable)
        self.assertGreater(len(only_short), 0)

    def test_drops_that_must_be_none_are_judged_by_each_settings_own_runs(self):
        def network(u, v, seed, share):
            return {**landscape(u, v, seed, share), "drops": 5 if u > 0.7 else 0}

        search = self.search(self.file(STUDY.replace("{metric: pauses, max: 1000}", "{metric: drops, max: 0}")), network)
        for setting in search.settings:
            self.assertEqual(search.estimates[setting].usable, u_of(setting) <= 0.7)
        self.assertGreater(u_of(search.best), 0.6)

    def after_a_storm(self, beginning):
        """(study, search) in which only seed 5, by which nothing is chosen, has a storm from some u on."""

        def network(u, v, seed, share):
            found = landscape(u, v, seed, share)
            return {**found, "pauses": 9999.0} if seed == 5 and u > beginning else found

        study = self.file()
        return study, self.search(study, network)

    def test_a_winner_that_breaks_a_constraint_with_a_fresh_seed_gives_way(self):
        quiet = self.search(self.file())
        first, second = (u_of(s) for s in quiet.finalists[:2])
        self.assertGreater(first, second)
        study, search = self.after_a_storm((first + second) / 2)
        first, second = search.finalists[:2]
        self.assertFalse(rate(first.full, study).usable)
        self.assertIs(search.best, second)
        self.assertEqual(sorted(second.full.runs), [1, 2, 3, 4, 5, 6])

    def test_giving_way_ends_with_the_budget(self):
        study, search = self.after_a_storm(0.0)
        tried = [5 in s.full.runs for s in search.finalists]
        self.assertEqual(tried, sorted(tried, reverse=True))
        self.assertTrue(tried[0])
        self.assertIsNone(search.best)
        self.assertIsNone(verdict.chosen(search, study))
        self.assertIsNotNone(search.nearest)

    def test_the_baseline_is_kept_where_nothing_beats_it(self):
        study = self.file()
        # 4000 × 0.46² × 1.15 is 973, and p99 is the lowest possible with it.
        search = self.search(study, baseline=(0.46, 0.0))
        self.assertIs(verdict.chosen(search, study), search.baseline)
        # The search beats a worse baseline.
        search = self.search(study, baseline=(0.1, 0.9))
        self.assertIs(verdict.chosen(search, study), search.best)

    def test_the_baseline_is_not_compared_with_itself(self):
        # Of nine settings the baseline is the best that keeps the bound: 4000 × 0.5² × 1.15 is 1150.
        text = STUDY.replace("max: 1}", "max: 1, step: 0.5}").replace("max: 1000", "max: 2000")
        search = self.search(self.file(text), baseline=(0.5, 0.0))
        self.assertIn({"u": "0.5", "v": "0"}, [setting.values for setting in search.finalists])
        self.assertNotEqual(search.best.values, {"u": "0.5", "v": "0"})

    def test_of_what_misses_the_nearest_is_named(self):
        def network(u, v, seed, share):
            found = landscape(u, v, seed, share)
            return {**found, "pauses": found["pauses"] + 2000 * share}

        study = self.file()
        search = self.search(study, network)
        self.assertIsNone(verdict.chosen(search, study))
        self.assertLess(u_of(search.nearest), 0.25)
        (missed,) = verdict.constraints(search.nearest, study)
        self.assertEqual((missed["seeds_missed"], missed["seeds"]), (6, 6))
        self.assertAlmostEqual(missed["worst"], 2000 + 4000 * u_of(search.nearest) ** 2 * 1.15)
        self.assertAlmostEqual(missed["missed_by"], missed["worst"] - 1000)
        bound = missed["would_keep"]["max"]
        self.assertTrue(missed["worst"] <= bound < 1.06 * missed["worst"])


class Told(unittest.TestCase):
    def constraint(self, **changed):
        return {
            "constraint": "pfc.paused_us at most 3000", "metric": "pfc.paused_us", "kept": False, "worst": 3420.0,
            "missed_by": 420.0, "missed_by_share": 0.14, "seeds_missed": 2, "seeds": 8, "would_keep": {"max": 3500.0},
            "censored": False, **changed,
        }  # fmt: skip

    def answer(self, **changed):
        found = {
            "recommended": None, "nearest": None, "baseline_constraints": [], "objectives": [{"metric": "p99"}],
            "finalists": [], "sensitivities": [], "settings_looked_at": 70, "spent": 48.0, "budget": 48,
            "ruled_out_without_a_run": [], "short_runs": {"share_of_duration": 1}, "fresh_seeds": [5, 6, 7, 8], "resolution": 0.03,
            "confidence": 0.95,
        }  # fmt: skip
        return {**found, **changed}

    def test_what_misses_least_the_baseline_and_a_bound_that_would_be_kept(self):
        nearest = {"values": {"kmin": "512KB"}, "constraints": [self.constraint()]}
        base = [self.constraint(worst=4800.0, missed_by=1800.0, missed_by_share=0.6, seeds_missed=3, seeds=4)]
        base[0]["would_keep"] = {"max": 4800.0}
        text = answer_text(self.answer(nearest=nearest, baseline_constraints=base), 1.0)
        self.assertIn("the setting that misses least\nkmin  512KB\n", text)
        missed = "pfc.paused_us at most 3000: missed with 2 of 8 seeds, at worst 3420 (420 beyond, 14 %)"
        self.assertIn(missed, text)
        self.assertIn("the baseline\n  pfc.paused_us at most 3000: missed with 3 of 4 seeds, at worst 4800", text)
        self.assertIn("pfc.paused_us with max: 3500: the setting that misses least", text)
        self.assertIn("pfc.paused_us with max: 4800: the baseline", text)

    def test_the_baseline_is_kept(self):
        best = {"baseline": True, "values": {}, "settings": {}, "nics": [], "result": "runs/1", "found": None}
        text = answer_text(self.answer(recommended=best, baseline_constraints=[self.constraint(kept=True)]), 1.0)
        self.assertTrue(text.startswith("KEEP THE BASELINE: it keeps the constraints, and no other"))

    def test_two_objectives_where_nothing_got_to_the_front(self):
        best = {"baseline": True, "values": {}, "settings": {}, "nics": [], "result": "runs/1", "found": None}
        objectives = [{"metric": "p99"}, {"metric": "pauses"}]
        text = answer_text(self.answer(recommended=best, objectives=objectives), 1.0)
        self.assertTrue(text.startswith("KEEP THE BASELINE"))
        self.assertNotIn("Pareto front", text)

    def compared(self, before, after):
        """The line of one objective, 100 and 80 with two seeds each, of which one or both are only lower bounds."""

        def mean(value, censored):
            return {"mean": value, "half_width_95": 2.0, "n": 2, "censored": censored}

        difference = {"mean": -20.0, "half_width_95": 1.0, "n": 2}
        entry = {"metric": "p99", "baseline": mean(100.0, before), "found": mean(80.0, after), "difference": difference}
        judged = {"says": "better", "change": -0.2, "low": -0.22, "high": -0.18, "seeds": 4, "more_seeds": None,
                  "open": False, "pooled": None}
        entry.update(differs=True, better=True, verdict=judged)
        best = {"baseline": False, "values": {"u": "1"}, "settings": {}, "nics": [], "result": "runs/1",
                "objectives": [entry], "constraints": [], "other_metrics": []}  # fmt: skip
        text = answer_text(self.answer(recommended=best, dir="results/x"), 1.0)
        (line,) = [line for line in text.splitlines() if line.startswith("p99")]
        self.assertEqual("≥: at least this" in text, before or after)
        return line.split("  ")

    def test_lower_bounds_are_marked_and_so_is_what_follows_from_them(self):
        def cells(*which):
            return [cell.strip() for cell in self.compared(*which) if cell]

        self.assertEqual(cells(False, False), ["p99", "100 ± 2", "80 ± 2", "-20 ± 1", "-20.0 %"])
        self.assertEqual(cells(True, False), ["p99", "≥ 100 ± 2", "80 ± 2", "≤ -20 ± 1", "≤ -20.0 %"])
        self.assertEqual(cells(False, True), ["p99", "100 ± 2", "≥ 80 ± 2", "≥ -20 ± 1", "≥ -20.0 %"])
        self.assertEqual(cells(True, True), ["p99", "≥ 100 ± 2", "≥ 80 ± 2", "–", "not known"])

    def test_one_is_not_several(self):
        alone = {"parameter": "u", "tau": 0.5, "as_good": ["1", "1"], "settings_as_good": 1}
        text = answer_text(self.answer(sensitivities=[alone], settings_looked_at=1), 1.0)
        self.assertIn("the setting within 2 % of the best", text)
        self.assertIn("looked at 1 setting for", text)

    def test_the_answer_is_judged_by_fresh_seeds(self):
        best = {"baseline": False, "values": {"u": "1"}, "settings": {}, "nics": [], "result": "runs/1",
                "objectives": [], "constraints": [], "other_metrics": []}  # fmt: skip
        text = answer_text(self.answer(recommended=best, dir="results/x"), 1.0)
        self.assertIn("objectives, means ± 95 % over 4 fresh seeds", text)

    def test_a_percentile_of_messages_that_did_not_end_is_told(self):
        study, setting = StudyFileStub([Bound("m.burst.completion_us.p99", None, 1000)]), Setting(0, {}, {})
        setting.full = Point({})
        for seed, value in ((1, 1500.0), (2, 1200.0)):
            metrics = {"m.burst.completion_us.p99": value, "m.burst.completion_us.censored.p99": int(seed == 1)}
            setting.full.runs[seed] = Run(seed, metrics, "")
        (found,) = verdict.constraints(setting, study)
        self.assertTrue(found["censored"])
        self.assertTrue(verdict.mean_with_mark(setting.full, "m.burst.completion_us.p99")["censored"])
        self.assertFalse(verdict.mean_with_mark(setting.full.of_seeds([2]), "m.burst.completion_us.p99")["censored"])

    def test_bounds_that_would_be_kept_are_rounded_outward(self):
        study = StudyFileStub([Bound("a", None, 1000), Bound("b", 80, None), Bound("c", None, 0)])
        setting = Setting(0, {}, {})
        setting.full = Point({})
        for seed, (a, b, c) in enumerate([(1234.0, 79.0, 0.0), (900.0, 66.6, 17.0)]):
            setting.full.runs[seed] = Run(seed, {"a": a, "b": b, "c": c}, "")
        found = verdict.constraints(setting, study)
        self.assertEqual([f["would_keep"] for f in found], [{"max": 1300.0}, {"min": 66.0}, {"max": 17.0}])
        self.assertEqual([f["worst"] for f in found], [1234.0, 66.6, 17.0])
        self.assertEqual([f["seeds_missed"] for f in found], [1, 2, 1])
        self.assertIsNone(found[2]["missed_by_share"])  # a bound of 0 has no share


class StudyFileStub:
    def __init__(self, bounds):
        self.bounds, self.goals = bounds, []


if __name__ == "__main__":
    unittest.main()
