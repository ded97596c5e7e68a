"""The entire command: its files, its errors, and that equal results give equal files."""

import contextlib
import errno
import csv
import io
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock
from xml.etree import ElementTree

from synthetic_results import ANALYSIS, Builder, page_text
from unpainted import unpainted

from headroom.command import ended
from headroom.partial import partial_beside
from headroom.plot.__main__ import main
from headroom.plot.drawing.style import COLOURS, QUIET, apply_style
from headroom.plot.figures.occupancy import occupancy_plot
from headroom.plot.figures.timeline import timeline_plot
from headroom.plot.output import write_plot
from headroom.result import load_results
from matplotlib.axis import Axis

# Plots of one result that has every series.
ALL = (
    "completion-time",
    "slowdown",
    "timeline",
    "pauses",
    "headroom",
    "occupancy",
    "watermarks",
    "rates",
)


def files_below(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class Command(unittest.TestCase):
    def setUp(self):
        self._temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self._temporary.name)
        self.addCleanup(self._temporary.cleanup)

    def plot(self, *arguments):
        """(exit code, stdout, stderr)"""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([str(a) for a in arguments])
        return code, out.getvalue(), err.getvalue()

    def assert_plots(self, folder, stems):
        for stem in stems:
            self.assertTrue((folder / "plots" / f"{stem}.png").read_bytes().startswith(b"\x89PNG"))
            ElementTree.parse(folder / "plots" / f"{stem}.svg")
        self.assertTrue((folder / "report.html").is_file())
        self.assertEqual([p for p in folder.iterdir() if p.name.startswith(".plots-")], [])


class Memory(Command):
    def test_a_module_that_lacks_memory_is_there(self):
        for error, wanted in (
            (ImportError("libtiff.so.6: failed to map segment from shared object"), "headroom plot: out of memory; "),
            (ImportError("/lib/x.so: cannot allocate memory in static TLS block"), "headroom plot: out of memory; "),
            (OSError(errno.ENOMEM, "Cannot allocate memory", "/usr/lib/python3/parser"), "headroom plot: out of memory; "),
            (MemoryError(), "headroom plot: out of memory; "),
            (ModuleNotFoundError("No module named 'pandas'"), "type: sudo apt-get install python3-pandas"),
        ):
            with contextlib.redirect_stderr(io.StringIO()) as err:
                self.assertEqual(ended("plot", mock.Mock(side_effect=error), "python3-pandas", "advice"), 2)
            self.assertIn(wanted, err.getvalue())


class Writes(Command):
    def full(self, name, seed=1, **keywords):
        builder = Builder(seed).poisson(600).incast().queue().queue(port="p3", peak=200_000).pause_storm()
        builder.rate("h0").rate("h1", cut_at=(900,)).event(1030, "first_mark").group().cnps("h0")
        return builder.write(self.folder / name, **keywords)

    def test_one_result_into_its_own_folder(self):
        result = self.full("a")
        code, out, err = self.plot(result)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("report.html", out)
        self.assert_plots(result, ALL)

    def test_several_results_into_a_folder_beside_them(self):
        a, b = self.full("a"), self.full("b", kmin="100kB")
        self.assertEqual(self.plot(a, b)[0], 0)
        self.assert_plots(self.folder / "a-vs-b", ALL + ("difference",))
        rows = rows_of(self.folder / "a-vs-b" / "plots" / "slowdown.csv")
        self.assertEqual({row["result"] for row in rows}, {"a", "b"})
        self.assertFalse((a / "plots").exists())

    @unpainted
    def test_results_of_one_name_are_told_apart(self):
        a, b = self.full("x/region"), self.full("y/region")
        self.assertEqual(self.plot(a, b, "--out", self.folder / "out")[0], 0)
        rows = rows_of(self.folder / "out" / "plots" / "slowdown.csv")
        self.assertEqual({row["result"] for row in rows}, {"x/region", "y/region"})

    @unpainted
    def test_ten_results_and_twelve_workloads(self):
        results = []
        for number in range(10):
            builder = Builder(number).poisson(50)
            for workload in range(11):
                builder.incast(2, 1, workload=f"burst{workload}")
            results.append(builder.write(self.folder / f"r{number}"))
        self.assertEqual(self.plot(*results, "--out", self.folder / "out")[0], 0)

    @unpainted
    def test_seeds_are_one_result(self):
        for seed in (1, 2, 3):
            self.full(f"r/seed-{seed}", seed)
        self.assertEqual(self.plot(self.folder / "r")[0], 0)
        self.assertEqual(
            {row["messages"] for row in rows_of(self.folder / "r/plots/completion-time.csv")}, {"1800", "144"}
        )
        self.assertIn("3 seeds", page_text(self.folder / "r" / "report.html"))

    @unpainted
    def test_no_message_is_lost(self):
        builder = Builder().poisson(5000, unfinished=30)
        builder.message("background", 4_000_000_000, 100, 3000, 320)
        result = builder.write(self.folder / "r")
        self.plot(result)
        bins = rows_of(result / "plots" / "slowdown.csv")
        self.assertEqual(sum(int(row["messages"]) for row in bins), 5001)
        self.assertEqual(sum(int(row["unfinished"]) for row in bins), 30)
        self.assertEqual(float(bins[-1]["to_bytes"]), 4e9)
        curve = rows_of(result / "plots" / "completion-time.csv")
        self.assertEqual(float(curve[-1]["completion_us"]), 3000)
        self.assertAlmostEqual(float(curve[-1]["fraction_finished_by_then"]), 4971 / 5001)
        self.assertAlmostEqual(float(curve[-1]["fraction_at_least_as_long"]), 31 / 5001)

    def test_results_keep_their_colours_in_an_occupancy_and_so_do_their_thresholds(self):
        # The second result has the fuller queue.
        for name, peak, kmax in (("a", 1_000_000, "1600kB"), ("b", 1_800_000, "1200kB")):
            Builder().queue(peak=peak).write(self.folder / name, kmax=kmax)
        plot = occupancy_plot(load_results([self.folder / "a", self.folder / "b"]))
        panel = plot.figure.axes[1]
        fullest = {l.get_color(): max(l.get_xdata()) for l in panel.get_lines() if len(l.get_xdata()) > 2}
        levels = {l.get_xdata()[0]: l.get_color() for l in panel.get_lines() if len(l.get_xdata()) == 2}
        self.assertEqual(levels, {400_000: QUIET, 1_600_000: COLOURS[0], 1_200_000: COLOURS[1]})
        told = {text.get_text() for text in plot.figure.texts}
        self.assertLessEqual({"Kmin 400 kB", "Kmax 1.6 MB", "Kmax 1.2 MB"}, told)
        self.assertEqual([text.get_text() for text in panel.texts], [], "words in a panel would cover its curves")
        self.assertEqual(sorted(fullest, key=fullest.get), COLOURS[:2])
        legend = [text.get_text() for text in plot.figure.texts]
        self.assertEqual([text for text in legend if text in ("a", "b")], ["a", "b"])

    def test_thresholds_of_an_occupancy_are_those_of_its_curves(self):
        """A lossy group has no XOFF, and stands in a panel without; Kmin of one of two queues names that queue."""
        made = Builder().queue(port="p2").queue(port="p2", queue=6).group(port="p2").group(port="p2", group=0, xoff_at=None)
        plot = occupancy_plot(load_results([made.write(self.folder / "r")]))
        titles = [axes.get_title("left") for axes in plot.figure.axes[::2]]
        self.assertEqual(titles, [f"{kind}: at most this full" for kind in ("Queues", "Groups", "Lossy groups", "Headroom")])
        levels = [sum(len(line.get_xdata()) == 2 for line in axes.get_lines()) for axes in plot.figure.axes[::2]]
        self.assertEqual(levels, [2, 1, 0, 0])
        told = {text.get_text() for text in plot.figure.texts}
        self.assertLessEqual({"Kmin 400 kB of t0:p2 queue 3", "lowest XOFF threshold 1.2 MB"}, told)

    def test_every_threshold_of_an_occupancy_is_drawn_or_told(self):
        # Headroom peaks at 8 kB, of the configured 96.9 kB: if these were drawn, the curve would have no room.
        result = Builder().queue(port="p2").group(port="p2").write(self.folder / "r")
        self.plot(result)
        found = {r["threshold"]: r["bytes"] for r in rows_of(result / "plots/occupancy-thresholds.csv")}
        self.assertEqual(
            found, {"Kmin": "400000", "Kmax": "1600000", "lowest XOFF threshold": "1200000", "configured": "96928"}
        )
        report = page_text(result / "report.html")
        self.assertIn(r"Bytes of headroom\u003cbr\u003ebeyond: configured 96.9 kB", report)
        for words in ("Kmin 400 kB", "Kmax 1.6 MB", "lowest XOFF threshold 1.2 MB"):
            self.assertIn(f"{words}\\u003c/span\\u003e", report)

    def test_partial_results_are_marked(self):
        builder = Builder().poisson(100, unfinished=5)
        builder.status = "interrupted"
        result = builder.write(self.folder / "r")
        self.plot(result)
        self.assertIn("Partial result: interrupted", page_text(result / "report.html"))

    def test_a_second_call_replaces_the_first_and_keeps_what_is_not_ours(self):
        result = Builder().rate("h0").write(self.folder / "a")
        self.plot(result)
        (result / "plots" / "mine.txt").write_text("keep", encoding="utf-8")
        (result / "rates.csv").unlink()
        self.plot(result)
        self.assertTrue((result / "plots" / "mine.txt").is_file())
        self.assertFalse((result / "plots" / "rates.svg").exists())

    def test_what_a_dead_process_left_goes_and_that_of_a_living_one_stays(self):
        result = Builder().rate("h0").write(self.folder / "a")
        dead = subprocess.Popen(["true"])
        dead.wait()
        mine = partial_beside(result / "plots").name
        begin = mine[: mine.rindex("-") + 1]
        for name in (f"{begin}{dead.pid}", f"{begin}{os.getppid()}", f"{begin}x"):
            (result / name / "plots").mkdir(parents=True)
        (result / f".trace.json{begin[6:]}{dead.pid}").write_text("left", encoding="utf-8")
        self.plot(result)
        partial_beside(result / "trace.json")
        self.assertEqual({p.name for p in result.glob(".*")}, {".headroom", f"{begin}{os.getppid()}", f"{begin}x"})

    def test_sigterm_leaves_nothing(self):
        before = signal.getsignal(signal.SIGTERM)
        self.addCleanup(signal.signal, signal.SIGTERM, before)
        result = self.full("a")
        with mock.patch("headroom.plot.output.write_plot", lambda *_: os.kill(os.getpid(), signal.SIGTERM)):
            code, out, err = self.plot(result)
        self.assertEqual((code, out, err), (3, "", "headroom plot: interrupted, nothing written\n"))
        self.assertEqual([p for p in result.iterdir() if "plot" in p.name or p.name == "report.html"], [])

    def test_equal_results_give_equal_files_in_any_process(self):
        result = self.full("a")
        for hash_seed in ("1", "2"):
            subprocess.run(
                [sys.executable, "-m", "headroom.plot", result, "--out", self.folder / f"out{hash_seed}"],
                env={**os.environ, "PYTHONPATH": str(ANALYSIS), "PYTHONHASHSEED": hash_seed},
                check=True,
                stdout=subprocess.DEVNULL,
            )
        self.assertEqual(files_below(self.folder / "out1"), files_below(self.folder / "out2"))
        svg = (self.folder / "out1" / "plots" / "slowdown.svg").read_text(encoding="utf-8")
        self.assertNotIn("dc:date", svg)

    def test_a_hundred_thousand_messages_cost_little_more_than_a_thousand(self):
        many, few = (
            Builder().poisson(count).queue().pause_storm(8, 80).write(self.folder / str(count))
            for count in (100_000, 1_000)
        )

        def seconds(result):
            before = os.times()
            subprocess.run(
                [sys.executable, "-m", "headroom.plot", result],
                env={**os.environ, "PYTHONPATH": str(ANALYSIS), "OPENBLAS_NUM_THREADS": "1"},
                check=True,
                stdout=subprocess.DEVNULL,
            )
            after = os.times()
            return after.children_user + after.children_system - before.children_user - before.children_system

        # Rounds alternate, and the fastest of up to three counts: machines differ, and a busy one takes longer for
        # equal work.
        rounds = []
        for _ in range(3):
            rounds.append((seconds(many), seconds(few)))
            quickest_many, quickest_few = (min(times) for times in zip(*rounds))
            if quickest_many < 1.8 * quickest_few:
                break
        self.assertLess(quickest_many, 1.8 * quickest_few)

    def test_drawing_measures_no_ticks_for_titles_that_stay_where_they_are(self):
        # Each took an eighth of the whole time.
        plots = (timeline_plot, occupancy_plot)
        apply_style()
        results = load_results([Builder().queue().group().pause_storm().write(self.folder / "r")])
        with mock.patch.object(Axis, "get_tightbbox", autospec=True, side_effect=Axis.get_tightbbox) as measured:
            for plot in plots:
                write_plot(self.folder, plot(results))
        self.assertEqual(measured.call_count, 0)


class Nothing(Command):
    def test_no_messages_no_pauses_no_queues(self):
        result = Builder().write(self.folder / "empty")
        self.assertEqual(self.plot(result)[0], 0)
        self.assert_plots(result, ("completion-time", "slowdown", "timeline"))
        report = page_text(result / "report.html")
        for words in (
            "no completion time to show",
            "no slowdown to show",
            "PFC never fired",
            "No queue was observed",
        ):
            self.assertIn(words, report)

    def test_each_alone(self):
        cases = {
            "queues": Builder().queue(),
            "flat": Builder().queue(peak=0),
            "pauses": Builder().pause_storm(),
            "rates": Builder().rate("h0"),
            "many-rates": Builder(),
            "one": Builder().incast(1, 1),
            "unfinished": Builder().poisson(20, unfinished=20),
            "events": Builder().event(5, "deadlock"),
            "groups": Builder().group(),
            "lossy-groups": Builder().group(xoff_at=None),
            "cnps": Builder().cnps("h0"),
        }
        for number in range(40):
            cases["many-rates"].rate("h0", number)
        for name, builder in cases.items():
            with self.subTest(name):
                self.assertEqual(self.plot(builder.write(self.folder / name))[0], 0)
        self.assertEqual(
            self.plot(*(self.folder / name for name in cases), "--out", self.folder / "all")[0], 0
        )

    def test_without_the_files_that_need_not_be_there(self):
        result = Builder().incast().write(self.folder / "r")
        for name in ("pfc.csv", "events.csv", "ports.csv", "resolved.yaml"):
            (result / name).unlink()
        self.assertEqual(self.plot(result)[0], 0)
        self.assertIn("pfc.csv is missing", page_text(result / "report.html"))

    def test_messages_without_payload_and_without_time(self):
        builder = Builder()
        builder.message("w", 0, 0, 10, 5)
        builder.message("w", 0, builder.end_us, None, 5)
        self.assertEqual(self.plot(builder.write(self.folder / "r"))[0], 0)


class Refuses(Command):
    def test_exit_code_two_and_nothing_written(self):
        good = Builder().incast().write(self.folder / "good")
        before = files_below(self.folder)
        code, out, err = self.plot(good, self.folder / "gone", "--out", self.folder / "out")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("gone does not exist", err)
        self.assertEqual(files_below(self.folder), before)
        self.assertFalse((self.folder / "out").exists())

    def test_a_table_that_is_damaged_is_found_before_anything_is_written(self):
        result = Builder().incast().queue().write(self.folder / "r")
        (result / "queues.csv").write_text(
            "time_ns,node,port,queue,bytes\n0.000,t0,p0,3,x\n", encoding="utf-8"
        )
        code, _, err = self.plot(result)
        self.assertEqual(code, 2)
        self.assertIn("queues.csv:2:1: bytes is 'x'", err)
        self.assertFalse((result / "plots").exists())

    def test_an_output_that_is_a_file(self):
        result = Builder().write(self.folder / "r")
        (self.folder / "out").write_text("", encoding="utf-8")
        code, _, err = self.plot(result, "--out", self.folder / "out")
        self.assertEqual(code, 2)
        self.assertIn("--out DIR", err)


if __name__ == "__main__":
    unittest.main()
