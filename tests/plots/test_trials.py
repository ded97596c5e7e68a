"""What a trial did: by ratios, seed by seed."""

import unittest

import synthetic_results  # noqa: F401  where headroom is

from headroom.explain.trials import Effect, odd_seed


class Fell(unittest.TestCase):
    def effect(self, before, after):
        return Effect(*(dict(enumerate(values)) for values in (before, after)))

    def test_where_each_seed_falls_as_much_whatever_its_tail_was(self):
        effect = self.effect([147.6, 2520, 4356], [5.2, 5.3, 5.25])
        self.assertFalse(effect.change.excludes(0))
        self.assertTrue(effect.fell)

    def test_not_where_seeds_go_either_way(self):
        self.assertFalse(self.effect([100, 110, 120], [50, 200, 60]).fell)

    def test_not_by_less_than_one_percent(self):
        self.assertFalse(self.effect([100, 100, 100], [99.5, 99.4, 99.5]).fell)

    def test_by_differences_where_nothing_was_there_before(self):
        self.assertTrue(self.effect([0, 0, 0], [1, 1.1, 1.2]).rose)

    def test_not_where_nothing_was_measured(self):
        # As the p99 of writes where a workload reads alone.
        for before, after in (([], []), ([], [1, 2]), ([1, 2], [])):
            effect = self.effect(before, after)
            self.assertIsNone(effect.change)
            self.assertFalse(effect.rose or effect.fell)


class OddSeed(unittest.TestCase):
    def test_is_told_where_it_lies_beyond_twice_of_each_other(self):
        told = odd_seed({1: 4.2, 2: 271, 3: 311}, 1)
        self.assertEqual(told, "the causes are those of seed 1, which has 4.2; other seeds have 271 to 311")
        self.assertIn("seed 3", odd_seed({1: 4.2, 2: 4.5, 3: 311}, 3))

    def test_is_not_where_some_other_is_near(self):
        self.assertIsNone(odd_seed({1: 4.2, 2: 8, 3: 311}, 1))
        self.assertIsNone(odd_seed({1: 4.2}, 1), "there is no other")
        self.assertIsNone(odd_seed({2: 4.2, 3: 300}, 1), "it was not measured")


if __name__ == "__main__":
    unittest.main()
