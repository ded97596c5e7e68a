"""How a search uses runs of different lengths and seeds, and which of them decide."""

import math
import random
import unittest

from landscape import STUDY, AtRandom, Judge, Laboratory, Landscape, Search, landscape, noisy

try:
    import numpy as np
    from headroom.study.expectation import Expectation
except ImportError:
    np = None

OBJECTIVE = STUDY.replace("constraints: [{metric: pauses, max: 1000}]\n", "")
# A seed may have a slow beginning and be quick on the whole.
SHORT, FULL = {1: 1.4, 2: 0.8, 3: 1.0}, {1: 0.8, 2: 1.3, 3: 1.0}


def turning(u, v, seed, share):
    return {"p99": landscape(u, v, seed, share)["p99"] * (FULL if share == 1 else SHORT)[seed]}


@unittest.skipIf(Search is None or np is None, "python3-optuna is not installed")
class Decides(Landscape):
    def test_the_effect_of_a_seed_on_short_runs_is_none_on_full_ones(self):
        study = self.file(OBJECTIVE)
        laboratory, proposals, chance = Laboratory(turning, (0.9, 0.5)), AtRandom(study, 1), random.Random(1)
        settings = [proposals.setting({"u": chance.random(), "v": chance.random()}) for _ in range(30)]
        for number, setting in enumerate(settings):
            setting.seed = 1 + number % 3
            (setting.short,) = laboratory.measure([(setting.settings, [setting.seed])], 0.25)
            if number < 12:
                (setting.full,) = laboratory.measure([(setting.settings, [setting.seed])], 1)
        expected = Expectation(study, [1, 2, 3], settings, [])
        truth = [landscape(*(float(s.values[name]) for name in "uv"), 1, 1)["p99"] for s in settings]
        errors = [math.log(expected.ratings[s].losses[0] / true) for s, true in zip(settings, truth)]
        self.assertLess(float(np.std(errors)), 0.02)

    def test_the_best_mean_over_the_seeds_of_the_search_wins(self):
        study = self.file(OBJECTIVE)
        for seed in range(1, 6):
            network = lambda u, v, number, share, by=seed: noisy(u, v, 100 * by + number, share)  # noqa: E731
            laboratory = Laboratory(network, (0.9, 0.5))
            search = Search(study, laboratory, Judge(), AtRandom(study, 1), 1)
            laboratory.measure([({}, search.fresh_seeds[:1])], 1)  # as `tune` does
            search.run()
            means = [s.full.of_seeds(search.seeds).interval("p99").mean for s in search.finalists]
            self.assertEqual(means, sorted(means))
            self.assertIs(search.best, search.finalists[0])


if __name__ == "__main__":
    unittest.main()
