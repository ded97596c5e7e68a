"""One run as a child process, and its outcome."""

import contextlib
import ctypes
import errno
import functools
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

from headroom.errors import Stopped
from headroom.program import run_arguments
from headroom.study.store import readable_path


_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


def _die_with(parent):
    """In the child: a `kill -9` of the parent leaves no orphan that continues to write."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # the parent died before that
        os._exit(1)


class Child:
    """A run that is under way. It has its own session, which Ctrl-C does not reach, and dies with this process."""

    def __init__(self, run, folder, scenario, ranks=1):
        self.run, self.ranks = run, ranks
        self.path = readable_path(run)
        self._target = folder / self.path
        self._scenario = scenario
        self._errors = tempfile.TemporaryFile()
        self._start = time.monotonic()
        arguments = run_arguments(scenario, run.settings, run.seed, self._target, ranks)
        self.process = subprocess.Popen(
            arguments,
            preexec_fn=functools.partial(_die_with, os.getpid()),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            start_new_session=True,
        )

    @property
    def pid(self):
        return self.process.pid

    def kill(self):
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def ended(self, wait_status, usage):
        """(status, columns) for Store.finish. REQUIRES: the process has been waited for."""
        code = os.waitstatus_to_exitcode(wait_status)
        self.process.returncode = code
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip().removeprefix("headroom: ")
        self._errors.close()
        columns = {
            "exit_code": code,
            "message": None,
            "path": None,
            "summary": None,
            "wall_s": time.monotonic() - self._start,
            "cpu_s": usage.ru_utime + usage.ru_stime,
        }
        if code in (0, 1):
            try:
                columns["summary"] = (self._target / "summary.json").read_text(encoding="utf-8")
                columns["path"] = self.path
            except OSError as error:
                said = said or f"its summary cannot be read: {error}"
        if columns["summary"] and json.loads(columns["summary"])["digest"] != self.run.digest:
            raise Stopped(f"{self._scenario}: has changed while its study runs; {self.path} is of the new one")
        if code == 0 and columns["summary"]:
            return "done", columns
        if code < 0:
            columns["message"] = f"killed by signal {-code} ({signal.Signals(-code).name})"
            return "killed", columns
        if code == 3:
            columns["message"] = said[-2000:] or "interrupted"
            return "killed", columns
        if code not in (0, 1, 2) or said.startswith("out of memory"):  # the scenario is not the reason: it is the
                                                                       # loader's, as 127, or the machine's
            columns["message"] = said[-2000:] or f"ended with code {code}"
            return "killed", columns
        columns["message"] = said[-2000:] or _what_failed(columns["summary"])
        return "failed", columns


def _what_failed(summary):
    """The reason why a run that left a result counts as failed."""
    if summary is None:
        return "no result, and no reason given"
    status = json.loads(summary).get("status")
    return "lossless traffic deadlocked" if status == "deadlock" else "bytes do not add up (conservation.ok)"


def lacks_room(message):
    """Whether a run failed because the disk or another resource of the machine failed: every other run would fail,
    too."""
    disk = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.ESTALE)
    errors = (*disk, errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)
    return any(os.strerror(number) in message for number in errors)


def remove_partial(folder):
    """Removes files that killed runs left half-written. REQUIRES: no run is under way."""
    runs = folder / "runs"
    if runs.is_dir():
        for left in runs.glob(".*.partial-*"):
            shutil.rmtree(left, ignore_errors=True)
