"""headroom explain SCENARIO: measures which changes reduce a metric.

Every change runs with one seed: those of keys that are known to affect at least LEAST of the time alone, the others in
groups. Groups that matter are halved, as in sequential bifurcation (Bettonvil and Kleijnen, Eur. J. Oper. Res. 96, 1997).
Its assumption, that effects do not cancel, does not hold here. The best changes run again with new seeds, and so do the
best two together. Batches are the same for any number of jobs; the budget ends the search between two of them.
"""

import copy
import math
import re
import time
from dataclasses import dataclass, field
from pathlib import Path

from headroom import program
from headroom.changes import flow, forms
from headroom.errors import InputError
from headroom.explain.counterfactuals import Case, Counterfactual, every
from headroom.explain.keys import COSTS, again_of
from headroom.explain.findings import findings
from headroom.explain.parts import badness
from headroom.judge import change, judge, over_seeds
from headroom.metrics import require
from headroom.over_seeds import known_metrics, points_of
from headroom.quantity import parse_microseconds, quantity_text
from headroom.result import load_results
from headroom.study.cores import Cores, by_ranks, ranks_text, require_ranks
from headroom.study.progress import Progress
from headroom.study.study import Study
from headroom.summary_file import as_object

LEAST = 0.02  # share of the time: changes that are known to affect less run in groups
SEEDS = 5
BUDGET = 60.0  # seconds
_FOR_SCREENING = 0.6  # share of the budget
_GROUP = 8  # changes that run together
_MATTERS = 0.005  # a group that changes the metric by less is not halved
_RUNS = 200  # that a search has about; a scenario whose runs would not fit into the budget is shortened
_LEAST_LENGTH = 0.1  # of its duration
_STEPS = 2  # times that a factor which helps is applied again
_BEST = 5  # changes that run further, and as many as _EVIDENCE of those that an operator cannot make
_EVIDENCE = 2
_CLOSE = 0.75  # share of the best variant's cut
REPAIR = 0.5  # a repair that cuts this share of the best comes first
_BATCH = 8
_MORE_IS_BETTER = {"goodput_gbps", "gbps", "iops", "mops", "finished", "jain", "bytes", "offered"}
_P99 = re.compile(r"messages\.[^.]+\.completion_us\.p99|operations\.[^.]+\.(?!all\.)[^.]+\.latency_us\.p99")


@dataclass
class Trial:
    """A counterfactual and its measurements. `screened`: its effect with the first seed, or that of a group without effect.
    `effect`: with new seeds, if it got so far; `value`: the metric's mean then. `harms`: {metric of others: Effect} of
    those that certainly rose."""

    variant: Counterfactual
    settings: dict
    digest: str = ""
    screened: object = None
    effect: object = None
    value: float = None
    harms: dict = field(default_factory=dict)
    failure: str = ""
    pair: bool = False  # two changes together
    grouped: int = 0  # it was screened in a group of so many changes

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
    for the p99 of the worst workload; `budget`: seconds, or None; `given`: settings that hold for all runs."""

    def __init__(self, study, file, checked, options):
        self.study, self.file, self.checked, self.given = study, file, checked, options.sets
        self.sets = dict(self.given)
        self.cores, self.seeds = Cores(options.jobs, options.ranks), options.seeds or SEEDS
        self._begun, self._budget = time.monotonic(), options.budget if options.budget is not None else BUDGET
        self.first = checked["seed"]
        self.fresh = list(range(self.first + 1, self.first + 1 + self.seeds))
        self.run, self.shortened = as_it_is(file, study.folder / "as-it-is", self.first, self.cores, self.sets), ""
        self._shorten()
        self.metric, self.workload, split = asked(self.run, options.metric, options.workload)
        self.parts = split["parts"]
        self.trials, self.refused, self.not_tried, self.failed, self.stopped = [], {}, [], [], False
        self.runs_by_ranks, self.cores_text = {}, ""
        self.case = case_of(self.run, checked, self.workload, split["waits"])

    def _shorten(self):
        """Ends all runs earlier, by the same rule for each scenario, if they would take more than the budget. One with
        faults keeps its length, since they may be the cause."""
        document, took = self.run.scenario.document, as_object(self.run.summary.get("run")).get("cpu_s") or 0
        share = max(_LEAST_LENGTH, self._budget * self.cores.jobs / _RUNS / took) if took else 1.0
        if share >= 1 or document.get("faults") or "duration" in self.sets:
            return
        begins, ends = (1e6 * parse_microseconds(document[key]) for key in ("warmup", "duration"))
        sets = self.sets | {"duration": quantity_text(begins + share * (ends - begins), "ps")}
        if "digest" in program.digests(self.file, [sets])[0]:
            self.shortened = f"All runs end at {sets['duration']}, not {document['duration']}: a run of {took:.1f} s is longer than {_RUNS} runs in the budget may be. For the whole length: --budget {math.ceil(took * _RUNS / self.cores.jobs / 60)}min"
            self.sets = sets
            self.run = as_it_is(self.file, self.study.folder / "as-it-is-short", self.first, self.cores, sets)

    def plan(self, own):
        """Fills `trials` with all changes, those first that are known to affect most of the time, and `refused`."""
        found = [finding for finding in self.checked["findings"] if finding["remedy"]]
        advised = [dict(setting.split("=", 1) for setting in finding["remedy"]) for finding in found]
        checked = self._check([{}, *(settings for _, settings in own), *advised])
        self._baseline = checked[0]["digest"]
        self._seen = {self._baseline}
        for (words, settings), looked_at in zip(own, checked[1:]):
            if "error" in looked_at:
                raise InputError(looked_at["error"])
            self.trials.append(Trial(Counterfactual(words, words, 1.0, None), settings, looked_at["digest"]))
        for finding, settings, looked_at in zip(found, advised, checked[1 + len(own) :]):
            if looked_at.get("digest", self._baseline) not in self._seen:  # check has proved that it removes the finding
                self._seen.add(looked_at["digest"])
                cost = "setting" if finding["severity"] == "note" else "repair"
                name = re.sub(r"^(switches|nics|hosts)\.[^.]+\.", r"\1.", finding["remedy"][0])  # as ids of the schema's changes
                self.trials.append(Trial(Counterfactual(name, f"as check advises: {finding['change']}", 1.0, [], cost), settings, looked_at["digest"]))
        if (self.run.scenario.document.get("topology") or {}).get("file"):
            self.refused["changes of links"] = "the settings are in a file of another tool"
        self._add(every(self.case, self.parts))

    def _add(self, wanted):
        """Adds a trial for each change that the scenario allows, and that no other trial makes; returns those."""
        added = []
        for one, (settings, found) in zip(wanted, self._shortest([one.edits for one in wanted])):
            if settings is None:
                self.refused[one.words] = found.splitlines()[0]
            elif found not in self._seen and one.words not in {trial.variant.words for trial in self.trials}:
                self._seen.add(found)
                added.append(Trial(one, settings, found))
                self.trials.append(added[-1])
        for trial in added:
            self.refused.pop(trial.variant.words, None)
        return added

    def _check(self, points):
        return program.digests(self.file, [self.sets | point for point in points])

    def _shortest(self, changes):
        """[({key: text}, digest)] of lists of edits, or [(None, reason)]."""
        candidates = [forms(self.case.document, edits) for edits in changes]
        looked_at = iter(self._check([form for texts in candidates for form in texts]))
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
        alone = [[trial] for trial in self.trials if trial.variant.share >= LEAST]
        self._screen_groups(before, alone + _groups([trial for trial in self.trials if trial.variant.share < LEAST]))
        for _ in range(_STEPS):
            better = sorted((trial for trial in self.trials if trial.screened and trial.variant.again), key=lambda trial: trial.screened.change)
            better = [trial.variant for trial in better[:2] if trial.screened.change < -_MATTERS]
            steps = self._add([_again(one) for one in better])
            for one in better:
                one.again = []
            self._screen_groups(before, [[trial] for trial in steps])

    def _screen_groups(self, before, groups):
        """Runs groups of trials together; halves those that matter, the group with the largest cut first."""
        while groups:
            if self._over(_FOR_SCREENING):
                self.not_tried += [trial for group in groups for trial in group]
                return
            batch, groups = groups[:_BATCH], groups[_BATCH:]
            edits = [[edit for trial in group for edit in trial.variant.edits or ()] for group in batch]
            together = [(None, "") if _overlap(one) else found for one, found in zip(edits, self._shortest([[] if _overlap(one) else one for one in edits]))]
            allowed, halves = [], []
            for group, (settings, digest) in zip(batch, together):
                if len(group) == 1:
                    allowed.append((group, group[0].settings, group[0].digest))
                elif settings is None:
                    halves.append((0.0, group))
                else:
                    allowed.append((group, settings, digest))
            points = self._measure([(settings, digest) for _, settings, digest in allowed], [self.first])
            effects = judge([change(before, point, self.metric) for point in points])
            for (group, _, _), point, effect in zip(allowed, points, effects):
                measured = effect and not point.censored(self.metric)  # a lower bound is none
                if len(group) == 1:
                    group[0].screened = effect if measured else None
                    self._note(group[0], point)
                elif measured and abs(effect.change) < _MATTERS:
                    for trial in group:
                        trial.screened, trial.grouped = effect, len(group)
                else:
                    halves.append((effect.change if measured else 1.0, group))
            for effect, group in sorted(halves, key=lambda pair: -pair[0]):
                both = [half for half in (group[: len(group) // 2], group[len(group) // 2 :]) if half]
                groups = both + groups if effect <= 0 else groups + both

    def confirm(self):
        """Runs the best with new seeds, then the best two of them together."""
        self.before = self._measure([({}, self._baseline)], self.fresh)[0]
        chosen = self._chosen()
        self._confirm_all(chosen)
        unsure = [trial for trial in chosen if trial.effect and trial.effect.verdict == "undecided"]
        if unsure and not self._over():  # seeds differ much: as many are added
            self.fresh += range(self.fresh[-1] + 1, self.fresh[-1] + 1 + self.seeds + 2)  # 12 in all: then a change that
                                                                                          # helps with each seed is certain
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
        effect, *harms = judge([change(self.before, point, metric, pairs=True, looked_at=looked_at) for metric in (self.metric, *others)])
        trial.effect = None if point.censored(self.metric) else effect
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
            rows.setdefault(_kind(trial.variant), []).append(trial)
        can = [trials for trials in rows.values() if trials[0].variant.can_be_had]
        first = can[:_BEST]
        for cost in COSTS:  # the best of each cost too, if it is nearly as good
            first += [trials for trials in can if trials[0].variant.cost == cost and trials not in first and trials[0].screened.change <= (REPAIR if cost == "repair" else _CLOSE) * can[0][0].screened.change][:1]
        best = [trials[0] for trials in first] + [second for one, second, *_ in (trials for trials in first if len(trials) > 1) if second.screened.change <= _CLOSE * one.screened.change][:_EVIDENCE]
        return [trial for trial in self.trials if trial.variant.edits is None] + best + [trials[0] for trials in rows.values() if not trials[0].variant.can_be_had][:_EVIDENCE]

    def _pair(self, chosen):
        """The best two that help, that an operator can make, and that change different things."""
        good = sorted((trial for trial in chosen if trial.helps and trial.variant.can_be_had and trial.variant.edits), key=lambda trial: (bool(trial.harms), trial.effect.change))
        for i, second in enumerate(good):
            for first in good[:i]:
                edits = first.variant.edits + second.variant.edits
                if _overlap(edits):
                    continue
                settings, digest = self._shortest([edits])[0]
                if settings is not None:
                    return Trial(Counterfactual(f"{first.variant.id}+{second.variant.id}", f"{first.variant.words}, and {second.variant.words}", 0.0, edits, max(first.variant.cost, second.variant.cost, key=COSTS.index)), settings, digest, pair=True)
        return None

    def _over(self, share=1.0):
        """Whether this share of the budget is used up; notes it in `stopped`, because something is left out then."""
        over = time.monotonic() - self._begun >= share * self._budget
        self.stopped = self.stopped or over
        return over

    def _note(self, trial, point):
        if point.failed:
            self.failed += point.failed
            trial.failure = point.failed[0].message
        elif point.censored(self.metric):
            trial.failure = "the percentile depends on unfinished messages"

    def _measure(self, wanted, seeds):
        """[Point] for [(settings, digest)]. Finished runs do not run again."""
        wanted = [(self.sets | settings, digest) for settings, digest in wanted]
        ids = self.study.store.plan([(settings, seed, digest) for settings, digest in wanted for seed in seeds])
        progress = _Shown(len(ids), *(sum(run.status == status for run in self.study.store.runs(ids)) for status in ("done", "failed")))
        progress.words = {tuple((self.sets | trial.settings).items()): trial.variant.words for trial in self.trials}
        self.study.evaluate(ids, self.cores, progress)
        points = {tuple(point.settings.items()): point for point in points_of(self.study.store.runs(ids))}
        return [points[tuple(settings.items())] for settings, _ in wanted]


def _kind(one):
    """The key, or the row of the table, without the value."""
    return one.id.partition("=" if "=" in one.id else ":")[0]


def _overlap(edits):
    """Whether two of them change the same key, or one changes a key inside another's value."""
    paths = sorted((path for path, _ in edits), key=lambda path: tuple(map(str, path)))
    return any(longer[: len(path)] == path for path, longer in zip(paths, paths[1:]))


def _groups(trials):
    """Groups of at most _GROUP trials of keys that stand together; the first values of the keys, then the second."""
    layers, seen = {}, {}
    for trial in sorted(trials, key=lambda trial: _kind(trial.variant)):
        nth = seen[kind] = seen.get(kind := _kind(trial.variant), -1) + 1
        layers.setdefault(nth, []).append(trial)
    return [layer[i : i + _GROUP] for layer in layers.values() for i in range(0, len(layer), _GROUP)]


def _again(one):
    """The same factor once more."""
    words = re.sub(r"( to |[×/] )[^ ]+$", lambda found: f" to {flow(one.again[0][1])}" if found[1] == " to " else f"{found[0]} twice", one.words)
    return Counterfactual(f"{one.id}²", words, one.share, one.again, one.cost, again_of(one.edits, one.again))


def as_it_is(scenario, folder, seed, cores, sets=None):
    """The run of the scenario that shows the parts of the time."""
    if not (folder / "summary.json").is_file():
        ranks = cores.of_next(scenario, sets or {}, 1, [])
        program.run_scenario(scenario, (sets or {}) | {"vary": "{}", "expect": "[]"}, seed=seed, seeds=1, out=folder, force=True, ranks=ranks)
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
    checked = program.check_file(file, [f"{key}={value}" for key, value in options.sets.items()])
    if options.ranks:
        require_ranks(program.check_points(file, [options.sets], options.ranks)[0])
    several = "-".join(["", *(re.sub("[^A-Za-z0-9.]+", "-", f"{key}={value}").strip("-") for key, value in options.sets.items())])
    folder = Path(options.out or Path("results") / f"{checked['scenario']}-explain{several[:100]}")
    with Study(folder, file, checked) as study:
        study.recover()
        found = Search(study, file, checked, options)
        found.plan(own)
        found.screen()
        found.confirm()
        ran = study.store.runs()
        found.runs_by_ranks, found.cores_text = by_ranks(ran), ranks_text(ran)
    return found
