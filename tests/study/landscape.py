"""A landscape instead of a network, for searches that take a second. With u and v from 0 to 1, p99 falls with u and
pauses rise with it:

    p99    = 100 µs × (3 − 2u) × (1 + v)
    pauses = 4000 µs × u² × the seed's factor, times the share of the duration
"""

import random

from command import StudyTest

try:
    import optuna  # noqa: F401
    from headroom.study.proposals import Proposals
    from headroom.study.search import Search
except ImportError:
    Proposals, Search = object, None
from headroom.over_seeds import Point
from headroom.quantity import parse_quantity
from headroom.study.study_file import StudyFile

STUDY = """\
name: landscape
scenario: none.yaml
parameters:
  u: {key: u, min: 0, max: 1}
  v: {key: v, min: 0, max: 1}
objectives: [{metric: p99}]
constraints: [{metric: pauses, max: 1000}]
budget: 48
seeds: 3
seed: 1
"""
# Both objectives are minimized; pauses rule out nothing.
TWO = STUDY.replace("[{metric: p99}]", "[{metric: p99}, {metric: pauses}]")
TWO = TWO.replace("constraints: [{metric: pauses, max: 1000}]\n", "")
FACTORS = {1: 0.9, 2: 1.0, 3: 1.1, 4: 0.95, 5: 1.15}  # the others have 1


class Run:
    """The columns of a run's row in the table of runs, as far as a search reads them."""

    status, path, folder, message = "done", "run", None, ""

    def __init__(self, seed, metrics, digest):
        self.seed, self._metrics, self.digest = seed, metrics, digest

    def metrics(self):
        return self._metrics


def landscape(u, v, seed, share):
    return {"p99": 100 * (3 - 2 * u) * (1 + v), "pauses": 4000 * u**2 * FACTORS.get(seed, 1.0) * share}


class Laboratory:
    """Measures `network(u, v, seed, share)`; in the baseline `u` and `v` are not set."""

    def __init__(self, network, baseline):
        self._network, self._baseline = network, baseline
        self._runs = {}
        self.cost = 0.0

    def _key(self, settings, share):
        return (*settings.items(), share)

    def cost_of(self, settings_list, share, seeds):
        return share * sum(
            seed not in self._runs.get(self._key(settings, share), {}) for settings in settings_list for seed in seeds
        )

    def measure(self, wanted, share):
        points = []
        for settings, seeds in wanted:
            self.cost += self.cost_of([settings], share, seeds)
            u, v = (parse_quantity(settings[k]).value for k in "uv") if settings else self._baseline
            runs = self._runs.setdefault(self._key(settings, share), {})
            runs.update({seed: Run(seed, self._network(u, v, seed, share), f"{u} {v}") for seed in seeds})
            points.append(Point(settings))
            points[-1].runs.update(runs)
        return points


class Judge:
    """A check that rules out nothing."""

    def learn(self, _settings):
        pass

    def judge(self, _settings):
        pass


class Landscape(StudyTest):
    def file(self, text=STUDY):
        return StudyFile(self.write("study.yaml", text))

    def search(self, study, network=landscape, baseline=(0.9, 0.5)):
        laboratory = Laboratory(network, baseline)
        found = Search(study, laboratory, Judge(), Proposals(study, 1), 1)
        laboratory.measure([({}, found.fresh_seeds[:1])], 1)  # as `tune` does, to learn which metrics there are
        found.run()
        self.assertLessEqual(laboratory.cost, study.budget)
        return found


def u_of(setting):
    return float(setting.values["u"])


def noisy(u, v, seed, share):
    """Every number differs by seed; no setting is certainly the best for all seeds."""
    chance = random.Random(f"{u} {v} {seed} {share}")
    return {"p99": 100 * (3 - 2 * u) * (1 + v) * chance.uniform(0.9, 1.1), "pauses": 4000 * u**2 * share}


class AtRandom(Proposals):
    """Proposals that take no time."""

    def batch(self, most, ratings):
        self._batches += 1
        chance = random.Random(self._batches)
        found = [self.setting({"u": chance.random(), "v": chance.random()}) for _ in range(min(most, 8))]
        return [setting for setting in found if setting is not None]
