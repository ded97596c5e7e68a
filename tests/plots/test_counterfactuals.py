"""Settings that take a cause away, of a scenario's own."""

import unittest

import synthetic_results  # noqa: F401  where headroom is

from headroom.explain.counterfactuals import every, fitting


class WhatTakesItAway(unittest.TestCase):
    SETTINGS = {
        "topology.link.rate": "100Gbps",
        "topology.link.delay": "25ns",
        "switches.*.buffer.profile": "azure-24mb",
        "switches.*.pfc.watchdog.0.detection": "1ms",
        "nics.*.transport.ack_priority": "cnp",
        "nics.*.congestion_control": "none",
        "nics.old*.resources.set": "gen1",
        "workloads.asked.load": "0.3",
        "workloads.asked.qp.per_pair": "2",
        "faults.0.type": "pause_storm",
    }
    CHECKED = {
        "thresholds": [{"xoff_bytes": {"1": 2_000_416}, "shared_bytes": 17_992_512}],
        "headroom": [{"pfc": True, "xoff_bytes": 20_000, "need_bytes": {"total": 624_416}}],
    }

    def settings(self, *, causes, parts=(), **changed):
        found = fitting(causes, parts, "asked", self.SETTINGS | changed, self.CHECKED)
        return {one.name: one.settings for one in found}

    def test_a_faster_host_link_offers_the_same_bytes(self):
        found = self.settings(causes=["host_link"])["hosts' links twice as fast"]
        self.assertEqual(found, {"topology.link": "{rate: 200Gbps, delay: 25ns}", "workloads.asked.load": "0.15"})

    def test_alpha_is_the_profiles_where_none_is_stated(self):
        found = self.settings(causes=["buffer"])
        profile = {'switches."*".buffer.profile': "azure-24mb"}
        self.assertEqual(found, {f"alpha {a}": profile | {'switches."*".buffer.alpha': a} for a in ("1/2", "1/32")})  # 1/8
        stated = self.settings(causes=["buffer"], **{"switches.*.buffer.alpha": "1"})
        self.assertEqual(list(stated), ["alpha 4", "alpha 1/4"])

    def test_each_entry_of_nics_is_changed_where_it_has_what_is_taken_away(self):
        self.assertEqual(self.settings(causes=["nic"]), {"ideal NICs": {'nics."old*".resources': "ideal"}})
        self.assertEqual(self.settings(causes=["ack_class", "limiter"]), {})

    def test_a_limiter_that_holds_up_others_is_mended_where_there_is_one(self):
        name, key = "limiters that hold up their own queue pair alone", "nics.old*.bugs.congestion_leaking"
        self.assertNotIn(name, self.settings(causes=["limiter"], **{key: "false"}))
        found = self.settings(causes=["limiter"], **{key: "true"})[name]
        self.assertEqual(found, {'nics."old*".bugs.congestion_leaking': "false"})

    def test_an_entry_of_several_patterns_is_named_by_all_of_them(self):
        old = {"nics.old*.match": "old*", "nics.h[6-9], h1[01].match": "h[6-9], h1[01]", "nics.h[6-9], h1[01].resources.set": "gen2"}
        [found] = self.settings(causes=["nic"], **old).values()
        self.assertEqual(found, {'nics."old*".resources': "ideal", 'nics."[h[6-9],h1[01]]".resources': "ideal"})

    def test_ecn_is_said_as_a_whole_as_an_entry_may_have_it_from_one_before(self):
        ecn = {f"switches.*.ecn.storage.{key}": value for key, value in (("kmin", "100KB"), ("kmax", "400KB"), ("pmax", "0.2"))}
        found = self.settings(causes=["limiter"], **ecn)["ECN thresholds doubled"]
        self.assertEqual(found, {'switches."*".ecn.storage': "{kmin: 200KB, kmax: 800KB, pmax: 0.2}"})

    def test_items_of_a_list_of_links_keep_what_they_have(self):
        links = {"topology.fabric_link.*.match": "*", "topology.fabric_link.*.rate": "100Gbps", "topology.fabric_link.*.delay": "250ns"}
        found = self.settings(causes=["fabric_link"], **links)["links between switches twice as fast"]
        self.assertEqual(found, {"topology.fabric_link.*.rate": "200Gbps"})
        links |= {"topology.fabric_link.s0, s1.match": "s0, s1", "topology.fabric_link.s0, s1.rate": "40Gbps"}
        found = self.settings(causes=["fabric_link"], **links)["links between switches twice as fast"]
        self.assertEqual(found, {"topology.fabric_link.*.rate": "200Gbps", 'topology.fabric_link."[s0,s1]".rate': "80Gbps"})

    def test_headroom_is_as_check_says(self):
        [found] = self.settings(causes=["headroom"]).values()
        self.assertEqual(list(found.values()), ["624416"])

    def test_what_acts_on_a_part_is_tried_whatever_the_evidence_names(self):
        self.assertEqual(list(self.settings(causes=[], parts=["own_queue"])), ["eight times the queue pairs"])
        self.assertEqual(self.settings(causes=["watchdog", "storm"]), {"no watchdog": {'switches."*".pfc.watchdog': "none"}, "without the faults": {"faults": "[]"}})

    def test_links_of_a_custom_topology_are_said_as_a_whole(self):
        links = {"topology.switches": "s0, s1"}
        for number, ends in enumerate(("h0, s0", "s0, s1")):
            links |= {f"topology.links.{number}.ends": ends, f"topology.links.{number}.rate": "100Gbps"}
        found = {one.name: one.settings for one in every("asked", links, {})}
        between = "[{ends: [h0, s0], rate: 100Gbps}, {ends: [s0, s1], rate: 200Gbps}]"
        self.assertEqual(found["links between switches twice as fast"], {"topology.links": between})


if __name__ == "__main__":
    unittest.main()
