"""Measurements of `headroom explain`, and known causes, which its stories find."""

import json
import math
import os
import subprocess
import unittest

from command import ANALYSIS, StudyTest

STORY = ANALYSIS.parents[1] / "shared/data/stories/leaf-spine-mix.yaml"
FIXED = ("--set", "switches.0.routing={hash_seed: fixed}")  # the story is of certain paths


MIX = """\
name: mix
duration: 1ms
topology: {type: leaf_spine, leaves: 2, spines: 1, hosts_per_leaf: 4, host_link: {rate: 100Gbps, length: 5m},
           fabric_link: {rate: 100Gbps, length: 500m}}
switches: [{match: "*", ecn: {storage: {kmin: 400KB, kmax: 1600KB, pmax: 10%}}}]
workloads:
  - {name: burst, type: incast, size: 60KB, fan_in: 6, from: "*", to: h0, at: 1us, repeat: {every: 100us, count: 8}}
"""


class MeasuresWhatHelps(StudyTest):
    def explain(self, *words):
        command = [os.environ["HEADROOM_PROGRAM"], "explain", *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, cwd=self.folder)

    def found(self, *words):
        done = self.explain(*words, "--json", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_says_what_does_and_what_does_not_and_says_so_again(self):
        mix = self.write("mix.yaml", MIX)
        words = [mix, "--seeds", "3", "--budget", "10min", "--try", "workloads.burst.size=6KB"]
        found = self.found(*words)
        self.assertEqual((found["workload"], found["metric"]), ("burst", "messages.burst.completion_us.p99"))
        by_id = {trial["id"]: trial for trial in found["tried"]}
        # A tenth of the bytes, half the senders, and a faster link to h0 make the queue before h0 shorter by the same
        # factor.
        for one, least in (("workloads.burst.size=6KB", 0.5), ("workloads.burst.fan_in=/2", 0.2), ("links:hosts", 0.05)):
            self.assertEqual(by_id[one]["verdict"], "helps", one)
            self.assertLess(by_id[one]["change"], -least)
            self.assertLess(by_id[one]["interval"][1], 0)
            self.assertEqual(by_id[one]["seeds"], 3)
        # The bottleneck is the link to h0: faster uplinks are tried, because the time is in queues, and do not help.
        self.assertGreater(by_id["links:fabric"]["change"], -0.05)
        self.assertEqual(by_id["links:fabric"]["set"].keys(), {"topology.fabric_link.rate"})
        # A change with only the first seed has no verdict.
        once = [trial for trial in found["tried"] if trial["seeds"] == 1]
        self.assertTrue(once)
        self.assertEqual({(trial["interval"], trial["verdict"]) for trial in once}, {(None, None)})
        self.assertEqual([trial["verdict"] for trial in found["best"]], ["helps"] * len(found["best"]))
        best = next(trial for trial in found["best"] if trial["can_be_had"])
        # Its numbers equal those of a run.
        change = self.change_of(mix, best["set"], found["metric"], range(2, 5))
        self.assertAlmostEqual(best["change"], change, delta=0.02)
        # The same command again runs nothing, whatever the number of jobs, and also with words.
        self.assertEqual(self.found(*words, "--jobs", "1"), found)
        page = self.explain(*words, "--out", self.out).stdout
        self.assertIn("What to change: ", page)
        for key, value in best["set"].items():
            self.assertIn(f"--set '{key}={value}'", page)
        self.assertEqual([line for line in page.splitlines() if len(line) > 100 and "--set" not in line], [])

    def change_of(self, scenario, settings, metric, seeds):
        """The value comes from its own runs: the mean ratio, less 1."""
        def p99(settings, seed):
            out = self.folder / "one"
            sets = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
            done = subprocess.run([os.environ["HEADROOM_PROGRAM"], "run", scenario, "--seed", str(seed), "--out", out, "--force", *sets], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            value = json.loads((out / "summary.json").read_text())
            for step in metric.split("."):
                value = value[step]
            return value

        ratios = [math.log(p99(settings, seed) / p99({}, seed)) for seed in seeds]
        return math.expm1(sum(ratios) / len(ratios))

    def test_operations_by_what_they_wait_for(self):
        service = "  - {name: gets, type: kv, service: cache, keys: 10000, value: 100B, rate: 100000}\n"
        cache = "services:\n  - {name: cache, type: herd, servers: h1, clients: h7}\n"
        mix = self.write("mix.yaml", MIX.replace("to: h0, at: 1us", "to: h2, at: 1us").replace("workloads:", cache + "workloads:") + service)
        found = self.found(mix, "--workload", "gets", "--seeds", "3")
        self.assertEqual(found["metric"], "operations.gets.get.latency_us.p99")
        by_id = {trial["id"]: trial for trial in found["tried"]}
        # The burst's queues in the switches belong to the class of the requests.
        own = [trial for one, trial in by_id.items() if one.startswith("class:") and trial["verdict"] == "helps"]
        self.assertTrue(own, found)
        self.assertEqual(own[0]["set"]["services.cache.priority"], "own")
        self.assertFalse(by_id["workloads.burst.enabled=false"]["can_be_had"])

    def test_what_the_budget_leaves_out_is_named_and_tried_the_next_time(self):
        mix = self.write("mix.yaml", MIX)
        found = self.found(mix, "--seeds", "2", "--budget", "0.01s")
        left = [words for words, why in found["not_tried"].items() if why == "budget"]
        self.assertGreater(len(left), 10)
        self.assertEqual(found["best"], [])
        page = self.explain(mix, "--seeds", "2", "--budget", "0.01s", "--out", self.out).stdout
        self.assertIn("not tried, because the budget ended: ", page)
        self.assertIn("The budget ended before a helpful change was confirmed.", page)
        self.assertNotIn("Nothing helps", page)
        whole = self.found(mix, "--seeds", "2", "--budget", "10min")
        self.assertNotIn("budget", whole["not_tried"].values())
        self.assertLessEqual(set(left), {trial["words"] for trial in whole["tried"]})

    def test_settings_of_the_command_line_hold_for_all_runs(self):
        mix = self.write("mix.yaml", MIX)
        words = [mix, "--seeds", "2", "--set", "workloads.burst.size=6KB"]
        found = self.found(*words)
        self.assertLess(found["baseline_us"], 30)  # 36 KB at 100 Gb/s take 3 us, 360 KB 29 us
        self.assertNotIn("workloads.burst.size", {key for trial in found["tried"] for key in trial["set"]})

    def test_long_runs_are_shortened_by_a_rule_that_is_printed(self):
        load = "  - {name: random, type: poisson, sizes: 4KB, load: 20%}\n"
        mix = self.write("mix.yaml", MIX.replace("duration: 1ms", "duration: 8ms") + load)
        done = self.explain(mix, "--seeds", "2", "--budget", "1s", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"All runs end at \S+, not 8ms: a run of \S+ s is longer than")

    def test_any_number_may_be_asked_about(self):
        found = self.found(self.write("mix.yaml", MIX), "--metric", "ecn.marked_packets", "--seeds", "2")
        self.assertEqual(found["metric"], "ecn.marked_packets")
        self.assertIn("ecn.marked_packets: ", self.explain(self.folder / "mix.yaml", "--metric", "ecn.marked_packets", "--seeds", "2", "--out", self.out).stdout)

    def test_a_slow_device_and_the_jobs_of_a_fio_file(self):
        disks = """\
name: slow
duration: 1ms
topology: {type: star, hosts: 5, link: {rate: 100Gbps, length: 5m}}
services:
  - {name: store, type: storage, compute: h0, extent_nodes: [h1, h2, h3], front: {protocol: sk_rdma}, disk: {read: 400us, bandwidth: {read: 8Gbps}}}
workloads:
  - {name: web, type: fio, service: store, file: web.fio, time_scale: 1/1000}
"""
        self.write("web.fio", "[global]\nbs=16k\nrw=randread\niodepth=2\nsize=1g\nruntime=1\n[pages]\n[logs]\n")
        found = self.found(self.write("slow.yaml", disks), "--seeds", "2", "--workload", "web-pages")
        by_id = {trial["id"]: trial for trial in found["tried"]}
        faster = by_id["services.store.disk.read=/4"]
        self.assertEqual((faster["verdict"], faster["can_be_had"]), ("helps", False))
        self.assertLess(faster["change"], -0.3)
        self.assertEqual(faster["set"], {"services.store.disk.read": "100us"})

    def test_nothing_that_helps_is_said_so_and_what_was_tried(self):
        alone = "workloads:\n  - {name: random, type: list, messages: [{at: 0us, from: h0, to: h1, size: 64B}]}\n"
        mix = self.write("mix.yaml", MIX[: MIX.index("workloads:")] + alone)
        done = self.explain(mix, "--seeds", "2", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("None of the changes that operators can make helps: ", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^  topology\.host_link\.delay from .* helps ")

    def test_bad_input_is_an_error_before_anything_runs(self):
        mix = self.write("mix.yaml", MIX)
        for words, said in (
            ([mix, "--try", "workloads.burst.sze=2KB"], 'unknown key "sze"'),
            ([mix, "--try", "faster"], "KEY=VALUE"),
            ([mix, "workloads.burst.size=2KB"], "give your own settings after --try"),
            ([mix, "--seeds", "0"], "--seeds must be a whole number, 1 or more"),
            ([mix, "--budget", "soon"], "give a number above 0 with s, min or h"),
            ([mix, "--all"], "--all goes with a result directory"),
            ([mix, "--workload", "bursts"], "no message or operation of it was counted; there are burst"),
            ([mix, "--metric", "messages.burst.completion_us.p98"], "p98"),
            ([mix, "--metric", "messages.burst.goodput_gbps"], "larger values of this metric are better"),
            ([mix, "--metric", "messages.other.completion_us.p99", "--workload", "burst"], "give one of the two"),
            ([mix, "--budget", ""], "give a number above 0"),
            ([self.folder / "missing.yaml"], "missing.yaml"),
        ):
            done = self.explain(*words, "--out", self.out) if "--all" not in words else self.explain(*words)
            self.assertEqual((done.returncode, said in done.stderr, done.stdout), (2, True, ""), (words, done.stderr))


@unittest.skipUnless(STORY.is_file(), "the stories of shared/data are not here")
class TellsStories(StudyTest):
    def headroom(self, *arguments):
        done = subprocess.run([os.environ["HEADROOM_PROGRAM"], *map(str, arguments)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_of_acks_in_a_paused_class_and_of_the_queue_that_pauses_come_from(self):
        as_is = self.folder / "as-is"
        self.headroom("run", STORY, "--out", as_is, *FIXED)
        found = json.loads(self.headroom("explain", as_is, "--json"))
        mix = next(w for w in found["workloads"] if w["workload"] == "mix")
        # Half of the messages are delivered in a tenth of their completion time: the rest is the way back.
        self.assertLess(mix["delivery_us"]["p50"], 0.15 * mix["completion_us"]["p50"])
        of_acks = next(s for s in mix["settings"] if set(s["parts"]) == {"ack_paused", "ack_queued"})
        self.assertGreater(of_acks["share"], 0.3)
        keys = {key for key in of_acks["keys"] if key.endswith(".transport.ack_priority")}
        self.assertTrue(keys)
        self.assertEqual({of_acks["keys"][key] for key in keys}, {"same"})

        # Its first change helps: the same scenario with ACKs in their own class.
        helped = self.folder / "helped"
        self.headroom("run", STORY, "--out", helped, *FIXED, "--set", 'nics."*".transport.ack_priority=cnp')
        after = json.loads(self.headroom("explain", helped, "--json"))
        mix_after = next(w for w in after["workloads"] if w["workload"] == "mix")
        self.assertLess(mix_after["completion_us"]["p50"], 0.25 * mix["completion_us"]["p50"])

        # Pauses: leaf0:p4 is one of the two causes of most paused time, and the first from 2.4 to 4.8 ms.
        self.assertIn("leaf0:p4:3", [root["place"] for root in found["roots"][:2]])
        words = self.headroom("explain", as_is)
        self.assertIn("leaf0:p4:3, a queue: ", words)
        import headroom

        causes = headroom.load(as_is).table("pfc_causes")
        then = causes[(causes["start_ns"] >= 2.4e6) & (causes["start_ns"] < 4.8e6)]
        held = (then["duration_ns"] * then["share"]).groupby([then["root_node"], then["root_port"]]).sum()
        self.assertEqual(held.idxmax(), ("leaf0", "p4"))

        # Two directions of a link do not cause each other's pauses: no frame that arrived at p16 leaves through p16.
        ours = causes[(causes["node"] == "leaf0") & (causes["port"] == "p16")]
        self.assertFalse(((ours["root_node"] == "leaf0") & (ours["root_port"] == "p16")).any())


if __name__ == "__main__":
    unittest.main()
