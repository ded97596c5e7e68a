"""The plot of the fluid model: its files, and no files if it is impossible."""

import contextlib
import io
import json
import math
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock
from xml.etree import ElementTree

import synthetic_results  # noqa: F401 (finds the package)

from headroom.plot import fluid


def _answer(queues):
    """An answer with this many bottlenecks, each with a decaying wave."""
    times = [10.0 * i for i in range(2001)]
    wave = [math.exp(-t / 5000) * math.cos(t / 250) for t in times]
    bottlenecks = [
        {
            "at": f"s0:p{i}",
            "flows": 10,
            "loop_delay_us": {"least": 4.0, "most": 4.5},
            "ecn": {"kmin_bytes": 5000, "kmax_bytes": 200000, "pmax": 0.01},
            "fixed_point": {"queue_bytes": 120000.0, "at_kmax": i == 1, "rate_bps": 4e9},
            "stability": {
                "phase_margin_deg": 1.9 if i != 1 else None,
                "wave_us": 1570.0 if i != 1 else None,
                "verdict": "stable" if i != 1 else "at Kmax",
            },
        }
        for i in range(queues)
    ]
    runs = [
        {
            "at": f"s0:p{i}",
            "time_us": times,
            "queue_bytes": [120000 * (1 + w) for w in wave],
            "marked_fraction": [0.006 * (1 + w) for w in wave],
            "groups": [
                {"flows": 5, "loop_delay_us": delay, "rate_bps": [4e9 * (1 + w / 2) for w in wave]}
                for delay in (4.0, 4.2, 4.4, 4.5)
            ],
        }
        for i in range(queues)
    ]
    return {"scenario": "many", "bottlenecks": bottlenecks, "runs": runs}


def _files_below(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


class Fluid(unittest.TestCase):
    def setUp(self):
        self._temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self._temporary.name)
        self.addCleanup(self._temporary.cleanup)

    def call(self, folder, answer):
        """(exit code, stdout, stderr)"""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            with mock.patch.object(sys, "stdin", io.StringIO(json.dumps(answer))):
                code = fluid.main([str(folder)])
        return code, out.getvalue(), err.getvalue()

    def test_files_are_written_and_equal_for_equal_answers(self):
        for name in ("one", "two"):
            code, out, err = self.call(self.folder / name, _answer(2))
            self.assertEqual((code, err), (0, ""))
            self.assertIn("fluid (.svg, .png, .csv)", out)
        one, two = (_files_below(self.folder / name) for name in ("one", "two"))
        self.assertEqual(one, two)
        self.assertEqual(sorted(one), [".headroom", "fluid.json", "plots/fluid.csv", "plots/fluid.png", "plots/fluid.svg"])
        ElementTree.parse(self.folder / "one/plots/fluid.svg")

    def test_the_data_are_those_of_all_queues(self):
        self.assertEqual(self.call(self.folder / "many", _answer(6))[0], 0)
        rows = (self.folder / "many/plots/fluid.csv").read_text().splitlines()
        self.assertEqual(rows[0], "queue,time_us,loop_delay_us,rate_bps,queue_bytes,marked_fraction")
        self.assertEqual(len(rows), 1 + 6 * 4 * 2001)

    def test_where_nothing_can_be_drawn_nothing_is_written(self):
        code, out, err = self.call(self.folder / "none", _answer(0))
        self.assertEqual((code, out), (2, ""))
        self.assertIn("no queue to draw", err)
        self.assertFalse((self.folder / "none").exists())

    def test_a_folder_that_cannot_be_made_is_named(self):
        (self.folder / "file").write_text("")
        code, _, err = self.call(self.folder / "file", _answer(1))
        self.assertEqual(code, 2)
        self.assertIn("cannot read or write", err)


if __name__ == "__main__":
    unittest.main()
