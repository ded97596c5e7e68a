"""Estimates for a search's settings from all its runs: their objectives in full runs, and by how much they would miss
the constraints.

A short run has a share of the pauses of a full run, and one seed tells little about the next. So a constraint's metric
has its own surface through all runs, like an objective. A constraint has to hold at every seed. It is judged by the
worst expected value, over the search's own seeds and over as many runs as the answer must pass. So proposals keep away
from a bound by the spread of seeds and chance. Full runs are additional facts.

A metric that every run keeps at its bound, as drops that must be 0, has no surface. Then a setting misses by the value
of its own runs, and a point by that of the nearest setting.
"""

from statistics import NormalDist

import numpy as np

from headroom.study.rating import Rating, rate
from headroom.study.space import Choice
from headroom.study.surface import Surface

_FEW = 6  # number of settings below which there is no surface
_SHIFT = 0.25  # share of a bound: pauses far within it need not be distinguished, and there may be none


def _effect_in_full(seed):
    """A seed that has its own effects on full runs."""
    return -seed


class Expectation:
    """The expectation from these settings, as far as they ran. `of`: {setting: Rating in full, None if it cannot be
    used}, in the order of proposal, with those that were ruled out."""

    def __init__(self, study_file, seeds, settings, ruled_out, before=None):
        self._file, self._seeds = study_file, seeds
        self._ran = [s for s in settings if s.points()]
        ratings = {s: [rate(point, study_file) for point in s.points()] for s in self._ran}
        self._usable = [s for s in self._ran if all(r.measured for r in ratings[s])]
        self.ratings = {s: None for s in sorted(ruled_out + self._ran, key=lambda s: s.number)}
        self._own = {s: np.max([r.violations for r in ratings[s]], axis=0) for s in self._usable}
        self._losses, self._bounds = [], [None] * len(study_file.bounds)
        if len(self._usable) < _FEW:
            self.ratings.update({s: Rating(ratings[s][-1].losses, self._in_full(s, self._own[s])) for s in self._usable})
            return
        self._losses = [self._surface(g.metric, g.sign, before and before._loss(i)) for i, g in enumerate(study_file.goals)]
        self._bounds = [self._of_bound(b, before and before._bounds[i]) for i, b in enumerate(study_file.bounds)]
        where = [self.vector(s) for s in self._usable]
        losses = np.transpose([surface.estimate(where) for surface in self._losses])
        violations = self._violations(where, np.array([self._own[s] for s in self._usable]))
        for setting, found, expected in zip(self._usable, losses, violations):
            self.ratings[setting] = Rating([float(v) for v in found], self._in_full(setting, expected))

    @property
    def has_surfaces(self):
        return bool(self._losses)

    def _loss(self, i):
        return self._losses[i] if self._losses else None

    def vector(self, setting):
        """Coordinates, with a 0 or 1 for each value of a choice."""
        found = []
        for p in self._file.space.parameters:
            coordinate = setting.coordinates[p.name]
            found += [float(coordinate == value) for value in p.values] if isinstance(p, Choice) else [coordinate]
        return found

    def promise(self, settings):
        """(optimistic losses of the first objective, expected violations) of settings that have not run, as arrays.
        Infinite if the nearest setting that ran cannot be used. REQUIRES: has_surfaces."""
        where = np.array([self.vector(s) for s in settings])
        known = np.array([self.vector(s) for s in self._ran])
        nearest = ((where[:, None, :] - known[None, :, :]) ** 2).sum(axis=2).argmin(axis=1)
        nothing = np.full(len(self._file.bounds), np.inf)
        own = np.array([self._own.get(self._ran[i], nothing) for i in nearest])
        can_be_used = np.array([self._ran[i] in self._own for i in nearest])
        losses, violations = self._losses[0].hoped(where), self._violations(where, own).sum(axis=1)
        return np.where(can_be_used, losses, np.inf), np.where(can_be_used, violations, np.inf)

    # Surfaces

    def _surface(self, metric, sign, before, shift=0.0):
        """A seed has one effect on short runs and another on full ones: the beginning of its traffic tells little about the
        rest."""
        rows = [
            (
                self.vector(setting),
                _effect_in_full(seed) if point is setting.full else seed,
                point is setting.full,
                sign * value,
            )
            for setting in self._usable
            for point in setting.points()
            for seed, value in point.by_seed(metric).items()
        ]
        return Surface(*zip(*rows), before, shift)

    def _of_bound(self, bound, before):
        values = [v for s in self._usable for point in s.points() for v in point.by_seed(bound.metric).values()]
        if not any(bound.is_within(v) for v in values) or all(bound.violation(v) == 0 for v in values):
            return None
        return self._surface(bound.metric, 1, before, shift=_SHIFT * bound.size)

    # Constraints

    def _violations(self, where, own):
        """Expected values of full runs at these coordinates, one row for each; if a constraint has no surface,
        `own`."""
        count = 2 * len(self._seeds)
        beyond = NormalDist().inv_cdf((count - 0.375) / (count + 0.25))  # the largest of this many: Blom 1958
        found = np.array(own, float)
        for i, (bound, surface) in enumerate(zip(self._file.bounds, self._bounds)):
            if surface is not None:
                ends = [surface.estimate(where, -beyond), surface.estimate(where, beyond)]
                ends += [surface.estimate(where, seed=_effect_in_full(seed)) for seed in self._seeds]
                found[:, i] = [max(map(bound.violation, values)) for values in zip(*ends)]
        return found

    def _in_full(self, setting, expected):
        """By how much full runs of the setting miss the constraints: measured, or estimated before they exist."""
        if setting.full is None:
            return [float(v) for v in expected]
        facts = rate(setting.full, self._file).violations
        if all(seed in setting.full.runs for seed in self._seeds):
            return facts
        return [max(fact, float(v)) for fact, v in zip(facts, expected)]
