"""headroom tune: the settings that are best for an objective."""

import hashlib
import json
import os
import shutil
import sys
from pathlib import Path

from headroom import program
from headroom.about import about
from headroom.command import lacks_memory
from headroom.errors import InputError, Stopped
from headroom.manifest import place, require_free
from headroom.metrics import require
from headroom.partial import partial_beside, writing
from headroom.say import say, visible
from headroom.study.answer import answer
from headroom.study.answer_text import answer_text
from headroom.study.arguments import Parser, add_launcher, add_ranks, folder, require_launcher
from headroom.study.cores import Cores, by_ranks, ranks_text, require_ranks
from headroom.study.fidelity import Judge, Laboratory
from headroom.study.search import Search
from headroom.study.slurm import Cluster
from headroom.study.space_check import require_valid
from headroom.study.store import mend
from headroom.study.study import Study
from headroom.study.study_file import StudyFile


# Exit code for the script ./headroom, which installs them and starts the same command again.
_LACKS_PACKAGES = 4


def arguments(words):
    parser = Parser(
        "headroom tune",
        "Searches the parameters that a study file names. After an interruption, the same command\n"
        "continues; with a larger budget, it searches on.",
        ["headroom tune scenarios/tuning/region-ecn.yaml"],
    )
    parser.add_argument("study", metavar="FILE", help="the study file: parameters, objectives, constraints, budget")
    parser.add_argument("--jobs", type=int, metavar="N", help="runs at once; default the number of cores")
    add_ranks(parser)
    parser.add_argument("--out", type=folder, metavar="DIR", help="the study's folder; default results/NAME")
    add_launcher(parser, "slurm: run each batch as a job array, --jobs tasks at once, and wait for it")
    parser.add_argument("--force", action="store_true", help="replace an answer that was changed since tune wrote it")
    parser.add_argument("--json", action="store_true", help="print the answer as JSON, as in study.json")
    options = parser.parse_args(words)
    if options.jobs is not None and options.jobs < 1:
        parser.error("--jobs must be at least 1")
    require_launcher(parser, options)
    return options


def _require_metrics(study_file, laboratory, search):
    """The first run of the baseline shows which metrics there are."""
    (point,) = laboratory.measure([(search.baseline.settings, search.fresh_seeds[:1])], 1)
    (run,) = point.runs.values()
    if point.failed:
        raise InputError(f"the baseline fails: {run.message}")
    for named in study_file.goals + study_file.bounds:
        require(named.metric, run.metrics())


_FILES = ("optuna.sqlite", "study.json", "recommended")


def _keep(study, search, proposals, found, force):
    """The answer's files. Stopped if they cannot be written: the runs are kept. The database keeps a digest, so that
    `plot` knows whether study.json is still that answer; `recommended` leads to the recommended setting's result."""
    fresh = partial_beside(study.folder / "study.json")
    text = json.dumps(found, indent=1) + "\n"
    try:
        fresh.mkdir()
        with writing(fresh / "optuna.sqlite") as path:
            proposals.write(path, search.estimates)
        with writing(fresh / "study.json") as path:
            path.write_text(text, encoding="utf-8")
        if found["recommended"] is not None:
            (fresh / "recommended").symlink_to(found["recommended"]["result"])
        study.store.put("answer", hashlib.sha256(text.encode()).hexdigest())
        place(fresh, study.folder, "tune", force)
    except OSError as error:
        path = study.folder / Path(error.filename or "study.json").name
        raise Stopped(
            f"{path}: cannot be written: {error.strerror or error}; all runs are kept: {mend(error)}, then start the "
            "same command again"
        ) from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def tune(words):
    options = arguments(words)
    study_file = StudyFile(options.study)
    checked = program.check_file(study_file.scenario, [f"{k}={v}" for k, v in study_file.fixed.items()])
    require_valid(study_file)
    if options.ranks:
        require_ranks(program.check_points(study_file.scenario, [study_file.fixed], options.ranks)[0])
    try:
        from headroom.study.proposals import Proposals
    except ImportError as error:
        if os.environ.get("HEADROOM_INSTALLS") and not lacks_memory(error):
            return _LACKS_PACKAGES
        if lacks_memory(error):
            raise
        raise InputError(f"{error}; type: sudo apt-get install python3-optuna") from error
    with Study(options.out or Path("results") / study_file.name, study_file.scenario, checked) as study:
        study.recover()
        if options.launcher == "slurm":
            study.cluster = Cluster(options.jobs, options.sbatch, options.ranks or 1)
        require_free(study.folder, "tune", _FILES, options.force)
        kept = study.store.counts().get("done", 0)
        if kept:
            told = "1 run is kept" if kept == 1 else f"{kept} runs are kept"
            print(visible(f"headroom tune: {told} from before"), file=sys.stderr)
        study.store.put("command", "tune")
        study.store.put("metrics", json.dumps([goal.metric for goal in study_file.goals]))
        study.store.put("about", about(study_file.path))
        laboratory = Laboratory(study, study_file, checked, Cores(options.jobs, options.ranks))
        first_seed = study_file.seed or checked["seed"]
        proposals = Proposals(study_file, first_seed)
        search = Search(study_file, laboratory, Judge(study_file), proposals, first_seed)
        laboratory.require_short(search.baseline.settings)
        _require_metrics(study_file, laboratory, search)
        search.run()
        ran = study.store.runs()
        found = {**answer(search, study_file, study, laboratory), "runs_by_ranks": by_ranks(ran)}
        _keep(study, search, proposals, found, options.force)
        seconds = laboratory.seconds_of_a_pair()
    cores = ranks_text(ran)
    shown = answer_text(found, seconds) + (f"\n\ncores: {cores}" if cores else "")
    say(json.dumps(found, indent=1) if options.json else shown)
    if found["recommended"] is None:
        print("headroom tune: no setting that ran keeps the constraints with every seed", file=sys.stderr)
        return 1
    return 0
