"""What a change did, seed by seed."""

import math
import random
import unittest

import synthetic_results  # noqa: F401  where headroom is

from headroom.effect import effect


class WhatAChangeDid(unittest.TestCase):
    def test_is_relative_and_a_seed_with_a_long_tail_counts_like_another(self):
        before = {1: 100.0, 2: 100.0, 3: 10_000.0}
        found = effect(before, {seed: value / 2 for seed, value in before.items()})
        self.assertAlmostEqual(found.change, -0.5)
        self.assertAlmostEqual(found.low, found.high)
        self.assertEqual((found.seeds, found.verdict), (3, "helps"))

    def test_of_one_seed_has_no_interval_and_no_verdict(self):
        found = effect({1: 10.0, 2: 10.0}, {1: 5.0})
        self.assertEqual((found.change, found.low, found.high, found.seeds, found.verdict), (-0.5, None, None, 1, None))
        self.assertIsNone(effect({1: 10.0}, {2: 5.0}))

    def test_below_one_percent_is_none_however_sure(self):
        for factor, verdict in ((0.995, "no effect"), (0.98, "helps"), (1.02, "hurts"), (1.005, "no effect")):
            self.assertEqual(effect({1: 10.0, 2: 20.0}, {1: 10 * factor, 2: 20 * factor}).verdict, verdict)

    def test_large_and_unsure_is_neither_an_effect_nor_none(self):
        self.assertIsNone(effect({1: 10.0, 2: 10.0}, {1: 5.0, 2: 10.0}).verdict)
        self.assertIsNone(effect({1: 10.0, 2: 10.0}, {1: 5.0, 2: 20.0}).verdict)

    def test_counts_that_are_nought_are_compared_by_differences(self):
        found = effect({1: 0.0, 2: 4.0}, {1: 4.0, 2: 8.0})
        self.assertEqual((found.change, found.verdict), (2.0, "hurts"))

    def test_chance_is_taken_for_an_effect_in_no_more_than_a_twentieth_of_searches(self):
        draw = random.Random(7)
        searches, changes, wrong = 400, 7, 0
        for _ in range(searches):
            before = {seed: math.exp(draw.gauss(0, 0.3)) for seed in range(5)}
            found = [effect(before, {seed: of * math.exp(draw.gauss(0, 0.2)) for seed, of in before.items()}, changes) for _ in range(changes)]
            wrong += any(of.verdict in ("helps", "hurts") for of in found)
        self.assertLess(wrong / searches, 0.05 + 3 * math.sqrt(0.05 * 0.95 / searches))
        self.assertGreater(wrong, 0)


if __name__ == "__main__":
    unittest.main()
