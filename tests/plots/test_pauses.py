"""Who paused whom, and when: from tables small enough to follow by hand."""

import tempfile
import unittest
from pathlib import Path

from synthetic_results import Builder

from headroom.pauses import links_of, longest
from headroom.plot.figures.pauses import pauses_plot
from headroom.result import load_results


class Links(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def results(self, *pauses, priority=3):
        """Each pause (pauser, paused, start, end); it acts 1 µs after it is sent."""
        builder = Builder()
        for pauser, paused, start, end in pauses:
            (by_node, by_port), (node, port) = pauser.split(":"), paused.split(":")
            duration = f"{1000 * (end - start):.3f}"
            sent = [by_node, by_port, node, port, priority, "tx", duration, 0, 1000]
            received = [node, port, by_node, by_port, priority, "rx", duration, 0, 0]
            builder.pauses += [[f"{1000 * start:.3f}", *sent], [f"{1000 * (start + 1):.3f}", *received]]
        return load_results([builder.write(self.folder / "r")])

    # t1 holds t0 from 101 to 201; t0 pauses a at 150 and b at 180, while it is held. t0 and t1 pause each other over
    # the two directions of one link.
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
            ["result", "node", "port", "by_node", "by_port", "priority", "first_us", "pauses", "paused_us"],
        )
        self.assertEqual(len(plot.tables["pause-intervals"]), 5)
        figure = plot.live.__repr__()
        texts = [text.get_text() for text in plot.figure.texts]
        rows = [text for text in texts if " pauses " in text]
        self.assertEqual(rows, [link.words() for link in links_of(results[0].runs[0])])
        told = " ".join([plot.caption, *plot.details, *texts, figure]).lower()
        self.assertIn("no cause is told", told)
        for claim in ("congestion starts", "first cause", "held", "└", "tree", "because"):
            self.assertNotIn(claim, told)
        (panel,) = plot.figure.axes
        self.assertEqual(len({tuple(c) for bars in panel.collections for c in bars.get_facecolor()}), 1)


if __name__ == "__main__":
    unittest.main()
