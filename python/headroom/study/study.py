"""A study on disk: its folder, its lock, its database, and its subject."""

import contextlib
from pathlib import Path

from headroom import program
from headroom.about import about
from headroom.errors import InputError, Stopped
from headroom.study import slurm
from headroom.study.execute import execute
from headroom.study.lock import StudyLock
from headroom.study.progress import Progress
from headroom.study.store import Store
from headroom.study.worker import remove_partial


class JobAtWork(InputError):
    """A batch job is at work on the study."""

    def __init__(self, study, job):
        counts = study.store.counts()
        self.how_far = f"{counts.get('done', 0)} of {sum(counts.values())} runs are done"
        super().__init__(
            f"{study.folder}: Slurm's job {job} is working on this study, {self.how_far}; wait for it, or scancel {job}"
        )


class Study:
    """One process at a time has it open. `checked`: the scenario as `headroom check --json` printed it. JobAtWork if a
    cluster works on it."""

    def __init__(self, folder, scenario, checked):
        self.folder = Path(folder)
        self.scenario = Path(scenario).resolve()
        self.cluster = None  # a slurm.Cluster, if runs go there
        if (self.folder / "summary.json").exists():
            raise InputError(f"{self.folder}: holds the result of a run; give another --out")
        self.store = Store(self.folder)
        job = self.store.get("slurm_job")
        if job and slurm.is_alive(job):
            raise JobAtWork(self, job)
        try:
            self.lock = StudyLock(self.folder)
            self.store.keep_alone()
            self._begin(checked)
        except Stopped:
            self.store.discard()
            raise

    def _begin(self, checked):
        self.store.put("file", str(self.scenario))
        self.store.put("about", about(self.scenario))
        self._identify("scenario", checked["scenario"], "is a study of the scenario {}")
        self._identify("digest", checked["digest"], "was begun with a different scenario")
        self._identify("version", program.version(), "was begun with headroom {}")
        self._build = program.Build()
        self._build.require(self.store)

    def _identify(self, key, value, wrong):
        """The first command that opens a study sets its subject; later ones must agree."""
        before = self.store.get(key)
        if before is None:
            self.store.put(key, value)
        elif before != value:
            raise InputError(
                f"{self.folder}: {wrong.format(before)}; runs would not compare: give another --out, or remove "
                "the folder"
            )

    def recover(self):
        """Repairs what a killed process left. REQUIRES: no batch job of the study is alive."""
        self.store.release()
        remove_partial(self.folder)

    def evaluate(self, ids, cores, progress=None):
        """Runs the pending ones of these, on these Cores."""
        if progress is None:
            found = [run.status for run in self.store.runs(ids)]
            progress = Progress(len(ids), found.count("done"), found.count("failed"))
        if self.cluster is not None:
            self.cluster.evaluate(self, ids, progress)
            return

        pending = self.store.pending(ids)
        left = enumerate(pending)

        def claim(running):
            for place, run_id in left:
                self._build.require_still()
                run = self.store.claim(run_id)
                if run is not None:
                    ranks = cores.of_next(self.scenario, run.settings, len(pending) - place, running)
                    return run, ranks
            return None

        try:
            execute(self.store, self.scenario, claim, cores, progress)
        finally:
            remove_partial(self.folder)  # files of runs that were stopped

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is Stopped and self.store.discard():
            return
        with contextlib.suppress(Stopped):  # the first error is the one to report
            self.store.make_view()
        self.store.close()
