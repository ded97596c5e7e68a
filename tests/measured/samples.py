"""Shared by the tests of measured counters: the folder of samples, the program's package, the command and a result."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SAMPLES = HERE / "samples"
sys.path.insert(0, str(ROOT / "python"))
if "HEADROOM_PROGRAM" not in os.environ:
    os.environ["HEADROOM_PROGRAM"] = str(ROOT / "build/release/headroom")
PROGRAM = os.environ["HEADROOM_PROGRAM"]


def run(scenario, folder):
    """The result of a scenario."""
    subprocess.run([PROGRAM, "run", str(scenario), "--out", str(folder)], check=True, capture_output=True)
    return folder


def shown(folder, table, *options):
    """What `headroom show` prints."""
    words = [PROGRAM, "show", str(folder), *table.split(), *options]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def called(main, words):
    """(exit code, standard output, standard error) of a command's `main`."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main([str(word) for word in words])
        except SystemExit as end:
            code = end.code
    return code, out.getvalue(), err.getvalue()


def compare(*words):
    """The same of `headroom compare` with measured files."""
    from headroom.measured.__main__ import main

    return called(main, words)


class WithFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path


class WithLab(WithFolder):
    """`lab`: the result of lab.yaml."""

    @classmethod
    def setUpClass(cls):
        cls._lab = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls._lab.cleanup)
        cls.lab = run(HERE / "lab.yaml", Path(cls._lab.name) / "lab")
