"""The ends of commands that cannot do their work: exit code and message."""

import contextlib
import io
import json
import os
import resource
import signal
import tempfile
import unittest
from pathlib import Path

from synthetic_results import Builder

from headroom.command import ended
from headroom.errors import InputError, Stopped
from headroom.plot.__main__ import main as plot
from headroom.plot.fluid import write as write_fluid
from headroom.trace.__main__ import main as trace


@contextlib.contextmanager
def largest_file(count):
    """Writing fails beyond this many bytes of a file, without the file's name, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (count, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def said(work):
    """(return value, standard error)"""
    with contextlib.redirect_stderr(io.StringIO()) as err, contextlib.redirect_stdout(io.StringIO()):
        code = work()
    return code, err.getvalue()


class Endings(unittest.TestCase):
    def end(self, work, **options):
        return said(lambda: ended("plot", work, "python3-pandas", "give another --out", **options))

    def test_codes_and_words(self):
        for error, code, words in (
            (InputError("no result"), 2, "headroom plot: no result\n"),
            (Stopped("the disk is full"), 3, "headroom plot: the disk is full\n"),
            (ImportError("No module named 'x'"), 2, "headroom plot: No module named 'x'; type: sudo apt-get install python3-pandas\n"),
            (OSError(28, "No space", "a.svg"), 2, "headroom plot: cannot read or write a.svg: No space; give another --out\n"),
            (KeyboardInterrupt(), 3, "headroom plot: interrupted, nothing written\n"),
        ):

            def work(error=error):
                raise error

            with self.subTest(words):
                self.assertEqual(self.end(work), (code, words))
        self.assertEqual(self.end(lambda: None), (0, ""))
        self.assertEqual(self.end(lambda: 1), (1, ""))

    def test_a_place_needs_no_other_beginning(self):
        def work():
            raise InputError("study.yaml:3:4: unknown key")

        self.assertEqual(self.end(work, placed_alone=True), (2, "study.yaml:3:4: unknown key\n"))

    def test_an_interrupt_that_a_module_in_c_makes_something_else_of(self):
        def imports(number):
            try:
                os.kill(os.getpid(), number)
            except KeyboardInterrupt as error:
                raise ImportError("numpy.core.multiarray failed to import") from error

        for number in (signal.SIGINT, signal.SIGTERM):
            before = signal.getsignal(number)
            self.assertEqual(self.end(lambda n=number: imports(n)), (3, "headroom plot: interrupted, nothing written\n"))
            self.assertIs(signal.getsignal(number), before)

    def test_what_is_not_known_is_not_hidden(self):
        with self.assertRaises(ZeroDivisionError):
            self.end(lambda: 1 / 0)


class NoRoom(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.result = Builder(3).poisson(20).queue(every=20).write(self.folder / "r")
        self.before = sorted(self.folder.rglob("*"))

    def test_plot_and_trace_name_the_file_that_has_no_room(self):
        for command, name in ((plot, "r/plots/completion-time.svg"), (trace, "r/trace.json")):
            with self.subTest(name), largest_file(1000):
                code, err = said(lambda c=command: c([str(self.result)]))
                self.assertEqual(code, 2)
                self.assertIn(f"cannot read or write {self.folder / name}: File too large; give", err)
                self.assertEqual(sorted(self.folder.rglob("*")), self.before)

    def test_fluid_too(self):
        class Nothing:
            stem, tables = "fluid", {}

            class figure:
                @staticmethod
                def savefig(to, **_):
                    to.write("" if isinstance(to, io.StringIO) else b"") if hasattr(to, "write") else Path(to).write_bytes(b"")

        with largest_file(1000), self.assertRaises(OSError) as raised:
            write_fluid(self.folder / "f", {"runs": ["x" * 2000]}, Nothing)
        self.assertEqual(raised.exception.filename, str(self.folder / "f/fluid.json"))
        self.assertFalse((self.folder / "f").exists())
        write_fluid(self.folder / "f", {"runs": []}, Nothing)
        self.assertEqual(json.loads((self.folder / "f/fluid.json").read_text()), {"runs": []})
        self.assertEqual({p.name for p in (self.folder / "f/plots").iterdir()}, {"fluid.svg", "fluid.png"})


if __name__ == "__main__":
    unittest.main()
