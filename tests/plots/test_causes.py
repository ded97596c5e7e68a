"""What a tail is put down to, in results of one question each: two leaves and two spines, h0 … h3, and a message that took 100 µs."""

import json
import tempfile
import unittest
from pathlib import Path

from synthetic_results import CAUSES, EVENTS, MESSAGES, PFC, PORTS, Builder, write_csv

from headroom.csv_file import MESSAGE_PARTS
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
# Links of hosts take 1 B in a ns.
RATES = TOPOLOGY.replace("hosts_per_leaf: 2", "hosts_per_leaf: 4, host_link: {rate: 8Gbps}")
FABRIC = RATES.replace("hosts_per_leaf: 4,", "hosts_per_leaf: 4, fabric_link: {rate: 8Gbps},")
INCAST = RATES.replace("{name: asked,", "{name: asked, type: incast,")
SWITCHES = ("leaf0", "leaf1", "spine0", "spine1")
DROPS = ("headroom_full", "egress_limit", "link_loss", "watchdog")


class PutsATailDownTo(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name) / "r"
        self.messages, self.ports, self.pauses, self.causes, self.events = [], [], [], [], []
        self.waits, self.peak, self.offered, self.memory = {}, 0.5, None, 1000

    def message(self, start, src="h0", dst="h2", verb="write", size=1000, **parts):
        """One that took the sum of its parts; µs."""
        took = sum(parts.values())
        times = [f"{1000 * t:.3f}" for t in (start, start + took, start + took, 1)]
        number = len(self.messages)
        row = [f"asked/{src}/{number}", "asked", src, dst, "rack", 3, verb, size, *times, took, 1, 0, 0]
        self.messages.append(row + [f"{1000 * parts.get(part, 0):.3f}" for part in MESSAGE_PARTS])

    def port(self, node, port, busy=0.0, marks=0, priority=3, sent=1000, packets=10, peak=0, **drops):
        row = dict.fromkeys([*PORTS, *(f"drop_{reason}" for reason in DROPS)], 0)
        row |= {"node": node, "port": port, "priority": priority, "utilisation": busy, "marked_packets": marks, "tx_bytes": sent}
        row |= {"tx_packets": packets, "peak_queue_bytes": peak}
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
        summary["buffer"] = {s: {"size_bytes": self.memory, "peak_bytes": self.memory * self.peak, "pools": {}} for s in SWITCHES}
        (self.folder / "summary.json").write_text(json.dumps(summary))
        resolved = self.folder / "resolved.yaml"
        resolved.write_text(resolved.read_text() + settings)
        return Evidence(load_results([str(self.folder)])[0].runs[0], "asked")

    def first(self, found=None, **more):
        """(cause, by, share that this spares, place) of what is named first."""
        of = (found or self.evidence(**more)).ranked()[0]
        return of["cause"], of["by"], round(of["spares"], 3), of["place"]

    def two_kinds(self, each):
        """What losing nothing, and ideal NICs, are foreseen to spare of 1000 messages of which so many were lost, and as many
        wait in their NICs."""
        for number in range(1000 - 2 * each):
            self.message(10 * number, wire=10)
        for _ in range(each):
            self.message(0, recovery=100)
            self.message(0, nic=100)
        self.port("leaf1", "p0", link_loss=each)
        found = {of["cause"]: of["spares"] for of in self.evidence().ranked()}
        return [round(found[cause], 2) for cause in ("loss", "nic")]

    def test_when_one_of_two_kinds_is_gone_the_p99_is_that_of_what_is_left(self):
        # 7 of 1000 are left of either, which is less than one in a hundred: the p99 is that of all the others.
        self.assertEqual(self.two_kinds(each=7), [0.9, 0.9])

    def test_when_what_is_left_is_one_in_a_hundred_the_p99_is_what_it_was(self):
        self.assertEqual(self.two_kinds(each=12), [0, 0])

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

    def test_nothing_of_what_was_over_before_it_came(self):
        # Who held the queue pair up to 50 µs does not count, nor against it: the last waits from 60 to 100, all of it behind the second.
        self.message(0, limiter=50)
        self.message(60, own_packets=40)
        self.message(60, own_queue=40, wire=60)
        self.assertEqual(self.shares(), {"distance": 0.6, "queue_pairs": 0.4})

    def test_nothing_of_what_went_on_after_its_wait(self):
        # Two queue pairs are held, one for 120 µs and one for the 60 that the last waits: both held it for as long.
        self.message(0, limiter=120)
        self.message(0, own_packets=60)
        self.message(0, own_queue=60, wire=140)
        self.assertEqual(self.shares(), {"distance": 0.7, "queue_pairs": 0.15, "limiter": 0.15})

    def test_no_more_than_its_wait_where_several_queue_pairs_were_held_at_once(self):
        self.message(0, own_packets=80)
        self.message(0, limiter=80)
        self.message(0, own_queue=80, wire=20)
        self.assertEqual(self.shares(), {"queue_pairs": 0.4, "limiter": 0.4, "distance": 0.2})

    def test_its_hosts_link_as_far_as_more_queue_pairs_would_share_it(self):
        # 20 kB behind 80 on one queue pair; on two it has half of the link meanwhile, and is through after 40 µs.
        self.message(0, own_packets=80, size=80_000)
        self.message(0, own_queue=80, own_packets=20, size=20_000)
        self.port("h0", "p0")
        self.assertEqual(self.shares(settings=RATES), {"host_link": 0.2, "queue_pairs": 0.6, "own_size": 0.2})

    def test_what_has_piled_up_behind_what_held_the_queue_pair(self):
        # 40 kB begin 60 µs late, which the limiter took; what comes then waits for these 40 µs too, and would not have.
        self.message(0, limiter=60, own_packets=40, size=40_000)
        self.message(50, own_queue=50, own_packets=50, size=50_000)
        self.port("leaf0", "p2", marks=5)
        self.assertEqual(self.shares(settings=RATES), {"limiter": 0.5, "own_size": 0.5})

    def test_nothing_where_the_messages_before_it_have_no_line(self):
        self.message(0, own_packets=80)
        self.message(0, own_queue=80, own_packets=20)
        self.offered = 200
        self.assertEqual(self.shares(), {"earlier": 0.8, "own_size": 0.2})

    def test_the_way_of_the_one_before_it_where_it_begins_as_that_is_complete(self):
        # A READ for its place, a fence: what held it is all of that one's time. Else only what keeps a queue pair busy.
        for begins, shares in ((100, {"distance": 0.95, "queue_pairs": 0.05}), (90, {"distance": 0.5, "queue_pairs": 0.5})):
            with self.subTest(begins):
                self.setUp()
                self.message(0, wire=90, own_packets=10)
                self.message(0, own_queue=begins, wire=begins)
                self.assertEqual(self.shares(), shares)

    def test_the_marks_on_its_way_and_nothing_of_others(self):
        # Of what leaves for h2 one frame in ten is marked; more are elsewhere.
        self.message(0, limiter=100, size=1000)
        self.port("leaf0", "p2", marks=1)
        self.port("leaf0", "p3", marks=9)
        [found] = [of for of in self.evidence(settings=RATES).ranked() if of["cause"] == "limiter"]
        self.assertEqual((found["place"], found["by"]), ("leaf0:p2", "no congestion control"))

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
                [place] = [of["place"] for of in found.ranked() if of["cause"] == cause]
                self.assertEqual((found.shares, place), ({cause: 1.0}, ":".join(root)))

    def test_a_receiver_that_a_fault_slows_down(self):
        self.message(0, nic=100)
        self.events = [["0.000", "fault_start", "h2", "p0", "", "slow_receiver, 20000000000 bit/s"]]
        self.assertEqual(self.shares(), {"slow_receiver": 1.0})

    def test_why_frames_were_lost(self):
        self.message(0, recovery=100)
        self.port("leaf0", "p0", headroom_full=30, link_loss=10)
        self.assertEqual(self.shares(), {"headroom": 0.75, "loss": 0.25})

    def test_frames_that_a_link_lost_while_it_was_down(self):
        for node, port, cause in (("leaf0", "p2", "blocked"), ("spine0", "p0", "blocked"), ("spine0", "p1", "loss")):
            with self.subTest(node=node, port=port):
                self.setUp()
                self.message(0, recovery=100)
                self.port(node, port, link_loss=10)
                self.events = [["0.000", "fault_start", "leaf0", "p2", "", "link_down to spine0"]]
                self.assertEqual(self.shares(), {cause: 1.0})

    def test_what_set_a_watchdog_off_where_that_is_a_fault(self):
        for kind, cause, place in (("storm", "storm", "h3:p0"), ("queue", "watchdog", "spine0:p1")):
            with self.subTest(cause):
                self.setUp()
                self.message(0, recovery=100)
                self.port("spine0", "p1", watchdog=30)
                self.pause("leaf1", "p2", "spine0", "p1", ("h3", "p0"), kind)
                found = self.evidence()
                [of] = found.ranked()
                self.assertEqual((found.shares, of["place"]), ({cause: 1.0}, place))

    def test_the_queue_whose_pauses_came_too_late_for_the_headroom(self):
        self.message(0, recovery=100)
        self.port("leaf1", "p2", headroom_full=30)
        self.pause("leaf1", "p2", "spine0", "p1", ("leaf1", "p1"), "queue")
        self.pauses.append(["0.000", "spine0", "p1", "leaf1", "p2", 3, "rx", "100000.000", 0, 0])
        self.assertEqual(self.first(), ("headroom", "headroom as needed", 1.0, "leaf1:p1"))

    def test_the_class_of_acks(self):
        self.message(0, ack_queued=40, ack_paused=60)
        self.assertEqual(self.shares(), {"ack_class": 1.0})

    def test_acks_in_the_class_of_the_data_that_a_storm_pauses(self):
        self.message(0, ack_paused=80, wire=20)
        self.waits = {"spine0:p1:3": {"ack_paused": 80.0}}
        self.pause("leaf1", "p2", "spine0", "p1", ("h3", "p0"), "storm")
        found = self.evidence()
        self.assertEqual(found.shares, {"ack_class": 0.8, "distance": 0.2})
        spared = {of["cause"]: (of["by"], round(of["spares"], 3)) for of in found.ranked()}
        self.assertEqual((spared["ack_class"], spared["storm"]), (("ACKs in the class of CNPs", 0.8), ("without the faults", 0.8)))

    def test_others_frames_are_through_sooner_on_a_faster_link(self):
        self.message(0, queued=100)
        self.waits = {"leaf0:p2:3": {"queued": 100.0}}
        self.port("leaf0", "p2", busy=0.1, sent=200)
        self.port("leaf0", "p2", busy=0.4, sent=800, priority=1)
        spared = {of["cause"]: of["spares"] for of in self.evidence(settings=RATES).ranked()}
        self.assertEqual(spared, {"weight": 0.99, "host_link": 0.5}, "its own 1000 B take 1 µs")

    # --- what would be waited for anyway

    def test_the_hosts_link_as_far_as_a_perfect_network_would_have_it_wait_there(self):
        # 100 kB in 50 µs from two senders: 50 kB wait when the last bits come.
        self.message(0, limiter=80, own_packets=20, size=50_000)
        self.message(0, src="h1", wire=1, size=50_000)
        self.port("leaf0", "p2", busy=0.3, marks=1)
        found = self.evidence(settings=RATES)
        self.assertEqual({c: round(share, 3) for c, share in found.shares.items()}, {"host_link": 0.5, "limiter": 0.3, "own_size": 0.2})
        of = {of["cause"]: of for of in found.ranked()}
        self.assertEqual((of["host_link"]["place"], round(of["limiter"]["anyway"], 3)), ("leaf0:p2", 0.5))

    def test_what_did_wait_there_counts_once(self):
        self.message(0, limiter=50, queued=30, own_packets=20, size=50_000)
        self.message(0, src="h1", wire=1, size=50_000)
        self.waits = {"leaf0:p2:3": {"queued": 30.0}}
        self.assertEqual(self.shares(settings=RATES), {"host_link": 0.5, "limiter": 0.3, "own_size": 0.2})

    def test_the_senders_link_that_its_messages_share(self):
        # Two of 40 kB at once: each has half of the link, and leaves 40 µs later than alone.
        self.message(0, recovery=100, size=40_000)
        self.message(0, dst="h3", wire=1, size=40_000)
        self.port("leaf0", "p3", link_loss=1)
        found = self.evidence(settings=RATES)
        self.assertEqual({c: round(share, 3) for c, share in found.shares.items()}, {"host_link": 0.4, "loss": 0.6})
        self.assertEqual([of["place"] for of in found.ranked() if of["cause"] == "host_link"], ["h0:p0"])

    def test_no_wait_where_the_link_is_slow_but_free(self):
        self.message(0, limiter=100, size=50_000)
        slow = RATES.replace("{rate: 8Gbps}", '[{match: "*", rate: 8Gbps}, {match: h2, rate: 4Gbps}]')
        self.assertEqual(self.shares(settings=slow), {"limiter": 1.0})

    def test_what_is_read_goes_from_src_to_dst_as_everything_does(self):
        self.message(0, verb="read", recovery=100, size=40_000)
        self.message(0, src="h1", wire=1, size=40_000)
        self.port("leaf0", "p3", link_loss=1)
        self.assertEqual(self.shares(settings=RATES), {"host_link": 0.4, "loss": 0.6})

    def across(self, others=("p5",), **parts):
        """Two that send 50 kB each to another leaf at once, all of it by one of the links, which takes as much as a host sends."""
        self.message(0, dst="h4", size=50_000, **parts)
        self.message(0, src="h1", dst="h5", wire=1, size=50_000)
        for node, port, sent in (("leaf0", "p4", 1000), *(("leaf0", of, 0) for of in others), ("spine0", "p1", 1000)):
            self.port(node, port, busy=0.3 if sent else 0.0, sent=sent)

    def test_a_link_between_switches_as_far_as_a_perfect_network_would_have_it_wait_there(self):
        self.across((), limiter=80, own_packets=20)
        found = self.evidence(settings=FABRIC)
        self.assertEqual({c: round(share, 3) for c, share in found.shares.items()}, {"fabric_link": 0.5, "limiter": 0.3, "own_size": 0.2})
        self.assertEqual(self.first(found), ("fabric_link", "links between switches twice as fast", 0.5, "leaf0:p4"))

    def test_flows_that_have_met_on_one_of_two_links(self):
        self.across(limiter=80, own_packets=20)
        self.assertEqual(self.first(settings=FABRIC)[:3], ("collision", "links between switches twice as fast", 0.5))

    def test_what_pauses_have_let_pile_up_goes_to_their_roots(self):
        # 50 of 80 µs in the queue are of what came at once; the other 30 of the pause that held the link before.
        self.across(queued=80, own_packets=20)
        self.waits, self.peak = {"leaf0:p4:3": {"queued": 80.0}}, 0.5
        self.pause("spine0", "p0", "leaf0", "p4", ("h9", "p0"), "storm")
        self.assertEqual(self.shares(settings=FABRIC), {"collision": 0.5, "storm": 0.3, "own_size": 0.2})

    def test_neither_who_came_later_nor_what_is_not_on_record_nor_the_way_back(self):
        cases = [((60, None), {"limiter": 0.6, "ack_class": 0.4}), ((0, 200), {"limiter": 0.6, "ack_class": 0.4}), ((0, None), {"limiter": 0.1, "host_link": 0.5, "ack_class": 0.4})]
        for (start, offered), shares in cases:
            with self.subTest(start=start, offered=offered):
                self.setUp()
                self.offered = offered
                self.message(0, limiter=60, ack_paused=40, size=50_000)
                self.message(start, src="h1", wire=1, size=50_000)
                self.assertEqual(self.shares(settings=RATES), shares)

    # --- what is foreseen of bursts; Kmin is 400 kB, Kmax 1600, Pmax 5 %

    def burst(self, senders, size, **parts):
        for sender in [f"h{n}" for n in range(7) if n != 2][:senders]:
            self.message(0, src=sender, size=size, **parts)

    def limited(self, size, limiter, settings=INCAST):
        """Evidence of four senders at once, whose limiters hold them for so many µs."""
        self.setUp()
        self.burst(4, size, limiter=limiter)
        self.port("leaf0", "p2", busy=0.3, marks=9)
        return self.evidence(settings=settings)

    def test_a_burst_whose_marks_half_as_many_senders_would_not_bring(self):
        # Three of four wait when all has come, of half as many one: it stays below Kmin, and is through after 600 of 10,000 µs.
        found = self.limited(300_000, 10_000)
        self.assertEqual(self.first(found), ("host_link", "incasts half as wide", 0.94, "leaf0:p2"))
        self.assertEqual({c: round(share, 3) for c, share in found.shares.items()}, {"host_link": 0.09, "limiter": 0.91})
        self.assertEqual(found.ranked()[0]["known"]["burst"], {"senders": 4, "burst_bytes": 900_000, "half_bytes": 300_000})
        # What does not come as a burst is nobody's to make narrower; without the limiter the link takes 1200 µs.
        self.assertEqual(self.first(self.limited(300_000, 10_000, RATES)), ("limiter", "no congestion control", 0.88, "leaf0:p2"))

    def test_the_limiter_where_half_as_many_senders_would_still_bring_most_of_its_marks(self):
        # 15 MB wait at most, of half as many 5: 38 % of the marks. Of the limiter's 45 ms beyond the link's 15 they leave 17, and 5
        # at the link. Without the limiter the link takes 20 of 60.
        self.assertEqual(self.first(self.limited(5_000_000, 60_000)), ("limiter", "no congestion control", 0.667, "leaf0:p2"))
        # Of 17 ms nobody spares more than the burst: half of it is through after 10.
        self.assertEqual(self.first(self.limited(5_000_000, 17_000)), ("host_link", "incasts half as wide", round(1 - 10 / 17, 3), "leaf0:p2"))

    def test_who_cuts_for_each_notification_is_held_as_often_as_marks_begin(self):
        # As above, but half as many senders bring 38 % of the marks and take off nothing but 10 of 15 ms at the link.
        receiver = '  - {match: h2, dcqcn: {np: {coalescing: per_packet}, rp: {reduce_window: 50us}}}\nworkloads:'
        found = self.limited(5_000_000, 60_000, INCAST.replace("workloads:", receiver))
        self.assertEqual({c: round(share, 3) for c, share in found.shares.items()}, {"generations": 0.75, "host_link": 0.25})
        self.assertEqual({of["cause"]: round(of["spares"], 3) for of in found.ranked()}, {"generations": 0.667, "host_link": 0.167})

    def test_a_burst_that_alone_fills_a_queue_without_pfc(self):
        # Three of four wait at most, with half as many one. Where the queue held little of that, half as many lose as well;
        # where it held more, others filled it.
        for held, cause in ((350_000, "host_link"), (100_000, "lossy"), (950_000, "lossy")):
            with self.subTest(held):
                self.setUp()
                self.burst(4, 300_000, recovery=10_000)
                self.port("leaf0", "p2", peak=held, egress_limit=5)
                self.assertEqual(self.first(settings=INCAST)[0], cause)

    def test_a_burst_fills_cells(self):
        # Of four 300 kB one waits with half as many: 300 frames of 1040 B, which take six cells of 200 B each.
        frames = INCAST.replace("duration:", "mtu: 1000\nframes: {header: 40B, gap: 0B}\nduration:")
        for some, half in ((200, 360_000), (0, 312_000)):
            with self.subTest(some):
                self.setUp()
                self.burst(4, 300_000, recovery=10_000)
                self.port("leaf0", "p2", peak=350_000, egress_limit=5)
                self.port("leaf0", "p3", peak=some)
                self.assertAlmostEqual(self.evidence(settings=frames).ranked()[0]["known"]["burst"]["half_bytes"], half, 3)

    def of_six_senders(self, held, message, waits_at, pauses):
        """Evidence of six that send 300 kB each to h2, at whose port the switch holds `held` bytes; `message` waits in pauses."""
        self.setUp()
        self.memory, self.peak = 24_000_000, 0.1
        self.message(0, **message, paused=20_000)
        self.burst(6, 300_000, wire=1)
        self.waits = {f"{waits_at}:p0:3": {"paused": 100.0}}
        self.port("leaf0", "p2", peak=held)
        for port, peer in pauses:
            self.pause("leaf0", port, peer, "p0", ("leaf0", "p2"), "queue")
        return self.evidence(settings=INCAST)

    def test_thresholds_only_where_higher_ones_hold_more_of_a_burst_than_half_as_many_senders_spare(self):
        # Six send 300 kB each to h2: 1.5 MB wait there at most, of three 600 kB. The switch held as much as said.
        # 200 kB: four times as much leaves 700 kB outside, half as many 400; 380 kB: none, and 220.
        for held, cause in ((200_000, "host_link"), (380_000, "buffer")):
            with self.subTest(cause):
                found = self.of_six_senders(held, {"src": "h7", "dst": "h1"}, "spine0", [("p4", "spine0")])
                self.assertEqual((found.ranked()[0]["cause"], found.ranked()[0]["place"]), (cause, "leaf0:p2"))

    def test_half_as_many_senders_have_half_the_groups(self):
        # As above, but of four groups' 240 kB half as many senders have 120, and 480 stay outside; 540 with higher thresholds.
        # 280 kB: 460, and 380.
        for held, cause in ((240_000, "host_link"), (280_000, "buffer")):
            with self.subTest(cause):
                pauses = [(f"p{group}", f"h{group}") for group in ("0", "1", "3", "4")]
                found = self.of_six_senders(held, {"src": "h1", "dst": "h7"}, "h1", pauses)
                self.assertEqual(found.ranked()[0]["cause"], cause)


if __name__ == "__main__":
    unittest.main()
