"""Which settings to look at next: Optuna proposes them, and keeps what came of them beside the study.

Proposals come in batches of a fixed size, each from a sampler whose seed is that of the study and the batch's number, and
hear of the results in the order of proposal. So they depend neither on the number of jobs nor on which run ended first,
and a search that starts anew, with the same results, makes the same proposals.
"""

import warnings

import optuna

from .fidelity import Setting
from .space import Choice

BATCH = 8
# Proposals at random before any are drawn by what came of those.
_STARTUP = 16


def _constraints(trial):
    return (trial.user_attrs["violation"],)


class Proposals:
    def __init__(self, study_file, seed, path):
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self._file, self._seed = study_file, seed
        path.unlink(missing_ok=True)  # all of it is made again, from the table of runs
        self._storage = f"sqlite:///{path.resolve()}"
        self._batches = 0
        self.begin("short")

    def begin(self, name):
        """A search that has heard of nothing yet; those before stay in the file."""
        self._optuna = optuna.create_study(
            storage=self._storage,
            study_name=f"{self._file.name}-{name}",
            directions=["minimize"] * len(self._file.goals),
        )
        self._trials, self._known = {}, {}

    def _sampler(self):
        # No two studies and batches share a seed, for any sensible number of batches.
        seed = (self._seed * 100_003 + self._batches) % 2**32
        if self._file.search == "random":
            return optuna.samplers.RandomSampler(seed=seed)
        return optuna.samplers.TPESampler(
            seed=seed,
            n_startup_trials=_STARTUP,
            multivariate=True,
            constant_liar=True,
            constraints_func=_constraints if self._file.bounds else None,
        )

    def batch(self, most):
        """Up to `most` settings: ([Setting], [which of them were not proposed before])."""
        self._optuna.sampler = self._sampler()
        self._batches += 1
        settings, fresh = [], []
        for _ in range(min(most, BATCH)):
            trial = self._optuna.ask()
            coordinates = {
                p.name: trial.suggest_categorical(p.name, p.values)
                if isinstance(p, Choice)
                else trial.suggest_float(p.name, 0.0, 1.0)
                for p in self._file.space.parameters
            }
            values = self._file.space.values(coordinates)
            setting = Setting(
                trial.number, values, {**self._file.fixed, **self._file.space.settings(values)}
            )
            setting.coordinates = coordinates
            for name, value in values.items():
                trial.set_user_attr(name, value)
            self._trials[trial.number] = trial
            if setting.key() not in self._known:
                self._known[setting.key()] = setting
                fresh.append(setting)
            settings.append(setting)
        return settings, fresh

    def first_of(self, setting):
        """The equal setting that was proposed first."""
        return self._known[setting.key()]

    def tell(self, setting, rating):
        trial = self._trials[setting.number]
        trial.set_user_attr("violation", min(rating.violation, 1e300))
        if rating.usable:
            self._optuna.tell(trial, rating.losses)
        else:
            # Optuna takes no infinity: what cannot be used is worse than all that could.
            worst = [1e300] * len(self._file.goals)
            self._optuna.tell(trial, [loss if abs(loss) < 1e300 else w for loss, w in zip(rating.losses, worst)])
