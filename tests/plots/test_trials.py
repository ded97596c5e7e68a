"""Whether a trial helps: by ratios, seed by seed."""

import unittest

import synthetic_results  # noqa: F401  where headroom is

from headroom.explain.counterfactuals import Counterfactual
from headroom.explain.trials import Trial, _ratio
from headroom.interval import paired_difference


class Helps(unittest.TestCase):
    def trial(self, before, after):
        first, second = (dict(enumerate(values)) for values in (before, after))
        change = paired_difference(first, second)
        return Trial(Counterfactual("one"), None, change, _ratio(first, second), sum(before) / len(before), {})

    def test_where_each_seed_falls_as_much_whatever_its_tail_was(self):
        trial = self.trial([147.6, 2520, 4356], [5.2, 5.3, 5.25])
        self.assertFalse(trial.change.excludes(0))
        self.assertTrue(trial.helps)

    def test_not_where_seeds_go_either_way(self):
        self.assertFalse(self.trial([100, 110, 120], [50, 200, 60]).helps)

    def test_not_by_less_than_one_percent(self):
        self.assertFalse(self.trial([100, 100, 100], [99.5, 99.4, 99.5]).helps)

    def test_by_differences_where_nothing_was_there_before(self):
        self.assertTrue(self.trial([0, 0, 0], [1, 1.1, 1.2]).sure)


if __name__ == "__main__":
    unittest.main()
