"""Shared by the tests of studies: a study made of rows, its plots and its report."""

import contextlib
import csv
import io
import itertools
import json
import tempfile
import unittest
from pathlib import Path

from synthetic_results import RESOLVED, page_text  # the import also makes the packages importable

from headroom.plot.__main__ import main
from headroom.study.store import Store

KMIN, PMAX = "switches.0.ecn.storage.kmin", "switches.0.ecn.storage.pmax"


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def drawn_words(plot):
    """All texts of the sheet around the panels."""
    return " ".join(text.get_text() for text in plot.figure.texts)


class Studies(unittest.TestCase):
    def setUp(self):
        self._temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self._temporary.name)
        self.addCleanup(self._temporary.cleanup)

    def study(self, runs, answer=None, short=()):
        """A study's folder with these finished runs: [(settings, seed, p99, paused µs)]; p99 None: it failed. `short`:
        those of a search for a part of the duration."""
        folder = self.folder / "s"
        store = Store(folder)
        store.put("version", "0.1.0")
        if short:
            store.put("command", "tune")
        ids = store.plan([(settings, seed, "d") for settings, seed, _, _ in runs])
        ids += store.plan([(settings, seed, "d") for settings, seed, _, _ in short], 0.25)
        for run_id, (_, seed, p99, paused) in zip(ids, [*runs, *short]):
            if p99 is None:
                store.finish(run_id, "failed", exit_code=1, message="deadlock")
                continue
            path = folder / "runs" / str(run_id)
            path.mkdir(parents=True)
            text = RESOLVED.format(name="s", seed=seed, warmup="0us", kmin="1kB", kmax="2kB", pfc="true")
            (path / "resolved.yaml").write_text(text, encoding="utf-8")
            summary = {
                "messages": {"w": {"completion_us": {"p99": p99, "censored": {}}}},
                "pfc": {"paused_us": paused},
                "ecn": {"marked_fraction": 0.1},
                "drops": {"lossless": 0},
            }
            store.finish(run_id, "done", path=f"runs/{run_id}", summary=json.dumps(summary))
        store.close()
        if answer:
            (folder / "study.json").write_text(json.dumps(answer), encoding="utf-8")
        return folder

    def grid(self):
        """p99 = 100 + 10 × column + seed, less in the second row; pauses change in the other direction."""
        runs = []
        for (column, kmin), (row, pmax) in itertools.product(
            enumerate(["50KB", "100KB", "400KB"]), enumerate(["5%", "20%"])
        ):
            for seed in (1, 2, 3):
                settings = {KMIN: kmin, PMAX: pmax}
                runs.append((settings, seed, 100 + 10 * column - 50 * row + seed, 300 - 100 * column))
        return self.study(runs)

    def plot(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([str(a) for a in arguments])
        return code, err.getvalue()


    def words(self, folder):
        self.assertEqual(self.plot(folder)[0], 0)
        text = page_text(folder / "report.html")
        return text[text.index("In words") : text.index("<figure")]
