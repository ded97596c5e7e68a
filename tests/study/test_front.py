"""With several objectives, the front and the recommendation follow measured values."""

import random
import unittest

import command  # noqa: F401  (finds the package)
from landscape import TWO, AtRandom, Judge, Laboratory, Landscape, Search


def uncertain(u, v, seed, share):
    """A seed changes p99 more than most settings do."""
    chance = random.Random(f"{u} {v} {seed}")
    noise = [chance.uniform(0.6, 1.4) for _ in range(2)]
    return {"p99": 100 * (3 - 2 * u) * (1 + v) * noise[0], "pauses": 4000 * (0.3 + u**2) * noise[1] * share}


@unittest.skipIf(Search is None, "python3-optuna is not installed")
class Front(Landscape):
    def test_nothing_on_it_is_beaten_in_the_means_over_the_seeds_of_the_search(self):
        sizes = []
        for budget in (80, 104):  # half of which is for the verdict
            study = self.file(TWO.replace("budget: 48", f"budget: {budget}"))
            laboratory = Laboratory(uncertain, (0.5, 0.5))
            search = Search(study, laboratory, Judge(), AtRandom(study, 1), 1)
            laboratory.measure([({}, search.fresh_seeds[:1])], 1)  # as `tune` does
            search.run()
            means = {s: self.means(s, search.seeds) for s in search.finalists}
            front = [s for s in search.finalists if not any(self.beats(means[t], means[s]) for t in search.finalists)]
            self.assertEqual(search.front, front)
            sizes.append((len(front), len(means)))
            # Recommended is, of the settings that beat the baseline also with their own seeds, the best in the first
            # objective.
            base = self.means(search.baseline, search.seeds)
            better = [s for s in front if self.beats(means[s], base)]
            self.assertIs(search.best, min(better or front, key=lambda s: means[s][0]))
        self.assertTrue(any(1 < on_front < all_of_them for on_front, all_of_them in sizes), sizes)

    @staticmethod
    def means(setting, seeds):
        return [setting.full.of_seeds(seeds).interval(metric).mean for metric in ("p99", "pauses")]

    @staticmethod
    def beats(a, b):
        return all(x <= y for x, y in zip(a, b)) and a != b


if __name__ == "__main__":
    unittest.main()
