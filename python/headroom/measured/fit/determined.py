"""Which parameters the tables determine: another value of one, with all others adapted, must be seen in the tables."""

from dataclasses import dataclass

import numpy as np

from headroom.measured.fit.search import cost

_OFF = 0.05  # determined: within 5 %
_SEEN = 0.003  # a change of a row by less than this cannot be told from the measurement's own spread


@dataclass(frozen=True)
class Verdict:
    """`low`, `high`: whether a value 5 % below and above contradicts the tables."""

    low: bool
    high: bool

    @property
    def determined(self):
        return self.low and self.high


def _adapted(table, residuals, index, step):
    """The logarithmic changes of all parameters that fit best if this one changes by `step`."""
    others = [i for i in range(table.shape[1]) if i != index]
    wanted = -(residuals + table[:, index] * step)
    normal = table[:, others].T @ table[:, others] + 1e-6 * np.eye(len(others))
    found = np.zeros(table.shape[1])
    found[others] = np.clip(np.linalg.solve(normal, table[:, others].T @ wanted), -0.5, 0.5)
    found[index] = step
    return found


def _contradicts(model, points, parameters, values, residuals, table, index, step):
    """Whether the tables exclude that change: with the others kept, and with the others adapted."""
    allowed = np.max(np.abs(residuals)) + _SEEN
    limit = np.sqrt(cost(residuals)) + _SEEN
    alone = np.zeros(len(values))
    alone[index] = step
    for change in (alone, _adapted(table, residuals, index, step)):
        tried = np.array([min(max(v * np.exp(c), p.least), p.most) for v, c, p in zip(values, change, parameters)])
        found = model.residuals(points, tried)
        if np.max(np.abs(found)) <= allowed or np.sqrt(cost(found)) <= limit:
            return False
    return True


def verdicts(model, points, parameters, values, residuals, table):
    """[Verdict], one for each parameter."""
    found = []
    for index in range(len(parameters)):
        ways = [
            _contradicts(model, points, parameters, values, residuals, table, index, np.log(1 + sign * _OFF)) for sign in (-1, 1)
        ]
        found.append(Verdict(*ways))
    return found
