"""headroom explain SCENARIO: measures which changes reduce a metric.

Every counterfactual that can affect parts with at least LEAST of the time runs with one seed; the best run again with
new seeds, and so do the best two together. Batches are the same for any number of jobs; a budget ends the search
between two of them.
"""

import copy
import re
import time
from dataclasses import dataclass, field
from pathlib import Path

from headroom import program
from headroom.changes import forms
from headroom.errors import InputError
from headroom.explain.counterfactuals import Case, Counterfactual, every
from headroom.explain.findings import findings
from headroom.explain.parts import badness
from headroom.judge import change, judge, over_seeds
from headroom.metrics import require
from headroom.over_seeds import known_metrics, points_of
from headroom.result import load_results
from headroom.study.cores import Cores, by_ranks, ranks_text, require_ranks
from headroom.study.progress import Progress
from headroom.study.study import Study

LEAST = 0.02  # share of the time: changes that can affect less are not tried
SEEDS = 5
_BEST = 5  # changes that run further, and as many as _EVIDENCE of those that an operator cannot make
_EVIDENCE = 2
_CLOSE = 0.75  # share of the best variant's cut
_BATCH = 8
_MORE_IS_BETTER = {"goodput_gbps", "gbps", "iops", "mops", "finished", "jain", "bytes", "offered"}
_P99 = re.compile(r"messages\.[^.]+\.completion_us\.p99|operations\.[^.]+\.(?!all\.)[^.]+\.latency_us\.p99")


@dataclass
class Trial:
    """A counterfactual and its measurements. `screened`: its effect with the first seed; `effect`: with new seeds, if
    it got so far; `value`: the metric's mean then; `harms`: {metric of others: Effect} of those that certainly rose."""

    variant: Counterfactual
    settings: dict
    digest: str = ""
    screened: object = None
    effect: object = None
    value: float = None
    harms: dict = field(default_factory=dict)
    failure: str = ""
    pair: bool = False  # two changes together

    @property
    def helps(self):
        return self.effect is not None and self.effect.verdict == "lower"


class _Shown(Progress):
    """Prints the change being tried."""

    words = {}
    trying = "as it is"

    def started(self, run):
        super().started(run)
        self.trying = self.words.get(tuple(run.settings.items()), "as it is")

    def text(self):
        return f"{self.trying}: {super().text()}"


class Search:
    """A search for a scenario file. `own`: [(words, {key: value})] to try in addition to the table's; `metric`: None
    for the p99 of the worst workload; `budget`: seconds, or None."""

    def __init__(self, study, file, checked, options):
        self.study, self.file, self.checked = study, file, checked
        self.cores, self.seeds = Cores(options.jobs, options.ranks), options.seeds or SEEDS
        self._stop_at = time.monotonic() + options.budget if options.budget is not None else None
        self.first = checked["seed"]
        self.fresh = list(range(self.first + 1, self.first + 1 + self.seeds))
        self.run = as_it_is(file, study.folder / "as-it-is", self.first, self.cores)
        self.metric, self.workload, split = asked(self.run, options.metric, options.workload)
        self.parts = split["parts"]
        self.trials, self.refused, self.not_tried, self.failed, self.stopped = [], {}, [], [], False
        self.runs_by_ranks, self.cores_text = {}, ""
        self.case = case_of(self.run, checked, self.workload, split["waits"])

    def plan(self, own):
        """Fills `trials` with changes that can affect the time, the largest share first, and `refused`."""
        wanted = [(sum(share for part, share in self.parts.items() if part in one.parts), one) for one in every(self.case)]
        wanted = [one for share, one in sorted(wanted, key=lambda pair: -pair[0]) if share >= LEAST or not self.parts]
        own_points = [settings for _, settings in own]
        checked = program.check_points(self.file, [{}, *own_points])
        self._baseline = checked[0]["digest"]
        for (words, settings), found in zip(own, checked[1:]):
            if "error" in found:
                raise InputError(found["error"])
            self.trials.append(Trial(Counterfactual(words, words, (), None), settings, found["digest"]))
        seen = {self._baseline}
        if (self.run.scenario.document.get("topology") or {}).get("file"):
            self.refused["changes of links"] = "the settings are in a file of another tool"
        for one, (settings, found) in zip(wanted, self._shortest([one.edits for one in wanted])):
            if settings is None:
                self.refused[one.words] = found.splitlines()[0]
            elif found not in seen:
                seen.add(found)
                self.trials.append(Trial(one, settings, found))
        for trial in self.trials:
            self.refused.pop(trial.variant.words, None)

    def _shortest(self, changes):
        """[({key: text}, digest)] of lists of edits, or [(None, reason)]."""
        candidates = [forms(self.case.document, edits) for edits in changes]
        looked_at = iter(program.check_points(self.file, [form for texts in candidates for form in texts]))
        out = []
        for texts in candidates:
            found = [(form, next(looked_at)) for form in texts]
            last = found[-1][1]
            same = [(form, checked["digest"]) for form, checked in found if "digest" in checked and checked["digest"] == last.get("digest", checked["digest"])]
            said = last.get("error", "")
            for key, value in found[-1][0].items():  # the settings are known
                said = said.removeprefix(f"--set {key}={value}: ")
            out.append(same[0] if same else (None, said))
        return out

    def screen(self):
        """Runs all with the first seed."""
        before = self._measure([({}, self._baseline)], [self.first])[0]
        require(self.metric, known_metrics(list(before.runs.values())))
        if not before.by_seed(self.metric):
            raise InputError(f"{self.metric}: the scenario itself was not measured")
        for start in range(0, len(self.trials), _BATCH):
            batch = self.trials[start : start + _BATCH]
            if self._over():
                self.not_tried += batch
                continue
            points = self._measure([(trial.settings, trial.digest) for trial in batch], [self.first])
            effects = judge([change(before, point, self.metric) for point in points])
            for trial, point, effect in zip(batch, points, effects):
                trial.screened = effect if self._is_measured(point) else None
                self._note(trial, point)

    def confirm(self):
        """Runs the best with new seeds, then the best two of them together."""
        self.before = self._measure([({}, self._baseline)], self.fresh)[0]
        chosen = self._chosen()
        self._confirm_all(chosen)
        unsure = [trial for trial in chosen if trial.effect and trial.effect.verdict == "undecided"]
        if unsure and not self._over():  # seeds differ much: as many are added
            self.fresh += [seed + self.seeds for seed in self.fresh]
            self.before = self._measure([({}, self._baseline)], self.fresh)[0]
            self._confirm_all(chosen)
        pair = self._pair(chosen)
        if pair and not self._over():
            self._confirm(pair, len(chosen))
            self.trials.append(pair)
        self.trials.sort(key=lambda trial: trial.effect.change if trial.effect else 0.0)

    def _confirm_all(self, chosen):
        for trial in chosen:
            if self._over():
                break
            self._confirm(trial, len(chosen))

    def _confirm(self, trial, chosen):
        point = self._measure([(trial.settings, trial.digest)], self.fresh)[0]
        others = [metric for metric in known_metrics(list(self.before.runs.values())) if metric != self.metric and _P99.fullmatch(metric)]
        looked_at = 2 * (chosen + 1)  # with the pair; each is examined again if seeds are added for its result
        effect, *harms = judge([change(self.before, point, metric, looked_at=looked_at) for metric in (self.metric, *others)])
        trial.effect = effect if self._is_measured(point) else None
        ((found, _),) = over_seeds([(point, self.metric)])
        trial.value = found and found.mean
        self._note(trial, point)
        trial.harms = {metric: harm for metric, harm in zip(others, harms) if harm and harm.verdict == "higher"}

    def _chosen(self):
        """The best variant of each row of the table, and the next one if it is nearly as good; the caller's own
        always."""
        better = sorted((trial for trial in self.trials if trial.screened and trial.screened.change < 0 and trial.variant.edits is not None), key=lambda trial: trial.screened.change)
        rows = {}
        for trial in better:
            rows.setdefault(trial.variant.id.partition(":")[0], []).append(trial)
        can = [trials for trials in rows.values() if trials[0].variant.can_be_had][:_BEST]
        best = [trials[0] for trials in can] + [second for first, second, *_ in (trials for trials in can if len(trials) > 1) if second.screened.change <= _CLOSE * first.screened.change]
        return [trial for trial in self.trials if trial.variant.edits is None] + best + [trials[0] for trials in rows.values() if not trials[0].variant.can_be_had][:_EVIDENCE]

    def _pair(self, chosen):
        """The best two that help, that an operator can make, and that change different things."""
        good = sorted((trial for trial in chosen if trial.helps and trial.variant.can_be_had and trial.variant.edits), key=lambda trial: (bool(trial.harms), trial.effect.change))
        for i, second in enumerate(good):
            for first in good[:i]:
                edits = first.variant.edits + second.variant.edits
                if any(a[: len(b)] == b[: len(a)] for a, _ in first.variant.edits for b, _ in second.variant.edits):
                    continue
                settings, digest = self._shortest([edits])[0]
                if settings is not None:
                    return Trial(Counterfactual(f"{first.variant.id}+{second.variant.id}", f"{first.variant.words}, and {second.variant.words}", (), edits, cost=max(first.variant.cost, second.variant.cost)), settings, digest, pair=True)
        return None

    def _over(self):
        """Whether the budget is used up; notes it in `stopped`, because something is left out then."""
        self.stopped = self.stopped or self._stop_at is not None and time.monotonic() >= self._stop_at
        return self.stopped

    def _is_measured(self, point):
        """False for a lower bound: some messages of the percentile have not ended."""
        return not point.censored(self.metric)

    def _note(self, trial, point):
        if point.failed:
            self.failed += point.failed
            trial.failure = point.failed[0].message
        elif point.censored(self.metric):
            trial.failure = "the percentile depends on unfinished messages"

    def _measure(self, wanted, seeds):
        """[Point] for [(settings, digest)]. Finished runs do not run again."""
        ids = self.study.store.plan([(settings, seed, digest) for settings, digest in wanted for seed in seeds])
        progress = _Shown(len(ids), *(sum(run.status == status for run in self.study.store.runs(ids)) for status in ("done", "failed")))
        progress.words = {tuple(trial.settings.items()): trial.variant.words for trial in self.trials}
        self.study.evaluate(ids, self.cores, progress)
        points = {tuple(point.settings.items()): point for point in points_of(self.study.store.runs(ids))}
        return [points[tuple(settings.items())] for settings, _ in wanted]


def as_it_is(scenario, folder, seed, cores):
    """The run of the scenario that shows the parts of the time."""
    if not (folder / "summary.json").is_file():
        ranks = cores.of_next(scenario, {}, 1, [])
        program.run_scenario(scenario, {"vary": "{}", "expect": "[]"}, seed=seed, seeds=1, out=folder, force=True, ranks=ranks)
    return load_results([str(folder)])[0].runs[0]


def asked(run, metric, workload):
    """(metric, workload, {parts: {part: share}, waits: {node:port: µs}}) of the subject: by its metric, else the p99 of
    the workload, or of the worst of all, in the order of `explain RESULT`."""
    subjects, found = findings(run), []
    for subject in sorted(subjects["workloads"] + subjects["operations"], key=badness, reverse=True):
        kind = subject.get("kind")
        own = f"operations.{subject['workload']}.{kind}.latency_us.p99" if kind else f"messages.{subject['workload']}.completion_us.p99"
        found.append((own, subject["workload"], run.summary["operations"][subject["workload"]][kind] if kind else run.summary["messages"][subject["workload"]], kind))
    where = run.path / "summary.json"
    if not found:
        raise InputError(f"{where}: no message or operation was counted, so there is nothing to shorten; change warmup, duration or the workloads")
    if metric and _MORE_IS_BETTER & set(metric.split(".")):
        raise InputError(f"--metric {metric}: larger values of this metric are better, but the search lowers a metric; give a time")
    about = metric and re.match(r"(messages\.[^.]+|operations\.[^.]+\.[^.]+)\.", metric)
    if workload is not None and workload not in {name for _, name, _, _ in found}:
        raise InputError(f"--workload {workload}: no message or operation of it was counted; there are {', '.join(dict.fromkeys(row[1] for row in found))}")
    if about and workload is not None and about[1].split(".")[1] != workload:
        raise InputError(f"--metric {metric}: does not belong to the workload {workload}; give one of the two")
    chosen = [row for row in found if workload in (None, row[1]) and (not about or row[0].startswith(about[0]))] or found
    own, name, counts, kind = chosen[0]
    metric = metric or own
    split, places = (counts.get("parts_at_us" if kind else "parts_us") or {}), (counts.get("waits_at_us" if kind else "waits_us") or {})
    percentile = metric.rpartition(".")[2] if metric.rpartition(".")[2] in split else "p99"
    us = {part: us for part, us in (split.get(percentile) or {}).items() if isinstance(us, (int, float)) and us > 0}
    waited = {}
    for place, waits in (places.get(percentile) or {}).items():
        port = place.rpartition(":")[0]
        waited[port] = waited.get(port, 0.0) + sum(time for time in waits.values() if isinstance(time, (int, float)))
    return metric, name, {"parts": {part: time / sum(us.values()) for part, time in us.items()}, "waits": {place: us for place, us in waited.items() if us > 0}}


def case_of(run, checked, workload, waits):
    sizes = {name: switch["size_bytes"] for name, switch in (run.summary.get("buffer") or {}).items() if switch.get("size_bytes")}
    ports = run.table("ports")
    nodes = dict.fromkeys(ports["node"]) if ports is not None else ()
    if not run.scenario.document.get("workloads"):
        raise InputError(f"{run.path / 'resolved.yaml'}: {run.scenario.trouble or 'no workloads'}, so nothing can be changed")
    document = copy.deepcopy(run.scenario.document)
    for entry in document.get("switches") or ():  # files in the folder of resolved.yaml are not in that of the scenario
        buffer = entry.get("buffer")
        if isinstance(buffer, dict) and "sonic" in buffer:
            buffer |= {key: str((run.path / buffer[key]).resolve()) for key in ("sonic", "lookup") if isinstance(buffer.get(key), str)}
    return Case(document, checked, workload, waits, [node for node in nodes if node not in sizes], sizes, run.links)


def search(options, own):
    """Makes the Search of the command line."""
    file = options.inputs[0]
    checked = program.check_file(file)
    if options.ranks:
        require_ranks(program.check_points(file, [{}], options.ranks)[0])
    folder = Path(options.out or Path("results") / f"{checked['scenario']}-explain")
    with Study(folder, file, checked) as study:
        study.recover()
        found = Search(study, file, checked, options)
        found.plan(own)
        found.screen()
        found.confirm()
        ran = study.store.runs()
        found.runs_by_ranks, found.cores_text = by_ranks(ran), ranks_text(ran)
    return found
