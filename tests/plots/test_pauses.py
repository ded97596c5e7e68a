"""Which port paused which, and when: from tables small enough to follow by hand."""

import tempfile
import unittest
from pathlib import Path

from synthetic_results import Builder

from headroom.pause_roots import links_of, longest, main_root, roots_of
from headroom.plot.figures.pauses import pauses_plot
from headroom.plot.report.result_words import sentences
from headroom.result import load_results


class Links(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def results(self, *pauses, priority=3, causes=()):
        """Results with these pauses (pauser, paused, start, end); each acts 1 µs after it is sent. Causes by the number
        of the pause: (root, workload, share, kind)."""
        builder = Builder()
        for number, root, workload, share, kind in causes:
            (by_node, by_port), (_, start, end) = pauses[number][0].split(":"), pauses[number][1:]
            place = [*root.split(":"), priority, workload] if root else [""] * 4
            fields = [by_node, by_port, priority, "" if end is None else f"{1000 * (end - start):.3f}"]
            builder.causes.append([f"{1000 * start:.3f}", *fields, *place, share, kind])
        for pauser, paused, start, end in pauses:
            (by_node, by_port), (node, port) = pauser.split(":"), paused.split(":")
            duration = f"{1000 * (end - start):.3f}"
            sent = [by_node, by_port, node, port, priority, "tx", duration, 0, 1000]
            received = [node, port, by_node, by_port, priority, "rx", duration, 0, 0]
            builder.pauses += [[f"{1000 * start:.3f}", *sent], [f"{1000 * (start + 1):.3f}", *received]]
        return load_results([builder.write(self.folder / "r")])

    # t1 holds t0 from 101 to 201; t0 pauses a at 150 and b at 180, while it is held. t0 and t1 pause each other in the
    # two directions of one link.
    CHAIN = (
        ("t1:p0", "t0:p9", 100, 200),
        ("t0:p0", "a:p0", 150, 190),
        ("t0:p9", "t1:p0", 160, 170),
        ("t0:p1", "b:p0", 180, 250),
        ("t0:p0", "a:p0", 300, 310),
    )

    def test_links_stand_in_the_order_of_their_first_pauses(self):
        links = links_of(self.results(*self.CHAIN)[0].runs[0])
        self.assertEqual(
            [(link.words(), link.first_us, len(link.pauses), link.paused_us) for link in links],
            [
                ("t1:p0 pauses t0:p9", 101, 1, 100),
                ("t0:p0 pauses a:p0", 151, 2, 50),
                ("t0:p9 pauses t1:p0", 161, 1, 10),
                ("t0:p1 pauses b:p0", 181, 1, 70),
            ],
        )

    def test_of_many_those_paused_longest_stay(self):
        links = links_of(self.results(*self.CHAIN)[0].runs[0])
        self.assertEqual(
            [link.words() for link in longest(links, 2)], ["t1:p0 pauses t0:p9", "t0:p1 pauses b:p0"]
        )

    def test_priorities_are_links_of_their_own(self):
        builder = Builder()
        for priority in (3, 4):
            builder.pauses.append([f"{priority}000.000", "t0", "p0", "a", "p0", priority, "rx", "10.000", 0, 0])
        links = links_of(load_results([builder.write(self.folder / "r")])[0].runs[0])
        self.assertEqual([link.key[4] for link in links], ["3", "4"])

    def test_the_plot_says_who_paused_whom_and_when_and_not_why(self):
        results = self.results(*self.CHAIN)
        plot = pauses_plot(results)
        self.assertEqual(
            list(plot.tables["pauses"].columns),
            [
                *("result", "root_node", "root_port", "root_kind"),
                *("node", "port", "by_node", "by_port", "priority", "first_us", "pauses", "paused_us", "caused_us"),
            ],
        )
        self.assertEqual(len(plot.tables["pause-intervals"]), 5)
        figure = plot.live.__repr__()
        texts = [text.get_text() for text in plot.figure.texts]
        rows = [text for text in texts if " pauses " in text]
        self.assertEqual(rows, [link.words() for link in links_of(results[0].runs[0])])
        told = " ".join([plot.caption, *plot.details, *texts, figure]).lower()
        self.assertIn("their causes were not recorded", told)
        for claim in ("congestion starts", "first cause", "held", "└", "tree", "because"):
            self.assertNotIn(claim, told)
        (panel,) = plot.figure.axes
        self.assertEqual(len({tuple(c) for bars in panel.collections for c in bars.get_facecolor()}), 1)

    # t1's queue p5 is the root of the pauses by t1 and t0, except for a quarter of the second, and the entire last one.
    CAUSES = (
        (0, "t1:p5", "incast", 1.0, "queue"),
        (1, "t1:p5", "incast", 0.5, "queue"),
        (1, "t1:p5", "mix", 0.25, "queue"),
        (1, "t0:p7", "mix", 0.25, "queue"),
        (2, "b:p0", "", 1.0, "storm"),
        (3, "t0:p7", "mix", 0.9, "queue"),
        (3, "", "", 0.1, "rest"),
        (4, "t0:p7", "mix", 1.0, "queue"),
    )

    def test_roots_have_the_links_that_are_paused_for_them_with_their_parts(self):
        # The sum is 100 + 40 + 10 + 70 + 10 µs. t1:p5 has 100 + 0.75 · 40, t0:p7 10 + 63 + 10, the storm 10, the rest
        # 7.
        roots = roots_of(self.results(*self.CHAIN, causes=self.CAUSES)[0].runs[0])
        self.assertEqual(
            [(root.words(), round(root.paused_us, 6), round(root.part, 6)) for root in roots],
            [
                ("t1:p5 (incast)", 130, round(130 / 230, 6)),
                ("t0:p7 (mix)", 83, round(83 / 230, 6)),
                ("the pause storm of b:p0", 10, round(10 / 230, 6)),
                ("small roots together", 7, round(7 / 230, 6)),
            ],
        )
        self.assertEqual(
            [[(link.words(), round(link.caused_us, 6)) for link in root.links] for root in roots[:2]],
            [
                [("t1:p0 pauses t0:p9", 100), ("t0:p0 pauses a:p0", 30)],
                [("t0:p0 pauses a:p0", 20), ("t0:p1 pauses b:p0", 63)],
            ],
        )
        self.assertEqual(list(roots[0].links[1].pauses["share"]), [0.75])

    def test_the_plot_names_each_root_and_under_it_what_is_paused_for_it(self):
        plot = pauses_plot(self.results(*self.CHAIN, causes=self.CAUSES))
        texts = [text.get_text() for text in plot.figure.texts]
        rows = [text for text in texts if " pauses " in text and ":" in text or "of paused time comes" in text]
        self.assertEqual(
            rows[:6],
            [
                "56.5 % of paused time comes from t1:p5 (incast)",
                "t1:p0 pauses t0:p9",
                "t0:p0 pauses a:p0",
                "36.1 % of paused time comes from t0:p7 (mix)",
                "t0:p0 pauses a:p0",
                "t0:p1 pauses b:p0",
            ],
        )
        self.assertIn("56.5 % of paused time comes from t1:p5 (incast).", plot.details)
        intervals = plot.tables["pause-intervals"]
        of_second = intervals[(intervals["node"] == "a") & (intervals["start_us"] == 150)]
        self.assertAlmostEqual(of_second["share"].sum(), 1)
        # A bar is as thick as its share: of two bars at one link, a quarter is a third as thick as three quarters.
        (panel,) = plot.figure.axes
        thick = {round(p.get_extents().height, 6) for bars in panel.collections for p in bars.get_paths()}
        self.assertIn(round(max(thick) / 4, 6), thick)
        self.assertIn(round(max(thick) * 3 / 4, 6), thick)

    def test_most_of_all_runs_comes_from_the_place_with_most_of_the_summaries(self):
        # Two queues of t0:p7 together have 6 of 11 µs, and one workload has less than a tenth of these.
        result = self.results(*self.CHAIN)[0]
        self.assertIsNone(main_root(result))
        root = {"node": "t0", "port": "p7", "queue": 3, "kind": "queue", "workload": "mix", "paused_us": 3.5, "share": 0}
        result.runs[0].summary["pfc"]["roots"] = [
            {**root, "node": "t1", "paused_us": 4.0},
            root,
            {**root, "queue": 4, "workload": "incast", "paused_us": 2.0},
            {**root, "workload": "bulk", "paused_us": 0.5},
        ]
        result.runs[0].summary["pfc"]["other_roots"] = {"paused_us": 1.0, "share": 0}
        found = main_root(result)
        self.assertEqual((found.words(), round(found.part, 6)), ("t0:p7 (mix, incast)", round(6 / 11, 6)))
        told = " ".join(sentences(result))
        self.assertIn("54.5 % of paused time comes from t0:p7 (mix, incast).", told)

    def test_a_pause_that_lasts_counts_to_the_end_of_the_run(self):
        results = self.results(("t0:p0", "a:p0", 100, 190), causes=[(0, "t0:p7", "mix", 1.0, "cycle")])
        run = results[0].runs[0]
        run.table("pfc_causes")["duration_ns"] = float("nan")
        (root,) = roots_of(run)
        self.assertEqual(root.words(), "the cycle through t0:p7 (mix)")
        self.assertAlmostEqual(root.paused_us, run.end_us - 100)
        self.assertIn("▷", " ".join(text.get_text() for text in pauses_plot(results).figure.texts))


if __name__ == "__main__":
    unittest.main()
