"""A scenario's expectations, which its sweep keeps and the curves mark."""

import contextlib
import csv
import io
import json
import sqlite3
import tempfile
import unittest
from pathlib import Path

import synthetic_results  # noqa: F401 - makes the packages importable
import yaml

from headroom.errors import InputError
from headroom.plot.__main__ import main
from headroom.plot.figures.sweep_curves import sweep_plot
from headroom.study.store import Store
from headroom.study_folder import Study

SIZE, TYPE = "workloads.*.message", "services.cache.type"
READS = "messages.read.mops"


def titles_of(plot):
    return [axes.get_title(loc="left") or axes.get_title() for axes in plot.figure.axes]


def row_of(text):
    """The row of an expectation in `headroom check --json`."""
    found = yaml.safe_load(f"{{{text}}}")
    form = next(form for form in ("metric", "ratio", "order") if form in found)
    low, high = found.get("within", (found.get("min"), found.get("max")))
    figure = found.get("published", found.get("value", ""))
    row = {"kind": found.get("kind") or ("published" if "published" in found else "ours"), "figure": figure,
           "source": "fig", "misses": found.get("misses", ""), "form": form}
    if form != "metric":
        return row | {"metrics": [term for term in found[form] if isinstance(term, str)]}
    return row | {"metrics": [found["metric"]], "at": found.get("at", {}), "min": low, "max": high, "unit": found.get("unit", "")}


class ExpectedTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def study(self, expect, runs=None, vary=None):
        """A study with these [(settings, metrics of the summary)], and expectations for some of them."""
        runs = runs or [({SIZE: f"{size}B"}, {"read": {"mops": 26.0 - n}}) for n, size in enumerate((16, 32, 64))]
        vary = vary or {key: list(dict.fromkeys(s[key] for s, _ in runs)) for key in runs[0][0]}
        store = Store(self.folder / "study")
        for run_id, (_, messages) in zip(store.plan([(s, 1, "d") for s, _ in runs]), runs):
            summary = {"messages": messages, "pfc": {"paused_us": run_id}}
            store.finish(run_id, "done", path="runs/1", summary=json.dumps(summary))
        if expect:
            store.put("expect", json.dumps({"vary": vary, "rows": [row_of(text) for text in expect]}))
        store.close()
        return Study(self.folder / "study")

    def marks(self, expect, **more):
        """[(value, number, least, most)] as marked; "" where there is none."""
        plot = sweep_plot(self.study(expect, **more))
        if "sweep-expected" not in plot.tables:
            return []
        table = plot.tables["sweep-expected"]
        return list(table[["value", "number", "least", "most"]].fillna("").itertuples(index=False, name=None))


class Points(ExpectedTest):
    def test_bounds_and_the_printed_value_stand_at_their_point(self):
        self.assertEqual(
            self.marks([f'metric: {READS}, at: {{"{SIZE}": 32B}}, within: [24, 27.5], published: "about 26 M/s in it"']),
            [("32B", 26, 24, 27.5)],
        )

    def test_what_is_left_open_holds_at_each_point(self):
        found = self.marks([f"metric: {READS}, min: 20"])
        self.assertEqual(found, [(size, "", 20, "") for size in ("16B", "32B", "64B")])

    def test_a_value_that_is_written_in_another_way_is_the_same(self):
        vary = {SIZE: ["1KB", "2KB", "3KB"]}
        runs = [({SIZE: size}, {"read": {"mops": 1.0}}) for size in ("1000B", "2KB", "3KB")]
        row = f'metric: {READS}, at: {{"{SIZE}": "1KB"}}, max: 2'
        self.assertEqual(self.marks([row], runs=runs, vary=vary), [("1000B", "", "", 2)])

    def test_the_number_of_something_else_is_not_marked(self):
        for figure in ("4.32 M/s each of six", "26 Gb/s", "26 to 27 M/s", "below 27 M/s"):
            with self.subTest(figure):
                (self.folder / "study/study.sqlite").unlink(missing_ok=True)
                row = f'metric: {READS}, at: {{"{SIZE}": 16B}}, within: [24, 27.5], published: "{figure}"'
                self.assertEqual(self.marks([row]), [("16B", "", 24, 27.5)])

    def test_bounds_in_a_unit_of_their_own(self):
        runs = [({SIZE: f"{n}B"}, {"read": {"completion_us": {"p50": float(n)}}}) for n in (1, 2, 3)]
        row = f'metric: messages.read.completion_us.p50, at: {{"{SIZE}": 2B}}, within: [1900, 2100], unit: ns, '
        row += 'value: "2 us", kind: ours'
        ((place, *numbers),) = self.marks([row], runs=runs)
        self.assertEqual((place, [round(n, 9) for n in numbers]), ("2B", [2, 1.9, 2.1]))

    def test_settings_that_the_scenario_does_not_vary_are_none_that_it_speaks_of(self):
        runs = [({SIZE: f"{n}B", TYPE: t}, {"read": {"mops": 1.0}}) for n in (1, 2, 3) for t in ("herd", "farm")]
        self.assertEqual(self.marks([f"metric: {READS}, max: 2"], runs=runs, vary={SIZE: ["1B", "2B"], TYPE: ["herd"]}),
                         [("1B", "", "", 2), ("2B", "", "", 2)])


class Pictures(ExpectedTest):
    def words(self, plot):
        return " ".join(text.get_text().replace("\u00a0", " ") for text in plot.figure.texts)

    def test_ratios_and_orders_are_counted_and_not_drawn(self):
        plot = sweep_plot(
            self.study(
                [
                    f'metric: {READS}, at: {{"{SIZE}": 16B}}, max: 30',
                    f'ratio: [{READS}, {{"{SIZE}": 16B}}, {{"{SIZE}": 32B}}], max: 2',
                    f"order: [{READS}, [64B, 32B]]",
                    "metric: rates.a.0.at(1us), max: 3",
                ]
            )
        )
        said = "1 of 4 rows of the scenario's expect is drawn; not drawn: 2 ratios or orders, 1 of metrics or settings"
        self.assertIn(said, self.words(plot))
        self.assertIn("1 of 4 rows", plot.caption)

    def test_kinds_and_known_misses_are_told_apart(self):
        rows = [f'metric: {READS}, at: {{"{SIZE}": {size}}}, within: [20, 28], {more}' for size, more in (
            ("16B", 'published: "26 M/s"'), ("32B", 'kind: calibrated, published: "25 M/s"'),
            ("64B", 'kind: computed, value: "24 M/s", misses: "a cause"'))]
        plot = sweep_plot(self.study(rows))
        single = [line for line in plot.figure.axes[0].lines if len(line.get_xdata()) == 1]
        drawn = {(line.get_marker(), float(line.get_ydata()[0])) for line in single}
        for marker in (("D", 26), ("s", 25), ("P", 24), ("x", 24)):
            self.assertIn(marker, drawn)
        words = self.words(plot)
        kinds = ("published: the source prints it", "calibrated: ", "computed: ")
        for said in (*kinds, "known miss: ", "Known miss at 64B: a cause."):
            self.assertIn(said, words)
        self.assertNotIn("ours: ", words)
        symbols = {t["marker"]["symbol"] for t in plot.live["data"] if isinstance(t.get("marker", {}).get("symbol"), str)}
        self.assertLessEqual({"diamond-open", "square-open", "cross-open", "x-thin-open"}, symbols)
        names = [t["name"] for t in plot.live["data"] if t["showlegend"]]
        self.assertEqual(names[1:], ["published", "calibrated", "computed", "known miss"])

    def test_marks_are_within_their_panel(self):
        """An arrow is also marked, on either scale."""
        for least, most, scale in ((25.0, 20, "linear"), (0.1, 0.05, "log"), (25.0, 0.05, "log")):
            with self.subTest((least, most)):
                (self.folder / "study/study.sqlite").unlink(missing_ok=True)
                runs = [({SIZE: f"{n}B"}, {"read": {"mops": v}}) for n, v in ((1, 26.0), (2, 25.0), (3, least))]
                rows = [f'metric: {READS}, at: {{"{SIZE}": {n}B}}, {bound}' for n, bound in ((1, "min: 40"), (3, f"max: {most}"))]
                axes = sweep_plot(self.study(rows, runs=runs)).figure.axes[0]
                self.assertEqual(axes.get_yscale(), scale)
                low, high = axes.get_ylim()
                ends = [y for line in axes.lines for y in line.get_ydata()]
                self.assertLessEqual(low, min(ends))
                self.assertLessEqual(max(ends), high)
                (arrow,) = [line.get_ydata()[0] for line in axes.lines if line.get_marker() == "^" and len(line.get_ydata())]
                self.assertGreater(arrow, 40)

    def test_workloads_of_one_quantity_share_a_panel(self):
        found = [{"mops": float(n), "completion_us": {"p99": 9.0 + n}} for n in (1, 2, 3)]
        runs = [({SIZE: f"{n}B"}, {"read": row, "write": row}) for n, row in enumerate(found, 1)]
        row = "order: [messages.write.mops, messages.read.mops]"
        plot = sweep_plot(self.study([row], runs=runs))
        titles = titles_of(plot)
        self.assertEqual(titles[:2], ["Messages a second, each workload (million)", "p99 completion time of each workload"])
        self.assertIn("Time paused by PFC", titles)
        names = [t["name"] for t in plot.live["data"] if t["showlegend"]]
        self.assertEqual(names[:2], ["write", "read"])

    def test_more_lines_than_looks_stand_in_panels_of_their_own(self):
        runs = [({SIZE: f"{n}B", TYPE: t}, {w: {"mops": float(n)} for w in ("read", "write", "echo")})
                for t in ("herd", "pilaf", "farm") for n in (1, 2, 3, 4)]
        row = "order: [messages.write.mops, messages.read.mops, messages.echo.mops]"
        plot = sweep_plot(self.study([row], runs=runs))
        titles = titles_of(plot)
        self.assertEqual(titles[:3], [f"Messages a second, {w} (million)" for w in ("write", "read", "echo")])

    def test_a_study_that_keeps_nothing_of_it_is_drawn_without(self):
        plot = sweep_plot(self.study([]))
        self.assertEqual(titles_of(plot), ["Time paused by PFC"])
        self.assertNotIn("expect", self.words(plot))
        self.assertEqual(list(plot.tables), ["sweep"])

    def test_the_report_and_its_table(self):
        self.study([f'metric: {READS}, at: {{"{SIZE}": 16B}}, within: [24, 27.5], published: "26 <M/s>"'])
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(main([str(self.folder / "study")]), 0)
        with open(self.folder / "study/plots/sweep-expected.csv", encoding="utf-8", newline="") as file:
            (row,) = csv.DictReader(file)
        self.assertEqual((row["kind"], row["least"], row["figure"], row["source"]), ("published", "24", "26 <M/s>", "fig"))
        self.assertNotIn("26 <M/s>", (self.folder / "study/report.html").read_text(encoding="utf-8"))

    def test_damage_is_told(self):
        study = self.study([f"metric: {READS}, max: 30"])
        row = '"form": "metric", "metrics": [], "kind": "ours", "figure": "", "source": "", "misses": ""'
        rows = ['{"form": "metric"}', f"{{{row}}}", f'{{{row}, "min": NaN}}', f'{{{row}, "min": 1, "unit": 3}}']
        texts = [f'{{"vary": {{}}, "rows": [{row}]}}' for row in rows]
        for text in ("[", "[]", *texts, '{"vary": {"a": 3}, "rows": []}', '{"rows": 3}'):
            with sqlite3.connect(study.path / "study.sqlite") as db:
                db.execute("update study set value = ? where key = 'expect'", [text])
            with self.subTest(text), self.assertRaisesRegex(InputError, "what the scenario expects"):
                Study(study.path)


if __name__ == "__main__":
    unittest.main()
