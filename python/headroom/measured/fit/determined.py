"""Which parameters the tables determine: another value of one, with all others adapted, must be seen in the tables."""

from dataclasses import dataclass

import numpy as np

from headroom.measured.fit.search import cost
from headroom.measured.fit.start import READ_STATIONS, WRITE_STATIONS

_OFF = 0.05  # determined: within 5 %
_SEEN = 0.003  # a change of a row by less than this cannot be told from the measurement's own spread


@dataclass(frozen=True)
class Verdict:
    """`determined`: a value 5 % below or above contradicts the tables. `partners`: keys of stations that may have its
    value, while it has theirs."""

    determined: bool
    partners: tuple = ()


def _adapted(table, residuals, index, step):
    """The logarithmic changes of all parameters that fit best if this one changes by `step`."""
    others = [i for i in range(table.shape[1]) if i != index]
    wanted = -(residuals + table[:, index] * step)
    normal = table[:, others].T @ table[:, others] + 1e-6 * np.eye(len(others))
    found = np.zeros(table.shape[1])
    found[others] = np.clip(np.linalg.solve(normal, table[:, others].T @ wanted), -0.5, 0.5)
    found[index] = step
    return found


class _Judge:
    """Whether the tables exclude other values than the best."""

    def __init__(self, model, points, parameters, values, residuals, table):
        self._model, self._points, self._parameters = model, points, parameters
        self._values, self._residuals, self._table = values, residuals, table
        self._largest = np.max(np.abs(residuals)) + _SEEN
        self._root = np.sqrt(cost(residuals)) + _SEEN

    def _fit(self, residuals):
        return np.max(np.abs(residuals)) <= self._largest or np.sqrt(cost(residuals)) <= self._root

    def _fits(self, values):
        bounded = np.array([min(max(v, p.least), p.most) for v, p in zip(values, self._parameters)])
        return self._fit(self._model.residuals(self._points, bounded))

    def excludes(self, index, step):
        """Whether the tables exclude that change, with the others adapted: first by the slopes, then by runs."""
        adapted = _adapted(self._table, self._residuals, index, step)
        if self._fit(self._residuals + self._table @ adapted):
            return False
        alone = np.zeros(len(adapted))
        alone[index] = step
        return not any(self._fits(self._values * np.exp(change)) for change in (alone, adapted))

    def without(self, indices):
        """The values with NaN for those of these indices that the base set may have: the tables then fit as well."""
        values = self._values.copy()
        for index in indices:
            kept, values[index] = values[index], np.nan
            if not self._fit(self._model.residuals(self._points, values)):
                values[index] = kept
        return values

    def swaps(self, group):
        """{index: keys} of stations of which only the slowest can be seen, and another may be it."""
        some = [i for i, parameter in enumerate(self._parameters) if parameter.key in group]
        slowest = max(some, key=lambda i: self._values[i], default=None)
        found = {}
        for other in some:
            swapped = self._values.copy()
            swapped[[slowest, other]] = swapped[[other, slowest]]
            if other != slowest and self._fits(swapped):
                found.setdefault(slowest, []).append(self._parameters[other].key)
                found[other] = [self._parameters[slowest].key]
        return found


def verdicts(model, points, parameters, values, residuals, table):
    """([Verdict], one for each parameter; the values of the block, with NaN for those left to the base set)."""
    judge = _Judge(model, points, parameters, values, residuals, table)
    partners = judge.swaps(WRITE_STATIONS) | judge.swaps(READ_STATIONS)
    found = []
    for index in range(len(parameters)):
        swapped = tuple(partners.get(index, ()))
        found.append(Verdict(not swapped and all(judge.excludes(index, np.log(1 + sign * _OFF)) for sign in (-1, 1)), swapped))
    return found, judge.without([index for index, verdict in enumerate(found) if not verdict.determined])
