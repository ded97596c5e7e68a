"""Studies: curves with intervals, surfaces, the front, and the report with the best setting and its certainty."""

import contextlib
import io
import json
import sqlite3
import unittest

from studies import KMIN, Studies, drawn_words, rows_of
from synthetic_results import page_text
from unpainted import painted, unpainted

from headroom.about import about
from headroom.format import parse_any
from headroom.labels import labels_of
from headroom.plot.__main__ import main
from headroom.plot.figures.pareto import _front, pareto_plot
from headroom.plot.figures.surface import surface_plots
from headroom.plot.figures.sweep_curves import sweep_plot
from headroom.study.store import Store
from headroom.study_folder import Study


@unpainted
class Sweeps(Studies):
    def test_curves_have_means_and_intervals_over_the_seeds(self):
        folder = self.grid()
        self.assertEqual(self.plot(folder), (0, ""))
        rows = [r for r in rows_of(folder / "plots/sweep.csv") if r["metric"].endswith("p99")]
        self.assertEqual(len(rows), 6)
        row = next(r for r in rows if r["value"] == "100KB" and r["other_settings"] == "pmax 5%")
        # 111, 112, 113 have mean 112, s = 1, half width 4.3027 / √3 = 2.484.
        self.assertAlmostEqual(float(row["mean"]), 112)
        self.assertAlmostEqual(float(row["high_95"]) - 112, 2.484, places=3)
        self.assertEqual(row["seeds"], "3")

    @painted
    def test_surface_has_every_pair(self):
        folder = self.grid()
        self.plot(folder)
        rows = rows_of(folder / "plots/surface.csv")
        self.assertEqual(len({(r["x"], r["y"]) for r in rows}), 6)

    def test_front_is_what_nothing_beats(self):
        folder = self.grid()
        self.plot(folder)
        rows = rows_of(folder / "plots/pareto.csv")
        # In the row of 20 % p99 rises where pauses fall; the row of 5 % is 50 µs worse for the same pauses.
        front = {r["settings"] for r in rows if r["on_front"] == "1"}
        self.assertEqual(front, {f"kmin {k}, pmax 20%" for k in ("50KB", "100KB", "400KB")})

    def test_report_says_what_is_best_and_whether_the_next_is_told_apart(self):
        folder = self.grid()
        self.plot(folder)
        text = page_text(folder / "report.html")
        self.assertIn("6 settings, 3 seeds, 18 runs done.", text)
        self.assertIn(
            "Lowest p99 completion time of w: 52 ± 2.5 µs, with kmin 50KB, pmax 20%.", text
        )
        # For each seed the next setting is worse by exactly 10 µs.
        self.assertIn("kmin 100KB, pmax 20%: 62 ± 2.5 µs, 10 µs more than the best in each of 3 seeds.", text)
        third = "20 µs more than the best in each of 3 seeds; 10 µs more than kmin 100KB, pmax 20% in each of 3 seeds."
        self.assertIn(f"kmin 400KB, pmax 20%: 72 ± 2.5 µs, {third}", text)
        self.assertIn("<summary>as run with kmin 50KB, pmax 5%</summary>", text)

    def test_the_report_begins_with_what_the_file_says_of_itself(self):
        folder = self.study([({KMIN: "1KB"}, 1, 10.0, 0.0), ({KMIN: "2KB"}, 1, 20.0, 0.0)])
        store = Store(folder)
        scenario = self.folder / "s.yaml"
        scenario.write_text("# Two <ways>\n# to run it.\n#\n#   ./headroom sweep s.yaml\nname: s\n# not this\n")
        store.put("about", about(scenario))
        store.close()
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(main([str(folder)]), 0)
        report = (folder / "report.html").read_text(encoding="utf-8")
        self.assertIn("<p>Two &lt;ways&gt; to run it.</p><pre>./headroom sweep s.yaml</pre>".replace("><", ">\n<"), report)
        self.assertNotIn("not this", report)
        self.assertLess(report.index("Two &lt;ways"), report.index("In words</h2>"))

    def test_failed_and_unfinished_runs_are_told(self):
        settings = [{KMIN: f"{k}KB"} for k in (1, 2, 3, 4)]
        runs = [(s, 1, 10.0 + n, 5 - n) for n, s in enumerate(settings[:3])] + [(settings[3], 1, None, 0)]
        folder = self.study(runs)
        store = Store(folder)
        store.plan([({KMIN: "9KB"}, 1, "d")])
        store.close()
        self.assertEqual(self.plot(folder)[0], 0)
        text = page_text(folder / "report.html")
        self.assertIn("1 run failed: deadlock.", text)
        self.assertIn("1 run still to be done: the study is incomplete.", text)

    def test_one_setting_is_a_table_alone(self):
        folder = self.study([({}, 1, 10.0, 0)])
        self.assertEqual(self.plot(folder)[0], 0)
        self.assertIn("1 setting, 1 seed", page_text(folder / "report.html"))

    def test_refused(self):
        folder = self.grid()
        code, err = self.plot(folder, folder / "runs" / "1")
        self.assertEqual(code, 2)
        self.assertIn("plot it alone", err)
        nothing = self.folder / "t"
        store = Store(nothing)
        store.plan([({}, 1, "d")])
        store.close()
        self.assertIn("no run of this study is finished", self.plot(nothing)[1])
        (self.folder / "u").mkdir()
        (self.folder / "u" / "study.sqlite").write_text("not a database")
        self.assertIn("cannot be read as a study", self.plot(self.folder / "u")[1])


    def tails(self, values_by_kmin):
        """A sweep over kmin with these p99: {kmin: [of seed 1, 2, …]}."""
        return self.study([({KMIN: k}, s + 1, v, 0) for k, values in values_by_kmin.items() for s, v in enumerate(values)])

    def test_differences_are_told_seed_by_seed_with_their_interval(self):
        # Differences 90, 100, 110: mean 100, s = 10, half width 4.3027 × 10 / √3 = 24.84.
        words = self.words(self.tails({"1KB": [100, 200, 300], "2KB": [190, 300, 410], "3KB": [120, 380, 400]}))
        told = "2KB: 300 ± 273 µs, 100 µs more than the best (95 % interval 75.2 µs to 125 µs more, 3 seeds)"
        self.assertIn(told, words)
        self.assertIn("3KB: 300 µs ±?, not distinguishable from the best (95 % interval of the difference −", words)

    def test_settings_with_other_seeds_stand_apart(self):
        folder = self.tails({"1KB": [100, 110, 120], "2KB": [200, 210, 220], "3KB": [50], "4KB": [300, 310, 320]})
        words = self.words(folder)
        self.assertIn("Lowest p99 completion time of w: 110 ± 25 µs, with kmin 1KB.", words)
        self.assertIn("1 setting without all of seeds 1 to 3: set apart", words)
        self.assertLess(words.index("<td>4KB</td>"), words.index("<td>3KB</td>"))
        plot = sweep_plot(Study(folder))
        self.assertIn("Means over 1 to 3 seeds", drawn_words(plot))

    def test_a_lower_bound_leaves_open_which_is_less(self):
        folder = self.tails({"1KB": [100, 110], "2KB": [200, 210]})
        with sqlite3.connect(folder / "study.sqlite") as db:
            summary = {"messages": {"w": {"completion_us": {"p99": 100, "censored": {"p99": True}}}}}
            db.execute("update runs set summary = ? where settings like '%1KB%'", [json.dumps(summary)])
        words = self.words(folder)
        self.assertIn("2KB: 205 ± 64 µs, unfinished messages leave open whether it is less than the best.", words)
        self.assertIn("<td>≥ 100 µs</td>", words)

    def ways(self, names):
        """A sweep over values that are maps, whose table of runs names them so."""
        ways = ['{match: "*", congestion_control: none}', "{match: '*', generation: a, dcqcn: {rp: {rate_ai: 2Gbps}}}"]
        runs = [({"nics.0": w, KMIN: k}, s, 10.0 * len(w) + s, s) for w in ways for k in ("1KB", "2KB", "3KB") for s in (1, 2)]
        runs = [r for r in runs if r[0][KMIN] != "3KB"]
        folder = self.study(runs)
        store = Store(folder)
        store.put("labels", json.dumps({"nics.0": dict(zip(ways, names))}))
        store.close()
        return folder, ways

    @painted
    def test_values_that_are_maps_have_short_names(self):
        folder, ways = self.ways(["plain", "tuned"])
        study = Study(folder)
        axis = next(a for a in study.axes if a.key == "nics.0")
        self.assertEqual([axis.label(w) for w in ways], ["plain", "tuned"])
        words = self.words(folder)
        self.assertIn(", with plain, kmin 1KB.", words)
        self.assertIn("<td>plain</td><td>nics.0</td><td>{match: &quot;*&quot;, congestion_control: none}</td>", words)
        for plot in (sweep_plot(study), *surface_plots(study), pareto_plot(study)):
            self.assertIn('plain: {match: "*", congestion_control: none}', drawn_words(plot), plot.stem)

    def test_names_of_values_are_distinct(self):
        """The values of three keys; a short value needs no name, and an earlier name stays."""
        long = [f"{{match: a, name: {n}, rate: 100Gbps}}" for n in range(3)]
        points = [{"nics.0": long[0], "switches.0.ecn.storage": long[1], "workloads.0.from": "[h0, h1]"}, {"nics.0": long[2]}]
        found = labels_of({}, {}, points, {"nics.0": {long[2]: "nics.0 #1"}})
        self.assertEqual(found["nics.0"], {long[2]: "nics.0 #1", long[0]: "nics.0 #2"})
        self.assertEqual(found["switches.0.ecn.storage"], {long[1]: "storage #1"})
        self.assertNotIn("workloads.0.from", found)

    def test_there_is_no_line_between_categories(self):
        folder, _ = self.ways(["plain", "tuned"])
        study = Study(folder)
        study.axes = [a for a in study.axes if a.key == "nics.0"]
        plot = sweep_plot(study)
        lines = [line for panel in plot.figure.axes for line in panel.lines if len(line.get_xdata()) > 1]
        self.assertEqual({line.get_linestyle() for line in lines}, {"None"})
        self.assertEqual({trace["mode"] for trace in plot.live["data"]}, {"markers"})

    def test_an_interval_that_a_logarithmic_panel_cuts_is_marked(self):
        plot = sweep_plot(Study(self.tails({"1KB": [1, 2, 300], "2KB": [5000, 5100, 5200], "3KB": [9000, 9100, 9200]})))
        self.assertIn("▼ at the edge", drawn_words(plot))
        self.assertIn("v", [line.get_marker() for line in plot.figure.axes[0].lines])

    def test_labels_of_values_that_stand_close_do_not_meet(self):
        folder = self.tails({k: [n, n + 1] for n, k in enumerate(["5KB", "510KB", "520KB", "530KB", "2MB"])})
        plot = sweep_plot(Study(folder))
        self.assertEqual([t.get_text() for t in plot.figure.axes[-1].get_xticklabels()], ["5KB", "510KB", "2MB"])


class Parts(unittest.TestCase):
    def test_front_keeps_equals_and_drops_what_is_beaten(self):
        points = [(1, 5), (2, 2), (2, 2), (3, 2), (5, 1), (6, 1)]
        self.assertEqual(_front(points), [(1, 5), (2, 2), (2, 2), (5, 1)])

    def test_settings_as_numbers(self):
        values = {
            "100KB": 100_000,
            "5%": 0.05,
            "1/256": 1 / 256,
            "55us": 55,
            "40Gbps": 40e9,
            "16": 16,
            "2.5": 2.5,
        }
        for text, number in values.items():
            self.assertAlmostEqual(parse_any(text)[0], number, msg=text)
        # Sizes with the units that settings use.
        self.assertEqual([parse_any("1800KB")[1](n) for n in (1_800_000, 50_000, 0)], ["1.8MB", "50KB", "0"])
        for text in ("gen2", "h[0-3]", "", "1/0"):
            self.assertIsNone(parse_any(text), text)


if __name__ == "__main__":
    unittest.main()
