"""The search, by successive halving.

    1  many settings, one short run each: Optuna proposes the first, then the surface through all runs does
    2  one run in full of the best of them, and of what the surface through all runs says is better still; half-way through
       1, a few from all over the ranking, to see whether short runs order settings as full ones do
    3  the best of those, with as many seeds as the study says; who wins is decided by these runs alone
    4  the best of those, and the baseline: fresh seeds, which led no proposal, in batches until there is a verdict

In steps 1 and 2, all settings have the first seed: then their differences are those of the settings. The other seeds come
in step 3, so the choice does not fit one seed's arrivals; surface.py subtracts each seed's effect. Step 4 measures with seeds that did not choose the winner, so its gain is not inflated by that choice.

Settings that keep the constraints rank before those that break one; of those, the smaller violation ranks first.
This holds for Optuna's input, for the choice of settings that run further, and for the search on the surfaces
(expectation.py). If a winner breaks a constraint with a fresh seed, the next setting is measured, as long as the budget
lasts. The search keeps budget for one such setting if any full run broke a constraint.
"""

import itertools
import math

import numpy as np

from headroom.study.expectation import Expectation
from headroom.study.fidelity import Setting
from headroom.study.rating import rank_agreement, ranking, rate
from headroom.study.space import Choice
from headroom.study.verdict import judged
from headroom.verdict import looks

_SEARCH = 0.7  # share of the budget without the verdict; bench/search measures its effect
_EXPLORE, _PROMOTE = 0.35, 0.45  # shares of the budget without step 4; the rest is for step 3
_SPREAD = 3  # settings from the entire ranking by which full runs are compared
_AGREEMENT = 0.3  # Kendall's tau below which short runs are not used
_FIRST = 16  # settings before any that the surface proposes
_ROUND = 4  # settings of step 2 between two evaluations of the surface; one of them is new
BATCH = 4  # settings that are proposed at once
_CANDIDATES = 2000  # points of the surface that are searched for a better setting


class Search:
    """The state of a search by `tune`."""

    def __init__(self, study_file, laboratory, judge, proposals, first_seed):
        self._file, self._laboratory, self._judge, self._proposals = study_file, laboratory, judge, proposals
        self.seeds = list(range(first_seed, first_seed + study_file.seeds))
        self._looks = looks(study_file.seeds)
        self.fresh_seeds = self._fresh(self._looks[0])
        self.measured_afresh = 0  # number of settings other than the baseline
        self.baseline = Setting(None, {}, {**study_file.fixed, **study_file.baseline})
        self.settings, self.ruled_out, self.share = [], [], study_file.short
        self.agreement = None  # (tau, number of settings)
        self._compared = 0.0  # the cost of that comparison
        self._chance = np.random.default_rng(first_seed)
        self.estimates = {}  # {setting that ran or was ruled out: Rating in full, None if it cannot be used}
        self._expected = None
        self.finalists, self.front = [], []  # settings that ran with all seeds, from best to worst; and their Pareto
                                             # front
        self.best = None  # the best setting that keeps the constraints
        self.nearest = None  # without one: the setting that misses them least

    def run(self):
        self._judge.learn(self.baseline.settings)
        seeds, several = self._file.seeds, len(self._file.goals) > 1
        # The rest is for the verdict.
        budget = min(self._file.budget - 2 * seeds, max((8 + several) * seeds - 8, int(_SEARCH * self._file.budget)))
        if len(self._file.goals) > 1:  # the recommendation depends on it
            self._full([self.baseline], self.seeds)
            budget -= self._file.seeds
        self._explore(_EXPLORE * budget)
        self._promote(_PROMOTE * budget - self._compared)
        self._finish(budget)

    # Runs

    def _short(self, settings):
        """One run for each, with its own seed."""
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

    def _estimate(self):
        """Estimates all settings that ran, from all runs together."""
        self._expected = Expectation(self._file, self.seeds, self.settings, self.ruled_out, self._expected)
        self.estimates = self._expected.ratings

    def _ranked(self, settings):
        """Usable settings from best to worst."""
        settings = [s for s in settings if self.estimates.get(s) is not None]
        return [settings[i] for i in ranking([self.estimates[s] for s in settings])]

    # Steps

    def _look_at(self, fresh):
        """Counts new hopeless settings, gives the others a seed and returns them."""
        self._judge.judge(fresh)
        self.ruled_out += [s for s in fresh if s.ruled_out]
        alive = [s for s in fresh if not s.ruled_out]
        for setting in alive:
            setting.seed = self.seeds[0]
            self.settings.append(setting)
        return alive

    def _explore(self, budget):
        """Step 1, with this budget."""
        spent, empty = 0.0, 0
        while empty < 20:  # batches in a row without a new or hopeful setting
            affordable = int((budget - spent) / self.share + 1e-9)
            if affordable < 1:
                return
            self._estimate()
            alive = self._look_at(self._proposed(affordable))
            empty = 0 if alive else empty + 1
            before = self._laboratory.cost
            self._short(alive)
            spent += self._laboratory.cost - before
            if self.share < 1 and self._compared == 0 and spent > budget / 2:
                self._compare_lengths()

    def _proposed(self, most):
        """Up to a batch of new settings: the first are Optuna's, then the best points of the surface; where none of
        these is new, Optuna's again."""
        count = min(most, BATCH)
        promised = self._promising(count) if len(self.settings) >= _FIRST else []
        return promised or self._proposals.batch(count, self.estimates)

    def _compare_lengths(self):
        """Makes full runs of some settings from the entire ranking; short runs continue only if both order them alike."""
        self._estimate()
        usable = self._ranked(self.settings)
        if len(usable) < _SPREAD:
            return
        before = self._laboratory.cost
        self._full([usable[round(i * (len(usable) - 1) / (_SPREAD - 1))] for i in range(_SPREAD)])
        self._compared = self._laboratory.cost - before
        self.agreement = self._agreement()
        if self.agreement is not None and self.agreement[0] < _AGREEMENT:
            self.share = 1
            for setting in self.settings:  # the results of short runs would mislead
                setting.short = None

    def _agreement(self):
        """(Kendall's tau of the first objective by short and by full runs, number of settings)"""
        both = [(setting.short, setting.full) for setting in self.settings if None not in (setting.short, setting.full)]
        values = [[point.by_seed(self._file.goals[0].metric).get(self.seeds[0]) for point in points] for points in both]
        pairs = [pair for pair in values if None not in pair]
        if len(pairs) < 3:
            return None
        short, full = zip(*pairs)
        tau = rank_agreement(short, full)
        if tau is None and len(set(full)) > 1:
            tau = 0.0  # short runs show no difference where there is one
        return None if tau is None else (tau, len(pairs))

    def _promote(self, budget):
        """Step 2, with this budget: in rounds. One setting of each is the best point of the surface, the others are expected
        to be the best of those that ran."""
        while budget >= 1:
            self._estimate()
            room = min(_ROUND, int(budget))
            promised = self._look_at(self._promising(room // _ROUND))
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
        """Up to this many new settings with the best expectations on the surfaces. Candidates are random points, and
        points near the best so far. Those that miss the constraints least win, and of these the best in the first
        objective. None if the nearest setting that ran cannot be used."""
        if count < 1 or not self._expected.has_surfaces or self._file.search == "random":
            return []
        ranked = self._ranked(self.settings)
        points = [self._random_point() for _ in range(_CANDIDATES // 2)]
        for i in range(_CANDIDATES // 2):
            points.append(self._random_point(near=ranked[i % min(5, len(ranked))].coordinates))
        candidates = [Setting(None, None, {}) for _ in points]
        for candidate, point in zip(candidates, points):
            candidate.coordinates = point
        losses, violations = self._expected.promise(candidates)
        found = []
        for i in np.lexsort((losses, violations)):
            if not math.isfinite(losses[i]):
                break
            # No point is used twice in a round: the second would add little.
            if all(self._distance(candidates[i], other) > 0.1 for other in found):
                setting = self._proposals.setting(candidates[i].coordinates)
                if setting is not None:
                    found.append(setting)
            if len(found) == count:
                break
        return found

    def _distance(self, a, b):
        return math.dist(self._expected.vector(a), self._expected.vector(b))

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
        self._run_with_all_seeds(budget)
        finished = self._ranked([s for s in self.settings if not self._missing_seeds(s)])
        own = self._in_the_end(finished)
        self.finalists = [finished[i] for i in ranking([own[s] for s in finished])]
        base = rate(self.baseline.full, self._file) if len(self._file.goals) > 1 else None  # with the same seeds
        self._full([self.baseline], self.fresh_seeds)
        keeping = [s for s in self.finalists if self._keeps(s) and not self._is_baseline(s)]
        while keeping and self.best is None:
            winner = self._choose(keeping, base)
            if not self._measure_afresh(winner):
                break
            self.measured_afresh += 1
            self._decide(winner)
            if self._keeps(winner):
                self.best = winner
            else:
                keeping.remove(winner)
        self.front = self._front([s for s in keeping if self._keeps(s)])
        if self.best is None:
            self._look_for_nearest()

    def _fresh(self, count):
        first = self.seeds[-1] + 1
        return list(range(first, first + count))

    @property
    def looks_to_come(self):
        return [count for count in self._looks if count > len(self.fresh_seeds)]

    def _decide(self, setting):
        """Adds fresh seeds, each time up to the next look of the sequence, until there is a verdict on the first
        objective, the setting breaks a constraint, or the budget ends."""
        while self._keeps(setting) and judged(self, setting, self._file.goals[0], self._file)["says"] == "undecided":
            if not self.looks_to_come:
                return
            seeds = self._fresh(self.looks_to_come[0])
            cost = self._laboratory.cost_of([self.baseline.settings, setting.settings], 1, seeds)
            if self._laboratory.cost + cost > self._file.budget + 1e-9:
                return
            self.fresh_seeds = seeds
            self._full([self.baseline, setting], seeds)

    def _run_with_all_seeds(self, budget):
        """Step 3. If a full run broke a constraint, one seed runs at a time, first the one that broke most: a setting
        that breaks it makes room for the next."""
        for batch in itertools.count():
            full = [s for s in self.settings if s.full is not None]
            broken = [seed for s in full for seed in s.full.runs if not self._keeps_with(s, seed)]
            seeds = sorted(self.seeds, key=lambda seed: -broken.count(seed))
            affordable = self._affordable(budget)
            missing = [seed for seed in seeds if any(seed in self._missing_seeds(s) for s in affordable)]
            if not missing or (batch > 0 and not broken):
                return
            self._full(affordable, missing[:1] if broken else missing)
            self._estimate()

    def _missing_seeds(self, setting):
        return self.seeds if setting.full is None else [seed for seed in self.seeds if seed not in setting.full.runs]

    def _keeps_with(self, setting, seed):
        return rate(setting.full.of_seeds([seed]), self._file).usable

    def _affordable(self, budget):
        """The best settings with full runs, as many as step 3 can pay. Beyond two, a reserve is kept for a winner that
        has to give way."""
        cost = self._laboratory.cost - (len(self._file.goals) > 1) * self._file.seeds
        cost -= 1  # the baseline's first run belongs to step 4
        full = [s for s in self.settings if s.full is not None]
        reserve = 0 if all(self._keeps(s) for s in full) else self._file.seeds
        found = []
        for setting in self._ranked(full):
            cost += self._laboratory.cost_of([setting.settings], 1, self.seeds)
            if cost + reserve * (len(found) >= 2) > budget + 1e-9:
                break
            found.append(setting)
        return found

    def _measure_afresh(self, setting):
        """Runs it with the fresh seeds, if the budget allows."""
        cost = self._laboratory.cost_of([setting.settings], 1, self.fresh_seeds)
        if self._laboratory.cost + cost > self._file.budget + 1e-9:
            return False
        self._full([setting], self.fresh_seeds)
        return True

    def _keeps(self, setting):
        """Whether it kept all constraints with every seed of its full runs."""
        return rate(setting.full, self._file).usable

    def _is_baseline(self, setting):
        """Whether it is the baseline by other words: a comparison of the two would say nothing."""
        digests = [{run.digest for run in of.full.runs.values()} for of in (setting, self.baseline)]
        return digests[0] == digests[1]

    def _in_the_end(self, settings):
        """{setting: Rating} of those that ran with all seeds: by these runs alone, with the same arrivals for all."""
        return {s: rate(s.full.of_seeds(self.seeds), self._file) for s in settings}

    def _front(self, settings):
        ratings = self._in_the_end(settings)
        return [s for s in settings if not any(ratings[t].dominates(ratings[s]) for t in settings)]

    def _choose(self, settings, base):
        """The settings on the front that are not worse than the baseline in any objective, if there are any. The first one is
        the best in the first objective."""
        front, better = self._front(settings), []
        ratings = self._in_the_end(front)
        if len(self._file.goals) > 1:
            better = [s for s in front if ratings[s].dominates(base)]
        return min(better or front, key=lambda s: ratings[s].losses[0])

    def _look_for_nearest(self):
        """The setting that misses the constraints least, of those that ran with the most seeds; it also runs with the
        fresh ones."""
        measured = {s: rate(s.full, self._file) for s in self.finalists or self.settings if s.full is not None}
        measured = {s: rating for s, rating in measured.items() if rating.measured}
        if measured:
            self.nearest = min(measured, key=lambda s: measured[s].violation)
            self._measure_afresh(self.nearest)
