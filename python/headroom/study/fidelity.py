"""From settings to results: the necessary runs, full or shortened, and their cost.

The unit of cost is a full run: one setting, one seed, full duration. A run of a quarter of the duration costs a
quarter. A run counts once, whenever it was made. A search that continues after a kill repeats its proposals, and finds
their runs in the database. So it reaches the same place at the same cost.
"""

from headroom import program
from headroom.errors import InputError, Stopped
from headroom.format import counted
from headroom.over_seeds import points_of
from headroom.study.progress import Progress


class Setting:
    """A proposal, and the data on it. `ruled_out`: the reason why it is hopeless, or None."""

    def __init__(self, number, values, settings):
        self.number, self.values, self.settings = number, values, settings
        self.ruled_out = None
        self.seed = None  # seed of its first run
        self.short = None  # the Point of the shortened run
        self.full = None  # the Point of the full runs

    def key(self):
        return tuple(self.settings.items())

    def points(self):
        """The runs so far, the shortened run first."""
        return [point for point in (self.short, self.full) if point is not None]


class Judge:
    """The findings of `check` on settings before a run."""

    def __init__(self, study_file):
        self._file = study_file
        self._known_warnings = set()

    def learn(self, settings):
        """Warnings that the baseline has rule nothing out. InputError if the baseline is not valid."""
        (found,) = program.check_points(self._file.scenario, [settings])
        if "error" in found:
            raise InputError(found["error"])
        self._known_warnings = {finding["what"] for finding in found["findings"]}
        return found

    def judge(self, proposals):
        """Sets `ruled_out` for the hopeless ones; returns the digests."""
        looked_at = program.check_points(self._file.scenario, [p.settings for p in proposals])
        for proposal, found in zip(proposals, looked_at):
            proposal.ruled_out = self._why(found)
        return [found.get("digest") for found in looked_at]

    def _why(self, found):
        if "error" in found:
            return found["error"]
        for finding in found["findings"]:
            if finding["severity"] == "error" and finding["what"] not in self._known_warnings:
                return f"{finding['where']}: {finding['what']}"
        groups = found["pfc_before_ecn_from_groups"]
        if groups is not None and groups <= self._file.pfc_before_ecn:
            return f"PFC fires before ECN marks with {counted(groups, 'congested group')}"
        margin, least = found["least_phase_margin_deg"], self._file.phase_margin
        if margin is not None and least is not None and margin < least:
            return f"the fluid model gives DCQCN a phase margin of {margin:.1f}°, less than {least:g}"
        return None


class _CostProgress(Progress):
    """The share of the budget that is spent or under way."""

    def __init__(self, laboratory, budget):
        super().__init__(0)
        self._laboratory, self._budget = laboratory, budget

    def text(self):
        runs = f"{self._done} runs done, {self._running} running, {self._failed} failed"
        return f"{self._laboratory.cost:.1f} of {self._budget} full runs spent, {runs}"


class Laboratory:
    """Makes runs and counts their cost."""

    def __init__(self, study, study_file, checked, cores):
        self._study, self._file, self._cores = study, study_file, cores
        self._duration_us, self._deadline_us = checked["duration_us"], checked["deadline_us"]
        self._paid = {}
        self.cost = 0.0
        self._progress = _CostProgress(self, study_file.budget)

    def shortened(self, settings, share):
        """The setting with arrivals for `share` of the duration, and as much time after them."""
        if share == 1:
            return settings
        duration = f"{round(self._duration_us * share * 1e6)}ps"
        return {**settings, "duration": duration, "deadline": f"{round(self._deadline_us * 1e6)}ps"}

    def require_short(self, settings):
        """InputError if a first run, with the study's share, ends before something of these settings begins."""
        (found,) = program.check_points(self._file.scenario, [self.shortened(settings, self._file.short)])
        if "error" in found:
            raise InputError(_in_short(found["error"], self._file.short))

    def cost_of(self, settings_list, share, seeds):
        """The cost of runs that have not run yet."""
        new = {(_key(self.shortened(s, share)), seed) for s in settings_list for seed in seeds}
        return share * len(new - self._paid.keys())

    def seconds_of_a_pair(self):
        """Duration of two full runs, with as many at once as there are jobs."""
        times = [run.wall_s for run in self._study.store.runs(list(self._paid.values())) if run.share == 1 and run.wall_s]
        return 2 * sum(times) / len(times) / self._cores.jobs if times else 0.0

    def measure(self, wanted, share):
        """[Point], one for each (settings, seeds): with at least these seeds, in runs with this share of the
        duration."""
        wanted = [(self.shortened(settings, share), seeds) for settings, seeds in wanted]
        looked_at = program.check_points(self._file.scenario, [settings for settings, _ in wanted])
        plan = []
        for (settings, seeds), found in zip(wanted, looked_at):
            if "error" in found:
                raise InputError(_in_short(found["error"], share) if share < 1 else found["error"])
            plan += [(settings, seed, found["digest"]) for seed in seeds]
        ids = self._study.store.plan(plan, share)
        for (settings, seed, _), run_id in zip(plan, ids):
            key = (_key(settings), seed)
            if key not in self._paid:
                self._paid[key] = run_id
                self.cost += share
        self._study.evaluate(ids, self._cores, self._progress)
        of_wanted = {_key(settings) for settings, _ in wanted}
        runs = self._study.store.runs([run_id for (key, _), run_id in self._paid.items() if key in of_wanted])
        if any(run.status == "killed" for run in runs):
            raise Stopped("another program killed a run; finished runs are kept: start the same command again")
        found = {_key(point.settings): point for point in points_of(runs)}
        return [found[_key(settings)] for settings, _ in wanted]


def _in_short(error, share):
    fix = "raise short: in the study file, or set short: 100%"
    return f"{error}, in a run of {100 * share:.3g} % of the duration: {fix}"


def _key(settings):
    return tuple(settings.items())
