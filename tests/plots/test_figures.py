"""Extremes in figures: bars keep their totals, an outlier does not take the colours of others, queue pairs have two
ends."""

import itertools
import json
import random
import re
import unittest

from overprint import overprints
from studies import KMIN, PMAX, Studies, drawn_words
from synthetic_results import Builder

from headroom.csv_file import MESSAGE_PARTS, PARTS
from headroom.plot.drawing.colour_scale import colour_norm, extend_of, is_beyond
from headroom.plot.drawing.margin import margin_labels
from headroom.plot.drawing.stacked import merged
from headroom.plot.drawing.style import Sheet, apply_style
from headroom.plot.figures.operations import operations_plot
from headroom.plot.figures.rates import rates_plot
from headroom.plot.figures.surface import surface_plots
from headroom.result import load_results
from headroom.study_folder import Study


class Bars(Studies):
    def test_merging_small_parts_keeps_each_total(self):
        source = random.Random(1)
        for _ in range(200):
            parts = source.choice((PARTS, MESSAGE_PARTS))
            rows = [
                {part: 10 ** source.uniform(-3, 4) for part in source.sample(list(parts), source.randint(1, len(parts)))}
                for _ in range(source.randint(1, 5))
            ]
            colours, bars = merged(parts, rows, source.choice((0.0, 0.01, 1.0, 1e5)))
            for row, bar in zip(rows, bars):
                self.assertAlmostEqual(sum(bar.values()), sum(row.values()), delta=1e-9 * sum(row.values()))
                self.assertLessEqual(set(bar), set(colours))

    def test_a_bar_too_short_to_see_is_labelled_with_its_time(self):
        folder = Builder(1).disks(100).disks(100, workload="monitoring").write(self.folder / "r")
        summary = json.loads((folder / "summary.json").read_text())
        for kind in ("read", "write", "all"):
            parts = summary["operations"]["monitoring"][kind]["parts_us"]
            summary["operations"]["monitoring"][kind]["parts_us"] = dict.fromkeys(parts, 0.0) | {"core": 1.5, "network": 2.07}
            summary["operations"]["disks"][kind]["parts_us"]["device"] = 90_000
        (folder / "summary.json").write_text(json.dumps(summary))
        plot = operations_plot(load_results([folder]))
        labels = [text.get_text() for text in plot.figure.axes[-1].texts]
        self.assertEqual(labels.count("3.57 µs"), 2)
        names = [row for figure in plot.live for trace in figure["data"] if trace["type"] == "bar" for row in trace["y"]]
        self.assertIn("monitoring read, 3.57 µs", names)


class Colours(Studies):
    def test_one_outlier_leaves_the_others_the_whole_scale(self):
        source = random.Random(2)
        for _ in range(200):
            middle = 10 ** source.uniform(-2, 6)
            count = source.randint(8, 40)
            values = [middle * (1 + 0.5 * i / count) for i in range(count)]
            norm = colour_norm(values)
            self.assertEqual((norm.vmin, norm.vmax), (min(values), max(values)))
            for outlier, end in ((middle * 10 ** source.uniform(3, 5), "max"), (-middle * 1e4, "min")):
                norm = colour_norm([*values, outlier])
                self.assertEqual((norm.vmin, norm.vmax), (min(values), max(values)))
                self.assertTrue(is_beyond(norm, outlier))
                self.assertEqual(extend_of(norm, [*values, outlier]), end)

    def test_values_that_grow_by_ratios_have_no_outlier(self):
        norm = colour_norm([10.0**e for e in range(7)])
        self.assertEqual((norm.vmin, norm.vmax), (1, 1e6))

    def test_a_surface_outlines_the_outlier_and_extends_its_bar(self):
        runs = [
            ({KMIN: f"{50 * (1 + column)}KB", PMAX: f"{1 + row}%"}, 1, 5e6 if (column, row) == (2, 1) else 100.0 + 10 * column + row, 0)
            for column, row in itertools.product(range(4), range(3))
        ]
        (plot,) = surface_plots(Study(self.study(runs)))
        panel = plot.figure.axes[0]
        self.assertEqual(panel.images[0].get_clim(), (100, 132))
        outlined = [patch for patch in panel.patches if not patch.get_fill()]
        self.assertEqual([(p.get_x() + 0.44, p.get_y() + 0.44) for p in outlined], [(2, 1)])
        self.assertIn("Outlined: values beyond the colour scale", drawn_words(plot))
        self.assertIn("(5 s)", drawn_words(plot).replace("\u00a0", " "))
        [far] = [trace for trace in plot.live["data"] if trace["name"] == "beyond the scale"]
        self.assertEqual((far["x"], far["y"]), (["150KB"], ["2%"]))
        self.assertEqual(overprints(plot.figure), [])


class QueuePairs(Studies):
    def words(self, *rates):
        builder = Builder()
        for host, qp, peer in rates:
            builder.rate(host, qp, peer=peer)
        return rates_plot(load_results([builder.cnps(rates[0][0]).write(self.folder / "r")]))

    def test_both_ends_are_named(self):
        plot = self.words(("h0", 0, "h16"), ("h0", 1, "h3"), ("h2", 0, ""))
        names = {trace["name"] for trace in plot.live["data"]}
        self.assertLessEqual({"h0 → h16, QP 0", "h0 → h3, QP 1", "h2, QP 0"}, names)
        self.assertIn("h0 → h16, QP 0", {text.get_text() for text in plot.figure.axes[0].texts})

    def test_a_queue_pair_with_changing_ends_names_none(self):
        builder = Builder().rate("h0")
        for number, row in enumerate(builder.rates):
            row[-1] = f"h{number % 3}"
        plot = rates_plot(load_results([builder.write(self.folder / "r")]))
        self.assertEqual({trace["name"] for trace in plot.live["data"]}, {"h0, QP 0"})


class Margin(Studies):
    def test_labels_stay_apart_and_inside_wherever_they_point(self):
        apply_style()
        source = random.Random(3)
        for _ in range(20):
            sheet = Sheet("Title", [], [], 2)
            panel = sheet.axes(1, 0.3, 6, 1.25)
            panel.set_ylim(0, 100)
            panel.set_yticks([])
            places = [source.choice((0, 100, 120, source.uniform(0, 100))) for _ in range(source.randint(1, 8))]
            margin_labels(panel, [(y, f"name {i}", "#000000") for i, y in enumerate(places)], 0.14 / 1.25)
            self.assertEqual(overprints(sheet.figure), [])
            shares = sorted((text.xy[1], int(re.sub(r"\D", "", text.get_text()))) for text in panel.texts)
            self.assertTrue(all(-0.01 <= y <= 1.01 for y, _ in shares))
            self.assertEqual([places[i] for _, i in shares], sorted(places))


if __name__ == "__main__":
    unittest.main()
