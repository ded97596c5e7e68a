"""An estimate for one setting from runs of many: a Gaussian process over the parameters.

A run's value depends on its setting, on its seed, which makes everything slower or faster, and on chance. Neighbouring
settings share the effect of the setting, and runs with one seed share the effect of the seed. A fit over all runs
separates the effects, so a lucky setting does not count as a good one. Shortened runs have the same surface as full
runs except for a smooth difference and a constant.

    y = f(x) + seed + [full] (c + d(x)) + chance

f and d have squared-exponential covariances with one length for each parameter. Lengths and variances are those of
maximum likelihood, with a log-normal prior for usual values, because a dozen runs do not determine them. Source: Rasmussen
and Williams, Gaussian Processes for Machine Learning, MIT Press 2006, chapters 2 and 5. The two lengths of run follow
Kennedy and O'Hagan, Predicting the output from a complex computer code when fast approximations are available,
Biometrika 87, 2000.
"""

import numpy as np

# Variance of the constant between short and full runs: wide, in units of the standard deviation of all runs.
_CONSTANT_VARIANCE = 4.0
_BOUNDS = {"length": (0.15, 4.0), "f": (0.05, 20.0), "seed": (1e-3, 5.0), "d": (1e-3, 2.0), "chance": (1e-3, 2.0)}
_USUAL = {"length": 1.0, "f": 1.0, "seed": 0.2, "d": 0.1, "chance": 0.1}
_SPREAD = {"length": 0.8, "f": 1.5, "seed": 1.5, "d": 1.5, "chance": 1.5}  # standard deviation of the logarithm
_STEPS = (1 / 3, 1 / 1.6, 1.6, 3)
_MANY = 40  # number of runs


class Surface:
    """The surface of one objective. `where`: coordinates, one row for each run; `seeds`; `full`: whether it ran in
    full; `values`. `before`: the surface of fewer runs, or None. A fit solves the system some hundred times, each with
    the cube of the number of runs; so with many runs the lengths and variances of `before` are kept until there are a
    quarter more. `shift`: values that are small compared with it need not be distinguished."""

    def __init__(self, where, seeds, full, values, before=None, shift=0.0):
        self._x = np.asarray(where, float)
        self._seeds, self._full = np.asarray(seeds), np.asarray(full, float)
        values = np.asarray(values, float)
        # Times and counts vary by factors: their logarithm is smoother.
        self._log = bool((values + shift > 0).all())
        self._shift = shift if self._log else 0.0
        y = np.log(values + self._shift) if self._log else values
        self._mean, self._scale = y.mean(), y.std() or 1.0
        self._y = (y - self._mean) / self._scale
        self._same_seed = (self._seeds[:, None] == self._seeds[None, :]).astype(float)
        self._both_full = self._full[:, None] * self._full[None, :]
        self._squares = (self._x[:, None, :] - self._x[None, :, :]) ** 2
        names = ["length"] * self._x.shape[1] + ["f", "seed", "d", "chance"]
        self._bounds = [_BOUNDS[name] for name in names]
        self._usual = np.array([_USUAL[name] for name in names])
        self._spread = np.array([_SPREAD[name] for name in names])
        if before is not None and len(self._y) > _MANY and len(self._y) < 1.25 * before.fitted_to:
            self._parameters, self.fitted_to = before._parameters, before.fitted_to
            _, self._weights = self._solve(self._parameters)
        else:
            self.fitted_to = len(self._y)
            self._fit(self._usual)

    def _covariance(self, parameters, squares, both_full):
        lengths, (f, _, d, _) = parameters[:-4], parameters[-4:]
        near = np.exp(-0.5 * squares @ (1 / lengths**2))
        return f * near + both_full * (_CONSTANT_VARIANCE + d * near)

    def _solve(self, parameters):
        """(log of likelihood and prior up to a constant, K⁻¹ y)"""
        _, seed, _, chance = parameters[-4:]
        k = self._covariance(parameters, self._squares, self._both_full)
        k += seed * self._same_seed + chance * np.eye(len(self._y))
        lower = np.linalg.cholesky(k)
        weights = np.linalg.solve(lower.T, np.linalg.solve(lower, self._y))
        prior = -0.5 * ((np.log(parameters / self._usual) / self._spread) ** 2).sum()
        return prior - 0.5 * self._y @ weights - np.log(np.diag(lower)).sum(), weights

    def _fit(self, parameters):
        """Climbs by one parameter at a time, in steps of a factor."""
        best, self._weights = self._solve(parameters)
        for _ in range(4):
            before = best
            for i, (low, high) in enumerate(self._bounds):
                for step in _STEPS:
                    trial = parameters.copy()
                    trial[i] = min(high, max(low, trial[i] * step))
                    likelihood, weights = self._solve(trial)
                    if likelihood > best:
                        best, self._weights, parameters = likelihood, weights, trial
            if best - before < 0.05:
                break
        self._parameters = parameters

    def doubt(self, where):
        """The standard deviation of f at these coordinates, from all runs, in units of the values' standard
        deviation."""
        f, of_seeds, d, chance = self._parameters[-4:]
        k = self._covariance(self._parameters, self._squares, self._both_full)
        k += of_seeds * self._same_seed + chance * np.eye(len(self._y))
        x = np.asarray(where, float)
        # Without short runs the constant of full ones cannot be separated from f, and need not be.
        all_full = float(self._full.all())
        squares = (x[:, None, :] - self._x[None, :, :]) ** 2
        near = self._covariance(self._parameters, squares, np.full(squares.shape[:2], all_full))
        known = (np.linalg.solve(np.linalg.cholesky(k), near.T) ** 2).sum(axis=0)
        return np.sqrt(np.maximum(f + all_full * (_CONSTANT_VARIANCE + d) - known, 0))

    def hoped(self, where):
        """The optimistic values at these coordinates: the expected values less one standard deviation of f. Where no
        run is near, the hope is large."""
        expected = self.estimate(where)
        y = np.log(expected + self._shift) if self._log else expected
        y = y - self._scale * self.doubt(where)
        return np.exp(y) - self._shift if self._log else y

    def estimate(self, where, beyond=0, seed=None):
        """Expected values of full runs at these coordinates, with a seed or for none in particular; `beyond`: plus this
        many standard deviations of the effects of seeds and chance."""
        x = np.asarray(where, float)
        squares = (x[:, None, :] - self._x[None, :, :]) ** 2
        k = self._covariance(self._parameters, squares, np.broadcast_to(self._full, (len(x), len(self._full))))
        _, of_seeds, _, chance = self._parameters[-4:]
        k += of_seeds * (self._seeds == seed)
        y = self._mean + self._scale * (k @ self._weights + beyond * np.sqrt(of_seeds + chance))
        return np.exp(y) - self._shift if self._log else y
