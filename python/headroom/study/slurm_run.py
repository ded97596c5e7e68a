"""python3 -m headroom.study.slurm_run --name NAME --tasks N [--sbatch=OPTION]... -- FILE --out DIR [OPTION]...

headroom run --launcher slurm: one run as a job. This process waits for the job, prints its output and ends with its
exit code. The job's files are in a hidden folder beside the result, which the nodes must see, too.
"""

import argparse
import contextlib
import os
import re
import shlex
import shutil
import signal
import sys
import time
from pathlib import Path

from headroom.command import ended
from headroom.errors import InputError, Stopped
from headroom.partial import partial_beside
from headroom.program import program
from headroom.study.slurm import call, sbatch

_LOOK_EVERY_S = 0.3
_FILE_COMES_S = 60  # a network file system may show a node's last writes this late
_LARGEST_CODE = 3  # of `headroom run`; larger ones are those of a signal or a shell
# The batch shell alone gets a job's SIGTERM, and passes it on: `headroom run` then lets its ranks end together.
_SCRIPT = """\
#!/bin/sh
{command} &
run=$!
trap 'kill -TERM $run' TERM
wait $run
code=$?
while kill -0 $run 2>/dev/null; do
  wait $run
  code=$?
done
echo $code >{folder}/code.new && mv {folder}/code.new {folder}/code
"""


class _Output:
    """A file that a job writes; this process copies it to a stream."""

    def __init__(self, path, stream):
        self._path, self._stream, self._at = path, stream, 0

    def pass_on(self):
        with contextlib.suppress(FileNotFoundError), open(self._path, "rb") as file:
            file.seek(self._at)
            said = file.read()
            self._at += len(said)
            if said:
                self._stream.buffer.write(said)
                self._stream.flush()


class _Interrupts:
    """Counts Ctrl-C and SIGTERM while it is entered."""

    def __enter__(self):
        self.came = 0
        self._before = {s: signal.signal(s, self._note) for s in (signal.SIGINT, signal.SIGTERM)}
        return self

    def _note(self, *_):
        self.came += 1

    def __exit__(self, *_):
        for number, handler in self._before.items():
            signal.signal(number, handler)


def _state(job):
    """(state, reason or nodes), such as ("PENDING", "Resources"); "" after the job's end; None if Slurm does not answer
    now."""
    code, out, err = call(["squeue", "--noheader", "--job", job, "--format", "%T %R"])
    if code != 0 and "Invalid job id" not in err:
        return None, ""
    state, _, more = out.partition(" ") if code == 0 else ("", "", "")
    more = more.strip("()")
    return state, "" if more == "None" else more


def _end_of(job):
    """How a job ended, such as COMPLETED or TIMEOUT; "" if Slurm has forgotten it."""
    code, out, _ = call(["scontrol", "--oneliner", "show", "job", job])
    found = re.search(r"\bJobState=(\w+)", out) if code == 0 else None
    return found[1] if found else ""


def _identity(path):
    with contextlib.suppress(OSError):
        found = os.stat(path)
        return found.st_dev, found.st_ino, found.st_mtime_ns
    return None


class SlurmRun:
    """A job with `tasks` tasks that runs `words` of `headroom run`. `options` are for sbatch."""

    def __init__(self, name, tasks, words, options):
        target = Path(words[words.index("--out") + 1])
        self._summary = target / "summary.json"
        self._before = _identity(self._summary)
        self._name, self._tasks, self._words, self._options = name, tasks, words, options
        self._tells = "--progress" in words
        target.parent.mkdir(parents=True, exist_ok=True)
        self._folder = partial_beside(target.absolute())

    def run(self):
        """Returns the exit code of the job's program. Stopped if it ended from outside."""
        self._folder.mkdir()
        try:
            with _Interrupts() as interrupts:
                job = self._submit()
                return self._follow(job, interrupts)
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _submit(self):
        script = self._folder / "job.sh"
        command = shlex.join([program(), "run", *self._words])
        script.write_text(_SCRIPT.format(command=command, folder=shlex.quote(str(self._folder))), encoding="utf-8")
        at = str(self._folder).replace("%", "%%")  # sbatch has patterns in the names of outputs
        words = [f"--job-name=headroom-{self._name}", f"--ntasks={self._tasks}", "--cpus-per-task=1"]
        words += [f"--output={at}/out", f"--error={at}/err", *self._options]
        return sbatch(words, script, "the job")

    def _follow(self, job, interrupts):
        outputs = [_Output(self._folder / "out", sys.stdout), _Output(self._folder / "err", sys.stderr)]
        told, asked, gone_at, end = None, 0, None, ""
        try:
            while (code := self._code()) is None:
                state = _state(job)
                if asked < interrupts.came:
                    asked = self._end(job, state[0], interrupts.came)
                if state != told and state[0] and self._tells:
                    print(f"headroom run: job {job}: {', '.join(filter(None, (state[0].lower(), state[1])))}", file=sys.stderr)
                    told = state
                for output in outputs:
                    output.pass_on()
                if state[0] == "":
                    gone_at, end = gone_at or time.monotonic(), end or _end_of(job)
                    # A script that ends has written its code.
                    if end not in ("", "COMPLETED") or time.monotonic() > gone_at + _FILE_COMES_S:
                        code = self._code()
                        break
                time.sleep(_LOOK_EVERY_S)
        except BaseException:
            call(["scancel", job])  # nobody waits for it any more
            raise
        for output in outputs:
            output.pass_on()
        return self._judged(job, code, end, asked)

    def _code(self):
        with contextlib.suppress(FileNotFoundError):
            return int((self._folder / "code").read_text())
        return None

    def _end(self, job, state, times):
        """The first request lets a run write its result so far; the next one ends it at once."""
        if state == "RUNNING" and times == 1:
            call(["scancel", "--batch", "--signal=TERM", job])
        elif state is not None:
            call(["scancel", job])
        return times if state is not None else 0

    def _judged(self, job, code, end, interrupted):
        if code is not None and code <= _LARGEST_CODE:
            return code
        left = "nothing was written"
        if _identity(self._summary) != self._before:
            left = f"{self._summary.parent} has the result until then"
        if interrupted:
            raise Stopped(f"interrupted; {left}")
        why = f"its program ended with code {code}" if code is not None else f"Slurm ended it: {end or 'unknown reason'}"
        raise Stopped(f"job {job}: {why}; {left}")


def main(words):
    parser = argparse.ArgumentParser()
    parser.add_argument("--name", required=True)
    parser.add_argument("--tasks", required=True)
    parser.add_argument("--sbatch", action="append", default=[])
    parser.add_argument("run", nargs="*")
    options = parser.parse_args(words)
    return ended(
        "run",
        lambda: SlurmRun(options.name, options.tasks, options.run, options.sbatch).run(),
        "python3",
        "give another --out",
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
