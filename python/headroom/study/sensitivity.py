"""The effect of each parameter, from all settings that a search examined.

They are dense around good settings, so this describes the neighbourhood of the answer and not the whole space. The
values are those that the surface through all runs expects (surface.py), without the luck of single runs.
"""

import math

from headroom.study.rating import rank_agreement
from headroom.study.space import Choice

_AS_GOOD = 0.02  # share of the best


class Sensitivity:
    """Sensitivity of the first objective to one parameter. `tau`: Kendall's, with the parameter's value; None for a
    choice. `good`: the lowest and the highest value, as texts, among settings within 2 % of the best. If any setting is
    expected to keep the constraints, only such settings count."""

    def __init__(self, name, tau, good, looked_at):
        self.name, self.tau, self.good, self.looked_at = name, tau, good, looked_at


def sensitivities(search, study_file):
    ratings = {s: found for s, found in search.estimates.items() if found is not None}
    losses = {s: found.losses[0] for s, found in ratings.items()}
    if len(losses) < 3:
        return []
    usable = [s for s in losses if ratings[s].usable] or list(losses)
    best = min(losses[s] for s in usable)
    good = [s for s in usable if losses[s] <= best + _AS_GOOD * abs(best)]
    found = []
    for parameter in study_file.space.parameters:
        name = parameter.name
        if isinstance(parameter, Choice):
            values = [v for v in parameter.values if any(s.values[name] == v for s in good)]
            found.append(Sensitivity(name, None, values, len(good)))
            continue
        number = {s: _number(s, parameter, study_file) for s in losses}
        tau = rank_agreement([number[s] for s in losses], list(losses.values()))
        ordered = sorted(good, key=lambda s: number[s])
        span = list(dict.fromkeys([ordered[0].values[name], ordered[-1].values[name]]))
        found.append(Sensitivity(name, tau, span, len(good)))
    return found


def _number(setting, parameter, study_file):
    """The parameter's value as a number, in the smallest unit."""
    earlier = {}
    for other in study_file.space.parameters:
        earlier[other.name] = other.value(setting.coordinates[other.name], earlier)
        if other is parameter:
            return earlier[other.name][1]
    return math.nan
