"""What `explain` says of a result: two stories of a leaf-spine mix in words, and nothing that the data do not hold."""

import contextlib
import io
import itertools
import json
import shutil
import tempfile
import unittest
from pathlib import Path

from synthetic_results import Builder  # also makes the package importable

from headroom.errors import InputError
from headroom.explain.__main__ import main
from headroom.explain.findings import findings
from headroom.explain.parts import governing
from headroom.explain.words import cause_in_words, page
from headroom.result import Run, load_results
from headroom.summary_file import read_summary

NICS = """\
nics:
  - {match: "*-new*", transport: {ack_priority: same}}
  - {match: "*-old*", transport: {ack_priority: cnp}}
workloads:
  - {name: mix, priority: storage, load: 0.05}
"""


class Explain(unittest.TestCase):
    def setUp(self):
        self._temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self._temporary.cleanup)
        self.folder = Path(self._temporary.name) / "r"

    def result(self, messages=1200, parts=True):
        """`mix`: around p99 1000 µs, of which 300 are an ACK's in a pause and 100 behind others, 500 its own packets' on the
        way, 400 of them at leaf0:p4, 60 on the wire, 40 the limiter's."""
        builder = Builder()
        for number in range(messages):
            builder.message("mix", 1000, number, 100 + number, 10)
        builder.write(self.folder)
        file = self.folder / "summary.json"
        summary = json.loads(file.read_text())
        if parts:
            at = {"ack_paused": 300.0, "ack_queued": 100.0, "queued": 500.0, "wire": 60.0, "limiter": 40.0, "paused": 0.0}
            waits = {"leaf0:p4:3": {"towards": "old4", "queued": 400.0, "paused": 0.0, "ack_queued": 0.0, "ack_paused": 0.0}}
            waits["spine0:p0:3"] = {"towards": "leaf0", "queued": 0.0, "paused": 0.0, "ack_queued": 10.0, "ack_paused": 300.0}
            of = summary["messages"]["mix"]
            of["parts_us"], of["waits_us"] = {p: at for p in ("p50", "p99", "p999")}, {p: waits for p in ("p50", "p99", "p999")}
        root = {"node": "leaf0", "port": "p4", "queue": 3, "kind": "queue"}
        summary["pfc"]["roots"] = [
            root | {"node": "leaf3", "workload": "incast", "paused_us": 5000.0, "share": 0.25},
            root | {"workload": "incast", "paused_us": 4000.0, "share": 0.2},
            root | {"workload": "mix", "paused_us": 2000.0, "share": 0.1},
        ]
        file.write_text(json.dumps(summary))
        resolved = self.folder / "resolved.yaml"
        resolved.write_text(resolved.read_text() + NICS)
        return self.folder

    def explain(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([str(a) for a in arguments])
        return code, " ".join(out.getvalue().split()), err.getvalue()

    def test_an_ack_that_waits_in_the_paused_class_is_named_with_its_key_and_value(self):
        code, text, _ = self.explain(self.result())
        self.assertEqual(code, 0)
        self.assertIn("around p99, on average 1 ms: 50 % queued behind others in switches (80 % of that at leaf0:p4:3 towards old4); 30 % its ACK paused", text)
        self.assertIn("40 % its ACK paused by PFC on the way back and its ACK queued behind others on the way back: nics.*-new*.transport.ack_priority = same", text)
        self.assertIn(": ACKs go in the class of their queue pair, and wait in its pauses", text)
        self.assertNotIn("rate limiter", text, "4 % is no finding")
        self.assertNotIn("paused by PFC on its way", text, "nothing was")

    def test_the_queue_that_pauses_come_from_is_named_with_whose_frames_stood_there(self):
        _, text, _ = self.explain(self.result())
        self.assertIn("by node:port:queue: 30 % (6 ms) from leaf0:p4:3, queue: incast 66.7 %, mix 33.3 % 25 % (5 ms) from leaf3:p4:3", text)

    def test_a_slowdown_is_told_where_there_is_one(self):
        self.assertIn("slowdown at p99", self.explain(self.result())[1])
        file = self.folder / "summary.json"
        summary = json.loads(file.read_text())
        summary["messages"]["mix"]["slowdown"]["p99"] = None
        file.write_text(json.dumps(summary))
        self.assertNotIn("slowdown", self.explain(self.folder)[1], "a program's messages have no ideal")

    def with_operations(self, count=300):
        Builder().disks(count).write(self.folder)
        file = self.folder / "summary.json"
        summary = json.loads(file.read_text())
        at = {"device": 60.0, "queued": 30.0, "core": 10.0}
        waits = {"leaf0:p4:3": {"towards": "e0", "queued": 30.0, "paused": 0.0, "ack_queued": 0.0, "ack_paused": 0.0}}
        of = summary["operations"]["disks"]["read"]
        of["parts_at_us"], of["waits_at_us"] = {p: at for p in ("p50", "p99", "p999")}, {p: waits for p in ("p50", "p99", "p999")}
        file.write_text(json.dumps(summary))
        resolved = self.folder / "resolved.yaml"
        text = resolved.read_text()
        resolved.write_text(text + "services:\n  - {name: store, disk: {read: 85us}}\n  - {name: other, disk: {read: 1us}}\n")
        return self.folder

    def test_operations_have_their_devices_and_the_parts_of_their_messages(self):
        told = self.explain(self.with_operations())[1]
        self.assertIn("disks, read: ", told)
        self.assertIn("60 % at the device; 30 % queued behind others in switches (100 % of that at leaf0:p4:3 towards e0); 10 % on cores", told)
        self.assertNotIn("services.other", told, "it is not what disks asks")

    @staticmethod
    def places(node, above=()):
        """The path of every key at any depth."""
        for key in node if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ():
            yield (*above, key)
            yield from Explain.places(node[key], (*above, key))

    def test_a_summary_without_a_key_or_with_null_there_is_refused_or_explained(self):
        for make in (lambda: self.result(messages=30), lambda: self.with_operations(30)):
            file = make() / "summary.json"
            whole, null, explained = file.read_text(), set(), 0
            run = load_results([self.folder])[0].runs[0]
            run.table("messages")
            for place, value in itertools.product(list(self.places(json.loads(whole))), (None, "gone")):
                summary = node = json.loads(whole)
                for key in place[:-1]:
                    node = node[key]
                if value is None:
                    node[place[-1]] = None
                else:
                    del node[place[-1]]
                file.write_text(json.dumps(summary))
                with self.subTest(place=place, value=value):
                    try:
                        damaged = Run(self.folder, read_summary(self.folder), run.tables)
                        damaged.scenario = run.scenario
                        explained += bool(page(findings(damaged)))
                    except InputError as error:
                        self.assertIn("summary.json: ", str(error))
                        null |= {".".join(map(str, place))} if value is None else set()
            self.assertGreater(explained, 50)
            of = "operations.disks.read.latency_us" if "disks" in whole else "messages.mix.completion_us"
            waits = "operations.disks.read.waits_at_us" if "disks" in whole else "messages.mix.waits_us"
            needed = {of, f"{of}.p50", f"{of}.p99", f"{of}.max", f"{waits}.p50", f"{waits}.p50.leaf0:p4:3", f"{waits}.p99.leaf0:p4:3.queued"}
            self.assertEqual(needed - null, set())
            self.assertNotIn(f"{of}.p90", null, "nothing asks for it")
            shutil.rmtree(self.folder)

    def test_settings_stand_in_the_order_of_what_they_hold(self):
        found = json.loads(self.explain(self.result(), "--json")[1])
        [mix] = found["workloads"]
        self.assertEqual([round(g["share"], 3) for g in mix["settings"]], [0.5, 0.4])
        ecn, acks = mix["settings"]
        self.assertEqual(ecn["parts"], ["queued"])
        self.assertEqual(ecn["keys"]["switches.*.ecn.storage.kmin"], "400kB")
        self.assertEqual(ecn["keys"]["workloads.mix.load"], "0.05")
        self.assertEqual(acks["keys"], {"nics.*-new*.transport.ack_priority": "same", "nics.*-old*.transport.ack_priority": "cnp"})
        self.assertEqual(sum(part["us"] for part in mix["at"]["p99"]["parts"]), 1000)

    def test_a_bug_governs_where_a_nic_has_it(self):
        parts = [{"part": "limiter", "us": 900.0, "share": 0.9}]
        nics = {f"nics.{name}*.bugs.congestion_leaking": value for name, value in (("old", "true"), ("new", "false"))}
        [found] = governing(nics, {"workload": "mix"}, parts)
        self.assertEqual(found["keys"], {"nics.old*.bugs.congestion_leaking": "true"})

    def test_what_a_burst_brings_about_and_what_would_be_waited_for_anyway(self):
        burst = {"senders": 8, "burst_bytes": 968_000, "half_bytes": 415_000}
        link = {"cause": "host_link", "share": 0.39, "anyway": 0.0, "spares": 0.7, "by": "incasts half as wide", "place": "s0:p0"}
        self.assertEqual(
            cause_in_words(link | {"known": {"busy": 0.3, "burst": burst}}),
            "70 % less with incasts half as wide: more comes for a host, or from it, than its link takes, 39 % of the time, most at "
            "s0:p0 (its link is busy 30 % of the run's time: it is bursts). 8 send at once: 968 kB would wait there, 415 kB of half "
            "as many",
        )
        limiter = {"cause": "limiter", "share": 0.51, "anyway": 0.43, "spares": 0.51, "by": "no congestion control", "place": "s0:p0", "known": {"busy": 0.3}}
        self.assertIn(". Of 94 % spent so, 43 % would be waited for at a link anyway, and count there", cause_in_words(limiter))
        self.assertNotIn("anyway", cause_in_words(limiter | {"anyway": 0.04}), "4 % is no finding")
        self.assertIn(", most marks on the way at s0:p0", cause_in_words(limiter))
        nobody = {"cause": "earlier", "share": 0.2, "anyway": 0.0, "spares": 0.0, "by": None, "place": None, "known": {}}
        self.assertEqual(cause_in_words(nobody), "earlier messages or losses, which the results do not tell of, 20 % of the time")
        foreseen = cause_in_words(link | {"share": 1e-9, "anyway": 0.0, "spares": 0.5, "by": "incasts half as wide", "known": {}})
        self.assertEqual(
            foreseen, "50 % less with incasts half as wide, by the replay alone: no part of the time is put down to what that changes"
        )

    def test_few_messages_have_no_p999_and_their_slowest_for_p99(self):
        _, text, _ = self.explain(self.result(messages=50))
        self.assertIn("around the slowest, on average 1 ms", text)
        self.assertNotIn("p99.9", text)

    def test_refused(self):
        code, out, err = self.explain(self.result(parts=False))
        self.assertEqual((code, out), (2, ""))
        self.assertIn("no parts of messages' or operations' time; run it without observe.parts=false", err)
        (self.folder / "resolved.yaml").unlink()
        _, _, err = self.explain(self.folder)
        self.assertIn("no parts of messages' or operations' time, nor resolved.yaml: another tool ran it; only what `headroom run` wrote can be explained", err)
        seeds = self.folder.parent / "seeds"
        for seed in (1, 2):
            Builder(seed).incast().write(seeds / f"seed-{seed}")
        code, _, err = self.explain(seeds)
        self.assertEqual(code, 2)
        self.assertIn("holds 2 seeds, explained is one: give", err)


if __name__ == "__main__":
    unittest.main()
