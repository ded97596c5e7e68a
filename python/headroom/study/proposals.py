"""The next settings to examine: Optuna proposes them from the results of the earlier ones.

Proposals come in batches of a fixed size. Each comes from a new search that gets all results, with a seed made of the
study's and the batch's number. So they depend neither on the number of jobs nor on the order in which runs ended, and a
search that starts again, with the same results, makes the same proposals.
"""

import errno
import warnings

import optuna
import sqlalchemy.exc

from headroom.study.fidelity import Setting
from headroom.study.rating import Rating
from headroom.study.space import Choice

# Number of random proposals before results guide them.
_STARTUP = 16
# The place where Optuna's samplers find a trial's constraints, because constraints_func is not called for trials that
# are added.
_VIOLATIONS = "constraints"


class Proposals:
    def __init__(self, study_file, seed):
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self._file, self._seed = study_file, seed
        self._batches = 0
        self.known = {}  # by their settings, in the order of proposal
        self._distributions = {
            p.name: optuna.distributions.CategoricalDistribution(p.values)
            if isinstance(p, Choice)
            else optuna.distributions.FloatDistribution(0.0, 1.0)
            for p in study_file.space.parameters
        }

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
            constraints_func=(lambda trial: trial.system_attrs[_VIOLATIONS]) if self._file.bounds else None,
        )

    def _told(self, storage, name, ratings):
        """A search of Optuna's that has these ratings, by setting; None: cannot be used."""
        search = optuna.create_study(
            storage=storage, study_name=name, sampler=self._sampler(), directions=["minimize"] * len(self._file.goals)
        )
        known = [found for found in ratings.values() if found is not None]
        # Settings that cannot be used are worse than all others, and miss each constraint by more.
        worst = [max((found.losses[i] for found in known), default=0.0) for i in range(len(self._file.goals))]
        most = max((found.violation for found in known), default=0.0)
        none = Rating([w + abs(w) + 1 for w in worst], [most + 1] * len(self._file.bounds))
        for setting, found in ratings.items():
            told = found or none
            search.add_trial(
                optuna.trial.create_trial(
                    params=setting.coordinates,
                    distributions=self._distributions,
                    values=told.losses,
                    user_attrs={**setting.values, "usable": found is not None and found.usable},
                    system_attrs={_VIOLATIONS: told.violations} if self._file.bounds else {},
                )
            )
        return search

    def batch(self, most, ratings):
        """Up to `most` new settings. `ratings`: {setting: Rating or None} of all that were proposed before."""
        search = self._told(None, None, ratings)
        self._batches += 1
        fresh = []
        for _ in range(most):
            setting = self.setting(search.ask(self._distributions).params)
            if setting is not None:
                fresh.append(setting)
        return fresh

    def setting(self, coordinates):
        """The setting at a point of the space, or None if an equal one is known."""
        values = self._file.space.values(coordinates)
        setting = Setting(len(self.known), values, {**self._file.fixed, **self._file.space.settings(values)})
        setting.coordinates = coordinates
        if setting.key() in self.known:
            return None
        self.known[setting.key()] = setting
        return setting

    def write(self, path, ratings):
        """The entire search, for Optuna's own tools. OSError if it cannot be written."""
        try:
            self._told(f"sqlite:///{path.resolve()}", self._file.name, ratings)
        except (optuna.exceptions.OptunaError, sqlalchemy.exc.SQLAlchemyError) as error:
            said = str(error).splitlines()[0]
            raise OSError(errno.ENOSPC if "disk is full" in said else errno.EIO, said) from error
