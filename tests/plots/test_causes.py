"""What a tail is put down to, in results of one question each: two leaves and two spines, h0 … h3, and a message that took 100 µs."""

import json
import tempfile
import unittest
from pathlib import Path

from synthetic_results import CAUSES, EVENTS, MESSAGES, PFC, PORTS, Builder, write_csv

from headroom.csv_file import MESSAGE_PARTS
from headroom.explain.counterfactuals import every, fitting
from headroom.explain.evidence import Evidence
from headroom.result import load_results

TOPOLOGY = """\
duration: 5ms
topology: {type: leaf_spine, leaves: 2, spines: 2, hosts_per_leaf: 2}
nics:
  - {match: "*", transport: {ack_priority: same}, dcqcn: {np: {coalescing: per_qp}, rp: {reduce_window: 0ns}}}
workloads:
  - {name: asked, priority: storage}
"""
SWITCHES = ("leaf0", "leaf1", "spine0", "spine1")
DROPS = ("headroom_full", "egress_limit", "link_loss", "watchdog")


class PutsATailDownTo(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name) / "r"
        self.messages, self.ports, self.pauses, self.causes, self.events = [], [], [], [], []
        self.waits, self.peak, self.offered = {}, 0.5, None

    def message(self, start, src="h0", dst="h2", verb="write", **parts):
        """One that took the sum of its parts; µs."""
        took = sum(parts.values())
        times = [f"{1000 * t:.3f}" for t in (start, start + took, start + took, 1)]
        number = len(self.messages)
        row = [f"asked/{src}/{number}", "asked", src, dst, "rack", 3, verb, 1000, *times, took, 1, 0, 0]
        self.messages.append(row + [f"{1000 * parts.get(part, 0):.3f}" for part in MESSAGE_PARTS])

    def port(self, node, port, busy=0.0, marks=0, priority=3, sent=1000, **drops):
        row = dict.fromkeys([*PORTS, *(f"drop_{reason}" for reason in DROPS)], 0)
        row |= {"node": node, "port": port, "priority": priority, "utilisation": busy, "marked_packets": marks, "tx_bytes": sent}
        self.ports.append(row | {f"drop_{reason}": count for reason, count in drops.items()})

    def pause(self, node, port, peer, peer_port, root, kind):
        """100 µs by node:port; its root is the last."""
        self.pauses.append(["0.000", node, port, peer, peer_port, 3, "tx", "100000.000", 0, 0])
        self.causes.append(["0.000", node, port, 3, "100000.000", *root, 3, "asked", 1.0, kind])

    def evidence(self, settings=TOPOLOGY):
        Builder().write(self.folder)
        write_csv(self.folder / "messages.csv", [*MESSAGES, *(f"{part}_ns" for part in MESSAGE_PARTS)], self.messages)
        write_csv(self.folder / "ports.csv", list(self.ports[0]) if self.ports else PORTS, [row.values() for row in self.ports])
        write_csv(self.folder / "pfc.csv", PFC, self.pauses)
        write_csv(self.folder / "pfc_causes.csv", CAUSES, self.causes)
        write_csv(self.folder / "events.csv", EVENTS, self.events)
        summary = json.loads((self.folder / "summary.json").read_text())
        offered = len(self.messages) if self.offered is None else self.offered
        parts = {}
        for of in self.waits.values():
            for part, us in of.items():
                parts[part] = parts.get(part, 0) + us
        places = {place: {"towards": None, **of} for place, of in self.waits.items()}
        asked = {"offered": offered, "finished": offered, "parts_us": {"p99": parts}, "waits_us": {"p99": places}}
        summary |= {"messages": {"asked": asked}, "sim_time_us": 5000.0}
        summary["buffer"] = {s: {"size_bytes": 1000, "peak_bytes": 1000 * self.peak, "pools": {}} for s in SWITCHES}
        (self.folder / "summary.json").write_text(json.dumps(summary))
        resolved = self.folder / "resolved.yaml"
        resolved.write_text(resolved.read_text() + settings)
        return Evidence(load_results([str(self.folder)])[0].runs[0], "asked")

    def shares(self, **more):
        return {cause: round(share, 3) for cause, share in self.evidence(**more).shares.items()}

    def test_what_held_the_messages_before_it_on_its_queue_pair(self):
        # The first is at the head for 90 µs, 60 of them the limiter's; the second waits for all of these, and 10 in its own right.
        self.message(0, limiter=60, own_packets=30)
        self.message(0, own_queue=90, own_packets=10)
        self.message(0, src="h1", wire=1)
        self.port("h0", "p0", busy=0.3)
        self.port("leaf1", "p0", busy=0.4, marks=5)
        self.assertEqual(self.shares(), {"limiter": 0.6, "queue_pairs": 0.3, "own_size": 0.1})

    def test_only_while_it_waited(self):
        # At the head from 0 to 80 µs; who comes at 60 waits for the last 20, of which the limiter has the share that it has of all.
        self.message(0, limiter=60, own_packets=20)
        self.message(60, own_queue=20, wire=80)
        self.assertEqual(self.shares(), {"distance": 0.8, "limiter": 0.15, "queue_pairs": 0.05})

    def test_its_hosts_link_where_that_has_no_room(self):
        self.message(0, own_packets=80)
        self.message(0, own_queue=80, own_packets=20)
        self.port("h0", "p0", busy=0.9)
        self.assertEqual(self.shares(), {"host_link": 0.8, "own_size": 0.2})

    def test_nothing_where_the_messages_before_it_have_no_line(self):
        self.message(0, own_packets=80)
        self.message(0, own_queue=80, own_packets=20)
        self.offered = 200
        self.assertEqual(self.shares(), {"earlier": 0.8, "own_size": 0.2})

    def test_the_way_where_reads_wait_for_reads(self):
        self.message(0, verb="read", wire=90, own_packets=10)
        self.message(0, verb="read", own_queue=100, wire=100)
        self.assertEqual(self.shares(), {"distance": 0.95, "queue_pairs": 0.05})

    def test_the_link_that_marked_where_it_has_no_room(self):
        self.message(0, limiter=100)
        self.port("leaf1", "p0", busy=0.9, marks=3)
        self.port("leaf0", "p2", busy=0.2, marks=1)
        self.port("leaf0", "p3", busy=0.2)
        self.assertEqual(self.shares(), {"host_link": 0.75, "limiter": 0.25})

    def test_generations_where_each_packet_notifies_and_each_notification_cuts(self):
        self.message(0, limiter=100)
        self.port("leaf1", "p0", busy=0.3, marks=3)
        receiver = '  - {match: h2, dcqcn: {np: {coalescing: per_packet}, rp: {reduce_window: 50us}}}\nworkloads:'
        self.assertEqual(self.shares(settings=TOPOLOGY.replace("workloads:", receiver)), {"generations": 1.0})

    def test_a_link_between_switches_or_flows_that_met_there(self):
        for other, cause in ((0.8, "fabric_link"), (0.1, "collision")):
            with self.subTest(cause):
                self.setUp()
                self.message(0, queued=100)
                self.waits = {"leaf0:p2:3": {"queued": 100.0}}
                self.port("leaf0", "p2", busy=0.9)
                self.port("leaf0", "p3", busy=other)
                self.assertEqual(self.shares(), {cause: 1.0})

    def test_other_classes_that_have_most_of_the_port(self):
        self.message(0, queued=100)
        self.waits = {"leaf1:p0:3": {"queued": 100.0}}
        self.port("leaf1", "p0", busy=0.1, sent=200)
        self.port("leaf1", "p0", busy=0.4, sent=800, priority=1)
        found = self.evidence()
        self.assertEqual(found.shares, {"weight": 1.0})
        self.assertEqual(found.ranked()[0]["known"], {"others_share_of_bytes": 0.8})

    def test_the_root_of_the_pauses_that_came_to_the_port(self):
        cases = [
            (("h3", "p0"), "storm", 0.5, "storm"),
            (("leaf1", "p1"), "queue", 0.5, "host_link"),
            (("leaf1", "p1"), "queue", 0.1, "buffer"),
            (("leaf1", "p1"), "blocked", 0.5, "blocked"),
            (("h3", "p0"), "receiver", 0.5, "nic"),
        ]
        for root, kind, peak, cause in cases:
            with self.subTest(cause):
                self.setUp()
                self.message(0, paused=100)
                self.waits, self.peak = {"spine0:p1:3": {"paused": 100.0}}, peak
                self.pause("leaf1", "p2", "spine0", "p1", root, kind)
                # A pause of another port's says nothing of this one.
                self.pause("leaf0", "p2", "spine0", "p0", ("h0", "p0"), "cycle")
                found = self.evidence()
                self.assertEqual((found.shares, found.at[cause][1]), ({cause: 1.0}, ":".join(root)))

    def test_a_receiver_that_a_fault_slows_down(self):
        self.message(0, nic=100)
        self.events = [["0.000", "fault_start", "h2", "p0", "", "slow_receiver, 20000000000 bit/s"]]
        self.assertEqual(self.shares(), {"slow_receiver": 1.0})

    def test_why_frames_were_lost(self):
        self.message(0, recovery=100)
        self.port("leaf0", "p0", headroom_full=30, link_loss=10)
        self.assertEqual(self.shares(), {"headroom": 0.75, "loss": 0.25})

    def test_the_class_of_acks(self):
        self.message(0, ack_queued=40, ack_paused=60)
        self.assertEqual(self.shares(), {"ack_class": 1.0})


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
        self.assertEqual(found, {"topology.link.rate": "200Gbps", "workloads.asked.load": "0.15"})

    def test_alpha_is_the_profiles_where_none_is_stated(self):
        found = self.settings(causes=["buffer"])
        profile = {'switches."*".buffer.profile': "azure-24mb"}
        self.assertEqual(found, {f"alpha {a}": profile | {'switches."*".buffer.alpha': a} for a in ("1/2", "1/32")})  # 1/8
        stated = self.settings(causes=["buffer"], **{"switches.*.buffer.alpha": "1"})
        self.assertEqual(list(stated), ["alpha 4", "alpha 1/4"])

    def test_each_entry_of_nics_is_changed_where_it_has_what_is_taken_away(self):
        self.assertEqual(self.settings(causes=["nic"]), {"ideal NICs": {'nics."old*".resources': "ideal"}})
        self.assertEqual(self.settings(causes=["ack_class", "limiter"]), {})

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
