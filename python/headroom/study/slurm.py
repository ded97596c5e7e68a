"""The same study on a cluster: a job array over the same database, on a file system that all nodes share.

A task of the array is a worker: it claims the next pending run, runs it, and so on until none is left. So the array may
be of any size, and a task that dies takes one run with it, which a later submission runs again.
"""

import shlex
import subprocess
import time
from pathlib import Path

from headroom.errors import InputError, Stopped
from headroom.program import Build, program
from headroom.study.cores import Cores
from headroom.study.execute import Signals, execute
from headroom.study.lock import StudyLock
from headroom.study.progress import Progress
from headroom.study.store import Store

_MOST_TASKS = 1000  # Slurm's default limit of an array is 1001
_LOOK_EVERY_S = 1.0


def call(words):
    """(exit code, standard output, standard error) of one of Slurm's commands. InputError if this machine has none."""
    try:
        done = subprocess.run(words, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise InputError(f"{words[0]}: not found; --launcher slurm needs a machine that submits to Slurm") from error
    return done.returncode, done.stdout.strip(), done.stderr.strip()


def sbatch(words, path, name=None):
    """Submits the script at `path`, `name` in messages; returns the job's number. InputError with sbatch's reason if it
    refuses."""
    code, out, err = call(["sbatch", "--parsable", *words, str(path)])
    if code != 0:
        raise InputError(f"sbatch refused {name or path}: {err}")
    return out.split(";")[0]


def is_alive(job):
    """Whether Slurm still has tasks of this job, waiting or running. None if Slurm does not answer now."""
    try:
        code, out, err = call(["squeue", "--noheader", "--job", job, "--format", "%i"])
    except InputError:
        return False  # it is not this machine's job: the lock shows whether it is at work
    if code != 0 and "Invalid job id" not in err:
        return None
    return code == 0 and bool(out)


def script(folder, name, tasks, at_once, options, ranks=1):
    """The job script. `ranks`: processes of each run. `options` are lines for sbatch, such as --partition=long."""
    limit = f"%{at_once}" if at_once and at_once < tasks else ""
    lines = [
        f"--job-name=headroom-{name}",
        f"--array=1-{tasks}{limit}",
        f"--output={folder}/slurm/%A-%a.log",
        f"--ntasks={ranks}",
        "--cpus-per-task=1",
        *options,
    ]
    words = " ".join(shlex.quote(word) for word in (program(), "sweep", "--batch-job", str(folder), "--ranks", str(ranks)))
    return "\n".join(["#!/bin/sh", *(f"#SBATCH {line}" for line in lines), f"exec {words}", ""])


def submit(store, name, pending, at_once, options, ranks=1):
    """Writes the script and submits it; returns the job's number. `ranks`: processes of each run. REQUIRES: the store is shared, the lock released."""
    folder = store.folder.resolve()
    if any(c.isspace() for c in str(folder)):
        raise InputError(f"{folder}: sbatch reads no spaces in a path; give another --out")
    path = folder / "slurm" / "job.sh"
    try:
        path.parent.mkdir(exist_ok=True)
        path.write_text(script(folder, name, min(pending, _MOST_TASKS), at_once, options, ranks), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}; give another --out") from error
    job = sbatch([], path)
    store.put("slurm_job", job)
    return job


def batch_job(folder, ranks):
    """One task of the array, whose runs have so many processes."""
    store = Store(Path(folder))
    lock = StudyLock(store.folder, shared=True)  # until the end
    build = Build()
    build.require(store)

    def claim(_running):
        build.require_still()
        run = store.claim()
        return run and (run, ranks)

    pending = store.counts().get("pending", 0)
    execute(store, store.get("file"), claim, Cores(1, ranks), Progress(pending))
    lock.release()
    return 0


class Cluster:
    """Runs of a study as job arrays, one after another, while the process that wants them waits. `at_once`: tasks at a
    time; None: no limit. `options` are lines for sbatch. `ranks`: processes of each run."""

    def __init__(self, at_once, options, ranks=1):
        self._at_once, self._options, self._ranks = at_once, options, ranks

    def evaluate(self, study, ids, progress):
        """Runs the pending ones of these. Stopped if an array ends and leaves some, and on Ctrl-C."""
        while pending := self._pending(study, ids):
            study.store.share()
            study.lock.release()  # the tasks share the lock
            job = submit(study.store, study.store.get("scenario"), len(pending), self._at_once, self._options, self._ranks)
            interrupted = self._wait(study, job, pending, progress)
            study.lock = self._lock_again(study.folder)
            study.recover()
            study.store.keep_alone()
            if interrupted:
                raise Stopped("interrupted; finished runs are kept, and the same command continues")
            if len(self._pending(study, ids)) == len(pending):
                raise Stopped(
                    f"Slurm's job {job} ended without a result; {study.folder}/slurm/{job}-*.log have the reasons; "
                    "finished runs are kept, and the same command continues"
                )

    def _pending(self, study, ids):
        return [run.id for run in study.store.runs(ids) if run.status == "pending"]

    def _wait(self, study, job, ids, progress):
        """Waits until the job has no more tasks; returns whether it was cancelled by a signal to this process."""
        waiting = set(ids)
        with Signals() as signals:
            while is_alive(job) is not False:
                if signals.came:
                    call(["scancel", job])
                time.sleep(_LOOK_EVERY_S)
                for run in study.store.runs(sorted(waiting)):
                    if run.status in ("done", "failed"):
                        waiting.discard(run.id)
                        progress.started(run)
                        progress.ended(run, run.status)
                progress.show()
            progress.clear()
            return signals.came

    def _lock_again(self, folder):
        """The last task may still be ending when Slurm no longer lists it."""
        until = time.monotonic() + 30
        while True:
            try:
                return StudyLock(folder)
            except InputError:
                if time.monotonic() > until:
                    raise
                time.sleep(_LOOK_EVERY_S)
