"""headroom sweep: every combination of settings with every seed, one row for each run."""

import argparse
import json
import sys
from pathlib import Path

from headroom import program
from headroom.errors import InputError
from headroom.format import counted
from headroom.judge import change, is_percentile, judge, over_seeds
from headroom.labels import labels_of, read_labels, short_key
from headroom.metrics import default_metrics, no_such, require
from headroom.over_seeds import known_metrics, points_of
from headroom.say import say, visible
from headroom.study import slurm
from headroom.study.arguments import Parser, add_launcher, add_ranks, folder, require_launcher
from headroom.study.cores import Cores, by_ranks, ranks_text, require_ranks
from headroom.study.progress import Progress
from headroom.study.study import JobAtWork, Study
from headroom.study.variations import plan_points, point_text
from headroom.text_table import interval_text, text_table
from headroom.verdict import RESOLUTION, more_text, verdict_text

LARGEST_SEED = 10**12
_MOST_RUNS = 10**6


def _positive(text):
    if not text.isdecimal() or int(text) < 1 or int(text) > LARGEST_SEED:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number, 1 or more")
    return int(text)


def _percent(text):
    try:
        share = float(text.removesuffix("%")) / 100
    except ValueError:
        share = 0
    if not 0.001 <= share <= 0.5:
        raise argparse.ArgumentTypeError(f"{text} is not a change in per cent, from 0.1 to 50")
    return share


def arguments(words):
    parser = Parser(
        "headroom sweep",
        "Runs every combination of settings with every seed. After an interruption, the same command\n"
        "continues; with more settings or seeds, it runs the new ones.",
        [
            "headroom sweep scenarios/quickstart.yaml --set 'switches.0.ecn.storage.kmax=[400KB,800KB]'",
            "headroom sweep scenarios/quickstart.yaml --set 'workloads.burst.size=[100KB,250KB]' --seeds 3 \\",
            "    --metric messages.burst.completion_us.p99",
        ],
    )
    parser.add_argument("scenario", nargs="?", metavar="FILE", help="the scenario; its own `vary` applies too")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=[V,…]",
        help="the values of a key; KEY,KEY=[[V,V],…]: keys that move together; may be repeated, for all combinations",
    )
    parser.add_argument("--seeds", type=_positive, metavar="N", help="seeds per setting; the same for all settings")
    parser.add_argument("--seed", type=_positive, metavar="N", help="first seed, instead of the scenario's")
    parser.add_argument("--jobs", type=_positive, metavar="N", help="runs at once; default the number of cores")
    add_ranks(parser)
    parser.add_argument("--out", type=folder, metavar="DIR", help="the study's folder; default results/NAME-sweep")
    parser.add_argument(
        "--metric", action="append", metavar="PATH", help="metric for the table, such as pfc.paused_us; may be repeated"
    )
    parser.add_argument(
        "--resolution", type=_percent, default=RESOLUTION, metavar="PCT", help="the smallest change that matters, in per cent; default 3"
    )
    parser.add_argument("--retry", action="store_true", help="run failed runs again")
    add_launcher(parser, "slurm: submit a job array instead, --jobs tasks at once; the same command then shows the progress")
    parser.add_argument("--batch-job", metavar="STUDY", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="print every metric as JSON instead of the table")
    options = parser.parse_args(words)
    if options.scenario is None and options.batch_job is None:
        parser.error("the scenario file is missing")
    require_launcher(parser, options)
    return options


def plan(options):
    """(checked scenario, [settings], [seed], [digest])"""
    checked = program.check_file(options.scenario)
    points = plan_points(checked["vary"], options.set)
    first = options.seed or checked["seed"]
    count = options.seeds or checked["seeds"]
    if count * len(points) > _MOST_RUNS:
        raise InputError(f"{counted(len(points), 'setting')} with {count} seeds are more than {_MOST_RUNS} runs: lower --seeds")
    seeds = list(range(first, first + count))
    looked_at = program.check_points(options.scenario, points, options.ranks)
    wrong = list(dict.fromkeys(found["error"] for found in looked_at if "error" in found))
    if wrong:
        more = f"\nand {len(wrong) - 10} more" if len(wrong) > 10 else ""
        raise InputError("\n".join(wrong[:10]) + more)
    for found in looked_at:
        require_ranks(found)
    _warn(points, looked_at)
    return checked, points, seeds, [found["digest"] for found in looked_at]


def _warn(points, looked_at):
    """Errors that `check` finds do not stop a sweep: its corners may be of interest."""
    points_by_finding = {}
    for settings, found in zip(points, looked_at):
        for finding in found["findings"]:
            if finding["severity"] == "error":
                points_by_finding.setdefault(f"{finding['where']}: {finding['what']}", []).append(point_text(settings))
    for what, where in points_by_finding.items():
        places = "all settings" if len(where) == len(points) else "; ".join(where[:3])
        more = f" and {len(where) - 3} more" if len(where) > 3 and len(where) < len(points) else ""
        print(visible(f"headroom sweep: check finds, at {places}{more}: {what}"), file=sys.stderr)


def against_first(points, metric, resolution):
    """[verdict of each setting compared with the first, as data], None for the first and if there is none. All settings
    share the probability of an error. `pooled`: both percentiles over the messages of all seeds, null for another
    metric."""
    found = [None]
    effects = judge([change(points[0], point, metric, looked_at=len(points) - 1, resolution=resolution) for point in points[1:]])
    for point, effect in zip(points[1:], effects):
        if effect is None or effect.low is None or points[0].censored(metric) or point.censored(metric):
            found.append(None)
            continue
        of_all = effect.pooled and dict(zip(("first", "this"), effect.pooled))
        found.append({"metric": metric, "says": effect.verdict, **effect.json(), "more_seeds": effect.more_seeds, "pooled": of_all})
    return found


def of_all_seeds(points, metrics):
    """[{metric: (Interval, whether it is a lower bound)}] of the points."""
    found = iter(over_seeds([(point, metric) for point in points for metric in metrics]))
    return [{metric: next(found) for metric in metrics} for _ in points]


def table(points, metrics, labels, resolution=RESOLUTION):
    """One line for each setting: its varied values, and the metrics with their intervals over the seeds. `labels`:
    {key: {value: short name}}; their meaning is printed below."""
    keys = list(dict.fromkeys(key for point in points for key in point.settings))
    short = [short_key(key) for key in keys]
    heads = [s if short.count(s) == 1 else key for s, key in zip(short, keys)]
    rows, told = [], {}
    for point, shown in zip(points, of_all_seeds(points, metrics)):
        row = []
        for key, head in zip(keys, heads):
            value = point.settings.get(key, "")
            row.append(labels.get(key, {}).get(value, value))
            if row[-1] != value:
                told["" if row[-1].startswith(f"{short_key(key)} #") else f"{head} ", row[-1]] = value
        row.append(f"{len(point.runs) - len(point.failed)}/{len(point.runs)}")
        row += [interval_text(*value) for value in shown.values()]
        rows.append(row)
    verdicts = against_first(points, metrics[0], resolution) if metrics else []
    head = [*heads, "runs", *metrics]
    if any(verdicts):
        head.append(f"{metrics[0].rpartition('.')[2]} against the first")
        for row, judged in zip(rows, verdicts):
            row.append(verdict_text(judged["says"], judged, resolution, more_text(judged["more_seeds"])) if judged else "")
    text = text_table(head, rows, left=len(heads))
    return text + "".join(f"\n{head}{label}: {value}" for (head, label), value in told.items())


def as_json(study, points, metrics, shown, resolution):
    """`metrics` has means over the seeds; `pooled`, of the `shown`, percentiles over the messages of all seeds."""
    said = []
    of_all = of_all_seeds(points, [metric for metric in shown if is_percentile(metric)])
    verdicts = against_first(points, shown[0], resolution) if shown else [None] * len(points)
    for point, judged, pooled in zip(points, verdicts, of_all):
        values = {metric: point.interval(metric) for metric in metrics}
        said.append(
            {
                "at": point.settings,
                "seeds": sorted(point.runs),
                "failed": {run.seed: run.message for run in point.failed},
                "metrics": {metric: value.as_json() for metric, value in values.items() if value is not None},
                "pooled": {metric: value.as_json() for metric, (value, _) in pooled.items() if value is not None},
                "against_first": judged,
            }
        )
    return {"dir": str(study.folder), "points": said}


class _Checked(Progress):
    """Reports, from the first run, which metrics of the table it does not have. InputError as soon as every setting has
    run once and none has the metric: other settings may have other workloads."""

    def __init__(self, study, ids, settings, metrics):
        found = study.store.runs(ids)
        done = [run for run in found if run.status == "done"]
        super().__init__(len(found), len(done), sum(run.status == "failed" for run in found))
        self._study, self._missing, self._told = study, list(metrics), False
        self._not_yet = {tuple(point.items()) for point in settings}
        self._known = {}
        for run in found:
            if run.status in ("done", "failed"):
                self._look(run)

    def ended(self, run, status):
        super().ended(run, status)
        if self._missing and status in ("done", "failed"):
            (run,) = self._study.store.runs([run.id])
            self._look(run)

    def _look(self, run):
        self._not_yet.discard(tuple(run.settings.items()))
        self._known.update(dict.fromkeys(run.metrics()))
        self._missing = [metric for metric in self._missing if metric not in self._known]
        for metric in self._missing:
            if not self._not_yet:
                require(metric, self._known)
            elif not self._told and run.status == "done":
                self.clear()
                told = f"{no_such(metric, self._known)}; other settings may have it"
                print(visible(f"headroom sweep: the first run: {told}"), file=sys.stderr)
        self._told = self._told or run.status == "done"


def report(study, ids, options):
    """Prints the finished ones of these runs; returns the exit code."""
    runs = study.store.runs(ids)
    points, known = points_of(runs), known_metrics(runs)
    for metric in options.metric or []:
        require(metric, known)
        without = sum(point.interval(metric) is None and len(point.failed) < len(point.runs) for point in points)
        if without:
            print(f"headroom sweep: {metric}: not measured at {without} of {counted(len(points), 'setting')}", file=sys.stderr)
    metrics = options.metric or default_metrics(known)
    if options.json:
        found = as_json(study, points, known, metrics, options.resolution)
        say(json.dumps({**found, "runs_by_ranks": by_ranks(runs)}, indent=1))
    else:
        labels = read_labels(study.store.get("labels"), study.store.path)
        shown = table(points, metrics, labels, options.resolution)
        explained = "± 95 % (±?: more than the value, give more seeds); percentiles over the messages of all seeds together, else means over the seeds"
        cores = ranks_text(runs)
        explained += f"\ncores: {cores}" if cores else ""
        say(f"{shown}\n\n{explained}\nstudy: {study.store.path} (table runs, view results)")
    bad = [run for run in runs if run.status != "done"]
    if bad:
        killed = sum(run.status == "killed" for run in bad)
        said = f"{len(bad)} of {len(runs)} runs failed, the first: {point_text(bad[0].settings)}, seed {bad[0].seed}: "
        print(visible(f"headroom sweep: {said}{bad[0].message}"), file=sys.stderr)
        if killed:
            those = "1 was killed; the same command runs it" if killed == 1 else f"{killed} were killed; the same command runs them"
            print(f"headroom sweep: {those} again", file=sys.stderr)
        if killed < len(bad):
            print("headroom sweep: with --retry the same command runs failed runs again", file=sys.stderr)
    return 1 if bad else 0


def sweep(words):
    options = arguments(words)
    if options.batch_job:
        return slurm.batch_job(options.batch_job, options.ranks or 1)
    checked, points, seeds, digests = plan(options)
    try:
        study = Study(options.out or Path("results") / f"{checked['scenario']}-sweep", options.scenario, checked)
    except JobAtWork as job:
        if options.launcher != "slurm":
            raise
        say(job.how_far)
        return 0
    with study:
        study.recover()
        before = read_labels(study.store.get("labels"), study.store.path)
        labels = labels_of(checked["vary"], checked["vary_names"], points, before)
        study.store.put("labels", json.dumps(labels))
        study.store.put("expect", json.dumps(checked["expect"] and {"vary": checked["vary"], "rows": checked["expect"]} or None))
        if options.metric:
            study.store.put("metrics", json.dumps(options.metric))
        if options.retry:
            study.store.retry_failed()
        ids = study.store.plan(
            [(settings, seed, digest) for settings, digest in zip(points, digests) for seed in seeds]
        )
        if options.launcher == "slurm":
            pending = study.store.counts().get("pending", 0)
            if pending:
                study.store.share()
                study.lock.release()  # the first task may start before sbatch returns
                job = slurm.submit(study.store, checked["scenario"], pending, options.jobs, options.sbatch, options.ranks or 1)
                say(f"job {job}: {counted(pending, 'run')}; the same command shows the progress, and prints the table at the end")
                return 0
        progress = _Checked(study, ids, points, options.metric or [])
        # One seed after the other, so that each setting has a run early.
        by_seed = [run_id for first in range(len(seeds)) for run_id in ids[first :: len(seeds)]]
        study.evaluate(by_seed, Cores(options.jobs, options.ranks), progress)
        return report(study, ids, options)
