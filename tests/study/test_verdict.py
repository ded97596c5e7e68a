"""Verdicts on synthetic metrics with known effects: how often intervals cover, and how often chance counts as a gain."""

import math
import random
import unittest

import command  # noqa: F401  (finds the package)
from headroom import program
from headroom.interval import student_t
from headroom.verdict import LOOKS, _LEVELS, level, level_of_a_look, looks, verdict_text

try:
    import numpy as np
except ImportError:
    np = None

TRIALS = 2000
SLACK = 0.015


def request(before, after, error):
    """For the program, of {seed: value} before and after."""
    sides = [{str(seed): {"value": value, "dir": None} for seed, value in side.items()} for side in (before, after)]
    return {"metric": "m", "from": sides[0], "to": sides[1], "error": error}


def crossing(level, counts, points=401):
    """The probability that a standard normal mean, examined after each of `counts`, exceeds the two-sided level at any
    look: the recursion of Armitage, McPherson and Rowe, by Simpson's rule."""
    from statistics import NormalDist

    z = NormalDist().inv_cdf(1 - level / 2)
    x = np.linspace(-z, z, points)
    weights = np.ones(points)
    weights[1:-1:2], weights[2:-1:2] = 4, 2
    weights *= 2 * z / (points - 1) / 3
    density = np.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    for before, after in zip(counts, counts[1:]):
        kept, new = math.sqrt(before / after), math.sqrt(1 - before / after)
        kernel = np.exp(-(((x[:, None] - kept * x[None, :]) / new) ** 2) / 2) / (new * math.sqrt(2 * math.pi))
        density = kernel @ (weights * density)
    return 1 - weights @ density


@unittest.skipIf(np is None, "python3-numpy is not installed")
class Looks(unittest.TestCase):
    def test_levels_of_pococks_table(self):
        # Pocock 1977, table 1: five equal looks at 5 % have 0.0158 each.
        self.assertAlmostEqual(crossing(0.0158, [1, 2, 3, 4, 5]), 0.05, places=3)

    def test_levels_are_those_of_the_recursion(self):
        counts = [1.5**k for k in range(LOOKS)]
        for chance, level in _LEVELS.items():
            self.assertAlmostEqual(crossing(level, counts) / chance, 0.85, places=2)
        for chance in (0.03, 0.004):  # values between the rows
            self.assertAlmostEqual(crossing(level_of_a_look(chance), counts) / chance, 0.85, delta=0.01)

    def test_each_look_has_half_as_many_seeds_again(self):
        self.assertEqual(looks(8), [8, 12, 18, 27, 40, 61, 91, 137, 205, 308])
        self.assertEqual(looks(2), [2, 3, 4, 7, 10, 15, 23, 34, 51, 77])


@unittest.skipIf(np is None, "python3-numpy is not installed")
class Coverage(unittest.TestCase):
    """TRIALS sequences of looks each: 1.5 % is three standard errors of a share of 95 %."""

    def sequences(self, change, noise, first=6, trials=TRIALS, seed=1):
        """Returns three values for metrics that vary by seed and have additional noise. The first is the share of
        trials in which every look's interval covers the true change. The second is the share in which the interval of
        the deciding look does, or of the last look if none decides. The third is {verdict: share}."""
        draw = np.random.default_rng(seed)
        counts = looks(first)
        shared = draw.standard_normal((trials, counts[-1]))
        own = draw.standard_normal((2, trials, counts[-1]))
        before = np.exp(0.3 * shared + noise * own[0])
        after = (1 + change) * np.exp(0.3 * shared + noise * own[1])
        logs = np.log(after / before)
        every, final, said = np.ones(trials, bool), np.ones(trials, bool), {}
        open_ = np.ones(trials, bool)
        truth = math.log1p(change)
        level = level_of_a_look(0.05)
        verdicts = np.full(trials, "undecided", dtype=object)
        for count in counts:
            centre, spread = logs[:, :count].mean(axis=1), logs[:, :count].std(axis=1, ddof=1)
            half = student_t(count - 1, 1 - level) * spread / math.sqrt(count)
            covers = abs(centre - truth) <= half
            every &= covers
            final[open_] = covers[open_]
            ends = np.expm1([centre - half, centre + half])
            for said_of, such in (("lower", ends < 0), ("higher", ends > 0), ("none", abs(ends) <= 0.03)):
                verdicts[open_ & such.all(axis=0)] = said_of
            open_ = verdicts == "undecided"
        # The tested rule is that of the program.
        pair = [side[0, : counts[0]].tolist() for side in (before, after)]
        (one,) = program.compare_points([request(*map(dict, map(enumerate, pair)), level)])
        centre, spread = logs[0, : counts[0]].mean(), logs[0, : counts[0]].std(ddof=1)
        self.assertAlmostEqual(one["change"], math.expm1(centre))
        self.assertAlmostEqual(one["low"], math.expm1(centre - student_t(counts[0] - 1, 1 - level) * spread / math.sqrt(counts[0])))
        for name in ("lower", "higher", "none", "undecided"):
            said[name] = float((verdicts == name).mean())
        return every.mean(), final.mean(), said

    def test_all_looks_together_cover_a_change_as_often_as_is_said(self):
        for change, noise, first in ((0.0, 0.1, 6), (-0.1, 0.2, 5), (0.4, 0.05, 8), (-0.3, 0.3, 3)):
            every, final, _ = self.sequences(change, noise, first, seed=10 + first)
            self.assertAlmostEqual(every, 0.95, delta=SLACK, msg=f"{change} {noise} {first}")
            self.assertGreaterEqual(final, 0.95 - SLACK)

    def test_chance_is_called_a_gain_in_no_more_than_one_trial_in_forty(self):
        for noise, first, seed in ((0.05, 6, 1), (0.2, 8, 2), (0.2, 5, 3)):
            _, final, said = self.sequences(0.0, noise, first, 10_000, seed)  # a standard error of 0.15 %
            self.assertLessEqual(said["lower"], 0.025, f"{noise} {first}")
            self.assertLessEqual(said["higher"], 0.025)
            self.assertAlmostEqual(final, 0.95, delta=SLACK)
        self.assertGreater(said["lower"], 0.005)  # looks have a cost: a rule that never decides would pass

    def test_what_is_there_is_found_and_what_is_not_is_ruled_out(self):
        self.assertGreater(self.sequences(-0.2, 0.1)[2]["lower"], 0.99)
        self.assertGreater(self.sequences(0.0, 0.02)[2]["none"], 0.95)
        self.assertEqual(self.sequences(-0.01, 0.004)[2]["lower"], 0.0)  # certain, but too small to matter

    def test_several_settings_share_the_chance_to_be_wrong(self):
        draw = random.Random(7)
        searches, changes, requests = 600, 7, []
        for _ in range(searches):
            before = {seed: math.exp(draw.gauss(0, 0.3)) for seed in range(5)}
            after = [{seed: value * math.exp(draw.gauss(0, 0.2)) for seed, value in before.items()} for _ in range(changes)]
            requests += [request(before, one, level(changes)) for one in after]
        said = [found["verdict"] in ("lower", "higher") for found in program.compare_points(requests)]
        wrong = sum(any(said[i : i + changes]) for i in range(0, len(said), changes))
        self.assertLess(wrong / searches, 0.05 + 3 * math.sqrt(0.05 * 0.95 / searches))
        self.assertGreater(wrong, 0)


class Words(unittest.TestCase):
    def test_the_words(self):
        def text(low, change, high, said):
            return verdict_text(said, {"low": low, "change": change, "high": high}, 0.03, "8 more seeds would decide")

        self.assertEqual(text(-0.21, -0.16, -0.12, "better"), "better by 16 ± 5 %")
        self.assertEqual(text(-0.043, -0.041, -0.039, "lower"), "lower by 4.1 ± 0.2 %")
        # A half width would cover zero, which the interval excludes.
        self.assertEqual(text(0.127, 3.88, 20.15, "worse"), "worse by 388 % (13 to 2015 %)")
        self.assertEqual(text(-0.28, -0.14, -0.003, "better"), "better by 14 % (0.3 to 28 %)")
        self.assertEqual(text(-0.216, -0.116, -0.003, "better"), "better by 12 % (0.3 to 22 %)")
        self.assertEqual(text(-0.4, -0.1, 0.8, "undecided"), "undecided (−10 % (−40 to +80 %)): 8 more seeds would decide")
        self.assertEqual(text(-0.4, 1.2, 9.0, "undecided"), "undecided (+120 % ±?, too few seeds): 8 more seeds would decide")
        self.assertEqual(text(-0.01, 0.0, 0.01, "no difference"), "no difference larger than 3 %")
        self.assertEqual(text(-0.3, -0.1, 0.05, "undecided"), "undecided (−10 ± 20 %): 8 more seeds would decide")


if __name__ == "__main__":
    unittest.main()
