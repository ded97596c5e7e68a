"""Trees of pauses: who held the pauser, from tables small enough to follow by hand."""

import tempfile
import unittest
from pathlib import Path

from synthetic_results import Builder

from headroom_plot.pause_tree import in_order, links_of
from headroom_plot.result import load_results


class Trees(unittest.TestCase):
    def links(self, *pauses):
        """Each pause (pauser, paused, start, end); it acts 1 µs after it is sent. {words: Link}"""
        builder = Builder()
        for pauser, paused, start, end in pauses:
            (by_node, by_port), (node, port) = pauser.split(":"), paused.split(":")
            duration = f"{1000 * (end - start):.3f}"
            sent = [by_node, by_port, node, port, 3, "tx", duration, 0, 1000]
            received = [node, port, by_node, by_port, 3, "rx", duration, 0, 0]
            builder.pauses += [[f"{1000 * start:.3f}", *sent], [f"{1000 * (start + 1):.3f}", *received]]
        with tempfile.TemporaryDirectory() as folder:
            result = load_results([builder.write(Path(folder) / "r")])[0]
            return links_of(result.runs[0])

    def test_a_chain_has_one_root(self):
        # t1 holds t0 from 101 to 201; t0 pauses a at 150 and b at 180, while it is held.
        links = self.links(
            ("t1:p0", "t0:p9", 100, 200), ("t0:p0", "a:p0", 150, 190), ("t0:p1", "b:p0", 180, 250)
        )
        self.assertEqual(
            [(depth, link.words()) for depth, link in in_order(links, 9)],
            [(0, "t1:p0 pauses t0:p9"), (1, "t0:p0 pauses a:p0"), (1, "t0:p1 pauses b:p0")],
        )

    def test_who_paused_before_being_held_is_a_root(self):
        # t0 pauses a at 50, before t1 holds t0: t1 is not the cause of that.
        links = self.links(
            ("t0:p0", "a:p0", 50, 60), ("t1:p0", "t0:p9", 100, 200), ("t0:p0", "a:p0", 150, 190)
        )
        self.assertEqual([depth for depth, _ in in_order(links, 9)], [0, 0])

    def test_a_pause_that_ended_explains_nothing(self):
        links = self.links(("t1:p0", "t0:p9", 100, 120), ("t0:p0", "a:p0", 150, 190))
        self.assertEqual([depth for depth, _ in in_order(links, 9)], [0, 0])

    def test_the_parent_is_who_explains_most_and_that_is_counted(self):
        # Of a's three pauses two began while t2 held t0 (300 to 500), one while t1 did (100 to 200).
        links = self.links(
            ("t1:p0", "t0:p9", 100, 200),
            ("t2:p0", "t0:p8", 120, 140),
            ("t2:p0", "t0:p8", 300, 500),
            ("t0:p0", "a:p0", 150, 160),
            ("t0:p0", "a:p0", 310, 320),
            ("t0:p0", "a:p0", 400, 420),
        )
        found = next(link for link in links if link.key[0] == "a")
        self.assertEqual(
            (found.parent.words(), found.explained, len(found.pauses)), ("t2:p0 pauses t0:p8", 2, 3)
        )

    def test_the_cause_is_looked_for_when_the_pause_was_sent(self):
        # Sent at 200 while t1 still holds t0 (101 to 201); it acts at 201, when t1 does no longer.
        links = self.links(("t1:p0", "t0:p9", 100, 200), ("t0:p0", "a:p0", 200, 230))
        self.assertEqual([depth for depth, _ in in_order(links, 9)], [0, 1])

    def test_another_priority_holds_nobody(self):
        builder = Builder()
        builder.pauses = [
            ["100000.000", "t0", "p9", "t1", "p0", 4, "rx", "100000.000", 0, 0],
            ["150000.000", "t0", "p0", "a", "p0", 3, "tx", "10000.000", 0, 0],
        ]
        with tempfile.TemporaryDirectory() as folder:
            links = links_of(load_results([builder.write(Path(folder) / "r")])[0].runs[0])
            self.assertEqual([link.parent for link in links], [None, None])

    def test_of_many_those_paused_longest_stay_with_their_causes(self):
        links = self.links(
            ("t1:p0", "t0:p9", 100, 105),  # short, but it leads to the longest
            ("t0:p0", "a:p0", 102, 900),
            ("x:p0", "y:p0", 10, 60),
        )
        kept = [link.words() for _, link in in_order(links, 2)]
        self.assertEqual(kept, ["t1:p0 pauses t0:p9", "t0:p0 pauses a:p0"])


if __name__ == "__main__":
    unittest.main()
