"""No name of a figure overlaps another, however crowded the results are."""

import itertools
import json
import tempfile
import unittest
from pathlib import Path

from overprint import overprints
from studies import KMIN, PMAX, Studies
from synthetic_results import Builder

from headroom.plot.drawing.style import Sheet, apply_style
from headroom.plot.figures.completion import completion_plot
from headroom.plot.figures.difference import difference_plot
from headroom.plot.figures.groups import groups_plot
from headroom.plot.figures.occupancy import occupancy_plot
from headroom.plot.figures.operations import operations_plot
from headroom.plot.figures.parts import message_parts_plot, operation_parts_plot
from headroom.plot.figures.pareto import pareto_plot
from headroom.plot.figures.pauses import pauses_plot
from headroom.plot.figures.rates import rates_plot
from headroom.plot.figures.slowdown import slowdown_plot
from headroom.plot.figures.surface import surface_plots
from headroom.plot.figures.sweep_curves import sweep_plot
from headroom.plot.figures.timeline import timeline_plot
from headroom.plot.figures.watermarks import watermarks_plot
from headroom.result import load_results
from headroom.study_folder import Study

DRAWING = (
    difference_plot, message_parts_plot, operation_parts_plot, completion_plot, slowdown_plot, operations_plot, timeline_plot,
    pauses_plot, groups_plot, occupancy_plot, watermarks_plot, rates_plot,
)  # fmt: skip
_LONG = "storage-cluster-seven-rack-12-top-of-rack-switch"
_EVENTS = ["deadlock", "watchdog_detected", "watchdog_forced", "watchdog_restored", "qp_error", "fault_start", "fault_stop", "first_drop", "first_mark"]
_MANY_PARTS = {"p50": 3.0, "p99": 90.0, "p999": 4000.0}


class Crowded(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        apply_style()
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)

    def result(self, number, node, level, slowness, seeds=1):
        """A queue whose thresholds are near one another and near the end of the axis, with all observed values."""
        name = f"{node}-{number}-{len(list(self.folder.iterdir()))}"
        for seed in range(1, seeds + 1):
            builder = Builder(seed).poisson(120, slowness=slowness).poisson(100, workload=f"{node}-backup").incast(slowness=slowness)
            builder.queue(node=node).queue(node=node, port="p1").pause_storm().group(node=node, xoff_at=40_000 + number)
            builder.disks(200, workload=f"{node}-disks", slowness=slowness)
            for host in ("h0", "h1", "h2", "h3"):
                builder.rate(f"{node}-{host}", line=40e9 + number).cnps(f"{node}-{host}")
            for index, kind in enumerate(100 * _EVENTS):
                builder.event(5 * index, kind, node=node)
            peak = max((row[4] for row in builder.queues), default=1)
            kmin, kmax = (round(level * share * peak) for share in (0.97, 1.0))
            run_folder = self.folder / name / f"seed-{seed}" if seeds > 1 else self.folder / name
            folder = builder.write(run_folder, kmin=f"{kmin}B", kmax=f"{kmax}B")
            summary = json.loads((folder / "summary.json").read_text())
            for counts in summary["messages"].values():
                counts["parts_us"] = {p: {"wire": us, "queued": us / 150, "paused": 2 * us, "limiter": us / 3} for p, us in _MANY_PARTS.items()}
            (folder / "summary.json").write_text(json.dumps(summary))
        return self.folder / name

    def check(self, results):
        for draw in DRAWING:
            plot = draw(results)
            if plot is not None:
                with self.subTest(plot.stem):
                    self.assertEqual(overprints(plot.figure), [])

    def test_one_result(self):
        self.check(load_results([self.result(0, "t0", 1.0, 1)]))

    def test_long_names(self):
        self.check(load_results([self.result(0, _LONG, 4.0, 1)]))

    def test_many_results(self):
        self.check(load_results([self.result(number, _LONG, (0.9, 3.9)[number], 1 + number) for number in range(2)]))

    def test_a_wide_difference(self):
        results = [self.result(number, "s", 1.0, 1 + 3 * number, seeds=2) for number in (0, 1)]
        self.assertEqual(overprints(difference_plot(load_results(results)).figure), [])


class CrowdedStudies(Studies):
    def test_many_values_and_long_ones(self):
        apply_style()
        many = [f"{10 * 2**i}KB" for i in range(11)], [f"{1 + 3 * i}%" for i in range(9)], ["1"]
        long = [f"a-very-long-value-of-a-setting-{i}" for i in range(6)], [f"another-long-value-{i}" for i in range(5)], ["1", "2", "3"]
        for name, (kmins, pmaxs, others) in (("many", many), ("long", long)):
            runs = [
                ({KMIN: kmin, PMAX: pmax, "workloads.a-rather-long-name-of-a-workload.qp.per_destination": other}, 1, 100 + 7 * n, 300 - n)
                for n, (kmin, pmax, other) in enumerate(itertools.product(kmins, pmaxs, others))
            ]
            study = Study(self.study(runs))
            for plot in filter(None, [sweep_plot(study), *surface_plots(study), pareto_plot(study)]):
                with self.subTest(name, draw=plot.stem):
                    self.assertEqual(overprints(plot.figure), [])
            (self.folder / "s").rename(self.folder / name)


class Helper(unittest.TestCase):
    def test_it_sees_what_overprints(self):
        sheet = Sheet("Title", [], [], 2)
        sheet.text(1, 1, "one name")
        sheet.text(1.1, 1.02, "another")
        sheet.text(8.9, 0.5, "beyond the edge")
        self.assertEqual(overprints(sheet.figure), ["'beyond the edge' leaves the figure", "'one name' over 'another'"])


if __name__ == "__main__":
    unittest.main()
