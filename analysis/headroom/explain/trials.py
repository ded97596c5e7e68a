"""headroom explain SCENARIO --try: runs what might help with the same seeds, and says what did."""

import json
import math
import os
import re
from dataclasses import dataclass
from pathlib import Path

from headroom import program
from headroom.errors import InputError
from headroom.explain.counterfactuals import Counterfactual, fitting
from headroom.explain.findings import LEAST, findings
from headroom.format import counted, format_percent
from headroom.interval import paired_difference
from headroom.metrics import require
from headroom.over_seeds import known_metrics, points_of
from headroom.result import load_results
from headroom.say import say
from headroom.study.study import Study
from headroom.text_table import number_text, text_table

_SEEDS = 5
_WORTH = 0.01  # of what it was: less is neither help nor harm


class Effect:
    """What became of a metric, {seed: value} as it was and then, over the seeds that have both."""

    def __init__(self, first, second):
        self._before = sum(first.values()) / len(first) if first else None
        self.change = paired_difference(first, second)  # None where it was not measured
        # Of logarithms: seeds whose tails differ tenfold count the same.
        positive = all(of[seed] > 0 for of in (first, second) for seed in first if seed in second)
        self._ratio = paired_difference(*({seed: math.log(value) for seed, value in of.items() if value > 0} for of in (first, second))) if positive else None

    @property
    def sure(self):
        """Whether it is no chance: by ratios where there are any, else by differences."""
        return (self._ratio or self.change).excludes(0)

    @property
    def counts(self):
        return self.change is not None and abs(self.change.mean) >= _WORTH * self._before

    @property
    def fell(self):
        return self.counts and self.sure and self.change.mean < 0

    @property
    def rose(self):
        return self.counts and self.sure and self.change.mean > 0


@dataclass
class Trial:
    """What one setting did, over the seeds that ran with it and without."""

    of: Counterfactual
    point: object  # headroom.over_seeds.Point; None where no seed ran to its end
    effect: Effect  # on the metric
    worse: dict  # {metric: Interval} of other workloads whose p99 surely rose

    @property
    def change(self):
        return self.effect.change

    @property
    def helps(self):
        return self.effect.fell


def _own(assignments):
    out = []
    for text in assignments:
        key, equals, value = text.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise InputError(f"--try {text}: not an assignment; it is KEY=VALUE, with a KEY as of `headroom run --set`")
        out.append(Counterfactual(text, {key.strip(): value.strip()}))
    return out


def as_it_is(scenario, folder, seed):
    """A result of one run as the file has it, to be explained."""
    if not (folder / "summary.json").is_file():
        program.run_scenario(scenario, {"vary": "{}", "expect": "[]"}, seed=seed, seeds=1, out=folder, force=True)
    return load_results([str(folder)])[0].runs[0]


def valid(scenario, trials):
    """Those that the scenario allows, with their digests; [(name, why not)]. InputError for one of the caller's own."""
    looked_at = program.check_points(scenario, [one.settings for one, _ in trials])
    good, bad = [], []
    for (one, own), found in zip(trials, looked_at):
        if "error" not in found:
            good.append((one, found["digest"]))
        elif own:
            raise InputError(found["error"])
        else:
            bad.append((one.name, found["error"].splitlines()[0]))
    return good, bad


def measure(study, good, seeds, jobs):
    """[(Counterfactual, Point)] of [(Counterfactual, digest)], all with these seeds; what has run already does not run again."""
    ids = study.store.plan([(one.settings, seed, digest) for one, digest in good for seed in seeds])
    study.evaluate(ids, jobs or os.cpu_count() or 1)
    points = {tuple(point.settings.items()): point for point in points_of(study.store.runs(ids))}
    return [(one, points[tuple(one.settings.items())]) for one, _ in good]


def _worse(before, after, metric):
    found = {}
    for other in known_metrics(list(before.runs.values())):
        if other == metric or not re.fullmatch(r"messages\.[^.]+\.completion_us\.p99|operations\.[^.]+\.(?!all\.)[^.]+\.latency_us\.p99", other):
            continue
        effect = Effect(before.by_seed(other), after.by_seed(other))
        if effect.rose:
            found[other] = effect.change
    return found


def _signed(interval):
    if interval.mean == 0:
        return "0"
    text = f"{'+' if interval.mean > 0 else '−'}{number_text(abs(interval.mean))}"
    return text if interval.half_width is None else f"{text} ± {number_text(interval.half_width)}"


def _says(trial):
    if trial.change is None:
        return "not measured"
    if trial.change.half_width is None:
        return "one seed: no word"
    if not trial.effect.counts:
        return "nothing" if trial.change.mean == 0 else "less than 1 %"
    if trial.helps:
        return "helps" if trial.of.possible else "would help"
    return "hurts" if trial.effect.sure else "not told from chance"


def _row(trial, metric, mean):
    if trial.change is None:
        return [trial.of.name, _says(trial), "–", "", ""]
    share = f"{'+' if trial.change.mean > 0 else '−'}{format_percent(abs(trial.change.mean) / mean)}" if mean and trial.change.mean else ""
    return [trial.of.name, _says(trial), number_text(trial.point.interval(metric).mean), _signed(trial.change), share]


def _whose(metric):
    kind, workload, of, *_ = metric.split(".")
    return f"{workload}, {of}" if kind == "operations" else workload


def odd_seed(values, seed):
    """In words, where this of the seeds, which causes are taken from, has less than half or more than twice of each other."""
    own, others = values.get(seed), [value for other, value in values.items() if other != seed]
    if own is None or not others or min(others) / 2 <= own <= 2 * max(others):
        return None
    return f"the causes are those of seed {seed}, which has {number_text(own)}; other seeds have {number_text(min(others))} to {number_text(max(others))}"


def _page(metric, before, trials, skipped, went, odd, study):
    mean = before.interval(metric).mean
    unit = "µs" if "_us." in metric else ""
    rows = [["as it is", "", number_text(mean), "", ""], *(_row(trial, metric, mean) for trial in trials)]
    lines = [f"{metric}, means over {counted(len(before.runs), 'seed')}; changes seed by seed, ± 95 %"]
    lines += ["", text_table(["tried", "", unit, "change", ""], rows, left=2), ""]
    for trial in trials:
        worse = ", ".join(f"p99 of {_whose(m)} {_signed(c)} µs" for m, c in trial.worse.items())
        lines += [f"worse with {trial.of.name}: {worse}"] if worse else []
    best = next((trial for trial in trials if trial.helps and trial.of.possible), None)
    if best:
        keys = ", ".join(f"{key}={value}" for key, value in best.of.settings.items())
        lines.append(f"What helps most of what was tried: {best.of.name}{f' ({keys})' if keys != best.of.name else ''}.")
    else:
        lines.append("Nothing that was tried helps beyond chance.")
    lines += [f"not tried, as the scenario does not allow it: {name}: {why}" for name, why in skipped]
    lines.append(f"tried because of where the p99 of {went}")
    lines += [odd] if odd else []
    return "\n".join([*lines, f"study: {study}"])


def _as_json(metric, before, trials, skipped, study):
    return {
        "metric": metric,
        "as_it_is": before.interval(metric).as_json(),
        "tried": [
            {
                "name": trial.of.name,
                "settings": trial.of.settings,
                "change": trial.change.as_json() if trial.change else None,
                "helps": trial.helps,
                "possible": trial.of.possible,
                "worse": {m: c.as_json() for m, c in trial.worse.items()},
            }
            for trial in trials
        ],
        "not_tried": dict(skipped),
        "study": str(study),
    }


def _subject(found, metric):
    """What the trials are for, one of those in `findings` that were split, and its p99: (what, its p99's metric); (None, None)
    without any. That of the metric if one is given; else of messages, the one with the worst slowdown, or the longest of
    operations."""
    metrics = [(of, f"messages.{of['workload']}.completion_us.p99") for of in found["workloads"] if "p99" in of["at"]]
    metrics += [(of, f"operations.{of['workload']}.{of['kind']}.latency_us.p99") for of in found["operations"] if "p99" in of["at"]]
    for depth in (3, 2) if metric else ():
        for of, own in metrics:
            if own.split(".")[:depth] == metric.split(".")[:depth]:
                return of, own
    return metrics[0] if metrics else (None, None)


def tell(options):
    """Runs and prints all of it; returns the exit code."""
    checked = program.check_file(options.inputs[0])
    seeds = list(range(checked["seed"], checked["seed"] + (options.seeds or _SEEDS)))
    folder = Path(options.out or Path("results") / f"{checked['scenario']}-try")
    own = _own(options.inputs[1:])
    with Study(folder, options.inputs[0], checked) as study:
        study.recover()
        run = as_it_is(options.inputs[0], folder / "as-it-is", seeds[0])
        first, own_p99 = _subject(findings(run), options.metric)
        if not first:
            raise InputError(f"{options.inputs[0]}: no messages or operations whose time could be split")
        metric = options.metric or own_p99
        parts = {of["part"]: of["share"] for of in first["at"]["p99"]["parts"] if of["share"] >= LEAST}
        wanted = [(one, False) for one in fitting(("distance",) if {"wire", "ack_wire"} & set(parts) else (), parts, first["workload"], run.scenario.settings, checked)]
        wanted += [(one, True) for one in own]
        good, skipped = valid(options.inputs[0], [(Counterfactual("as it is"), True), *wanted])
        measured = measure(study, good, seeds, options.jobs)
        runs = [run for _, point in measured for run in point.runs.values()]
        require(metric, known_metrics(runs))
        before = measured[0][1]
        if before.interval(metric) is None:
            raise InputError(f"{metric}: not measured as the scenario is")
        trials = []
        for one, point in measured[1:]:
            effect = Effect(before.by_seed(metric), point.by_seed(metric))
            trials.append(Trial(one, point, effect, _worse(before, point, metric)))
        trials.sort(key=lambda trial: trial.change.mean if trial.change else 0.0)
        if options.json:
            say(json.dumps(_as_json(metric, before, trials, skipped, folder), indent=2, ensure_ascii=False))
        else:
            parts_of = ", ".join(f"{format_percent(share)} {part.replace('_', ' ')}" for part, share in parts.items())
            odd = odd_seed(before.by_seed(metric), seeds[0])
            say(_page(metric, before, trials, skipped, f"{_whose(own_p99)} went: {parts_of}", odd, folder))
        failed = [run for run in runs if run.status != "done"]
        for run in failed[:3]:
            say(f"failed: {run.settings}, seed {run.seed}: {run.message}")
        return 1 if failed else 0
