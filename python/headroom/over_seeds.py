"""Runs that differ only in their seed: each metric's mean over the seeds, with its interval."""

from headroom.interval import mean_interval


def seeds_words(seeds):
    """ "seeds 1 to 4"."""
    if not seeds:
        return "no seeds"
    if len(seeds) == 1:
        return f"seed {seeds[0]}"
    if len(seeds) == 2:
        return f"seeds {seeds[0]} and {seeds[1]}"
    whole = list(seeds) == list(range(seeds[0], seeds[-1] + 1))
    return f"seeds {seeds[0]} to {seeds[-1]}" if whole else "seeds " + ", ".join(map(str, seeds))


class OverSeeds:
    """An object with `counted()`: {seed: {metric: number}} of the runs that count."""

    def by_seed(self, metric):
        """{seed: value} of the runs that measured it."""
        values = {seed: metrics.get(metric) for seed, metrics in self.counted().items()}
        return {seed: value for seed, value in values.items() if value is not None}

    def interval(self, metric):
        """The interval of its mean over the seeds; None without values."""
        values = self.by_seed(metric)
        return mean_interval(list(values.values())) if values else None

    def censored(self, metric, seeds=None):
        """Whether a run (with one of these seeds) has only a lower bound of it: the percentile is an unfinished
        message's."""
        head, _, last = metric.rpartition(".")
        counted = self.counted().items()
        return any(metrics.get(f"{head}.censored.{last}") for seed, metrics in counted if seeds is None or seed in seeds)


class Point(OverSeeds):
    """One setting of a study: its runs by seed, finished or not."""

    def __init__(self, settings):
        self.settings = settings
        self.runs = {}

    @property
    def failed(self):
        return [run for run in self.runs.values() if run.status != "done"]

    def counted(self):
        return {seed: run.metrics() for seed, run in self.runs.items() if run.status == "done"}

    def of_seeds(self, seeds):
        """The same setting with only these runs."""
        point = Point(self.settings)
        point.runs = {seed: run for seed, run in self.runs.items() if seed in seeds}
        return point


def points_of(runs):
    """[Point] in the order of their first runs."""
    points = {}
    for run in runs:
        points.setdefault(tuple(run.settings.items()), Point(run.settings)).runs[run.seed] = run
    return list(points.values())


def known_metrics(runs):
    """Every metric that any of the runs has, in the order of the summaries."""
    known = {}
    for run in runs:
        known.update(dict.fromkeys(run.metrics()))
    return list(known)
