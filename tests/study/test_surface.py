"""The surface through all runs: the effect of noise, of seeds and of shortened runs."""

import math
import random
import unittest

import command  # noqa: F401  (finds the package)

try:
    import numpy as np
    from headroom.study.surface import Surface
except ImportError:
    np = None


def truth(x, y):
    """A bowl with its minimum, 100, at (0.3, 0.7), in factors."""
    return 100 * math.exp(2 * (x - 0.3) ** 2 + (y - 0.7) ** 2)


@unittest.skipIf(np is None, "python3-numpy is not installed")
class Fits(unittest.TestCase):
    def runs(self, count, chance=0.0, seeds=(0.0,), short_share=0.0, short=lambda x, y: 1.0):
        """Random points, each run with one of the seeds' factors, and noise of relative size `chance`."""
        rng = random.Random(1)
        where, seed, full, values = [], [], [], []
        for number in range(count):
            x, y = rng.random(), rng.random()
            is_full = rng.random() >= short_share
            where.append([x, y])
            seed.append(number % len(seeds))
            full.append(is_full)
            factor = math.exp(seeds[number % len(seeds)] + chance * rng.gauss(0, 1))
            values.append(truth(x, y) * factor * (1.0 if is_full else short(x, y)))
        return where, seed, full, values

    def error(self, surface):
        """Root mean square of the relative error, without the mean factor: no seed is the true one."""
        rng = random.Random(2)
        points = [[rng.random(), rng.random()] for _ in range(200)]
        logs = np.log(surface.estimate(points)) - np.log([truth(x, y) for x, y in points])
        return float(np.std(logs))

    def test_without_noise_it_goes_through_the_runs(self):
        self.assertLess(self.error(Surface(*self.runs(40))), 0.02)

    def test_doubt_grows_away_from_the_runs_and_hope_with_it(self):
        where = [[0.1 + 0.02 * i, 0.5] for i in range(12)]
        surface = Surface(where, [0] * 12, [True] * 12, [truth(*point) for point in where])
        near, far = surface.doubt([[0.2, 0.5], [0.9, 0.5]])
        self.assertGreater(far, 3 * near)
        points = [[0.2, 0.5], [0.9, 0.5]]
        expected, hoped = surface.estimate(points), surface.hoped(points)
        self.assertTrue((hoped <= expected).all())
        self.assertGreater(expected[1] / hoped[1], expected[0] / hoped[0])

    def test_noise_is_averaged_over_neighbours(self):
        # Each run is wrong by 20 %; with 120 of them the surface is known several times better.
        self.assertLess(self.error(Surface(*self.runs(120, chance=0.2))), 0.07)

    def test_the_effect_of_seeds_is_taken_out(self):
        seeds = (-0.5, -0.1, 0.0, 0.2, 0.4)
        error = self.error(Surface(*self.runs(80, chance=0.05, seeds=seeds)))
        self.assertLess(error, 0.05)
        # If the seeds' effect counted as noise, the error would be larger: the same runs, all with the same seed
        # number.
        where, _, full, values = self.runs(80, chance=0.05, seeds=seeds)
        self.assertGreater(self.error(Surface(where, [0] * 80, full, values)), 1.5 * error)

    def test_short_runs_tell_of_full_ones(self):
        # Three of four runs are short: half of the time, and slightly less at one end.
        runs = self.runs(120, chance=0.05, short_share=0.75, short=lambda x, y: 0.5 + 0.1 * x)
        error = self.error(Surface(*runs))
        self.assertLess(error, 0.05)
        # They help: without them, there is less data.
        full = [i for i, is_full in enumerate(runs[2]) if is_full]
        alone = Surface(*([part[i] for i in full] for part in runs))
        self.assertLess(error, self.error(alone))

    def test_the_lowest_point_is_found_among_noise(self):
        surface = Surface(*self.runs(120, chance=0.2, seeds=(-0.3, 0.0, 0.3)))
        grid = [[i / 20, j / 20] for i in range(21) for j in range(21)]
        best = grid[int(np.argmin(surface.estimate(grid)))]
        self.assertLess(truth(*best), 104)

    def test_a_dozen_runs_do_not_mislead_it(self):
        # Four of six parameters are without effect; chance and seeds must not become effects of them.
        rng, agreement = random.Random(3), []
        for _ in range(15):
            where, at = ([[rng.random() for _ in range(6)] for _ in range(count)] for count in (12, 60))
            values = [truth(*point[:2]) * math.exp(0.1 * rng.gauss(0, 1)) for point in where]
            said = Surface(where, [i % 3 for i in range(12)], [True] * 12, values).estimate(at)
            true = [truth(*point[:2]) for point in at]
            agreement.append(np.corrcoef(np.log(said), np.log(true))[0, 1] if np.std(said) > 0 else 0.0)
        self.assertGreater(np.mean(agreement), 0.8)

    def test_many_runs_are_fitted_anew_when_there_are_a_quarter_more(self):
        runs = self.runs(320, chance=0.2)
        some = lambda count: [part[:count] for part in runs]  # noqa: E731
        first = Surface(*some(240))
        self.assertEqual(Surface(*some(290), first).fitted_to, 240)
        self.assertEqual(Surface(*some(300), first).fitted_to, 300)
        self.assertEqual(Surface(*some(38), Surface(*some(34))).fitted_to, 38)
        # The surface still learns from new settings.
        self.assertLess(self.error(Surface(*some(290), first)), 1.05 * self.error(first))

    def test_values_below_zero_are_taken_as_they_are(self):
        where, seed, full, values = self.runs(40)
        surface = Surface(where, seed, full, [v - 150 for v in values])
        # 2 % of the range, which is 330.
        self.assertAlmostEqual(float(surface.estimate([[0.3, 0.7]])[0]), -50, delta=6.6)


if __name__ == "__main__":
    unittest.main()
