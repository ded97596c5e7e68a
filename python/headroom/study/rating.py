"""The quality of a setting: objectives, constraints, and which of several is better."""

import math


class Rating:
    """`losses`: one for each goal, smaller is better; `violations`: one for each constraint, 0 if it holds at every
    seed, as shares of its bound (study_file.Bound)."""

    def __init__(self, losses, violations=()):
        self.losses, self.violations = losses, list(violations)
        self.violation = sum(self.violations)
        # Whether runs measured all objectives and constraints.
        self.measured = all(math.isfinite(number) for number in [*self.losses, *self.violations])
        self.usable = self.measured and self.violation == 0

    def dominates(self, other):
        """At least as good in everything and better in one objective; a usable one dominates one that is not, and of
        two unusable ones the one that misses less dominates."""
        if self.usable != other.usable:
            return self.usable
        if not self.usable:
            return self.violation < other.violation
        return self.losses != other.losses and all(a <= b for a, b in zip(self.losses, other.losses))


def rate(point, study_file):
    """The Rating of a Point. A run that failed, or measured nothing, is worse than any number."""
    if point.failed:
        return Rating([math.inf] * len(study_file.goals), [math.inf] * len(study_file.bounds))
    losses, violations = [], []
    for goal in study_file.goals:
        interval = point.interval(goal.metric)
        losses.append(goal.sign * interval.mean if interval is not None else math.inf)
    for bound in study_file.bounds:
        values = point.by_seed(bound.metric).values()
        # A value that was never measured, as the completion of a workload without messages, keeps no bound.
        violations.append(max((bound.violation(v) for v in values), default=math.inf))
    return Rating(losses, violations)


def layers(ratings):
    """Indices by Pareto layer: those that no setting dominates, then those that none of the rest does, … (Deb et al., A
    Fast and Elitist Multiobjective Genetic Algorithm: NSGA-II, IEEE Trans. Evol. Comput. 6(2), 2002, section III-A)."""
    beats = [[j for j, other in enumerate(ratings) if rating.dominates(other)] for rating in ratings]
    ahead = [0] * len(ratings)
    for beaten in beats:
        for j in beaten:
            ahead[j] += 1
    found, front = [], [i for i, count in enumerate(ahead) if count == 0]
    while front:
        found.append(front)
        for i in front:
            for j in beats[i]:
                ahead[j] -= 1
        front = sorted({j for i in front for j in beats[i] if ahead[j] == 0})
    return found


def ranking(ratings):
    """Indices from best to worst: by layer; within one, the sum over goals of the rank among all, then the order of
    proposal."""
    goals = len(ratings[0].losses) if ratings else 0
    places = [0.0] * len(ratings)
    for goal in range(goals):
        order = sorted(range(len(ratings)), key=lambda i, g=goal: (ratings[i].losses[g], i))
        for place, i in enumerate(order):
            places[i] += place
    return [i for front in layers(ratings) for i in sorted(front, key=lambda i: (places[i], i))]


def rank_agreement(first, second):
    """Kendall's tau-b of two lists of numbers: 1 for the same order, 0 for none, −1 for the reverse; None if one is
    constant."""
    concordant, ties_first, ties_second, pairs = 0, 0, 0, 0
    for i in range(len(first)):
        for j in range(i):
            a, b = first[i] - first[j], second[i] - second[j]
            pairs += 1
            ties_first += a == 0
            ties_second += b == 0
            concordant += (a * b > 0) - (a * b < 0)
    if pairs in (ties_first, ties_second):
        return None
    return concordant / math.sqrt((pairs - ties_first) * (pairs - ties_second))
