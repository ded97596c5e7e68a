"""Stories whose causes are known come out of `headroom explain`, and the key that it names is what helps."""

import json
import os
import subprocess
import unittest

from command import ANALYSIS, StudyTest

STORY = ANALYSIS.parents[1] / "shared/data/stories/leaf-spine-mix.yaml"


MIX = """\
name: mix
duration: 1ms
topology: {type: leaf_spine, leaves: 2, spines: 1, hosts_per_leaf: 4, host_link: {rate: 100Gbps, length: 5m},
           fabric_link: {rate: 100Gbps, length: 500m}}
switches: [{match: "*", ecn: {storage: {kmin: 400KB, kmax: 1600KB, pmax: 10%}}}]
workloads:
  - {name: burst, type: incast, size: 60KB, fan_in: 6, from: "*", to: h0, at: 1us, repeat: {every: 100us, count: 8}}
"""


class TriesWhatMayHelp(StudyTest):
    def explain(self, *words):
        command = [os.environ["HEADROOM_PROGRAM"], "explain", *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, cwd=self.folder)

    def test_with_the_same_seeds_and_says_what_did(self):
        mix = self.write("mix.yaml", MIX)
        words = [mix, "--try", "workloads.burst.size=6KB", "--seeds", "3", "--out", self.out]
        done = self.explain(*words, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual(found["metric"], "messages.burst.completion_us.p99")
        by_name = {trial["name"]: trial for trial in found["tried"]}
        # A tenth of the bytes, half the senders: the queue before h0 is as much shorter.
        for name, share in (("workloads.burst.size=6KB", 0.5), ("incasts half as wide", 0.2)):
            self.assertTrue(by_name[name]["helps"], name)
            self.assertLess(by_name[name]["change"]["mean"], -share * found["as_it_is"]["mean"])
            self.assertEqual(by_name[name]["change"]["n"], 3)
        # The bottleneck is the link to h0: faster uplinks are tried, as queues hold the time, and do not help.
        self.assertEqual(by_name["links between switches twice as fast"]["settings"].keys(), {"topology.fabric_link"})
        self.assertFalse(by_name["links between switches twice as fast"]["helps"])
        doubled = by_name["ECN thresholds doubled"]["settings"]['switches."*".ecn.storage']
        self.assertIn("kmin: 800KB, kmax: 3.2MB, pmax: ", doubled)
        changes = [trial["change"]["mean"] for trial in found["tried"]]
        self.assertEqual(changes, sorted(changes))
        # The same again runs nothing, and prints the same, in words too.
        again = self.explain(*words, "--json")
        self.assertEqual(again.stdout, done.stdout)
        told = self.explain(*words).stdout
        self.assertIn("What helps most of what was tried: workloads.burst.size=6KB", told)
        self.assertRegex(told, r"(?m)^ECN thresholds halved +nothing ")

    def test_what_operations_wait_for_where_that_is_asked_about(self):
        service = "  - {name: gets, type: kv, service: cache, keys: 10000, value: 100B, rate: 100000}\n"
        cache = "services:\n  - {name: cache, type: herd, servers: h1, clients: h7}\n"
        mix = self.write("mix.yaml", MIX.replace("to: h0, at: 1us", "to: h2, at: 1us").replace("workloads:", cache + "workloads:") + service)
        words = ["--try", "--metric", "operations.gets.get.latency_us.p99", "--seeds", "3", "--out", self.out]
        done = self.explain(mix, *words, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual(found["metric"], "operations.gets.get.latency_us.p99")
        by_name = {trial["name"]: trial for trial in found["tried"]}
        # The burst's queues in the switches are of the class that the requests have.
        own = by_name["a class of its own"]
        self.assertTrue(own["helps"], found)
        self.assertEqual(own["settings"]["services.cache.priority"], "own")
        self.assertNotIn("eight times the queue pairs", by_name)
        self.assertIn("tried because of where the p99 of gets, get went: ", self.explain(mix, *words).stdout)

    def test_a_setting_that_the_scenario_does_not_allow_is_an_error_before_anything_runs(self):
        mix = self.write("mix.yaml", MIX)
        for words, said in (
            (["--try", "workloads.burst.sze=2KB"], 'unknown key "sze"'),
            (["--try", "faster"], "KEY=VALUE"),
            (["--seeds", "2"], "--seeds goes with --try"),
            (["--try", "--seeds", "0"], "--seeds is a whole number from 1 on"),
        ):
            done = self.explain(mix, *words, "--out", self.out) if "--try" in words else self.explain(mix, *words)
            self.assertEqual((done.returncode, said in done.stderr), (2, True), done.stderr)

    def test_nothing_that_helps_is_said_so(self):
        alone = "workloads:\n  - {name: random, type: list, messages: [{at: 0us, from: h0, to: h1, size: 1KB}]}\n"
        mix = self.write("mix.yaml", MIX[: MIX.index("workloads:")] + alone)
        done = self.explain(mix, "--try", "mtu=4096", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^links a tenth as long +would help ")
        self.assertIn("Nothing that was tried helps beyond chance.", done.stdout)


@unittest.skipUnless(STORY.is_file(), "the stories of shared/data are not here")
class TellsStories(StudyTest):
    def headroom(self, *arguments):
        done = subprocess.run([os.environ["HEADROOM_PROGRAM"], *map(str, arguments)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_of_acks_in_a_paused_class_and_of_the_queue_that_pauses_come_from(self):
        as_is = self.folder / "as-is"
        self.headroom("run", STORY, "--out", as_is)
        found = json.loads(self.headroom("explain", as_is, "--json"))
        mix = next(w for w in found["workloads"] if w["workload"] == "mix")
        # Half are delivered in a tenth of the time in which they complete: the rest is the way back.
        self.assertLess(mix["delivery_us"]["p50"], 0.15 * mix["completion_us"]["p50"])
        of_acks = next(s for s in mix["settings"] if set(s["parts"]) == {"ack_paused", "ack_queued"})
        self.assertGreater(of_acks["share"], 0.3)
        keys = {key for key in of_acks["keys"] if key.endswith(".transport.ack_priority")}
        self.assertTrue(keys)
        self.assertEqual({of_acks["keys"][key] for key in keys}, {"same"})

        # What it names is what helps: the same with ACKs in their own class.
        helped = self.folder / "helped"
        self.headroom("run", STORY, "--out", helped, "--set", 'nics."*".transport.ack_priority=cnp')
        after = json.loads(self.headroom("explain", helped, "--json"))
        mix_after = next(w for w in after["workloads"] if w["workload"] == "mix")
        self.assertLess(mix_after["completion_us"]["p50"], 0.25 * mix["completion_us"]["p50"])

        # Pauses: leaf0:p4 is among the two most of paused time comes from, and first from 2.4 to 4.8 ms.
        self.assertIn("leaf0:p4:3", [root["place"] for root in found["roots"][:2]])
        words = self.headroom("explain", as_is)
        self.assertIn("leaf0:p4:3, a queue: ", words)
        import headroom

        causes = headroom.load(as_is).table("pfc_causes")
        then = causes[(causes["start_ns"] >= 2.4e6) & (causes["start_ns"] < 4.8e6)]
        held = (then["duration_ns"] * then["share"]).groupby([then["root_node"], then["root_port"]]).sum()
        self.assertEqual(held.idxmax(), ("leaf0", "p4"))

        # Two directions of a link are not each other's cause: no frame that came in by p16 leaves by p16.
        ours = causes[(causes["node"] == "leaf0") & (causes["port"] == "p16")]
        self.assertFalse(((ours["root_node"] == "leaf0") & (ours["root_port"] == "p16")).any())


if __name__ == "__main__":
    unittest.main()
