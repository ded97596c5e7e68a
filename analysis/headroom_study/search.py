"""The search, by successive halving.

    1  many settings, one short run each: Optuna proposes, learning from what came of the ones before
    2  the best of them, and a few from all over the ranking: one run in full
    3  the best of those, and the baseline: as many seeds as the study says
    4  the best of those, and the baseline: as many fresh seeds again, which nothing was chosen by

The first seeds are the same for all settings, so settings are compared under equal arrivals. What 4 measures is free of
the luck that made the winner win. Where short and full runs do not agree in their order, the search goes on with runs in
full.
"""

import math

from .fidelity import Setting
from .rating import Rating, rank_agreement, ranking, rate

_FINISH = 0.3  # of the budget without step 4, for step 3, which has at least _FINALISTS
_FINALISTS = 2
_EXPLORE = 0.65  # of what then is left, for step 1; the rest is for step 2
_SPREAD = 6  # settings from all over the ranking that runs in full are compared by; at most half of step 2
_AGREEMENT = 0.3  # Kendall's tau below which short runs are not believed


class Search:
    """What `tune` has found, as far as it is. Ratings are of the longest runs that a setting had."""

    def __init__(self, study_file, laboratory, judge, proposals, first_seed):
        self._file, self._laboratory, self._judge, self._proposals = study_file, laboratory, judge, proposals
        self.seeds = list(range(first_seed, first_seed + study_file.seeds))
        self.fresh_seeds = [seed + study_file.seeds for seed in self.seeds]
        self.baseline = Setting(None, {}, {**study_file.fixed, **study_file.baseline})
        self.settings, self.ruled_out, self.share = [], [], study_file.short
        self.agreement = None  # (tau, number of settings)
        self._compared = 0.0  # what it cost to learn that
        self.finalists, self.best, self.front = [], None, []

    def run(self):
        self._judge.learn(self.baseline.settings)
        for_search = self._file.budget - 2 * self._file.seeds
        finish = max(_FINISH * for_search, (1 + _FINALISTS) * (self._file.seeds - 1))
        explore = _EXPLORE * (for_search - finish - 1)
        promote = for_search - finish - 1 - explore
        self._full([self.baseline], self.seeds[:1])
        self._explore(explore, max(3, min(_SPREAD, int(promote / 2))))
        self._promote(self._laboratory.cost + promote - self._compared)
        self._finish(for_search)

    def _short(self, settings):
        points = self._laboratory.measure([s.settings for s in settings], self.share, self.seeds[:1])
        for setting, point in zip(settings, points):
            setting.short = point
            if self.share == 1:
                setting.full = point

    def _full(self, settings, seeds):
        points = self._laboratory.measure([s.settings for s in settings], 1, seeds)
        for setting, point in zip(settings, points):
            setting.full = point

    def _explore(self, budget, spread):
        """Step 1, for so much. Half-way, that many settings say whether short runs are to be believed."""
        spent = 0.0
        while True:
            affordable = int((budget - spent) / self.share + 1e-9)
            if affordable < 1:
                return
            batch, fresh = self._proposals.batch(affordable)
            self._judge.judge(fresh)
            hopeless = [s for s in fresh if s.ruled_out]
            self.ruled_out += hopeless
            alive = [s for s in fresh if not s.ruled_out]
            before = self._laboratory.cost
            self._short(alive)
            spent += self._laboratory.cost - before
            self.settings += alive
            for setting in batch:
                self._proposals.tell(setting, self._short_rating(self._proposals.first_of(setting)))
            if not fresh or len(self.ruled_out) > 50 * (len(self.settings) + 1):
                return  # nothing new to be found, or nothing that is not hopeless
            if self.share < 1 and self._compared == 0 and spent > budget / 2:
                self._compare_lengths(spread)

    def _short_rating(self, setting):
        if setting.ruled_out:
            return Rating([math.inf] * len(self._file.goals), math.inf)
        return rate(setting.short, self._file)

    def _ranked(self, settings, of):
        """From best to worst by the runs that `of` takes of each."""
        return [settings[i] for i in ranking([rate(of(s), self._file) for s in settings])]

    def _compare_lengths(self, spread):
        """Runs some settings in full, from all over the ranking; short runs go on only if they order them alike."""
        usable = [s for s in self._ranked(self.settings, lambda s: s.short) if rate(s.short, self._file).usable]
        if len(usable) < 3:
            return
        count = min(spread, len(usable))
        chosen = [usable[round(i * (len(usable) - 1) / (count - 1))] for i in range(count)]
        before = self._laboratory.cost
        self._full(chosen, self.seeds[:1])
        self._compared = self._laboratory.cost - before
        self.agreement = self._agreement()
        if self.agreement is not None and self.agreement[0] < _AGREEMENT:
            self.share = 1
            # What short runs said would mislead: from here on proposals and ranking are of runs in full alone.
            self._proposals.begin("full")
            self.settings = chosen
            for setting in chosen:
                setting.short = setting.full

    def _agreement(self):
        """Of the first objective, over all settings that ran both ways."""
        pairs = [
            (rate(s.short, self._file).losses[0], rate(s.full, self._file).losses[0])
            for s in self.settings
            if s.short is not None and s.full is not None and s.short is not s.full
        ]
        pairs = [pair for pair in pairs if max(map(abs, pair)) < math.inf]
        if len(pairs) < 3:
            return None
        short, full = zip(*pairs)
        tau = rank_agreement(short, full)
        if tau is None and len(set(full)) > 1:
            tau = 0.0  # short runs see no difference where there is one
        return None if tau is None else (tau, len(pairs))

    def _affordable(self, settings, seeds, until):
        """The first of these, as many as can have these seeds in full before so much is spent."""
        taken, cost = [], self._laboratory.cost
        for setting in settings:
            cost += self._laboratory.cost_of([setting.settings], 1, seeds)
            if cost > until + 1e-9:
                break
            taken.append(setting)
        return taken

    def _promote(self, until):
        """Step 2: from the best of the short runs on, until so much is spent."""
        ranked = self._ranked(self.settings, lambda s: s.short)
        self._full(self._affordable(ranked, self.seeds[:1], until), self.seeds[:1])
        if self.share < 1:
            self.agreement = self._agreement()

    def _finish(self, until):
        """Steps 3 and 4."""
        self._full([self.baseline], self.seeds)
        in_full = self._ranked([s for s in self.settings if s.full is not None], lambda s: s.full)
        self.finalists = self._affordable(in_full, self.seeds, until)
        self._full(self.finalists, self.seeds)
        self.finalists = self._ranked(self.finalists, lambda s: s.full)
        ratings = [rate(s.full, self._file) for s in self.finalists]
        self.front = [
            s
            for s, r in zip(self.finalists, ratings)
            if r.usable and not any(other.dominates(r) for other in ratings)
        ]
        self.best = self._choose(ratings)
        confirmed = [self.baseline] + ([self.best] if self.best else [])
        self._full(confirmed, self.fresh_seeds)

    def _choose(self, ratings):
        """Of the front, what is no worse than the baseline in any objective, if there is; of these the best in the
        first. None where no finalist keeps the constraints."""
        if not self.front:
            return None
        base = rate(self.baseline.full, self._file)
        by_setting = dict(zip(self.finalists, ratings))
        better = [s for s in self.front if by_setting[s].dominates(base)]
        return min(better or self.front, key=lambda s: by_setting[s].losses[0])
