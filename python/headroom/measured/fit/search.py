"""Least squares over the logarithms of the parameters, by Levenberg and Marquardt."""

import numpy as np

_STEP = 0.08  # of a logarithm: large enough for whole contexts and for digits of a printed time
_MOST_ROUNDS, _MOST_TRIALS = 5, 4
_LONGEST = 0.7  # no parameter changes by more than a factor of 2 at once
_MOST_STARTS, _NEAR = 3, 0.02
_PULL = 1e-3  # keeps parameters without influence where they are


def slopes(model, points, parameters, values, residuals):
    """The change of each residual per change of a logarithm."""
    columns = []
    for index, parameter in enumerate(parameters):
        moved = values.copy()
        moved[index] = values[index] * np.exp(_STEP if values[index] * np.exp(_STEP) <= parameter.most else -_STEP)
        columns.append((model.residuals(points, moved) - residuals) / np.log(moved[index] / values[index]))
    return np.array(columns).T


def _bounded(parameters, values):
    return np.array([min(max(value, p.least), p.most) for value, p in zip(values, parameters)])


def cost(residuals):
    return float(np.sum(residuals**2))


def search(model, points, parameters, start, good):
    """(values, residuals, slopes). Ends when the largest residual is at most `good`, or nothing improves."""
    values, residuals = start, model.residuals(points, start)
    damping, table = 1e-2, None
    for _ in range(_MOST_ROUNDS):
        table = slopes(model, points, parameters, values, residuals)
        improved = False
        for _ in range(_MOST_TRIALS):
            normal = table.T @ table
            scale = np.diag(damping * np.diag(normal) + _PULL)
            step = np.clip(-np.linalg.solve(normal + scale, table.T @ residuals), -_LONGEST, _LONGEST)
            tried = _bounded(parameters, values * np.exp(step))
            found = model.residuals(points, tried)
            if cost(found) < cost(residuals) * (1 - 1e-4):
                gain = 1 - cost(found) / cost(residuals)
                values, residuals, improved, damping = tried, found, True, damping / 5
                break
            damping *= 5
        if not improved or np.max(np.abs(residuals)) <= good or gain < 0.01:
            break
    return values, residuals, table


def search_from(model, points, parameters, candidates, good):
    """The best of searches from the candidates, those with the least squares first: the next one only if the search
    ends far from the tables."""
    ranked = sorted(candidates, key=lambda values: cost(model.residuals(points, values)))
    best = None
    for start in ranked[:_MOST_STARTS]:
        found = search(model, points, parameters, start, good)
        if best is None or cost(found[1]) < cost(best[1]):
            best = found
        if np.max(np.abs(best[1])) <= _NEAR:
            break
    return best
