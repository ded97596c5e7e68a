"""Whether a scenario accepts a study's parameters: each at both of its bounds, and at each choice, before any run.

Whether a bound is valid may depend on the other parameters: a Kmin of 1 MB is valid with a Kmax of 4 MB, and not with
the scenario's. So a value is wrong if none of these settings with it is valid: it alone; with those to which bounds tie
it, and with all others, low and high.
"""

import re

from headroom import program
from headroom.study.space import Choice, Range


# What the program proposes for a curve of a SONiC file has the tried value, which would change the baseline.
_CURVE = re.compile(r"give all three: --set '([^=]+)=.*'")
_IN_SET = r"give all three in set: {\1: {kmin: …, kmax: …, pmax: …}}, from which the parameters start"


class _Value:
    """A value that a parameter can take: `at` is its coordinate, `place` its position in the file."""

    def __init__(self, parameter, coordinate, place):
        self.parameter, self.coordinate, self.place = parameter, coordinate, place
        self.errors = []  # None if it is valid


def _values(parameter):
    if isinstance(parameter, Choice):
        return [_Value(parameter, v, place) for v, place in zip(parameter.values, parameter.places["choice"].list())]
    return [_Value(parameter, coordinate, parameter.places[key]) for coordinate, key in ((0.0, "min"), (1.0, "max"))]


def _extreme(parameter, high):
    return parameter.values[-1 if high else 0] if isinstance(parameter, Choice) else float(high)


def _bound_to(parameter, space):
    """Names of the parameter, of all parameters that it needs, and of all that need it."""
    found = {parameter.name}
    while True:
        more = set(found)
        for p in space.parameters:
            ends = {end for end in (p.low, p.high) if isinstance(end, str)} if isinstance(p, Range) else set()
            if p.name in found or ends & found:
                more |= ends | {p.name}
        if more == found:
            return found
        found = more


def _with_others(study_file, value, names, high):
    """The value, with these others low or high, and the rest as in the baseline."""
    space = study_file.space
    point = {p.name: value.coordinate if p is value.parameter else _extreme(p, high) for p in space.parameters}
    texts = space.values(point)
    keys = {key: texts[p.name] for p in space.parameters if p.name in names for key in p.keys}
    return {**study_file.fixed, **study_file.baseline, **keys}


def _look(study_file, values, names_of):
    """Adds the errors of the values with the parameters that `names_of` gives for each of them."""
    wanted = [(v, _with_others(study_file, v, names_of(v.parameter), high)) for v in values for high in (False, True)]
    different = list({tuple(settings.items()): settings for _, settings in wanted}.values())
    found = program.check_points(study_file.scenario, different)
    errors = {tuple(s.items()): f.get("error") for s, f in zip(different, found)}
    for value, settings in wanted:
        value.errors.append(errors[tuple(settings.items())])


def _told(value):
    """The errors that concern its own key, without the assignment, which the position replaces."""
    for error in value.errors:
        for key in value.parameter.keys:
            if error.startswith(f"--set {key}="):
                return _CURVE.sub(_IN_SET, error.partition(": ")[2])
    return value.errors[0]


def require_valid(study_file):
    """InputError at the position of the first key or value that the scenario does not accept."""
    space = study_file.space
    values = doubtful = [value for parameter in space.parameters for value in _values(parameter)]
    everything = [parameter.name for parameter in space.parameters]
    for names_of in (lambda p: [p.name], lambda p: _bound_to(p, space), lambda p: everything):
        _look(study_file, doubtful, names_of)
        doubtful = [value for value in doubtful if None not in value.errors]
        if not doubtful:
            return
    for parameter in space.parameters:
        told = {_told(value) for value in doubtful if value.parameter is parameter}
        # If every value is wrong, the key is.
        if len(told) == 1 and all(value in doubtful for value in values if value.parameter is parameter):
            raise parameter.places["key"].error(f"{', '.join(parameter.keys)}: {told.pop()}")
    raise doubtful[0].place.error(f"{doubtful[0].parameter.name}: {_told(doubtful[0])}")
