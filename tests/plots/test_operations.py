"""Operations of services: their table, their metrics, their figure, and results that contain nothing else."""

import contextlib
import io
import re
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

from synthetic_results import OPERATIONS, Builder, page_text, write_csv
from unpainted import painted, unpainted

import headroom
from headroom.difference import differences
from headroom.errors import InputError
from headroom.metrics import default_metrics, metric_of
from headroom.plot.__main__ import main
from headroom.plot.figures.completion import completion_plot
from headroom.plot.figures.operations import operations_plot
from headroom.plot.figures.slowdown import slowdown_plot
from headroom.result import load_results
from headroom.study_folder import Study


@unpainted
class Operations(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def plot(self, *arguments):
        """The report's path."""
        with contextlib.redirect_stdout(io.StringIO()) as out:
            self.assertEqual(main([str(a) for a in arguments]), 0)
        return Path(out.getvalue().splitlines()[0])

    def result(self, name="r", **keywords):
        return load_results([Builder(1).disks(**keywords).write(self.folder / name)])[0]

    def test_the_table_has_units_and_kinds_of_its_columns(self):
        Builder(1).disks(10, unfinished=1).write(self.folder / "r")
        result = headroom.load(self.folder / "r")
        table = result.table("operations")
        self.assertIn("operations", result.tables)
        self.assertEqual(list(table.columns), [*OPERATIONS, "scope"])  # of a later version: empty
        self.assertEqual(table.attrs["units"]["device_ns"], "ns")
        self.assertEqual(table["ramp"].tolist()[3:6], [True, False, False])
        self.assertEqual(str(table["qp"].dtype), "Int64")
        parts = table[[c for c in OPERATIONS[19:]]].sum(axis=1)
        took = table["completed_ns"] - table["start_ns"]
        self.assertLess((parts - took).abs()[:9].max(), 0.01)
        self.assertTrue(took.isna().iloc[9])

    def test_the_ramp_is_left_out_and_the_unfinished_have_their_age(self):
        found = self.result(count=10, unfinished=1).operations
        self.assertEqual(len(found), 6)
        self.assertEqual(found["finished"].tolist(), [True] * 5 + [False])
        self.assertEqual(found["us"].iloc[5], 5000 - 90)

    def test_damaged_tables_are_refused_with_their_place(self):
        builder = Builder(1).disks(6)
        for column, value, wanted in (
            ("kind", "trim", "kind is 'trim'; call or get or insert or put or read or read_modify_write or send or send_receive or tensor or "),
            ("ramp", "2", "ramp is '2'; 0 or 1 is expected"),
            ("start_ns", "", "start_ns is ''; a number is expected"),
            ("device_ns", "many", "device_ns is 'many'; a number is expected"),
            ("qp", "x", "qp is 'x'; a whole number is expected"),
            ("completed_ns", "1.000", "an operation that ended at 1 as 'ok'"),
            ("status", "", "an operation that ended at "),
        ):
            with self.subTest(column):
                folder = builder.write(self.folder / column)
                rows = [list(row) for row in builder.operations]
                rows[2][OPERATIONS.index(column)] = value
                write_csv(folder / "operations.csv", OPERATIONS, rows)
                with self.assertRaisesRegex(InputError, re.escape(f"operations.csv:4:1: {wanted}")):
                    load_results([folder])[0].table("operations")

    def test_a_summary_whose_operations_are_none_is_refused(self):
        folder = Builder(1).disks(6).write(self.folder / "r")
        file = folder / "summary.json"
        file.write_text(file.read_text().replace('"read": {', '"read": 7, "more": {', 1))
        with self.assertRaisesRegex(InputError, r"operations\.disks\.read is not an object"):
            load_results([folder])

    def test_metrics_have_words_units_and_a_place_in_tables(self):
        result = self.result()
        self.assertGreater(result.interval("operations.disks.read.latency_us.p50").mean, 60)
        known = result.counted()[1]
        self.assertIn("operations.disks.all.latency_us.p99", default_metrics(known))
        for path, label in (
            ("operations.disks.read.latency_us.p99", "p99 latency of reads of disks"),
            ("operations.disks.all.latency_us.max", "Longest latency of disks"),
            ("operations.disks.write.parts_us.core_queue", "Mean time of writes of disks in core queue"),
            ("operations.disks.all.iops", "I/Os a second, disks"),
            ("operations.disks.all.gbps", "Throughput of disks (Gb/s)"),
            ("cores.c0.utilisation.0", "Cores.c0.utilisation.0 (%)"),
        ):
            self.assertEqual(metric_of(path).label, label)

    def test_operations_on_keys_have_their_own_words_and_come_first_in_sweeps(self):
        result = load_results([Builder(1).keys().write(self.folder / "r")])[0]
        self.assertEqual(result.operation_kinds, [("gets", "get"), ("gets", "read_modify_write")])
        known = result.counted()[1]
        first = ["operations.gets.all.mops", "operations.gets.all.latency_us.p99"]
        self.assertEqual(default_metrics(known)[:2], first)
        for path, label in (
            ("operations.gets.all.mops", "Operations a second, gets (million)"),
            ("operations.gets.get.latency_us.p99", "p99 latency of GETs of gets"),
            ("operations.gets.read_modify_write.latency_us.mean", "Mean latency of read-modify-writes of gets"),
            ("operations.gets.all.failed", "Failed operations, gets"),
        ):
            self.assertEqual(metric_of(path).label, label)
        curves = operations_plot([result]).tables["operations"]
        self.assertEqual(list(dict.fromkeys(curves["kind"])), ["get", "read_modify_write"])
        page = page_text(self.plot(self.folder / "r", "--out", self.folder / "plots"))
        self.assertIn("gets: 30 read-modify-writes, all finished well", page)
        self.assertIn("Mops", page)
        self.assertNotIn("I/Os", page.partition("<script")[0])

    def test_more_operations_a_second_are_better_unless_fewer_are_asked_for(self):
        def sign(metric, *objectives):
            return Study.sign(SimpleNamespace(answer={"objectives": list(objectives)}), metric)

        mops = "operations.gets.all.mops"
        self.assertEqual([sign(mops), sign("operations.disks.all.iops"), sign("messages.m.goodput_gbps")], [-1] * 3)
        self.assertEqual(sign("operations.gets.all.latency_us.p99"), 1)
        self.assertEqual(sign(mops, {"metric": mops, "goal": "minimise"}), 1)

    def test_differences_are_of_each_kind(self):
        before, after = self.result("a"), self.result("b", slowness=3)
        found = {d.metric: d for d in differences(before, after)}
        for path in ("read.latency_us.p50", "read.latency_us.p99", "write.latency_us.p50"):
            self.assertGreater(found[f"operations.disks.{path}"].change.mean, 0)
        self.assertNotIn("operations.disks.all.latency_us.p50", found)
        self.assertNotIn("operations.disks.read.latency_us.p999", found, "148 reads have none")

    def test_the_figure_has_a_curve_and_a_bar_for_each_kind(self):
        result = self.result(unfinished=2)
        plot = operations_plot([result])
        curves = plot.tables["operations"]
        reads = curves[curves["kind"] == "read"]
        self.assertEqual(reads["operations"].iloc[0], 148)
        self.assertEqual(reads["unfinished"].iloc[0], 1)
        self.assertEqual(reads["fraction_finished_by_then"].max(), 147 / 148)
        self.assertEqual(reads["fraction_at_least_as_long"].iloc[-1], 2 / 148, "the longest, and the unfinished one")
        parts = plot.tables["operation-parts"].set_index("kind")
        self.assertAlmostEqual(parts.loc["write", "device_us"], 20)
        self.assertAlmostEqual(parts.loc["write", "credits_us"], 0)
        told = " ".join(plot.details)
        self.assertIn("disks read: 148 operations, p50", told)
        self.assertIn("max ≥", told)
        self.assertIn("of which network", told)

    def test_a_bar_whose_parts_are_all_small_keeps_its_length(self):
        # The times are 40 ms and 30 µs: on one scale, no part of the second would be visible.
        builder = Builder(2)
        for number in range(20):
            builder.operation("disks", "read", 10 * number, 40_000)
            builder.operation("monitoring", "read", 10 * number, 30)
        result = load_results([builder.write(self.folder / "r")])[0]
        plot = operations_plot([result])
        self.assertIn("30 µs", [text.get_text() for axes in plot.figure.axes for text in axes.texts])
        bars = next(axes for axes in plot.figure.axes if axes.patches)
        ends = {}
        for patch in bars.patches:
            ends[patch.get_y()] = max(ends.get(patch.get_y(), 0), patch.get_x() + patch.get_width())
        self.assertEqual([round(end) for _, end in sorted(ends.items())], [40_000, 30])
        traces = plot.live[-1]["data"]
        self.assertAlmostEqual(sum(trace["x"][1] for trace in traces if trace["type"] == "bar"), 30e-6, 12)

    def test_the_tail_has_a_panel_of_its_own_in_both_versions(self):
        plot = operations_plot([self.result(unfinished=2)])
        tail = next(axes for axes in plot.figure.axes if "tail" in axes.get_title(loc="left"))
        self.assertEqual((tail.get_yscale(), tail.get_xlabel()), ("log", "Latency"))
        plot.figure.canvas.draw()
        self.assertIn("1 % (p99)", [text.get_text() for text in tail.get_yticklabels()])
        layout = plot.live[0]["layout"]
        self.assertIn("<b>The tail: took at least this long</b>", [a["text"] for a in layout["annotations"]])
        self.assertEqual(layout["yaxis2"]["type"], "log")
        self.assertIn("1 % (p99)", layout["yaxis2"]["ticktext"])
        self.assertEqual(layout["xaxis2"]["matches"], "x")
        self.assertNotIn("xaxis3", layout, "the parts of the mean have a figure of their own, with its own legend")
        self.assertEqual(plot.live[1]["layout"]["xaxis"]["ticksuffix"], "s")

    def test_where_lines_are_of_some_the_figure_says_so_and_means_are_of_all(self):
        builder = Builder(1).disks()
        builder.one_in = 3
        plot = operations_plot(load_results([builder.write(self.folder / "some")]))
        self.assertIn("disks read: 148 operations, 49 of them drawn", plot.details)
        builder.one_in = 0
        plot = operations_plot(load_results([builder.write(self.folder / "none")]))
        self.assertTrue(plot.tables["operations"].empty)
        self.assertFalse(plot.drawn)

    def test_a_result_without_messages_has_no_empty_plots_of_them(self):
        result = self.result()
        self.assertIsNone(completion_plot([result]))
        self.assertIsNone(slowdown_plot([result]))
        text = page_text(self.plot(self.folder / "r"))
        self.assertNotIn("No message was offered", text)
        self.assertNotIn("Completion times", text)
        self.assertRegex(text, r"disks: 148 reads, all finished well; half took up to [0-9.]+ µs, 99 % up to ")
        self.assertRegex(text, r"of the mean time, [0-9.]+ % network and [0-9.]+ % device")
        self.assertIn("<h2>Operations</h2>", text)

    def test_what_is_unfinished_at_the_deadline_are_operations(self):
        builder = Builder(1).disks(20, unfinished=1)
        builder.status = "deadline"
        self.assertEqual(
            load_results([builder.write(self.folder / "r")])[0].partial, "stopped at the deadline with operations unfinished"
        )

    @painted
    def test_messages_and_operations_stand_side_by_side(self):
        folder = Builder(1).poisson(100).disks().write(self.folder / "both")
        other = Builder(2).poisson(100).disks(slowness=2).write(self.folder / "other")
        text = page_text(self.plot(folder, other, "--out", self.folder / "out"))
        for heading in ("Completion times", "Operations", "Latency of operations"):
            self.assertIn(f"<h2>{heading}</h2>", text)

    def test_without_operations_nothing_is_said_of_them(self):
        folder = Builder(1).poisson(50).write(self.folder / "r")
        self.assertIsNone(operations_plot(load_results([folder])))
        self.assertNotIn("Operations", page_text(self.plot(folder)))


if __name__ == "__main__":
    unittest.main()
