"""The same study on a cluster: a job array over the same database, on a file system that all nodes share.

A task of the array is a worker: it claims the next pending run, runs it, and so on until none is left. So the array may
be of any size, and a task that dies takes one run with it, which a later submission runs again.
"""

import shlex
import subprocess
from pathlib import Path

from headroom.errors import InputError
from headroom.program import Build, program
from headroom.study.execute import execute
from headroom.study.lock import StudyLock
from headroom.study.progress import Progress
from headroom.study.store import Store

_MOST_TASKS = 1000  # Slurm's default limit of an array is 1001


def _call(words):
    try:
        done = subprocess.run(words, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise InputError(f"{words[0]}: not found; --launcher slurm needs a machine that submits to Slurm") from error
    return done.returncode, done.stdout.strip(), done.stderr.strip()


def is_alive(job):
    """Whether Slurm still has tasks of this job, waiting or running."""
    try:
        code, out, _ = _call(["squeue", "--noheader", "--job", job, "--format", "%i"])
    except InputError:
        return False  # it is not this machine's job: the lock shows whether it is at work
    return code == 0 and bool(out)


def script(folder, name, tasks, at_once, options):
    """The job script. `options` are lines for sbatch, such as --partition=long."""
    limit = f"%{at_once}" if at_once and at_once < tasks else ""
    lines = [
        f"--job-name=headroom-{name}",
        f"--array=1-{tasks}{limit}",
        f"--output={folder}/slurm/%A-%a.log",
        "--ntasks=1",
        "--cpus-per-task=1",
        *options,
    ]
    words = " ".join(shlex.quote(word) for word in (program(), "sweep", "--batch-job", str(folder)))
    return "\n".join(["#!/bin/sh", *(f"#SBATCH {line}" for line in lines), f"exec {words}", ""])


def submit(store, name, pending, at_once, options):
    """Writes the script and submits it; returns the job's number. REQUIRES: the store is shared, the lock released."""
    folder = store.folder.resolve()
    if any(c.isspace() for c in str(folder)):
        raise InputError(f"{folder}: sbatch reads no spaces in a path; give another --out")
    path = folder / "slurm" / "job.sh"
    try:
        path.parent.mkdir(exist_ok=True)
        path.write_text(script(folder, name, min(pending, _MOST_TASKS), at_once, options), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}; give another --out") from error
    code, out, err = _call(["sbatch", "--parsable", str(path)])
    if code != 0:
        raise InputError(f"sbatch refused {path}: {err}")
    job = out.split(";")[0]
    store.put("slurm_job", job)
    return job


def batch_job(folder):
    """One task of the array."""
    store = Store(Path(folder))
    lock = StudyLock(store.folder, shared=True)  # until the end
    build = Build()
    build.require(store)

    def claim():
        build.require_still()
        return store.claim()

    pending = store.counts().get("pending", 0)
    execute(store, store.get("file"), claim, 1, Progress(pending))
    lock.release()
    return 0
