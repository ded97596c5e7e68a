"""`explain RESULT` prints the facts in the result, and no others."""

import contextlib
import io
import itertools
import json
import random
import re
import shlex
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from synthetic_results import Builder, write_csv, write_ports  # also makes the package importable

from headroom.csv_file import MESSAGE_PARTS, PARTS
from headroom.errors import InputError
from headroom.explain.__main__ import main
from headroom.explain.findings import findings
from headroom.explain.parts import at_percentiles
from headroom.explain.words import measuring, page
from headroom.result import Run, load_results
from headroom.summary_file import read_summary

NICS = """\
nics:
  - {match: "*-new*", transport: {ack_priority: same}}
  - {match: "*-old*", transport: {ack_priority: cnp}}
workloads:
  - {name: mix, priority: storage, load: 0.05}
"""


def invented(chance):
    """A summary such as any run may have: few or many workloads, names of any length, unfinished messages, roots,
    drops."""

    def name(most=60):
        return "".join(chance.choice("ab-cd_ef0") for _ in range(chance.randint(1, most)))

    def places(part, us):
        shares = chance.sample((0.9, 0.5, 0.2, 0.1), 2)
        queue = part in ("queued", "paused", "ack_queued", "ack_paused")
        where = lambda: {"place": f"{name()}:p1:3", "towards": chance.choice((None, name()))} if queue else {"place": name(), "end": chance.choice(("from", "client"))}  # noqa: E731
        return [where() | {"us": us * share, "share": share} for share in shares[: chance.randint(0, 2)]]

    def subject(operations):
        count = chance.choice((1, 30, 100, 5000, 10**9))
        finished = count if chance.random() < 0.7 else chance.randint(0, count)
        percentiles_found, percentiles = {}, ("p50", "p99") if count < 1000 else ("p50", "p99", "p999")
        for percentile in percentiles if finished else ():
            us = {part: 10 ** chance.uniform(-3, 6) for part in chance.sample(PARTS if operations else MESSAGE_PARTS, chance.randint(1, 13))}
            total = sum(us.values())
            parts = [{"part": part, "us": us[part], "share": us[part] / total, "places": places(part, us[part])} for part in sorted(us, key=us.get, reverse=True)]
            percentiles_found[percentile] = {"total_us": total, "parts": parts}
        took = {p: 10 ** chance.uniform(-3, 9) for p in ("p50", "p99", "p999", "max")} | {"at_least": ["p99", "max"] if finished < count else []}
        keys = {f"{chance.choice(('switches', 'nics', 'hosts', 'topology'))}.{name()}.{chance.choice(('ecn', 'dcqcn', 'x'))}.{name()}": name() for _ in range(chance.randint(0, 12))}
        settings = [{"parts": [part["part"] for part in percentiles_found["p99"]["parts"][:2]], "share": 0.5, "keys": keys}] if percentiles_found and keys else []
        found = {"workload": name(), "finished": finished, "unfinished": count - finished, "at": percentiles_found, "settings": settings, "slowdown_p99": chance.choice((None, 1e9 / 7))}
        return found | ({"operations": count, "kind": "read_modify_write", "failed": 3, "latency_us": took} if operations else {"messages": count, "completion_us": took, "lost": chance.choice((0, 7)), "warmup_offered": chance.choice((0, 10**9))})

    packets = lambda: {"packets": chance.randint(1, 10**12), "ports": 9000, "places": [{"place": f"{name()}:p1", "packets": 1, "share": 0.5}] * 2}  # noqa: E731
    roots = [{"place": name(), "kind": chance.choice(("queue", "receiver", "rest")), "paused_us": 1e9, "share": 0.2, "workloads": [{"workload": chance.choice((None, name())), "share": 0.1}] * 2}]
    found = {"scenario": name(200), "seed": 1, "status": "complete", "cpu_s": chance.choice((None, 0.1, 1e6)), "roots": roots * chance.randint(0, 5), "empty": [name()] * chance.randint(0, 3)}
    found |= {"workloads": [subject(False) for _ in range(chance.randint(0, 12))], "operations": [subject(True) for _ in range(chance.randint(1, 12))]}
    found |= {"pauses": {"pauses": chance.choice((0, 10**9)), "paused_us": 1e12, "nearest": chance.choice((None, {"switch": name(), "share": 0.9}))}}
    found |= {"warmup": {name: chance.choice((0, 1, 10**12)) for name in ("drops", "pause_frames", "marked_packets")}}
    return found | {"marks": packets() if chance.random() < 0.7 else {"packets": 0}, "drops": {name(15): packets() for _ in range(chance.randint(0, 5))}}


class Explain(unittest.TestCase):
    def setUp(self):
        self._temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self._temporary.cleanup)
        self.folder = Path(self._temporary.name) / "r"

    def result(self, messages=1200, parts=True):
        """`mix` takes 1000 µs around p99. Of these 300 µs are an ACK's in a pause, 100 behind others, 500 its own
        packets' along the path (400 of them at leaf0:p4), 60 the wire's, 40 the limiter's."""
        builder = Builder()
        for number in range(messages):
            builder.message("mix", 1000, number, 100 + number, 10)
        builder.write(self.folder)
        file = self.folder / "summary.json"
        summary = json.loads(file.read_text())
        summary["pfc"] |= {"pauses": 9, "paused_us": 11_000.0}
        if parts:
            times = {"ack_paused": 300.0, "ack_queued": 100.0, "queued": 500.0, "wire": 60.0, "limiter": 40.0, "paused": 0.0}
            waits = {"leaf0:p4:3": {"towards": "old4", "queued": 400.0, "paused": 0.0, "ack_queued": 0.0, "ack_paused": 0.0}}
            waits["spine0:p0:3"] = {"towards": "leaf0", "queued": 0.0, "paused": 0.0, "ack_queued": 10.0, "ack_paused": 300.0}
            counts = summary["messages"]["mix"]
            counts["parts_us"], counts["waits_us"] = {p: times for p in ("p50", "p99", "p999")}, {p: waits for p in ("p50", "p99", "p999")}
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

    def change(self, change):
        """The effect of `change` on the output for the summary."""
        file = self.folder / "summary.json"
        summary = json.loads(file.read_text())
        change(summary)
        file.write_text(json.dumps(summary))

    def give_parts(self, parts, waits, workloads=("mix",)):
        def give(summary):
            for workload in workloads:
                for name, times in (("parts_us", parts), ("waits_us", waits)):
                    summary["messages"][workload][name] = {p: times for p in ("p50", "p99", "p999")}

        self.change(give)

    def explain(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([str(a) for a in arguments])
        return code, " ".join(out.getvalue().split()), err.getvalue()

    def test_routing_that_splits_flows_is_named_with_its_switches(self):
        folder = self.result(messages=20)
        resolved = folder / "resolved.yaml"
        text = resolved.read_text()
        flowlets, spray, ecmp, elsewhere = ("{match: '*', routing: {type: flowlet, timeout: 50us}}", "{match: [t0, t1], routing: spray}", "{match: t0, routing: ecmp}", "{match: x, routing: spray}")
        cases = ([], ""), ([flowlets], "flowlet at *"), ([flowlets, spray], "spray at t0, t1"), ([spray, flowlets, elsewhere], "flowlet at *"), ([spray, ecmp], "")
        for entries, said in cases:
            resolved.write_text(text + "".join(f"{'' if i else 'switches:'}\n  - {entry}" for i, entry in enumerate(entries)) + "\n")
            found = self.explain(folder)[1].partition("paths: packets of one flow may take several paths: ")[2]
            self.assertEqual(found.partition(" To measure")[0], said)
        resolved.write_text(text + f"switches: [{flowlets}]\n")
        self.assertEqual(json.loads(self.explain(folder, "--json")[1])["splitting"], [{"switches": "*", "routing": "flowlet"}])

    def test_parts_stand_with_their_places_and_the_settings_that_govern_them(self):
        code, text, _ = self.explain(self.result())
        self.assertEqual(code, 0)
        self.assertIn("The p99 of `mix` is 1.29 ms; messages around it spent 50 % of their time queued behind other packets "
                      "in switches (80 % of it at leaf0:p4:3 towards old4).", text)
        self.assertIn("with its ACK paused by PFC 300 µs 300 µs 300 µs 30 % ██████ 100 % of it at spine0:p0:3 towards leaf0", text)
        self.assertIn('40 % ack paused, ack queued nics."*-new*".transport: ack_priority=same nics."*-old*".transport: ack_priority=cnp', text)
        self.assertIn('50 % queued switches."*".ecn.storage: kmin=400kB, kmax=1600kB, pmax=5% workloads.mix: load=5 %', text)
        self.assertNotIn("4 % limiter", text, "of small parts settings are left out")
        self.assertNotIn("paused by PFC 0", text, "nothing was")

    def test_the_queues_that_pauses_come_from_stand_with_whose_frames_stood_there(self):
        _, text, _ = self.explain(self.result())
        self.assertIn("pauses: 9, 11 ms in all; which begin at 30 % ███ leaf0:p4:3, a queue: incast 66.7 %, mix 33.3 % 25 % ██ leaf3:p4:3", text)
        self.change(lambda summary: summary["pfc"].update(roots=[]))
        self.assertIn("pauses: 9, 11 ms in all; their origins are not recorded (observe.causes)", self.explain(self.folder)[1])

    def test_a_root_without_a_workload_has_a_source_or_none_that_is_known(self):
        self.result()
        for kind, said in (("queue", "a queue: hot 78.4 %, workload not known 21.6 %"), ("receiver", "hot 78.4 %, its own pauses 21.6 %"),
                           ("storm", "hot 78.4 %, its own pauses 21.6 %")):
            root = {"node": "h4", "port": "p0", "queue": 3, "kind": kind, "paused_us": 9.0}
            roots = [root | {"workload": "hot", "share": 0.784}, root | {"workload": "", "share": 0.216}]
            self.change(lambda summary, roots=roots: summary["pfc"].update(roots=roots))
            self.assertIn(said, self.explain(self.folder)[1])
        rest = {"node": "", "port": "", "queue": "", "kind": "rest", "workload": "", "paused_us": 1.0, "share": 1.0}
        self.change(lambda summary: summary["pfc"].update(roots=[rest]))
        self.assertIn("100 % ██████████ many small roots: workload not known 100 %", self.explain(self.folder)[1])

    def test_a_pause_that_no_switch_had_was_at_the_sender_where_all_switches_are_known(self):
        times = {"paused": 100.0}
        queue = {"towards": "h1", "paused": 4.0}
        places = lambda n: at_percentiles({"offered": 10, "parts_us": {"p99": times}, "waits_us": {"p99": {f"s{i}:p0:3": queue for i in range(n)}}})["p99"]["parts"][0]["places"]  # noqa: E731
        self.assertEqual(places(0), [{"place": "the sending host's port", "towards": None, "us": 100.0, "share": 1.0}])
        self.assertEqual((places(9)[0]["place"], places(9)[0]["us"]), ("the sending host's port", 64.0))
        self.assertNotIn("the sending host's port", [place["place"] for place in places(10)], "an eleventh queue may have had it")

    def test_marks_and_drops_have_their_ports(self):
        self.result()
        self.change(lambda summary: summary["drops"]["by_reason"].update(headroom_full=5, restart=2))
        rows = [{"node": "leaf0", "port": "p4", "marked_packets": 900, "drop_headroom_full": 5}, {"node": "leaf1", "port": "p0", "marked_packets": 300}]
        write_ports(self.folder, [{"utilisation": ""} | row for row in rows])  # as in a run without duration
        text = self.explain(self.folder)[1]
        self.assertIn("marks: 1,200 packets at 2 ports: 75 % at leaf0:p4 towards old4, 25 % at leaf1:p0", text)
        self.assertIn("drops, headroom_full: 5 packets at 1 port: 100 % at leaf0:p4 towards old4 drops, restart: 2 packets; the places are not known: ports.csv has no drop_restart", text)
        (self.folder / "ports.csv").unlink()
        gone = "; the places are not known: ports.csv is missing"
        self.assertIn(f"marks: 1,200 packets{gone} drops, headroom_full: 5 packets{gone} drops", self.explain(self.folder)[1])

    def test_what_was_counted_is_said_and_nothing_else(self):
        self.result()
        for name in ("full:", "timeout", "sent again", "failed, as", "faults:", "queues without ECN", "limits that"):
            self.assertNotIn(name, self.explain(self.folder)[1])
        full = [{"workload": "mix", "resource": "core", "at": "h1/0", "share": 0.99, "places": 1}]
        transport = {"retransmitted_packets": 1200, "naks": 0, "timeouts": 3, "failed_queue_pairs": 1}
        self.change(lambda summary: summary.update(transport=transport, failed_queue_pairs={"a/0": 43600.0}, full=full))
        resolved = self.folder / "resolved.yaml"
        resolved.write_text(resolved.read_text().replace("transport: {ack_priority: same}", "transport: {ack_priority: same, rto: 4ms}"))
        events = [(1000, "fault_start", "edge0", "p2", "", "link_down to agg0"), (2000, "fault_stop", "edge0", "p2", "", "link_down to agg0")]
        write_csv(self.folder / "events.csv", ["time_ns", "event", "node", "port", "priority", "detail"], events + [(3000, *events[0][1:])])
        write_csv(self.folder / "marking.csv", ["node", "port", "queue", "kmin_bytes", "kmax_bytes", "pmax"], [("t0", "p1", 3, 1, 2, 1), ("t0", "p1", 4, 1, 2, 1)])
        write_ports(self.folder, [{"node": "t0", "port": port, "priority": 3, "tx_bytes": 9} for port in ("p1", "p2")])
        text = self.explain(self.folder)[1]
        for said in (
            "faults: link_down to agg0 at edge0:p2 (2 times)", "1 queue pair failed, as HOST/NUMBER: a/0 after 43.6 ms", "3 timeouts of senders: nics.*-new*.transport.rto=4ms",
            "packets sent again: 1,200; frames dropped: ", "queues without ECN, which other ports' have: t0:p2:3", "full: core h1/0 of mix, 99 %",
        ):
            self.assertIn(said, text)
        self.change(lambda summary: summary.update(transport=transport | {"timeouts": 0}))
        self.assertNotIn("timeout", self.explain(self.folder)[1])

    def test_hosts_that_hold_most_are_those_of_the_messages_around_the_percentile(self):
        builder = Builder()
        for number in range(1000):  # ranks 985 to 995 are those around p99; slower messages come from elsewhere
            source = "slow" if 984 <= number < 995 else "late" if number >= 995 else f"h{number % 9}"
            builder.message("mix", 1000, number, 100 + number, 10, src=source)
        builder.write(self.folder)
        self.give_parts({"limiter": 900.0, "wire": 100.0}, {})
        table = (self.folder / "messages.csv").read_text().splitlines()
        parts = {"limiter_ns": 900_000, "wire_ns": 100_000}
        columns = [f"{part}_ns" for part in MESSAGE_PARTS]
        rows = [row.split(",") + [parts.get(column, 0) for column in columns] for row in table[1:]]
        write_csv(self.folder / "messages.csv", table[0].split(",") + columns, rows)
        text = self.explain(self.folder)[1]
        self.assertIn("messages around it (from slow: 100 % of their time)", self.explain(self.folder)[1])
        with mock.patch("headroom.explain.ends.LARGEST", 1000):
            self.assertIn("messages around it spent 90 %", self.explain(self.folder)[1], "a file that is too large is not read")
        for row in rows[:5]:  # lines of some messages prove nothing about all
            rows.remove(row)
        write_csv(self.folder / "messages.csv", table[0].split(",") + columns, rows)
        self.assertIn("messages around it spent 90 %", self.explain(self.folder)[1])
        (self.folder / "messages.csv").write_text(text)
        code, _, err = self.explain(self.folder)
        self.assertEqual(code, 2)
        self.assertIn("messages.csv:1:1: ", err)
        (self.folder / "messages.csv").unlink()
        self.assertIn("it has no messages.csv", self.explain(self.folder)[2])

    def test_a_slowdown_is_told_where_there_is_one(self):
        self.assertIn("(slowdown ", self.explain(self.result())[1])
        self.change(lambda summary: summary["messages"]["mix"]["slowdown"].update(p99=None))
        self.assertNotIn("slowdown", self.explain(self.folder)[1], "a program's messages have no ideal")

    def unfinished(self, ended, left, took=500, parts=513.0):
        """Messages of 500 µs, and some that began at 100 µs of 5000 and did not finish."""
        builder = Builder()
        for number in range(ended + left):
            builder.message("mix", 1000, 100, took if number < ended else None, 10)
        builder.write(self.folder)
        if ended:
            self.give_parts({"limiter": 0.9 * parts, "wire": 0.1 * parts}, {})
        return " ".join(self.explain(self.folder)[1].split())

    def test_of_a_percentile_that_no_message_has_the_lower_bound_is_said_and_others_are_not_taken_for_it(self):
        text = self.unfinished(23, 33)
        self.assertIn("33 of 56 messages of `mix` did not end, and its p99 is at least 4.9 ms; of those that ended, the messages around their "
                      "own p99 spent 90 % of their time held by the rate limiter (mean 513 µs).", text)
        self.assertIn("56 messages, 33 did not end; p50 ≥ 4.9 ms, p99 ≥ 4.9 ms, slowest ≥ 4.9 ms", text)
        self.assertIn("messages that ended, around p50 p99 of p99", text)
        self.assertNotIn("half within", text)

    def test_a_workload_may_have_the_name_of_a_key(self):
        names = ("waits_us", "parts_us", "completion_us", "censored", "towards", "offered")
        builder = Builder()
        for name in names:
            builder.message(name, 1000, 1, 100, 10)
        builder.write(self.folder)
        self.give_parts({"limiter": 900.0, "wire": 100.0}, {}, names)
        code, text, err = self.explain(self.folder, "--all")
        self.assertEqual(code, 0, err)
        for name in names:
            self.assertIn(f"of `{name}` took 100 µs", text)

    def test_a_workload_without_messages_is_named(self):
        self.result()
        self.change(lambda summary: summary["messages"].update(idle={"offered": 0, "finished": 0, "completion_us": {"p50": None}}))
        self.assertIn("no message or operation was counted for: idle", self.explain(self.folder)[1])

    def test_where_parts_are_of_a_sample_it_is_said_so(self):
        self.with_operations()
        resolved = self.folder / "resolved.yaml"
        resolved.write_text(resolved.read_text() + "observe: {operations: 1/100}\n")
        text = self.explain(self.folder)[1]
        self.assertIn("; of those followed (1/100), the operations around their own p99", text)
        self.assertIn("at the device (mean 100 µs).", text)
        self.assertIn("operations followed (1/100), around p50", text)

    def test_where_none_ended_it_is_said_so(self):
        text = self.unfinished(0, 16)
        self.assertIn("None of 16 messages of `mix` ended, so there is no time to split.", text)
        self.assertNotIn("around", text)

    def test_a_workload_whose_p99_is_a_lower_bound_stands_first(self):
        builder = Builder()
        for number in range(200):
            builder.message("fine", 1000, 100, 4000, 10)
            builder.message("broken", 1000, 4000, 20 if number < 190 else None, 10)
        builder.write(self.folder)
        self.give_parts({"limiter": 900.0, "wire": 100.0}, {}, ("fine", "broken"))
        text = self.explain(self.folder)[1]
        self.assertIn("10 of 200 messages of `broken` did not end", text)
        self.assertIn("fine 200 4 ms 4 ms 90 % held by the rate limiter", text)
        full = self.explain(self.folder, "--workload", "fine")[1]
        self.assertIn("The p99 of `fine` is 4 ms", full)
        self.assertIn("broken 200 20 µs ≥ 1 ms 10 did not end", full)
        both = self.explain(self.folder, "--all")[1]
        self.assertIn("`fine` is", both)
        self.assertIn("of `broken` did", both)
        code, _, err = self.explain(self.folder, "--workload", "fnie")
        self.assertEqual((code, "no such workload was counted; there are broken, fine" in err), (2, True), err)

    def with_operations(self, count=300):
        Builder().disks(count).write(self.folder)
        file = self.folder / "summary.json"
        summary = json.loads(file.read_text())
        times = {"device": 60.0, "queued": 30.0, "core": 10.0}
        waits = {"leaf0:p4:3": {"towards": "e0", "queued": 30.0, "paused": 0.0, "ack_queued": 0.0, "ack_paused": 0.0}}
        counts = summary["operations"]["disks"]["read"]
        counts["parts_at_us"], counts["waits_at_us"] = {p: times for p in ("p50", "p99", "p999")}, {p: waits for p in ("p50", "p99", "p999")}
        file.write_text(json.dumps(summary))
        resolved = self.folder / "resolved.yaml"
        text = resolved.read_text()
        resolved.write_text(text + "services:\n  - {name: store, disk: {read: 85us}}\n  - {name: other, disk: {read: 1us}}\nworkloads: [{name: disks, service: store}]\n")
        return self.folder

    def test_operations_have_their_devices_and_the_parts_of_their_messages(self):
        told = self.explain(self.with_operations())[1]
        self.assertIn("The p99 of `disks (read)` is ", told)
        self.assertIn("spent 60 % of their time at the device.", told)
        self.assertIn("queued behind other packets in switches 30 µs 30 µs 30 % ██████ 100 % of it at leaf0:p4:3 towards e0 worked on by a core 10 µs", told)
        self.assertIn("60 % device services.store.disk: read=85us", told)
        self.assertIn("disks (write) 148 ", told)
        self.assertNotIn("services.other", told, "it is not what disks asks")

    def test_what_programs_post_is_not_split_and_nothing_is_said_to_govern_it(self):
        self.result()
        self.give_parts({"other": 10.0}, {})
        text = self.explain(self.folder)[1]
        self.assertIn("100 % of their time in a program's verbs (not split further)", text)
        self.assertNotIn("settings that govern", text)

    @staticmethod
    def places(node, above=()):
        """The path of every key, at any depth."""
        for key in node if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ():
            yield (*above, key)
            yield from Explain.places(node[key], (*above, key))

    def test_a_summary_without_a_key_or_with_null_there_is_refused_or_explained(self):
        for make in (lambda: self.result(messages=30), lambda: self.with_operations(30)):
            file = make() / "summary.json"
            whole, null, explained = file.read_text(), set(), 0
            run = load_results([self.folder])[0].runs[0]
            (self.folder / "ports.csv").unlink()  # the test is about the summary's keys
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
            object_path = "operations.disks.read.latency_us" if "disks" in whole else "messages.mix.completion_us"
            waits = "operations.disks.read.waits_at_us" if "disks" in whole else "messages.mix.waits_us"
            needed = {object_path, f"{object_path}.p50", f"{object_path}.p99", f"{object_path}.max", f"{waits}.p50", f"{waits}.p50.leaf0:p4:3", f"{waits}.p99.leaf0:p4:3.queued"}
            self.assertEqual(needed - null, set())
            self.assertNotIn(f"{object_path}.p90", null, "nothing asks for it")
            shutil.rmtree(self.folder)

    def test_a_value_of_another_kind_is_refused_with_its_key_or_left_out(self):
        whole = (self.result() / "summary.json").read_text()
        for key, value, said in (
            ("messages.mix.completion_us.p999", None, "messages.mix.completion_us.p999 is null"),
            ("messages.mix.completion_us.censored", -1, "messages.mix.completion_us.censored is not an object"),
            ("messages.mix.completion_us.p99", 1e308, "messages.mix.completion_us.p99 is larger than any number of a run"),
            ("messages.mix.waits_us.p99.leaf0:p4:3.towards", 5.5, "messages.mix.waits_us.p99.leaf0:p4:3.towards is not a text"),
            ("pfc.roots", [{"node": {}, "port": "p4", "queue": 3, "kind": "queue"}], "pfc.roots.node is not a text"),
            ("drops.by_reason", {"ttl": {}}, "drops.by_reason.ttl is not a number"),
            ("run", {"cpu_s": "x"}, None),
            ("run", "x", None),
        ):

            def put(summary, key=key, value=value):
                *above, last = key.split(".")
                for step in above:
                    summary = summary[step]
                summary[last] = value

            (self.folder / "summary.json").write_text(whole)
            self.change(put)
            with self.subTest(key):
                code, text, err = self.explain(self.folder)
                self.assertEqual(code, 2 if said else 0, err)
                self.assertIn(f"summary.json: {said}" if said else "The p99 of `mix` is", err + text)
                self.assertNotIn("minute", text)
        (self.folder / "summary.json").write_text(whole)
        self.change(lambda summary: summary["messages"]["mix"]["completion_us"].pop("p999"))
        self.assertIn("p99 1.29 ms (slowdown 129), slowest 1.3 ms", self.explain(self.folder)[1])

    def test_settings_stand_in_the_order_of_what_they_hold(self):
        found = json.loads(self.explain(self.result(), "--json")[1])
        [mix] = found["workloads"]
        self.assertEqual([round(g["share"], 3) for g in mix["settings"]], [0.5, 0.4, 0.06])
        ecn, acks, _ = mix["settings"]
        self.assertEqual(ecn["parts"], ["queued"])
        self.assertEqual(ecn["keys"]["switches.*.ecn.storage.kmin"], "400kB")
        self.assertEqual(ecn["keys"]["workloads.mix.load"], "0.05")
        self.assertEqual(acks["keys"], {"nics.*-new*.transport.ack_priority": "same", "nics.*-old*.transport.ack_priority": "cnp"})
        self.assertEqual(sum(part["us"] for part in mix["at"]["p99"]["parts"]), 1000)

    def test_few_messages_have_no_p999_and_their_slowest_for_p99(self):
        _, text, _ = self.explain(self.result(messages=50))
        self.assertIn("The slowest of 50 messages of `mix` took 149 µs; messages around it", text)
        self.assertNotIn("p99.9", text)

    def test_the_last_line_is_how_to_measure_what_would_help(self):
        text = measuring({"cpu_s": 600.0}, "my region.yaml")
        self.assertRegex(" ".join(text), r"^To measure what would help: ./headroom explain 'my region.yaml' \(about \d+ runs, \d+ minutes\)\.$")
        self.assertNotIn("minute", " ".join(measuring({"cpu_s": None}, "SCENARIO")))

    def test_the_last_line_asks_about_the_subject_of_the_page(self):
        def asked(found, subject):
            found = {"cpu_s": 1.0, "workloads": [], "operations": [], "empty": []} | found
            text = " ".join(line.removesuffix("\\") for line in measuring(found, "S.yaml", subject))
            return shlex.split(re.search("./headroom explain [^(]*", text)[0])[3:]

        mix, read, write = {"workload": "my mix"}, {"workload": "vm", "kind": "read"}, {"workload": "vm", "kind": "write"}
        self.assertEqual(asked({"workloads": [mix]}, mix), [])
        self.assertEqual(asked({"workloads": [mix], "empty": ["idle"]}, mix), ["--workload", "my mix"])
        self.assertEqual(asked({"workloads": [mix], "operations": [read]}, read), ["--workload", "vm"])
        both = {"workloads": [mix], "operations": [read, write]}
        self.assertEqual(asked(both, write), ["--metric", "operations.vm.write.latency_us.p99"])
        self.assertEqual(asked(both, mix), ["--workload", "my mix"])
        long = {"workload": "x" * 90}
        self.assertEqual(asked({"workloads": [long, mix]}, long), ["--workload", "x" * 90])
        text = self.explain(self.with_operations(), "--workload", "disks")[1]
        self.assertRegex(text, r"explain \S+ --metric operations\.disks\.read\.latency_us\.p99$")

    def test_settings_that_are_not_known_are_said_not_to_be(self):
        resolved = self.result() / "resolved.yaml"
        self.assertNotIn("not known", self.explain(self.folder)[1])
        for text, why in (("", "resolved.yaml cannot be read (not a mapping)"), ("name: r\n", "resolved.yaml has no workloads"), (None, "resolved.yaml is missing")):
            resolved.unlink() if text is None else resolved.write_text(text)
            code, said, _ = self.explain(self.folder)
            self.assertIn(f"settings are not known: {why}", said)
            self.assertIn("explain SCENARIO (about", said, "it cannot be run")
            self.assertNotIn("settings that govern", said)

    def test_a_page_is_forty_lines_of_a_hundred_columns_and_its_shares_are_of_one_whole(self):
        for seed in range(60):
            found = invented(random.Random(seed))
            lines = page(found, "results/" + "x" * random.Random(seed).choice((4, 30))).split("\n")
            with self.subTest(seed=seed):
                self.assertLessEqual(len(lines), 40)
                self.assertLessEqual(max(len(line) for line in lines if not line.startswith("  --metric ")), 100)  # a
                                                                                                                   # command
                                                                                                                   # is
                                                                                                                   # not
                                                                                                                   # wrapped
                shares = [float(share.replace("\u202f", "")) for share in re.findall(r"([\d.\u202f]+) %", "\n".join(lines))]
                self.assertLessEqual(max(shares), 100)
                self.assertIn("To measure what would help", "\n".join(lines))
            everything = page(found, everything=True).split("\n")
            self.assertLessEqual(max(len(line) for line in everything if not line.startswith("  --metric ")), 100)

    def test_refused(self):
        code, out, err = self.explain(self.result(parts=False))
        self.assertEqual((code, out), (2, ""))
        self.assertIn("no parts of messages' or operations' time, though observe.parts does not turn them off", err)
        resolved = self.folder / "resolved.yaml"
        resolved.write_text((text := resolved.read_text()) + "observe: {parts: false}\n")
        self.assertIn("no parts of messages' or operations' time; run it without observe.parts=false\n", self.explain(self.folder)[2])
        resolved.write_text("")
        self.assertIn("time, and the reason is not known: resolved.yaml cannot be read (not a mapping); run", self.explain(self.folder)[2])
        resolved.write_text(text)
        whole = (self.folder / "summary.json").read_text()
        self.change(lambda summary: summary.update(messages={}))
        self.assertIn("summary.json: it has no messages and no operations; the file is damaged", self.explain(self.folder)[2])
        (self.folder / "summary.json").write_text(whole)
        (self.folder / "resolved.yaml").unlink()
        _, _, err = self.explain(self.folder)
        self.assertIn("no parts of messages' or operations' time, nor resolved.yaml: another tool ran it; only what `headroom run` wrote can be explained", err)
        early = Builder()
        early.message("mix", 1000, 100, 50, 10)
        code, out, err = self.explain(early.write(self.folder.parent / "early", warmup="500us"))
        self.assertEqual((code, out), (2, ""))
        self.assertIn("no message or operation was counted: all started in the warm-up, or none started", err)
        seeds = self.folder.parent / "seeds"
        for seed in (1, 2):
            Builder(seed).incast().write(seeds / f"seed-{seed}")
        code, _, err = self.explain(seeds)
        self.assertEqual(code, 2)
        self.assertIn("holds 2 seeds, but explain takes one: give", err)


if __name__ == "__main__":
    unittest.main()
