"""What a trial did: by ratios, seed by seed."""

import unittest

import synthetic_results  # noqa: F401  where headroom is

from headroom.explain.trials import Effect


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


if __name__ == "__main__":
    unittest.main()
