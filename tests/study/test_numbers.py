"""Intervals with the coverage that they claim, and settings as they are read."""

import io
import math
import random
import unittest

import command  # noqa: F401  (finds the package)
from headroom.errors import InputError
from headroom.interval import mean_interval, paired_difference
from headroom.metrics import flatten
from headroom.study.progress import Progress
from headroom.labels import short_key
from headroom.study.variations import parse_set, plan_points, split_list
from headroom.text_table import number_text


class Coverage(unittest.TestCase):
    """4000 repetitions: the share of covering intervals has a standard error of √(0.95 × 0.05 / 4000) = 0.34 %."""

    def share(self, values_of, truth):
        chance = random.Random(1)
        covered = 0
        for _ in range(4000):
            interval = mean_interval(values_of(chance))
            covered += not interval.excludes(truth)
        return covered / 4000

    def test_means_of_normal_values(self):
        for n in (2, 5, 10):
            share = self.share(lambda c, n=n: [c.gauss(3, 2) for _ in range(n)], 3)
            self.assertAlmostEqual(share, 0.95, delta=0.011)

    def test_the_99th_percentile_of_exponential_completion_times(self):
        # A run of 1000 messages, mean 1: its nearest-rank p99 is the 990th order statistic, −ln(1 − U) with U from
        # Beta(990, 11), and its mean is Σ 1/k for k = 11 … 1000. There are ten seeds. The distribution is slightly
        # skewed, hence 1.5 %.
        truth = math.fsum(1 / k for k in range(11, 1001))
        share = self.share(lambda c: [-math.log1p(-c.betavariate(990, 11)) for _ in range(10)], truth)
        self.assertAlmostEqual(share, 0.95, delta=0.015)

    def test_differences_of_pairs_that_share_their_noise(self):
        # Effects that both settings of a seed share cancel: their standard deviation is 10, that of the rest is 1.
        chance = random.Random(2)
        covered, narrower = 0, 0
        for _ in range(4000):
            arrivals = [chance.gauss(0, 10) for _ in range(8)]
            a = {seed: 100 + common + chance.gauss(0, 1) for seed, common in enumerate(arrivals)}
            b = {seed: 97 + common + chance.gauss(0, 1) for seed, common in enumerate(arrivals)}
            difference = paired_difference(a, b)
            covered += not difference.excludes(-3)
            narrower += difference.half_width < mean_interval(list(a.values())).half_width
        self.assertAlmostEqual(covered / 4000, 0.95, delta=0.011)
        self.assertGreater(narrower, 3990)

    def test_pairs_are_made_of_common_seeds_alone(self):
        difference = paired_difference({1: 10.0, 2: 20.0, 3: 30.0}, {2: 21.0, 3: 33.0, 4: 0.0})
        self.assertEqual((difference.mean, difference.n), (2.0, 2))
        # The half-width is t(1) × s / √2 with s = √2, so 12.706.
        self.assertAlmostEqual(difference.half_width, 12.706, places=3)
        self.assertIsNone(paired_difference({1: 1.0}, {2: 1.0}))
        self.assertIsNone(mean_interval([5.0]).half_width)


class Texts(unittest.TestCase):
    def test_numbers_of_a_table_have_no_exponent(self):
        texts = {999.4: "999", 999.6: "1000", -999.7: "-1000", 1234.5: "1234", 0.1234: "0.123", 12.0: "12", None: "–"}
        self.assertEqual([number_text(number) for number in texts], list(texts.values()))


class Settings(unittest.TestCase):
    def test_lists_keep_their_items_as_they_are_written(self):
        self.assertEqual(split_list("[1/256, 5%,[a, b], {k: v, w: x}]", ""), ["1/256", "5%", "[a, b]", "{k: v, w: x}"])
        self.assertEqual(split_list("['a, b', \"c]\"]", ""), ["'a, b'", '"c]"'])
        for wrong in ("[1", "[1,,2]", "[]", "[1] x", "1", "['a]"):
            with self.assertRaises(InputError):
                split_list(wrong, "here")

    def test_short_keys(self):
        keys = {"switches.0.ecn.storage.kmin": "kmin", "nics.0": "nics.0", "mtu": "mtu", "a.b.0.1": "b.0.1", "0": "0"}
        self.assertEqual([short_key(key) for key in keys], list(keys.values()))

    def test_keys_with_patterns_in_brackets(self):
        variation = parse_set("switches.t[0,1]-*.latency,mtu=[[1us,1024],[2us,4096]]")
        self.assertEqual(variation.keys, ("switches.t[0,1]-*.latency", "mtu"))
        self.assertEqual(variation.steps, [("1us", "1024"), ("2us", "4096")])

    def test_the_cross_product_in_order(self):
        points = plan_points({"a": ["1", "2"]}, ["b=[3,4]"])
        self.assertEqual([tuple(p.values()) for p in points], [("1", "3"), ("1", "4"), ("2", "3"), ("2", "4")])

    def test_a_set_goes_before_what_the_scenario_varies(self):
        self.assertEqual(plan_points({"a": ["1", "2"]}, ["a=5"]), [{"a": "5"}])

    def test_equal_settings_are_one(self):
        self.assertEqual(plan_points({}, ["a=[1,1,2]"]), [{"a": "1"}, {"a": "2"}])


class Terminal(io.StringIO):
    def isatty(self):
        return True


class ProgressLine(unittest.TestCase):
    def test_done_running_failed_and_time_left(self):
        stream = Terminal()
        progress = Progress(10, done=3, failed=1, stream=stream)
        progress.started(None)
        progress.started(None)
        self.assertEqual(progress.text(), "3 of 10 runs done, 2 running, 1 failed")
        progress.ended(None, "done")
        progress.ended(None, "failed")
        # Two runs ended at once, so four more take no time.
        self.assertEqual(progress.text(), "4 of 10 runs done, 0 running, 2 failed, about 1 s left")
        progress.show()
        self.assertTrue(stream.getvalue().startswith("\r4 of 10 runs done"))
        progress.clear()
        self.assertTrue(stream.getvalue().endswith(" \r"))

    def test_nothing_where_there_is_no_terminal(self):
        stream = io.StringIO()
        progress = Progress(1, stream=stream)
        progress.show()
        progress.clear()
        self.assertEqual(stream.getvalue(), "")


class Metrics(unittest.TestCase):
    def test_every_number_by_its_path(self):
        summary = {"scenario": "x", "pfc": {"pauses": 3, "first_us": None}, "conservation": {"ok": True}}
        self.assertEqual(flatten(summary), {"pfc.pauses": 3, "pfc.first_us": None, "conservation.ok": 1})


if __name__ == "__main__":
    unittest.main()
