"""The settings that give the rates of links, by the names of their ends."""

import unittest

import synthetic_results  # noqa: F401 - makes the package importable

from headroom.links import Link, entry_of, link_at, rate_key


def link(a, b, place=0):
    return Link(tuple(a.split(":")), tuple(b.split(":")), 1e9, place)


class KeysOfLinks(unittest.TestCase):
    def test_named_topologies(self):
        region = {"type": "region", "links": dict.fromkeys(("host", "t0_t1", "t1_t2", "t2_rh"), {"rate": "1Gbps"})}
        for topology, ends, key in (
            ({"type": "star", "link": {}}, ("a:p0", "s0:p3"), "link"),
            ({"type": "torus", "link": {}}, ("s0:p1", "s1:p2"), "link"),
            ({"type": "dumbbell", "link": {}}, ("l0:p0", "s0:p0"), "link"),
            ({"type": "dumbbell", "link": {}}, ("s1:p0", "r0:p0"), "link"),
            ({"type": "dumbbell", "bottleneck": {}}, ("s0:p2", "s1:p2"), "bottleneck"),
            ({"type": "leaf_spine", "host_link": {}}, ("h3:p0", "leaf0:p1"), "host_link"),
            ({"type": "leaf_spine", "fabric_link": {}}, ("leaf0:p2", "spine0:p0"), "fabric_link"),
            ({"type": "fat_tree", "host_link": {}}, ("h0:p0", "edge0:p0"), "host_link"),
            ({"type": "fat_tree", "edge_link": {}}, ("edge5:p2", "agg4:p1"), "edge_link"),
            ({"type": "fat_tree", "core_link": {}}, ("agg0:p3", "core1:p0"), "core_link"),
            ({"type": "fat_tree", "link": {}}, ("agg0:p3", "core1:p0"), "link"),
            (region, ("dc0-c1-r2-h3:p0", "dc0-c1-r2-t0:p3"), "links.host"),
            (region, ("dc0-c1-r2-t0:p8", "dc0-c1-t1-0:p2"), "links.t0_t1"),
            (region, ("dc0-c1-t1-0:p4", "dc0-t2-0:p3"), "links.t1_t2"),
            (region, ("dc1-t2-1:p6", "rh-0:p3"), "links.t2_rh"),
        ):
            self.assertEqual(rate_key(topology, link(*ends)), f"topology.{key}.rate", ends)
            self.assertEqual(rate_key(topology, link(*ends[::-1])), f"topology.{key}.rate", ends)

    def test_a_custom_link_has_its_own_entry(self):
        entries = [{"rate": "1Gbps"}, {"rate": "2Gbps"}]
        self.assertEqual(entry_of({"links": entries}, link("b:p0", "s:up", 1)), ("links.1", entries[1]))

    def test_of_rules_the_last_match_at_either_end_wins(self):
        rules = [{"match": "*", "rate": "8Gbps"}, {"match": ["leaf1", "h0"], "rate": "4Gbps"}, {"match": "leaf0:p1", "rate": "2Gbps"}, {"match": "leaf*", "delay": "1us"}]
        topology = {"type": "leaf_spine", "host_link": rules}
        for ends, named in ((("h9:p0", "leaf2:p1"), "*"), (("h0:p0", "leaf0:p0"), "leaf1, h0"), (("h2:p0", "leaf1:p0"), "leaf1, h0"), (("h1:p0", "leaf0:p1"), "leaf0:p1")):
            self.assertEqual(rate_key(topology, link(*ends)), f"topology.host_link.{named}.rate")
        # Patterns work as in fnmatch(3).
        for pattern, hit in (("[^b]", True), ("[!b]", True), (r"\a", True), (r"\*", False), ("a:p?", True), ("A", False), (["b", "a*"], True)):
            star = {"type": "star", "link": [{"name": "all", "match": "*", "rate": "8Gbps"}, {"name": "some", "match": pattern, "rate": "4Gbps"}]}
            self.assertEqual(rate_key(star, link("a:p0", "s0:p0")), f"topology.link.{'some' if hit else 'all'}.rate", pattern)

    def test_what_it_does_not_know_it_does_not_guess(self):
        for asked in (lambda: entry_of({"type": "hpcc", "file": "topology.txt"}, link("n0:p0", "n1:p0")), lambda: link_at([link("a:p0", "s:p0")], "a", "p1")):
            with self.assertRaises(KeyError):
                asked()


if __name__ == "__main__":
    unittest.main()
