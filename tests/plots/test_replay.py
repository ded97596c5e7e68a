"""A perfect network as a fluid: who shares a host's link, what waits in front of links, which way it goes."""

import tempfile
import unittest
from pathlib import Path

import numpy as np
from synthetic_results import MESSAGES, PORTS, Builder, write_csv

from headroom.explain.fluid import Queue
from headroom.explain.network import Network
from headroom.explain.replay import AS_IT_WAS, FASTER_FABRIC, MORE_QUEUE_PAIRS, Replays, shared
from headroom.result import load_results

# All links take 1 B in a ns. Two leaves of two hosts, and two spines.
SETTINGS = """\
duration: 5ms
topology: {type: leaf_spine, leaves: 2, spines: 2, hosts_per_leaf: 2, host_link: {rate: 8Gbps}, fabric_link: {rate: 8Gbps}}
workloads:
  - {name: one, priority: storage, qp: {per_pair: 1}}
  - {name: each, priority: storage, qp: per_message}
"""
WAITS = "id,way,node,port,queue,since_ns,queued_ns,paused_ns".split(",")


class Shares(unittest.TestCase):
    def test_queue_pairs_share_a_link_and_each_has_its_own_done_in_order(self):
        # Two of 10 on one queue pair and 10 on another: halves until 20; then the second of the former alone.
        begun, done = (of.tolist() for of in shared(np.zeros(3), np.full(3, 10.0), np.array([0, 0, 1])))
        self.assertEqual((begun, done), ([0, 20, 0], [20, 30, 20]))

    def test_who_comes_later_shares_what_is_left(self):
        # 10 alone until 4; then halves: 6 more take 12.
        _, done = shared(np.array([0.0, 4.0]), np.array([10.0, 10.0]), np.array([0, 1]))
        self.assertEqual(done.tolist(), [16, 20])


class Queues(unittest.TestCase):
    def test_what_comes_faster_than_it_leaves_waits_in_order(self):
        # 100 B and 100 B come in 100 ns: 100 wait then; later 50 B in 50 ns wait behind the 50 that are left.
        queue = Queue(np.array([0.0, 0.0, 150.0]), np.array([100.0, 100.0, 200.0]), np.array([100.0, 100.0, 50.0]), 1.0)
        self.assertEqual((queue.peak, queue.waited.tolist(), queue.first_waited.tolist()), (100, [100, 100, 50], [0, 0, 50]))

    def test_marks_by_reds_curve(self):
        # It grows by 3 B/ns to 2.4 MB and drains by 1. The curve's integral up to there is 5 % × 1200 / 2 + 800 = 830 kB.
        queue = Queue(np.zeros(4), np.full(4, 800_000.0), np.full(4, 800_000.0), 1.0)
        self.assertAlmostEqual(queue.marked(400_000, 1_600_000, 0.05), 830_000 * (1 / 3 + 1), 3)

    def test_how_often_it_begins_to_be_longer(self):
        begin = np.array([0.0, 0.0, 500.0, 500.0])
        queue = Queue(begin, begin + 100, np.full(4, 100.0), 1.0)
        self.assertEqual([queue.rises(of) for of in (50, 150)], [2, 0])


class Replayed(unittest.TestCase):
    def replays(self, messages, ports, waits=()):
        """`messages`: (workload, src, dst, bytes), all at once; `ports`: {(node, port): bytes that left}."""
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        folder = Path(temporary.name) / "r"
        Builder().write(folder)
        rows = []
        for number, (workload, src, dst, size) in enumerate(messages):
            rows.append([f"m{number}", workload, src, dst, "rack", 3, "write", size, 0, 1, 1, 1, 1, 1, 0, 0])
        write_csv(folder / "messages.csv", MESSAGES, rows)
        of = dict.fromkeys(PORTS, 0) | {"priority": 3}
        write_csv(folder / "ports.csv", PORTS, [(of | {"node": n, "port": p, "tx_bytes": sent}).values() for (n, p), sent in ports.items()])
        write_csv(folder / "message_waits.csv", WAITS, [[name, "data", node, port, 3, 0, 1, 0] for name, node, port in waits])
        summary = folder / "summary.json"
        switches = ", ".join(f'"{s}": {{}}' for s in ("leaf0", "leaf1", "spine0", "spine1"))
        summary.write_text(summary.read_text().rstrip().removesuffix("}") + f', "buffer": {{{switches}}}}}')
        (folder / "resolved.yaml").write_text((folder / "resolved.yaml").read_text() + SETTINGS)
        run = load_results([str(folder)])[0].runs[0]
        return Replays(run, Network(run), run.table("messages"))

    def waits(self, replays, row, change=AS_IT_WAS):
        """{node:port: µs} of a message."""
        found = replays.of("3", change).waits(np.array([row]))
        return {":".join(link): round(float(us[0]), 6) for link, us in found.items() if us[0] > 1e-9}

    UP = {("leaf0", "p2"): 300, ("leaf0", "p3"): 100, ("spine0", "p1"): 300, ("spine1", "p1"): 100}
    ACROSS = [("one", "h0", "h2", 40_000), ("one", "h1", "h3", 40_000)]

    def test_equal_links_take_as_much_as_they_took_of_all_bytes(self):
        # Three quarters by leaf0:p2: 60 kB in 40 µs, 20 wait when all has come, which three quarters of each wait for.
        replays = self.replays(self.ACROSS, self.UP)
        self.assertEqual(self.waits(replays, 0), {"leaf0:p2": 15})
        self.assertEqual(self.waits(replays, 0, FASTER_FABRIC), {})
        self.assertEqual(self.waits(replays, 0, MORE_QUEUE_PAIRS), {}, "each takes half, which has room")

    def test_where_a_queue_pair_has_waited_it_goes_with_all_it_has(self):
        # Both by leaf0:p2: 80 kB in 40 µs, of which 40 wait; nothing waits behind that, as no more comes than that takes.
        replays = self.replays(self.ACROSS, self.UP, [("m0", "leaf0", "p2"), ("m1", "leaf0", "p2")])
        self.assertEqual(self.waits(replays, 0), {"leaf0:p2": 40})
        apart = self.replays(self.ACROSS, self.UP, [("m0", "leaf0", "p2"), ("m1", "leaf0", "p3")])
        self.assertEqual(self.waits(apart, 0), {})

    def test_where_one_of_many_queue_pairs_has_waited_tells_nothing_of_the_others(self):
        each = [("each", *of) for _, *of in self.ACROSS]
        self.assertEqual(self.waits(self.replays(each, self.UP, [("m0", "leaf0", "p2")]), 0), {"leaf0:p2": 15})

    def test_a_queue_pair_is_a_pair_of_hosts_or_a_message(self):
        for workload, waits in (("one", 10), ("each", 5)):
            # 5 kB behind 10 on one queue pair, or 5 of each until 10 µs.
            with self.subTest(workload):
                replays = self.replays([(workload, "h0", "h1", 10_000), (workload, "h0", "h1", 5_000)], {("leaf0", "p1"): 1})
                self.assertEqual(self.waits(replays, 1)["h0:p0"], waits)

    def test_links_of_which_nothing_is_told_are_taken_to_have_room(self):
        replays = self.replays([("one", "h0", "h2", 40_000), ("one", "h1", "h2", 40_000)], {("leaf1", "p0"): 1})
        self.assertEqual(self.waits(replays, 0), {"leaf1:p0": 40})


if __name__ == "__main__":
    unittest.main()
