"""The program `headroom`, as this package calls it."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

from headroom.errors import InputError, ProgramError, Stopped


def _searched():
    """It is searched in PATH, but not in the working directory, which a relative or an empty part of PATH means."""
    folders = [folder for folder in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(folder)]
    return shutil.which("headroom", path=os.pathsep.join(folders)) if folders else None


def program():
    """Its path: from the process that started this one, else beside this package, else by search."""
    this_file = Path(__file__).resolve()
    beside = (this_file.parents[2] / "headroom", this_file.parents[4] / "bin/headroom")  # in a checkout, and in an
                                                                                         # installed tree
    path = os.environ.get("HEADROOM_PROGRAM") or next((str(p) for p in beside if p.is_file()), None) or _searched()
    if not path:
        raise InputError("the program headroom is not found; give its path by HEADROOM_PROGRAM=PATH")
    return path


def _require_ended(done):
    """ProgramError with the program's message, but without its name, because the commands add theirs."""
    # 1: a finding is an error; the output contains it.
    if done.returncode not in (0, 1) or not done.stdout:
        said = done.stderr.strip().removeprefix("headroom: ") or f"{done.args[0]} ended with code {done.returncode}"
        raise ProgramError(said, done.returncode)


def _ask(arguments, given=None):
    words = [program(), *arguments]
    done = subprocess.run(words, input=given, capture_output=True, text=True, encoding="utf-8", errors="surrogateescape")
    _require_ended(done)
    return json.loads(done.stdout)


@lru_cache
def schema():
    """The JSON Schema of scenarios; a key that `explain` may change has `tried` and `cost`."""
    return _ask(["keys", "--schema"])


def control(name):
    """What the program knows of a congestion control: its keys in the form of the JSON Schema, with the values that
    `explain` tries (`tried`), and whether it slows down for marks (`marks`). {} for the controls none and dcqcn."""
    return schema()["definitions"].get(f"control_{name}", {})


def version():
    """ "0.1.0"."""
    return subprocess.run([program(), "--version"], capture_output=True, text=True).stdout.split()[-1]


class Build:
    """The program at this moment: a study belongs to one, because runs of two cannot be compared."""

    def __init__(self):
        self._digest, self._file = self._read(), self._look()

    def require(self, study):
        """InputError if another command began this Store's study; the first command that opens a study sets it."""
        if study.get("build") is None and not study.counts():
            study.put("build", self._digest)
        if study.get("build") != self._digest:
            raise InputError(
                f"{study.folder}: was begun with another build of headroom, and {program()} has been recompiled since; "
                "runs would not compare: give another --out, or remove the folder"
            )

    def require_still(self):
        """Stopped if the program has changed since."""
        now = self._look()
        if now != self._file and now is not None and self._read() == self._digest:
            self._file = now  # written again, but equal
        if now != self._file:
            raise Stopped(
                f"{program()}: was recompiled while the study runs, and its runs would not compare; finished runs are kept: "
                "continue with the old program, or begin a study with another --out"
            )

    @staticmethod
    def _read():
        try:
            with open(program(), "rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise InputError(f"{program()}: cannot be read: {error.strerror}") from error

    @staticmethod
    def _look():
        """The identity of the program, cheap to check before each run; None without the file."""
        try:
            found = os.stat(program())
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns


def check_file(scenario, sets=()):
    """`headroom check --json`. InputError with the program's message if the scenario is not valid."""
    arguments = ["check", str(scenario), "--json"]
    for assignment in sets:
        arguments += ["--set", assignment]
    return _ask(arguments)


def check_points(scenario, points, ranks=None):
    """`headroom check --points`: a dict for each point, with `error` in those that are not valid. `ranks`: a number of
    processes; the others then have `ranks`."""
    more = [] if ranks is None else ["--ranks", str(ranks)]
    return _ask(["check", str(scenario), "--points", "-", *more], json.dumps(points))


def digests(scenario, points):
    """`headroom check --points --digests`: {digest} or {error} for each point, much faster than check_points."""
    return _ask(["check", str(scenario), "--points", "-", "--digests"], json.dumps(points))


def show(result, table):
    """`headroom show --json` of one run."""
    return _ask(["show", str(result), *table.split(), "--json"])


def compare(a, b):
    """`headroom compare --json` of two results."""
    return _ask(["compare", str(a), str(b), "--json"])


def compare_points(requests):
    """`headroom compare --points` (src/cli/compare/compare_points.h): an answer for each request."""
    return _ask(["compare", "--points", "-"], json.dumps(requests)) if requests else []


def run_arguments(scenario, settings, seed, target, ranks=1):
    """The command line of one run in `ranks` processes, which puts one result at `target`, even if there is already
    one."""
    arguments = [program(), "run", str(scenario), "--seed", str(seed), "--seeds", "1", "--out", str(target), "--force"]
    arguments += [] if ranks == 1 else ["--ranks", str(ranks)]
    # `vary` and `expect` belong to the file, not to this run.
    for assignment in ["vary={}", "expect=[]", *(f"{key}={value}" for key, value in settings.items())]:
        arguments += ["--set", assignment]
    return arguments


def _as_set(value):
    """A value in the form of --set: text unchanged, the rest as YAML."""
    return value if isinstance(value, str) else json.dumps(value)


def run_scenario(scenario, settings, **options):
    """Runs it with these {key: value} and options of `headroom run`; returns the folders of the results: if it varies
    keys, one for each of their values. ProgramError. Ctrl-C reaches the program, which marks the finished part of the
    run."""
    words = [program(), "run", str(scenario), "--json"]
    for key, value in settings.items():
        words += ["--set", f"{key}={_as_set(value)}"]
    for name, value in options.items():
        if value is True:
            words.append(f"--{name}")
        elif value is not None and value is not False:
            words += [f"--{name}", str(value)]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    # In a separate session a terminal's Ctrl-C reaches it once: from here.
    with subprocess.Popen(words, **pipes, text=True, errors="surrogateescape", start_new_session=True) as child:
        try:
            out, err = child.communicate()
        except KeyboardInterrupt:
            child.send_signal(signal.SIGINT)
            child.communicate()
            raise
    _require_ended(subprocess.CompletedProcess(words, child.returncode, out, err))
    sys.stderr.write(err)
    return [run["dir"] for run in json.loads(out)["runs"]]
