"""A search spends at most its budget, whatever its kind, and most of it unless the search is decided earlier."""

import unittest

import command  # noqa: F401  (finds the package)
from headroom.study.verdict import judged
from landscape import STUDY, TWO, AtRandom, Judge, Laboratory, Landscape, Search, noisy


@unittest.skipIf(Search is None, "python3-optuna is not installed")
class Budgets(Landscape):
    def spent(self, text, seeds, budget):
        study = self.file(text.replace("seeds: 3", f"seeds: {seeds}").replace("budget: 48", f"budget: {budget}"))
        laboratory = Laboratory(noisy, (0.9, 0.5))
        search = Search(study, laboratory, Judge(), AtRandom(study, 1), 1)
        laboratory.measure([({}, search.fresh_seeds[:1])], 1)
        search.run()
        self.assertLessEqual(laboratory.cost, budget, f"{seeds} seeds, budget {budget}")
        if search.best is None or judged(search, search.best, study.goals[0], study)["says"] == "undecided":
            self.assertGreater(laboratory.cost, 0.7 * budget, f"{seeds} seeds, budget {budget}")
        return search

    # Budgets that leave one, two, three or four runs to the last round of step 2.

    def test_none_is_overrun(self):
        for seeds, budget in ((3, 22), (3, 32), (3, 37), (3, 42), (3, 47), (3, 52), (5, 60)):
            self.spent(STUDY, seeds, budget)

    def test_none_is_overrun_with_two_objectives(self):
        for seeds, budget in ((3, 25), (3, 36), (3, 41), (3, 45), (5, 60)):
            self.assertTrue(self.spent(TWO, seeds, budget).finalists)

    def test_none_is_overrun_without_short_runs(self):
        for budget in (22, 37):
            self.spent(STUDY + "short: 100%\n", 3, budget)


if __name__ == "__main__":
    unittest.main()
