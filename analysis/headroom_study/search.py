"""The search, by successive halving.

    1  many settings, one short run each: Optuna proposes, learning from what came of the ones before
    2  one run in full of the best of them, and of what the surface through all runs says is better still; half-way through
       1, a few from all over the ranking, to see whether short runs order settings as full ones do
    3  the best of those, with as many seeds as the study says
    4  the best of those, and the baseline: as many fresh seeds, which nothing was chosen by

Seeds take turns in 1 and 2, so nothing is tuned to the arrivals of one; surface.py takes their effect out. What 4 measures
is free of the luck that made the winner win.
"""

import math

import numpy as np

from .fidelity import Setting
from .rating import Rating, rank_agreement, ranking, rate
from .space import Choice
from .surface import Surface

_EXPLORE, _PROMOTE = 0.45, 0.3  # of the budget without step 4; the rest is for step 3
_SPREAD = 6  # settings from all over the ranking that runs in full are compared by; at most half of step 2
_AGREEMENT = 0.3  # Kendall's tau below which short runs are not believed
_ROUND = 4  # settings of step 2 between two looks at the surface
_CANDIDATES = 2000  # points of the surface that are looked at for something better
_FEW = 6  # runs below which there is no surface


class Search:
    """What `tune` has found, as far as it is."""

    def __init__(self, study_file, laboratory, judge, proposals, first_seed):
        self._file, self._laboratory, self._judge, self._proposals = study_file, laboratory, judge, proposals
        self.seeds = list(range(first_seed, first_seed + study_file.seeds))
        self.fresh_seeds = [seed + study_file.seeds for seed in self.seeds]
        self.baseline = Setting(None, {}, {**study_file.fixed, **study_file.baseline})
        self.settings, self.ruled_out, self.share = [], [], study_file.short
        self.agreement = None  # (tau, number of settings)
        self._compared = 0.0  # what it cost to learn that
        self._chance = np.random.default_rng(first_seed)
        self.estimates = {}  # {setting that ran or was ruled out: [expected loss a goal], None if it cannot be used}
        self._surfaces = None  # one a goal, of all runs so far; None: there are too few
        self.finalists, self.best, self.front = [], None, []

    def run(self):
        self._judge.learn(self.baseline.settings)
        budget = self._file.budget - 2 * self._file.seeds
        if len(self._file.goals) > 1:  # what is recommended depends on it
            self._full([self.baseline], self.seeds)
            budget -= self._file.seeds
        promote = _PROMOTE * budget
        self._explore(_EXPLORE * budget, max(3, min(_SPREAD, int(promote / 2))))
        self._promote(promote - self._compared)
        self._finish(budget)

    # Runs

    def _short(self, settings):
        """One run each, with its own seed."""
        points = self._laboratory.measure([(s.settings, [s.seed]) for s in settings], self.share)
        for setting, point in zip(settings, points):
            setting.short = point if self.share < 1 else None
            setting.full = point if self.share == 1 else None

    def _full(self, settings, seeds=None):
        """With these seeds; None: each with its own."""
        points = self._laboratory.measure([(s.settings, seeds or [s.seed]) for s in settings], 1)
        for setting, point in zip(settings, points):
            setting.full = point

    # What is known

    def _measured(self, setting):
        return [point for point in (setting.short, setting.full) if point is not None]

    def _vector(self, setting):
        """Coordinates, a choice as one 0 or 1 a value."""
        found = []
        for p in self._file.space.parameters:
            at = setting.coordinates[p.name]
            found += [float(at == value) for value in p.values] if isinstance(p, Choice) else [at]
        return found

    def _estimate(self):
        """Expected losses, in full, of all settings that ran: of a surface through all runs."""
        ratings = {s: [rate(point, self._file) for point in self._measured(s)] for s in self.settings}
        usable = [s for s in self.settings if ratings[s] and all(r.usable for r in ratings[s])]
        found = self.ruled_out + [s for s in self.settings if ratings[s]]
        self.estimates = {s: None for s in sorted(found, key=lambda s: s.number)}
        before, self._surfaces = self._surfaces or [None] * len(self._file.goals), None
        if len(usable) < _FEW:
            self.estimates.update({s: ratings[s][-1].losses for s in usable})
            return
        self._surfaces = [self._surface(goal, usable, surface) for goal, surface in zip(self._file.goals, before)]
        where = [self._vector(s) for s in usable]
        for setting, *losses in zip(usable, *(surface.at(where) for surface in self._surfaces)):
            self.estimates[setting] = [float(loss) for loss in losses]

    def _surface(self, goal, settings, before):
        rows = [
            (self._vector(setting), seed, point is setting.full, goal.sign * value)
            for setting in settings
            for point in self._measured(setting)
            for seed, value in point.by_seed(goal.metric).items()
        ]
        return Surface(*zip(*rows), before)

    def _ranked(self, settings):
        """From best to worst, those that can be used."""
        settings = [s for s in settings if self.estimates.get(s) is not None]
        return [settings[i] for i in ranking([Rating(self.estimates[s], 0) for s in settings])]

    # Steps

    def _look_at(self, fresh):
        """Counts new settings that are hopeless, gives the others a seed and returns them."""
        self._judge.judge(fresh)
        self.ruled_out += [s for s in fresh if s.ruled_out]
        alive = [s for s in fresh if not s.ruled_out]
        for setting in alive:
            setting.seed = self.seeds[len(self.settings) % len(self.seeds)]
            self.settings.append(setting)
        return alive

    def _explore(self, budget, spread):
        """Step 1, for so much."""
        spent, empty = 0.0, 0
        while empty < 20:  # batches in a row of which nothing was new, or nothing hopeful
            affordable = int((budget - spent) / self.share + 1e-9)
            if affordable < 1:
                return
            self._estimate()
            alive = self._look_at(self._proposals.batch(affordable, self.estimates))
            empty = 0 if alive else empty + 1
            before = self._laboratory.cost
            self._short(alive)
            spent += self._laboratory.cost - before
            if self.share < 1 and self._compared == 0 and spent > budget / 2:
                self._compare_lengths(spread)

    def _compare_lengths(self, spread):
        """Runs some settings in full, from all over the ranking; short runs go on only if they order them alike. All are
        of one seed, or there would be little to compare."""
        self._estimate()
        usable = [s for s in self._ranked(self.settings) if s.seed == self.seeds[0]]
        if len(usable) < 3:
            return
        count = min(spread, len(usable))
        before = self._laboratory.cost
        self._full([usable[round(i * (len(usable) - 1) / (count - 1))] for i in range(count)])
        self._compared = self._laboratory.cost - before
        self.agreement = self._agreement()
        if self.agreement is not None and self.agreement[0] < _AGREEMENT:
            self.share = 1
            for setting in self.settings:  # what short runs said would mislead
                setting.short = None

    def _agreement(self):
        """Kendall's tau of the first objective by short and by full runs, over pairs of settings with the same seed."""
        metric = self._file.goals[0].metric
        pairs = []
        for setting in self.settings:
            if setting.short is None or setting.full is None:
                continue
            pair = [point.by_seed(metric).get(setting.seed) for point in (setting.short, setting.full)]
            if None not in pair:
                pairs.append((setting.seed, *pair))
        if len(pairs) < 3:
            return None
        agree, count = 0.0, 0
        for seed in self.seeds:
            short, full = [p[1] for p in pairs if p[0] == seed], [p[2] for p in pairs if p[0] == seed]
            tau = rank_agreement(short, full) if len(short) > 1 else None
            if tau is None and len(set(full)) > 1:
                tau = 0.0  # short runs see no difference where there is one
            if tau is not None:
                weight = len(short) * (len(short) - 1) / 2
                agree, count = agree + weight * tau, count + weight
        return (agree / count, len(pairs)) if count else None

    def _promote(self, budget):
        """Step 2, for so much: in rounds, half of each what ran well, half what the surface promises."""
        while budget >= 1:
            self._estimate()
            room = min(_ROUND, int(budget))
            promised = self._look_at(self._promising(room // 2))
            ran = [s for s in self._ranked(self.settings) if s.full is None and s not in promised]
            chosen = promised + ran[: room - len(promised)]
            if not chosen:
                return
            self._full(chosen)
            budget -= len(chosen)
        self._estimate()
        if self.share < 1:
            self.agreement = self._agreement() or self.agreement

    def _promising(self, count):
        """New settings that the surface of the first objective expects most of: the best of many points, at random and
        near the best so far. Not where the nearest setting that ran broke a constraint."""
        ranked = self._ranked(self.settings)
        if self._surfaces is None or self._file.search == "random":
            return []
        ran = [s for s in self.settings if s in self.estimates]
        known = np.array([self._vector(s) for s in ran])
        can_be_used = np.array([self.estimates[s] is not None for s in ran])
        points = [self._random_point() for _ in range(_CANDIDATES // 2)]
        for i in range(_CANDIDATES // 2):
            points.append(self._random_point(near=ranked[i % min(5, len(ranked))].coordinates))
        candidates = [Setting(None, None, {}) for _ in points]
        for candidate, point in zip(candidates, points):
            candidate.coordinates = point
        where = np.array([self._vector(c) for c in candidates])
        nearest = ((where[:, None, :] - known[None, :, :]) ** 2).sum(axis=2).argmin(axis=1)
        expected = np.where(can_be_used[nearest], self._surfaces[0].at(where), np.inf)
        found = []
        for i in np.argsort(expected, kind="stable"):
            if not math.isfinite(expected[i]):
                break
            # Not the same corner twice in a round: the second would say little.
            if all(self._distance(candidates[i], other) > 0.1 for other in found):
                setting = self._proposals.setting(candidates[i].coordinates)
                if setting is not None:
                    found.append(setting)
            if len(found) == count:
                break
        return found

    def _distance(self, a, b):
        return math.dist(self._vector(a), self._vector(b))

    def _random_point(self, near=None):
        point = {}
        for p in self._file.space.parameters:
            if isinstance(p, Choice):
                keep = near is not None and self._chance.random() < 0.8
                point[p.name] = near[p.name] if keep else p.values[int(self._chance.integers(len(p.values)))]
            elif near is None:
                point[p.name] = float(self._chance.random())
            else:
                point[p.name] = float(np.clip(near[p.name] + 0.1 * self._chance.standard_normal(), 0, 1))
        return point

    def _finish(self, budget):
        """Steps 3 and 4."""
        affordable, cost = [], self._laboratory.cost - (len(self._file.goals) > 1) * self._file.seeds
        cost -= 1  # the baseline's first run belongs to step 4
        for setting in self._ranked([s for s in self.settings if s.full is not None]):
            cost += self._laboratory.cost_of([setting.settings], 1, self.seeds)
            if cost > budget + 1e-9:
                break
            affordable.append(setting)
        self._full(affordable, self.seeds)
        self._estimate()
        self.finalists = self._ranked(affordable)
        ratings = {s: Rating(self.estimates[s], 0) for s in self.finalists}
        self.front = [s for s in self.finalists if not any(ratings[t].dominates(ratings[s]) for t in self.finalists)]
        self.best = self._choose(ratings)
        self._full([self.baseline] + ([self.best] if self.best else []), self.fresh_seeds)

    def _choose(self, ratings):
        """Of the front, what is no worse than the baseline in any objective, if there is; of these the best in the
        first. None where no finalist keeps the constraints."""
        better = []
        if len(self._file.goals) > 1:
            base = rate(self.baseline.full, self._file)
            better = [s for s in self.front if ratings[s].dominates(base)]
        return min(better or self.front, key=lambda s: ratings[s].losses[0], default=None)
