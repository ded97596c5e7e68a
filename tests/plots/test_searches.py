"""Searches: recommendations with their certainty, surfaces and fronts, and the report."""

import json
import unittest

from browser import Browser
from studies import KMIN, PMAX, Studies, drawn_words, rows_of
from synthetic_results import page_text
from unpainted import painted, unpainted

from headroom.over_seeds import Point
from headroom.plot.figures.pareto import pareto_plot
from headroom.plot.figures.surface import surface_plots
from headroom.plot.figures.sweep_curves import sweep_plot
from headroom.plot.figures.verdict import verdict_plot
from headroom.study.store import Store
from headroom.study_folder import Study


@unpainted
class Searches(Studies):
    def search(self, also=None, **changed):
        """Ten short runs, two complete settings, and the baseline; the answer names the second setting. The key `also`
        has the value of kmin."""
        runs = [({}, seed, 200.0 + seed, 50) for seed in (1, 2)]
        full = [{KMIN: "30KB", PMAX: "3%"}, {KMIN: "77KB", PMAX: "8%"}]
        runs += [(s, seed, 100.0 - 10 * n + seed, 40 - n) for n, s in enumerate(full) for seed in (1, 2)]
        short = []
        for n in range(10):
            settings = {KMIN: f"{20 + 7 * n}KB", PMAX: f"{1 + n}%", "duration": "1ms", "deadline": "9ms"}
            short.append((settings, 1, 90.0 + n, n))
        for settings in full + [s for s, *_ in short] if also else []:
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
        return self.study(runs, short=short, answer={**answer, **{key: change(best) for key, change in changed.items()}})

    def test_short_runs_are_no_results(self):
        study = Study(self.search())
        self.assertEqual((len(study.points), len(study.short)), (3, 10))
        self.assertEqual(len(study.table()), 3)
        self.assertEqual(sorted(axis.key for axis in study.axes), [KMIN, PMAX])

    def test_recommendation_comes_first(self):
        folder = self.search()
        self.assertEqual(self.plot(folder)[0], 0)
        text = page_text(folder / "report.html")
        words = text[text.index("In words") : text.index("<h2>Settings")]
        self.assertIn("Recommended: kmin 77KB, pmax 8%.", words)
        self.assertNotIn("No certain difference from the baseline", words)
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
        self.assertIn("The best setting found: kmin 77KB, pmax 8%.", words)

    def test_the_baseline_is_compared_by_the_seeds_of_the_answer(self):
        """There are six seeds: two for the search, and four for the verdict, which are the only ones of the baseline."""
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
        self.assertIn("including the unchanged scenario", drawn_words(plot))
        words = self.words(folder)
        judged = words[words.index("<h2>Settings") :]
        self.assertIn("<td>2, recommended</td><td>91.5 ± 6.4 µs</td>", judged)
        self.assertIn("<td>2, recommended</td><td>502 ± 6.4 µs</td>", judged)
        self.assertIn("recommendation: means over seeds 1 and 2", judged)

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
        """Of every objective, with a setting that all runs have, as from `set:`."""

        def trials(_):
            both = [{KMIN: f"{20 + 7 * n}KB", PMAX: f"{1 + n}%", "mtu": "4096"} for n in range(10)]
            return [{"settings": settings, "expected": [70.0 + n, 3.0 * n]} for n, settings in enumerate(both)]

        folder = self.search(trials=trials)
        self.assertEqual(self.plot(folder)[0], 0)
        for stem, metric, means in (
            ("surface", "messages.w.completion_us.p99", [70.0 + n for n in range(10)]),
            ("surface-2", "pfc.paused_us", [3.0 * n for n in range(10)]),
        ):
            rows = rows_of(folder / f"plots/{stem}.csv")
            self.assertEqual([float(r["mean"]) for r in rows], means)
            self.assertEqual({r["metric"] for r in rows}, {metric})

    def test_the_surface_marks_what_is_recommended_and_the_baseline_by_short_names(self):
        """The baseline sets neither key: it has the scenario's values."""
        folder = self.search()
        resolved = folder / "runs/1/resolved.yaml"
        resolved.write_text(resolved.read_text().replace("pmax: 5%", "pmax: 0.5%"))
        plot, _ = surface_plots(Study(folder))
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
        told = surface_plots(study)[0].live["data"][0]["text"]
        self.assertIn("3KB, 1%: 2.1 ms", told)

    def test_keys_that_take_the_same_value_are_one_axis(self):
        """A search over a parameter that sets the thresholds of two classes, as region-ecn.yaml has."""

        def trials(_):
            values = [(f"{20 + 7 * n}KB", f"{1 + n}%") for n in range(10)]
            return [
                {"settings": {KMIN: kmin, KMIN.replace("storage", "cnp"): kmin, PMAX: pmax}, "expected": [70.0 + n, 0.0]}
                for n, (kmin, pmax) in enumerate(values)
            ]

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
        told = "No certain difference from the baseline: no objective improves by more than the noise of these seeds."

        def noisy(best):
            wide = {"mean": -110, "half_width_95": 200, "n": 2}
            return {**best, "objectives": [{**best["objectives"][0], "difference": wide, "differs": False}]}

        self.assertIn(told, self.words(self.search(recommended=noisy)))

    def test_the_verdict_is_in_words_and_drawn_by_seed(self):
        def judged(best):
            said = {"says": "better", "change": -0.546, "low": -0.58, "high": -0.51, "seeds": 2, "more_seeds": None}
            said |= {"open": False, "pooled": None}
            return {**best, "objectives": [{**best["objectives"][0], "verdict": said}]}

        about = {"fresh_seeds": [1, 2], "resolution": 0.03, "confidence": 0.95}
        folder = self.search(recommended=judged, **{key: lambda best, value=value: value for key, value in about.items()})
        plot = verdict_plot(Study(folder))
        changes = plot.tables["verdict-seeds"]["change"].tolist()
        self.assertEqual([round(change, 4) for change in changes], [round(91 / 201 - 1, 4), round(92 / 202 - 1, 4)])
        self.assertEqual(list(plot.tables), ["verdict-seeds"])  # without lines of messages there are no tails
        self.assertIn("p99 completion time of w is better by 55 ± 4 % (2 fresh seeds)", self.words(folder))

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
        self.assertIn("No setting that ran keeps the constraints with every seed, so there is no recommendation.", words)
        told = "pfc.paused_us at most 3000: missed with 2 of 8 seeds, at worst 3.42 ms."
        self.assertIn(f"The setting that misses them least is kmin 77KB, pmax 8%: {told}", words)
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
        self.assertIn("Differences too small for three digits: time paused by PFC 3.58 ms.", words)
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

    @painted
    def test_draws_in_a_browser(self):
        folder = self.search()
        self.plot(folder)
        browser = Browser()
        self.addCleanup(browser.close)
        browser.open(folder / "report.html", 390)
        self.assertTrue(browser.drawn())
        self.assertEqual(browser.messages(), [])
        self.assertLessEqual(browser.run("return document.documentElement.scrollWidth"), 390)


if __name__ == "__main__":
    unittest.main()
