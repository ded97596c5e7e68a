"""The rates that the plots assume for the ports of named topologies equal those of the simulator."""

import unittest

import synthetic_results  # noqa: F401 - makes the package importable

from headroom.port_rates import peer_of, port_rate, rate_key


def link(gbps):
    return {"rate": f"{gbps}Gbps"}


class KnowsNamedTopologies(unittest.TestCase):
    def check(self, topology, expected_gbps):
        for (node, port), gbps in expected_gbps.items():
            self.assertEqual(port_rate(topology, node, port), gbps * 1e9, f"{node}:{port}")

    def test_region(self):
        links = {"host": link(25), "t0_t1": link(50), "t1_t2": link(100), "t2_rh": link(400)}
        shape = {"clusters": "2", "racks": "4", "hosts": "8", "t1": "3"}
        self.check(
            {"type": "region", **shape, "links": links},
            {
                ("dc0-c1-r2-h3", "p0"): 25,
                ("dc0-c1-r2-t0", "p7"): 25,
                ("dc0-c1-r2-t0", "p8"): 50,
                ("dc1-c0-t1-0", "p3"): 50,
                ("dc1-c0-t1-0", "p4"): 100,
                ("dc1-t2-1", "p5"): 100,
                ("dc1-t2-1", "p6"): 400,
                ("rh-0", "p0"): 400,
            },
        )

    def test_fat_tree(self):
        self.check(
            {"type": "fat_tree", "k": "4", "host_link": link(1), "edge_link": link(2), "core_link": link(3)},
            {("h0", "p0"): 1, ("edge5", "p1"): 1, ("edge5", "p2"): 2, ("agg0", "p1"): 2, ("agg0", "p2"): 3}
            | {("core3", "p0"): 3},
        )

    def test_leaf_spine_dumbbell_and_star(self):
        self.check(
            {"type": "leaf_spine", "hosts_per_leaf": "2", "host_link": link(1), "fabric_link": link(4)},
            {("h3", "p0"): 1, ("leaf0", "p1"): 1, ("leaf0", "p2"): 4, ("spine0", "p0"): 4},
        )
        self.check(
            {"type": "dumbbell", "left": "2", "right": "3", "link": link(1), "bottleneck": link(4)},
            {("l0", "p0"): 1, ("s0", "p1"): 1, ("s0", "p2"): 4, ("s1", "p2"): 1, ("s1", "p3"): 4},
        )
        self.check({"type": "star", "link": link(7)}, {("h0", "p0"): 7, ("s0", "p16"): 7})

    def test_the_key_is_that_of_the_entry_which_gives_the_rate(self):
        rules = [{"match": "*", **link(25)}, {"match": "leaf1:p3", **link(400)}, {"match": "leaf0", "delay": "1us"}]
        mixed = {"type": "leaf_spine", "hosts_per_leaf": "2", "host_link": link(1), "fabric_link": rules}
        listed = {"type": "custom", "links": [{"ends": ["a", "s"], **link(1)}, {"ends": ["b", "s:up"], **link(2)}]}
        region = {"type": "region", "clusters": "2", "racks": "4", "hosts": "8", "t1": "3", "links": {"t0_t1": link(50)}}
        for topology, node, port, key in (
            (mixed, "leaf1", "p1", "host_link"),
            (mixed, "leaf0", "p3", "fabric_link.*"),
            (mixed, "leaf1", "p3", "fabric_link.leaf1:p3"),
            (mixed, "spine1", "p1", "fabric_link.leaf1:p3"),
            (listed, "s", "up", "links.1"),
            (region, "dc0-c1-r2-t0", "p8", "links.t0_t1"),
            ({"type": "fat_tree", "k": "4", "link": link(1)}, "core3", "p0", "link"),
        ):
            self.assertEqual(rate_key(topology, node, port), f"topology.{key}.rate", f"{node}:{port}")

    def test_of_links_that_differ_the_last_match_at_either_end_wins(self):
        rules = [{"match": "*", **link(100)}, {"match": ["leaf1", "h0"], **link(25)}, {"match": "leaf1:p1", **link(10)}]
        rules.append({"match": "h3", "delay": "1us"})
        topology = {"type": "leaf_spine", "hosts_per_leaf": "2", "host_link": rules}
        topology["fabric_link"] = [{"match": "leaf*", **link(400)}, {"match": "spine1:p1", **link(200)}]
        self.check(
            topology,
            {("h0", "p0"): 25, ("leaf0", "p0"): 25, ("leaf0", "p1"): 100, ("h2", "p0"): 25, ("leaf1", "p0"): 25}
            | {("h3", "p0"): 10, ("leaf1", "p1"): 10, ("leaf0", "p3"): 400, ("leaf1", "p3"): 200}
            | {("spine1", "p1"): 200, ("spine1", "p0"): 400},
        )
        star = {"type": "star", "hosts": ["a", "b"], "link": [{"match": "*", **link(8)}, {"match": "b", **link(4)}]}
        self.check(star, {("a", "p0"): 8, ("s0", "p0"): 8, ("s0", "p1"): 4, ("b", "p0"): 4})
        # Patterns work as in fnmatch(3).
        for pattern, gbps in (("[^b]", 4), ("[!b]", 4), (r"\a", 4), (r"\*", 8), ("a:p?", 4), ("A", 8), (["b", "a*"], 4)):
            star = {"type": "star", "hosts": ["a", "b"], "link": [{"match": "*", **link(8)}, {"match": pattern, **link(4)}]}
            self.check(star, {("a", "p0"): gbps})
        tree = {"type": "fat_tree", "k": "4", "link": [{"match": "*", **link(8)}, {"match": "agg1", **link(4)}]}
        self.check(
            tree,
            {("h0", "p0"): 8, ("edge0", "p2"): 8, ("edge0", "p3"): 4, ("core2", "p0"): 4, ("core2", "p1"): 8},
        )

    def test_the_other_end_of_the_other_end_is_the_port_itself(self):
        region = {"type": "region", "clusters": "2", "racks": "3", "hosts": "4", "t1": "2", "t2": "3"}
        for topology, ports in (
            ({"type": "dumbbell", "left": "2", "right": "3"}, {"l1": 1, "r2": 1, "s0": 3, "s1": 4}),
            ({"type": "leaf_spine", "hosts_per_leaf": "3"}, {"h7": 1, "leaf0": 5, "leaf2": 5, "spine1": 3}),
            ({"type": "leaf_spine", "hosts_per_leaf": "3", "links_per_spine": "2"}, {"h7": 1, "leaf2": 7, "spine1": 6}),
            ({"type": "fat_tree", "k": "4"}, {"h13": 1, "edge6": 4, "agg1": 4, "agg6": 4, "core0": 4, "core3": 4}),
            (region, {"dc1-c1-r2-h3": 1, "dc0-c1-r2-t0": 6, "dc1-c0-t1-1": 6, "dc1-t2-2": 6, "rh-1": 6}),
        ):
            for node, count in ports.items():
                for index in range(count):
                    other, port = peer_of(topology, node, index)
                    back = peer_of(topology, other, int(port[1:]))
                    self.assertEqual(back, (node, f"p{index}"), f"{topology['type']}: {other}:{port}")

    def test_what_it_does_not_know_it_does_not_guess(self):
        with self.assertRaises(KeyError):
            port_rate({"type": "hpcc", "file": "topology.txt"}, "n0", "p0")


if __name__ == "__main__":
    unittest.main()
