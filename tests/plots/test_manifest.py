"""Headroom replaces its own files and no others."""

import contextlib
import io
import os
import random
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from synthetic_results import Builder

from headroom.errors import InputError
from headroom.manifest import place
from headroom.plot.__main__ import main as plot
from headroom.trace.__main__ import main as trace


def texts(folder):
    return {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*") if p.is_file() and p.name != ".headroom"}


class Places(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.out = self.folder / "out"
        self.out.mkdir()
        self.rounds = 0

    def fresh(self, names, text):
        """A folder with these files, each with `text` in it."""
        self.rounds += 1
        fresh = self.folder / f"fresh-{self.rounds}"
        for name in names:
            (fresh / name).parent.mkdir(parents=True, exist_ok=True)
            (fresh / name).write_text(text)
        return fresh

    def test_random_files_of_two_commands_and_of_a_user(self):
        chance = random.Random(5)
        names = [f"{folder}{name}" for folder in ("", "plots/") for name in ("a b.svg", "c.csv", "d.html", "e")]
        mine, ours, changed, refused = {}, {}, set(), 0
        for number in range(300):
            kind, name = chance.random(), chance.choice(names)
            if kind < 0.1 and name not in ours:  # a user's file
                self.fresh([], "")
                (self.out / name).parent.mkdir(exist_ok=True)
                (self.out / name).write_text("mine")
                mine[name] = "mine"
            elif kind < 0.2 and name in ours:  # a user changes one of the command's files
                (self.out / name).write_text("changed")
                changed.add(name)
            elif kind < 0.3 and mine:
                (self.out / (gone := chance.choice(sorted(mine)))).unlink()
                del mine[gone]
            else:
                command, force = chance.choice(("plot", "fluid")), chance.random() < 0.3
                made = chance.sample(names, chance.randrange(1, 4))
                old = {name for name, by in ours.items() if by == command}
                in_the_way = any(name in mine or ours.get(name, command) != command for name in made)
                before = texts(self.out)
                if in_the_way or (not force and changed & (old | set(made))):
                    refused += 1
                    with self.assertRaisesRegex(InputError, "did not write it|was changed since"):
                        place(self.fresh(made, "new"), self.out, command, force)
                    self.assertEqual(texts(self.out), before)
                else:
                    place(self.fresh(made, f"new {number}"), self.out, command, force)
                    ours = {name: by for name, by in ours.items() if by != command} | dict.fromkeys(made, command)
                    changed &= set(ours) - set(made)
                    self.assertLessEqual(mine.items(), texts(self.out).items())
                    self.assertEqual({name for name, text in texts(self.out).items() if text == f"new {number}"}, set(made))
                    self.assertEqual(set(texts(self.out)), set(mine) | set(ours))
        self.assertGreater(refused, 30)

    def test_killed_at_any_moment_the_next_call_knows_what_is_there(self):
        place(self.fresh(("a", "plots/b", "plots/gone"), "old"), self.out, "plot")
        (self.out / "mine").write_text("mine")
        for name in ("replace", "unlink"):
            for moment in range(5):
                left = [moment]

                def dies(*arguments, do=getattr(os, name), left=left, **more):
                    left[0] -= 1
                    if left[0] < 0:
                        raise KeyboardInterrupt
                    return do(*arguments, **more)

                fresh = self.fresh(("a", "plots/b", "plots/c"), f"{name} {moment}")
                with mock.patch(f"os.{name}", dies), contextlib.suppress(KeyboardInterrupt):
                    place(fresh, self.out, "plot")
                self.assertLessEqual(set(texts(self.out)) - {"mine"}, {"a", "plots/b", "plots/c", "plots/gone"})
                place(self.fresh(("a", "plots/b", "plots/gone"), "old"), self.out, "plot")
                self.assertEqual(texts(self.out), {"a": "old", "plots/b": "old", "plots/gone": "old", "mine": "mine"})

    def test_links(self):
        fresh = self.fresh((), "")
        fresh.mkdir()
        (fresh / "best").symlink_to("nowhere")
        place(fresh, self.out, "tune")
        again = self.fresh((), "")
        again.mkdir()
        (again / "best").symlink_to("elsewhere")
        place(again, self.out, "tune")
        self.assertEqual(os.readlink(self.out / "best"), "elsewhere")
        (self.out / "best").unlink()
        (self.out / "best").symlink_to("mine")
        with self.assertRaisesRegex(InputError, "best: was changed since `headroom tune` wrote it; give --force"):
            place(self.fresh(("other",), "x"), self.out, "tune")


class Commands(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.result = Builder(3).poisson(20).write(self.folder / "r")

    def call(self, command, *words):
        with contextlib.redirect_stderr(io.StringIO()) as err, contextlib.redirect_stdout(io.StringIO()):
            code = command([str(word) for word in words])
        return code, err.getvalue()

    def test_plot_is_not_redrawn_where_a_file_was_changed(self):
        self.assertEqual(self.call(plot, self.result)[0], 0)
        (self.result / "report.html").write_text("mine")
        code, err = self.call(plot, self.result)
        self.assertEqual(code, 2)
        self.assertIn("report.html: was changed since `headroom plot` wrote it; give --force to replace it, or another --out", err)
        self.assertEqual((self.result / "report.html").read_text(), "mine")

    def test_trace_takes_the_place_of_its_own_alone(self):
        for _ in range(2):
            self.assertEqual(self.call(trace, self.result)[0], 0)
        self.assertEqual(self.call(trace, self.result, "--out", self.result / "trace.json")[0], 0)
        (self.result / "trace.json").write_text("mine")
        self.assertEqual(self.call(trace, self.result)[0], 2)
        other = self.folder / "t.json"
        mine = '{"displayTimeUnit":"ns","otherData":{}}'
        other.write_text(mine)
        code, err = self.call(trace, self.result, "--out", other)
        self.assertEqual((code, err), (2, f"headroom trace: {other}: exists; give --force to replace it, or another --out\n"))
        self.assertEqual((other.read_text(), (self.result / "trace.json").read_text()), (mine, "mine"))
        for words in ((), ("--out", other)):
            self.assertEqual(self.call(trace, self.result, *words, "--force")[0], 0)


if __name__ == "__main__":
    unittest.main()
