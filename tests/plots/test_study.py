"""Studies: curves with intervals, surfaces, the front, and the report that says what is best and how sure that is."""

import contextlib
import csv
import io
import itertools
import json
import sqlite3
import tempfile
import unittest
from pathlib import Path

from browser import Browser
from synthetic_results import RESOLVED, page_text  # also makes the packages importable

from headroom.about import about
from headroom.format import parse_any
from headroom.over_seeds import Point
from headroom.plot.__main__ import main
from headroom.plot.figures.pareto import _front, pareto_plot
from headroom.plot.figures.surface import surface_plot
from headroom.plot.figures.sweep_curves import sweep_plot
from headroom.study.store import Store
from headroom.study_folder import Study

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

    def study(self, runs, answer=None):
        """A study's folder with these finished runs: [(settings, seed, p99, paused µs)]; p99 None: it failed."""
        folder = self.folder / "s"
        store = Store(folder)
        store.put("version", "0.1.0")
        ids = store.plan([(settings, seed, "d") for settings, seed, _, _ in runs])
        for run_id, (_, seed, p99, paused) in zip(ids, runs):
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
        """p99 = 100 + 10 × column + seed, less in the second row; pauses the other way round."""
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


class Sweeps(Studies):
    def test_curves_have_means_and_intervals_over_the_seeds(self):
        folder = self.grid()
        self.assertEqual(self.plot(folder), (0, ""))
        rows = [r for r in rows_of(folder / "plots/sweep.csv") if r["metric"].endswith("p99")]
        self.assertEqual(len(rows), 6)
        row = next(r for r in rows if r["value"] == "100KB" and r["other_settings"] == "pmax 5%")
        # 111, 112, 113: mean 112, s = 1, half width 4.3027 / √3 = 2.484.
        self.assertAlmostEqual(float(row["mean"]), 112)
        self.assertAlmostEqual(float(row["high_95"]) - 112, 2.484, places=3)
        self.assertEqual(row["seeds"], "3")

    def test_surface_has_every_pair(self):
        folder = self.grid()
        self.plot(folder)
        rows = rows_of(folder / "plots/surface.csv")
        self.assertEqual(len({(r["x"], r["y"]) for r in rows}), 6)

    def test_front_is_what_nothing_beats(self):
        folder = self.grid()
        self.plot(folder)
        rows = rows_of(folder / "plots/pareto.csv")
        # In the row of 20 % p99 grows where pauses fall; the row of 5 % is 50 µs worse for the same pauses.
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
        # Seed by seed the next is worse by exactly 10 µs.
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
        self.assertLess(report.index("Two &lt;ways"), report.index("In words"))

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
        self.assertIn("1 run still to be done: this is not the whole of it.", text)

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


    def tails(self, of):
        """A sweep over kmin with these p99: {kmin: [of seed 1, 2, …]}."""
        return self.study([({KMIN: k}, s + 1, v, 0) for k, values in of.items() for s, v in enumerate(values)])

    def test_differences_are_told_seed_by_seed_with_their_interval(self):
        # Differences 90, 100, 110: mean 100, s = 10, half width 4.3027 × 10 / √3 = 24.84.
        words = self.words(self.tails({"1KB": [100, 200, 300], "2KB": [190, 300, 410], "3KB": [120, 380, 400]}))
        told = "2KB: 300 ± 273 µs, 100 µs more than the best (95 % interval 75.2 µs to 125 µs more, 3 seeds)"
        self.assertIn(told, words)
        self.assertIn("3KB: 300 ± 388 µs, not told apart from the best (95 % interval of the difference −", words)

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
        """A sweep over ways that are maps, which its table of runs names so."""
        ways = ['{match: "*", congestion_control: none}', "{match: '*', generation: a, dcqcn: {rp: {rate_ai: 2Gbps}}}"]
        runs = [({"nics.0": w, KMIN: k}, s, 10.0 * len(w) + s, s) for w in ways for k in ("1KB", "2KB", "3KB") for s in (1, 2)]
        runs = [r for r in runs if r[0][KMIN] != "3KB"]
        folder = self.study(runs)
        store = Store(folder)
        store.put("labels", json.dumps({"nics.0": dict(zip(ways, names))}))
        store.close()
        return folder, ways

    def test_values_that_are_maps_have_short_names(self):
        folder, ways = self.ways(["plain", "tuned"])
        study = Study(folder)
        axis = next(a for a in study.axes if a.key == "nics.0")
        self.assertEqual([axis.label(w) for w in ways], ["plain", "tuned"])
        words = self.words(folder)
        self.assertIn(", with plain, kmin 1KB.", words)
        self.assertIn("<td>plain</td><td>nics.0</td><td>{match: &quot;*&quot;, congestion_control: none}</td>", words)
        self.assertIn('plain: {match: "*", congestion_control: none}', drawn_words(sweep_plot(study)))

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


class Searches(Studies):
    def search(self, also=None, **changed):
        """Ten short runs, two settings in full, the baseline; the answer says the second. The key `also` has kmin's value."""
        runs = [({}, seed, 200.0 + seed, 50) for seed in (1, 2)]
        full = [{KMIN: "30KB", PMAX: "3%"}, {KMIN: "77KB", PMAX: "8%"}]
        runs += [(s, seed, 100.0 - 10 * n + seed, 40 - n) for n, s in enumerate(full) for seed in (1, 2)]
        for n in range(10):
            settings = {KMIN: f"{20 + 7 * n}KB", PMAX: f"{1 + n}%", "duration": "1ms", "deadline": "9ms"}
            runs.append((settings, 1, 90.0 + n, n))
        for settings in full + [s for s, *_ in runs[-10:]] if also else []:
            more = {key: settings[k] for k in list(settings) for key in ([k, also] if k == KMIN else [k])}
            settings.clear()
            settings.update(more)

        def entry(mean, half):
            return {"mean": mean, "half_width_95": half, "n": 2}

        objective = {
            "metric": "messages.w.completion_us.p99",
            "baseline": entry(201.5, 6),
            "found": entry(91.5, 6),
        }
        objective |= {"difference": entry(-110, 4), "differs": True}
        best = {"values": {"kmin": "77KB", "pmax": "8%"}, "settings": full[1], "objectives": [objective]}
        kept = {"constraint": "drops.lossless at most 0", "metric": "drops.lossless", "kept": True}
        best |= {"baseline": False, "constraints": [kept]}
        best |= {
            "other_metrics": [],
            "nics": [{"match": ["*"], "mlxconfig": [{"name": "RPG_GD_P1", "value": 11, "unit": "", "note": "half"}]}],
        }
        answer = {
            "objectives": [{"metric": m, "goal": "minimise"} for m in (objective["metric"], "pfc.paused_us")],
            "baseline": {},
            "baseline_constraints": [kept],
            "bounds": [{"metric": "drops.lossless", "min": None, "max": 0.0, "sign": 1}],
            "finalists": [],
        }
        told = [
            {"parameter": "kmin", "tau": -0.25, "as_good": ["30KB", "77KB"]},
            {"parameter": "profile", "tau": None, "as_good": ["a", "b"]},
        ]
        answer |= {"recommended": best, "nearest": None, "sensitivities": told, "short_runs": {}}
        return self.study(runs, {**answer, **{key: change(best) for key, change in changed.items()}})

    def test_short_runs_are_no_results(self):
        study = Study(self.search())
        self.assertEqual((len(study.points), len(study.short)), (3, 10))
        self.assertEqual(sorted(axis.key for axis in study.axes), [KMIN, PMAX])

    def test_recommendation_comes_first(self):
        folder = self.search()
        self.assertEqual(self.plot(folder)[0], 0)
        text = page_text(folder / "report.html")
        words = text[text.index("In words") : text.index("<h2>Settings")]
        self.assertIn("Recommended: kmin 77KB, pmax 8%.", words)
        self.assertNotIn("Not told from the baseline", words)
        change = "fell from 202 µs to 91.5 µs (95 % interval of the difference −114 µs to −106 µs, 2 seeds)."
        self.assertIn("p99 completion time of w " + change, words)
        self.assertIn("Kept at every seed: drops.lossless at most 0.", words)
        self.assertIn(
            "kmin: rank correlation with the objective −0.25; the settings within 2 % of the best have 30KB … 77KB.", words
        )
        self.assertIn("profile: the settings within 2 % of the best have a, b.", words)
        self.assertIn("No setting of a NIC was searched", text)
        self.assertIn("RPG_GD_P1", text)

    def test_a_baseline_that_is_kept(self):
        kept = {"baseline": True, "values": {}, "settings": {}, "nics": []}
        words = self.words(self.search(recommended=lambda best: {**kept, "found": best}))
        self.assertIn("Recommended: the baseline, as it is.", words)
        self.assertIn("The best that was found: kmin 77KB, pmax 8%.", words)

    def test_the_baseline_is_compared_by_the_seeds_of_the_answer(self):
        """Six seeds in all: two that it searched by, and those that it judged by, which alone the baseline ran with."""
        folder = self.search(seeds=lambda best: [11, 12], fresh_seeds=lambda best: [1, 2])
        store = Store(folder)
        rows = [{KMIN: k, PMAX: p} for k, p in (("30KB", "3%"), ("77KB", "8%"), ("40KB", "4%"))]
        for run_id, n in zip(store.plan([(s, seed, "d") for s in rows for seed in (11, 12)]), range(6)):
            summary = {"messages": {"w": {"completion_us": {"p99": 500.0 + n, "censored": {}}}}, "pfc": {"paused_us": n}}
            store.finish(run_id, "done", path="runs/1", summary=json.dumps(summary))
        store.close()
        study = Study(folder)
        self.assertEqual(study.compared_seeds, [11, 12])
        plot = pareto_plot(study)
        self.assertEqual(set(plot.tables["pareto"]["x"]), {500.5, 502.5, 504.5})
        self.assertIn("the scenario as it is among them", drawn_words(plot))
        words = self.words(folder)
        judged = words[words.index("<h2>Settings") :]
        self.assertIn("<td>2, recommended</td><td>91.5 ± 6.4 µs</td>", judged)
        self.assertIn("<td>2, recommended</td><td>502 ± 6.4 µs</td>", judged)
        self.assertIn("judged by: means over seeds 1 and 2", judged)

    def test_more_is_better_of_what_is_bounded_from_below(self):
        bound = {"metric": "pfc.paused_us", "min": 3.0, "max": None, "sign": -1}
        asked = {"objectives": lambda best: [{"metric": "messages.w.completion_us.p99", "goal": "minimise"}]}
        plot = pareto_plot(Study(self.search(bounds=lambda best: [bound], **asked)))
        self.assertIn("Better is less p99 completion time of w and more time paused by PFC.", drawn_words(plot))

    def test_a_search_that_was_stopped_is_no_sweep(self):
        folder = self.search()
        (folder / "study.json").unlink()
        words = self.words(folder)
        self.assertIn("This search has no answer yet", words)
        self.assertNotIn("Lowest", words)
        self.assertNotIn("duration", words)
        self.assertFalse((folder / "plots/sweep.svg").exists())

    def test_a_search_for_one_thing_has_no_front(self):
        asked = [{"metric": "messages.w.completion_us.p99", "goal": "minimise"}]
        self.assertIsNone(pareto_plot(Study(self.search(objectives=lambda best: asked))))

    def test_the_surface_of_a_search_is_what_it_expects(self):
        def trials(_):
            return [{"values": {"kmin": f"{20 + 7 * n}KB", "pmax": f"{1 + n}%"}, "expected": [70.0 + n]} for n in range(10)]

        folder = self.search(trials=trials)
        self.assertEqual(self.plot(folder)[0], 0)
        rows = rows_of(folder / "plots/surface.csv")
        self.assertEqual([float(r["mean"]) for r in rows], [70.0 + n for n in range(10)])

    def test_the_surface_marks_what_is_recommended_and_the_baseline_by_short_names(self):
        """The baseline sets neither key: it stands at what its scenario has."""
        folder = self.search()
        resolved = folder / "runs/1/resolved.yaml"
        resolved.write_text(resolved.read_text().replace("pmax: 5%", "pmax: 0.5%"))
        plot = surface_plot(Study(folder))
        panel = plot.figure.axes[0]
        self.assertEqual({panel.get_xlabel(), panel.get_ylabel()}, {"kmin", "pmax"})
        marks = {l.get_marker(): (l.get_xdata()[0], l.get_ydata()[0]) for l in panel.get_lines()}
        self.assertEqual(marks, {"*": (77_000, 0.08), "D": (1000, 0.005)})
        self.assertLessEqual(panel.get_xlim()[0], 1000)
        self.assertIn("recommended", drawn_words(plot))
        named = {t["name"]: (t["x"], t["y"]) for t in plot.live["data"] if t["showlegend"]}
        self.assertEqual(named, {"recommended": ([77_000], [0.08]), "baseline": ([1000], [0.005])})
        titles = [plot.live["layout"][axis]["title"]["text"] for axis in ("xaxis", "yaxis")]
        self.assertEqual(set(titles), {"kmin", "pmax"})
        self.assertIn(f"kmin ({KMIN})", plot.caption)

    def test_metrics_that_are_times_have_the_units_of_the_table(self):
        folder = self.study([({KMIN: f"{n}KB", PMAX: f"{m}%"}, 1, 900.0 + 400 * n, m) for n in (1, 2, 3) for m in (1, 2, 3)])
        study = Study(folder)
        for draw in (sweep_plot, pareto_plot):
            plot = draw(study)
            plot.figure.canvas.draw()
            panel = plot.figure.axes[0]
            axis = panel.yaxis if draw is sweep_plot else panel.xaxis
            ticks = [t.get_text() for t in axis.get_ticklabels() if t.get_text() not in ("", "0 µs")]
            self.assertTrue(ticks and all(t.endswith((" ms", " µs")) for t in ticks), ticks)
            found = plot.live["layout"]["yaxis" if draw is sweep_plot else "xaxis"]
            self.assertEqual(found["ticksuffix"], "s")
            values = [v for t in plot.live["data"] for v in t["y" if draw is sweep_plot else "x"] if t["yaxis"] == "y"]
            self.assertAlmostEqual(max(values), 2.1e-3)
        told = surface_plot(study).live["data"][0]["text"]
        self.assertIn("3KB, 1%: 2.1 ms", told)

    def test_keys_that_take_the_same_value_are_one_axis(self):
        """Of a parameter that sets the thresholds of two classes, as region-ecn.yaml has them."""

        def trials(_):
            return [{"values": {"kmin": f"{20 + 7 * n}KB", "pmax": f"{1 + n}%"}, "expected": [70.0 + n]} for n in range(10)]

        folder = self.search(also=KMIN.replace("storage", "cnp"), trials=trials)
        study = Study(folder)
        self.assertEqual([axis.title for axis in study.axes], ["switches.0.ecn.[storage,cnp].kmin", PMAX])
        self.assertEqual(study.settings_words(study.points[2]), "kmin 77KB, pmax 8%")
        self.assertTrue(study.is_recommended(study.points[2]))
        self.assertEqual(self.plot(folder)[0], 0)
        rows = rows_of(folder / "plots/surface.csv")
        self.assertEqual([float(r["mean"]) for r in rows], [70.0 + n for n in range(10)])
        self.assertEqual({(r["x_key"], r["y_key"]) for r in rows}, {("switches.0.ecn.[storage,cnp].kmin", PMAX)})
        self.assertEqual(page_text(folder / "report.html").count("<th>kmin</th>"), 1)

    def test_a_lower_bound_is_marked_in_the_recommendation(self):
        def bounded(best):
            objective = best["objectives"][0]
            return {**best, "objectives": [{**objective, "baseline": {**objective["baseline"], "censored": True}}]}

        words = self.words(self.search(recommended=bounded))
        self.assertIn("fell from at least 202 µs to 91.5 µs (95 % interval of the difference −106 µs or less, 2 seeds)", words)

    def test_a_recommendation_that_is_not_told_from_the_baseline_says_so(self):
        told = "Not told from the baseline: no objective is better beyond the noise of these seeds."

        def noisy(best):
            wide = {"mean": -110, "half_width_95": 200, "n": 2}
            return {**best, "objectives": [{**best["objectives"][0], "difference": wide, "differs": False}]}

        self.assertIn(told, self.words(self.search(recommended=noisy)))

    def test_what_misses_least_is_named(self):
        missed = {"constraint": "pfc.paused_us at most 3000", "metric": "pfc.paused_us", "kept": False, "worst": 3420.0}
        missed |= {"seeds_missed": 2, "seeds": 8}
        words = self.words(
            self.search(
                recommended=lambda best: None,
                nearest=lambda best: {"values": best["values"], "constraints": [missed]},
                baseline_constraints=lambda best: [{**missed, "worst": 4800.0, "seeds_missed": 3, "seeds": 4}],
            )
        )
        self.assertIn("Nothing that ran keeps the constraints with every seed: nothing is recommended.", words)
        told = "pfc.paused_us at most 3000: missed with 2 of 8 seeds, at worst 3.42 ms."
        self.assertIn(f"What misses them least is kmin 77KB, pmax 8%: {told}", words)
        self.assertIn("The baseline: pfc.paused_us at most 3000: missed with 3 of 4 seeds, at worst 4.8 ms.", words)

    def test_surface_is_of_the_many_short_runs_and_says_so(self):
        folder = self.search()
        self.plot(folder)
        self.assertEqual(len(rows_of(folder / "plots/surface.csv")), 10)
        self.assertFalse((folder / "plots/sweep.svg").exists())  # no line would have points

    def test_the_roles_stand_in_the_table_of_the_front(self):
        folder = self.search()
        self.plot(folder)
        roles = {r["settings"]: r["role"] for r in rows_of(folder / "plots/pareto.csv")}
        self.assertEqual(roles["kmin 77KB, pmax 8%"], "recommended")
        self.assertEqual(roles["the scenario as it is"], "baseline")

    def test_what_else_changes_is_a_table_and_what_does_not_show_a_sentence(self):
        def entry(metric, before, after, half):
            values = {"baseline": before, "found": after, "difference": after - before}
            told = {name: {"mean": v, "half_width_95": half, "n": 4} for name, v in values.items()}
            return {"metric": metric, "differs": abs(after - before) > half, **told}

        others = [entry("pfc.pauses", 1408.0, 1490.0, 62.0), entry("pfc.paused_us", 3584.0, 3584.5, 0.1)]
        others.append(entry("ecn.marked_fraction", 0.5, 0.4, 0.3))
        words = self.words(self.search(recommended=lambda best: {**best, "other_metrics": others}))
        row = "<td>PFC pauses</td><td>1\u202f408</td><td>1\u202f490</td><td>+20 to +144</td>"
        self.assertIn(row, words)
        self.assertIn("Told apart, but by less than three digits show: time paused by PFC 3.58 ms.", words)
        self.assertNotIn("share of packets marked", words)

    def test_an_answer_of_an_older_version_is_refused(self):
        folder = self.search()
        answer = json.loads((folder / "study.json").read_text())
        del answer["baseline_constraints"]
        (folder / "study.json").write_text(json.dumps(answer))
        self.assertIn("study.json: of an older version; start the same `tune` again", self.plot(folder)[1])

    def test_the_front_of_a_search_is_of_settings_with_all_seeds(self):
        study = Study(self.search(seeds=lambda best: [1, 2]))
        lucky = Point({KMIN: "1KB", PMAX: "1%"})
        lucky.runs[1] = study.points[1].runs[1]
        study.points.append(lucky)
        plot = pareto_plot(study)
        self.assertEqual(plot.tables["pareto"]["seeds"].tolist(), [2, 2, 2])
        self.assertIn("that ran in full with seeds 1 and 2", plot.caption)

    def test_draws_in_a_browser(self):
        folder = self.search()
        self.plot(folder)
        browser = Browser()
        self.addCleanup(browser.close)
        browser.open(folder / "report.html", 390)
        self.assertTrue(browser.drawn())
        self.assertEqual(browser.messages(), [])
        self.assertLessEqual(browser.run("return document.documentElement.scrollWidth"), 390)


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
        # Sizes of settings as settings have them.
        self.assertEqual([parse_any("1800KB")[1](n) for n in (1_800_000, 50_000, 0)], ["1.8MB", "50KB", "0"])
        for text in ("gen2", "h[0-3]", "", "1/0"):
            self.assertIsNone(parse_any(text), text)


if __name__ == "__main__":
    unittest.main()
