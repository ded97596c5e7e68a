"""The Chrome trace: valid by the rules of the format, with the facts of the result."""

import contextlib
import io
import json
import os
import tempfile
import unittest
from pathlib import Path

from synthetic_results import Builder

from headroom.csv_file import MESSAGE_PARTS
from headroom.trace.__main__ import main


def valid(trace):
    """Asserts the Trace Event Format's rules for complete, counter, instant and metadata events."""
    assert set(trace) <= {"traceEvents", "displayTimeUnit", "otherData"}, trace.keys()
    assert trace["displayTimeUnit"] in ("ms", "ns")
    named = {}  # (kind, pid, tid): name
    last, ends, flows = float("-inf"), {}, {}
    for event in trace["traceEvents"]:
        assert event["ph"] in ("X", "C", "i", "M", "s", "t", "f"), event
        assert isinstance(event["name"], str) and event["name"], event
        assert isinstance(event["pid"], int) and isinstance(event["tid"], int), event
        if event["ph"] == "M":
            assert last == float("-inf"), "a name after the first event"
            assert event["name"] in ("process_name", "thread_name", "process_sort_index"), event
            key = event["name"], event["pid"], event["tid"]
            assert key not in named, f"{key} is named twice"
            named[key] = event["args"]
            continue
        assert isinstance(event["ts"], (int, float)) and event["ts"] >= 0, event
        assert event["ts"] >= last, "not in the order of time"
        last = event["ts"]
        assert ("process_name", event["pid"], 0) in named, f"process {event['pid']} has no name"
        if event["ph"] == "X":
            assert event["dur"] >= 0, event
            # Slices of a thread may nest, not overlap; those of other kinds than messages do neither. Times are
            # compared to the picosecond.
            open_slices = ends.setdefault((event["pid"], event["tid"]), [])
            while open_slices and open_slices[-1] <= event["ts"] + 1e-6:
                open_slices.pop()
            assert not open_slices or event["cat"] in ("message", "operation"), event
            assert not open_slices or event["ts"] + event["dur"] <= open_slices[-1] + 1e-6, event
            open_slices.append(event["ts"] + event["dur"])
        elif event["ph"] in ("s", "t", "f"):
            flows.setdefault((event["cat"], event["id"]), []).append(event)
        elif event["ph"] == "C":
            assert event["args"] and all(isinstance(v, (int, float)) for v in event["args"].values()), event
        elif event["ph"] == "i":
            assert event["s"] in ("g", "p", "t"), event
        if event["ph"] in ("X", "i"):
            assert ("thread_name", event["pid"], event["tid"]) in named, f"thread {event['tid']} has no name"
    for steps in flows.values():
        assert [step["ph"] for step in steps] == ["s", *["t"] * (len(steps) - 2), "f"], steps
    threads = [tid for kind, _, tid in named if kind == "thread_name"]
    assert len(threads) == len(set(threads)), "a thread number stands in two processes"


class Trace(unittest.TestCase):
    def setUp(self):
        self._temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self._temporary.name)
        self.addCleanup(self._temporary.cleanup)

    def trace(self, builder):
        """(trace, names of processes by pid)"""
        result = builder.write(self.folder / "r")
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(main([str(result)]), 0)
        trace = json.loads((result / "trace.json").read_text(encoding="utf-8"))
        valid(trace)
        self.events = [e for e in trace["traceEvents"] if e["ph"] != "M"]
        self.nodes = {
            e["pid"]: e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "process_name"
        }
        return self.events

    def test_everything_there_is(self):
        builder = Builder().queue().group().rate("h0").cnps("h0").pause_storm()
        builder.event(1030, "first_mark").event(1040, "watchdog_detected", detail="storm").event(
            9, "deadlock", "", "", ""
        )
        events = self.trace(builder)
        self.assertEqual({e["ph"] for e in events}, {"X", "C", "i"})
        self.assertEqual(
            len([e for e in events if e["ph"] == "X"]), len([p for p in builder.pauses if p[6] == "rx"])
        )
        self.assertEqual(len([e for e in events if e.get("cat") == "cnp"]), 100)
        self.assertEqual(
            len([e for e in events if e["name"] == "CNP cuts the rate"]), 15
        )  # every seventh of 100
        watchdog = next(e for e in events if e["name"] == "watchdog detected")
        self.assertEqual((watchdog["ts"], watchdog["args"]), (1040, {"priority": 3, "detail": "storm"}))

    def test_a_pause_stands_at_the_paused_port_with_its_length(self):
        builder = Builder()
        builder.pauses = [
            ["100000.123", "t0", "p1", "h1", "p0", 3, "tx", "4000.000", 0, 900_000],
            ["100600.125", "h1", "p0", "t0", "p1", 3, "rx", "4000.000", 0, 0],
        ]
        (event,) = self.trace(builder)
        self.assertEqual(self.nodes[event["pid"]], "h1")
        self.assertEqual((event["ts"], event["dur"]), (100.600125, 4))
        self.assertEqual(event["name"], "paused by t0:p1")

    def test_what_is_still_paused_ends_with_the_run(self):
        builder = Builder()
        builder.pauses = [["1000000.000", "h1", "p0", "t0", "p1", 3, "rx", "", 0, 0]]
        (event,) = self.trace(builder)
        self.assertEqual((event["ts"], event["dur"], event["args"]["still_paused"]), (1000, 4000, True))

    def test_a_counter_repeats_nothing(self):
        builder = Builder()
        builder.observed.add("queues")
        builder.queues = [
            [f"{1000 * t}.000", "t0", "p0", 3, level] for t, level in enumerate([0, 0, 5, 5, 5, 0, 0])
        ]
        events = self.trace(builder)
        self.assertEqual([(e["ts"], e["args"]["bytes"]) for e in events], [(0, 0), (2, 5), (5, 0)])

    def test_drops_one_by_one(self):
        builder = Builder()
        result = builder.write(self.folder / "d")
        (result / "drops.csv").write_text(
            "time_ns,node,port,priority,reason,bytes\n1500.000,t0,p1,0,egress_limit,1082\n", encoding="utf-8"
        )
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(main([str(result), "--out", str(self.folder / "t.json")]), 0)
        trace = json.loads((self.folder / "t.json").read_text(encoding="utf-8"))
        valid(trace)
        (drop,) = [e for e in trace["traceEvents"] if e.get("cat") == "drop"]
        self.assertEqual((drop["ts"], drop["name"], drop["args"]["bytes"]), (1.5, "drop: egress_limit", 1082))
        self.assertFalse((result / "trace.json").exists())

    def test_a_messages_parts_are_nested_and_arrows_lead_to_where_it_waited(self):
        result = Builder().write(self.folder / "m")
        parts = {"own_queue": 1000, "queued": 2000, "wire": 1000}
        columns = [f"{part}_ns" for part in MESSAGE_PARTS]
        head = "id,workload,src,dst,scope,priority,verb,bytes,start_ns,delivered_ns,completed_ns,ideal_ns,slowdown,finished"
        lines = [
            f"w/h0/{number},w,h0,h1,rack,3,write,4096,{start}.000,{start + 3900}.000,{start + 4000}.000,"
            + ("1000.000,4.0,1" if number else "0.000,,1")  # an answered message has no ideal time
            for number, start in enumerate((0, 1000, 4000))
        ]
        split = ",".join(str(parts.get(part, 0)) for part in MESSAGE_PARTS)
        text = "\n".join([f"{head},marked_packets,retransmitted_packets,{','.join(columns)}", *(f"{line},0,0,{split}" for line in lines)])
        (result / "messages.csv").write_text(text + "\n", encoding="utf-8")
        (result / "message_waits.csv").write_text(
            "id,way,node,port,queue,since_ns,queued_ns,paused_ns\n"
            "w/h0/1,data,t0,p1,3,2500.000,500.000,1000.000\nw/h0/1,data,t1,p0,3,4200.000,500.000,0.000\n",
            encoding="utf-8",
        )
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(main([str(result), "--out", str(self.folder / "t.json")]), 0)
        trace = json.loads((self.folder / "t.json").read_text(encoding="utf-8"))
        valid(trace)
        slices = [e for e in trace["traceEvents"] if e.get("cat") == "message"]
        whole = [e for e in slices if e["name"].startswith("w/")]
        self.assertEqual([(e["ts"], e["dur"]) for e in whole], [(0, 4), (1, 4), (4, 4)])
        self.assertEqual([e["args"].get("slowdown") for e in whole], [None, 4, 4])
        # The second message overlaps the first, and the third uses its lane.
        self.assertEqual(len({e["tid"] for e in whole[:2]}), 2)
        self.assertEqual(whole[2]["tid"], whole[0]["tid"])
        inside = [(e["name"], e["ts"], e["dur"]) for e in slices if e["tid"] == whole[1]["tid"] and e is not whole[1]]
        self.assertEqual(inside, [("own queue", 1, 1), ("queued", 2, 2), ("wire", 4, 1)])
        waits = [e for e in trace["traceEvents"] if e.get("cat") == "wait"]
        self.assertEqual([(e["name"], e["ts"], e["dur"]) for e in waits], [("w/h0/1 paused", 2.5, 1.5), ("w/h0/1 queued", 4.2, 0.5)])
        arrows = [(e["ph"], e["tid"]) for e in trace["traceEvents"] if e["ph"] in "stf"]
        self.assertEqual(arrows, [("s", whole[1]["tid"]), ("t", waits[0]["tid"]), ("f", waits[1]["tid"])])

    def test_several_seeds_are_refused_with_one_to_take(self):
        for seed in (1, 2):
            Builder(seed).incast().write(self.folder / f"s/seed-{seed}")
        with contextlib.redirect_stderr(io.StringIO()) as err:
            self.assertEqual(main([str(self.folder / "s")]), 2)
        self.assertIn("seed-1", err.getvalue())

    def test_a_link_leads_and_a_device_stays_one(self):
        result = Builder().incast().write(self.folder / "r")
        (self.folder / "link").symlink_to("target")
        os.mkfifo(self.folder / "pipe")
        reader = os.open(self.folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        try:
            for name in ("link", "pipe"):
                self.assertEqual(main([str(result), "--out", str(self.folder / name)]), 0)
            self.assertTrue(os.read(reader, 1))
        finally:
            os.close(reader)
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertTrue((self.folder / "pipe").is_fifo())
        valid(json.loads((self.folder / "target").read_text()))

    def test_a_file_that_is_open_already_is_written_on(self):
        result = Builder().incast().write(self.folder / "r")
        self.assertEqual(main([str(result)]), 0)
        trace = (result / "trace.json").read_text()
        log = self.folder / "log"
        for descriptor, out in ((1, "/dev/stdout"), (2, "/dev/stderr"), (2, "/proc/self/fd/2"), (1, str(log))):
            log.write_text("before\n")
            kept = os.dup(descriptor)
            with open(log, "a") as file, contextlib.redirect_stdout(io.StringIO()):
                os.dup2(file.fileno(), descriptor)
                try:
                    self.assertEqual(main([str(result), "--out", out]), 0)
                finally:
                    os.dup2(kept, descriptor)
                    os.close(kept)
                file.write("after\n")
            self.assertEqual(log.read_text(), f"before\n{trace}after\n", out)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["log", "r"])

    def test_force_replaces_a_trace_and_nothing_else(self):
        result = Builder().incast().write(self.folder / "r")
        scenario = self.folder / "scenario.yaml"
        scenario.write_text("name: mine\n")
        for path in (scenario, result / "messages.csv", result / "summary.json"):
            whole = path.read_bytes()
            for words in ([], ["--force"]):
                with contextlib.redirect_stderr(io.StringIO()) as err:
                    self.assertEqual(main([str(result), "--out", str(path), *words]), 2)
                self.assertIn(f"{path}: exists, and `headroom trace` did not write it; move it away, or give another --out", err.getvalue())
                self.assertEqual(path.read_bytes(), whole)
        trace = ["--out", str(self.folder / "t.json")]
        self.assertEqual(main([str(result), *trace]), 0)
        with contextlib.redirect_stderr(io.StringIO()) as err:
            self.assertEqual(main([str(result), *trace]), 2)
        self.assertIn("t.json: exists; give --force to replace it", err.getvalue())
        self.assertEqual(main([str(result), *trace, "--force"]), 0)

    def test_what_cannot_be_written_leaves_nothing(self):
        result = Builder().incast().write(self.folder / "r")
        with contextlib.redirect_stderr(io.StringIO()) as err:
            self.assertEqual(main([str(result), "--out", str(self.folder / "gone" / "t.json")]), 2)
        self.assertIn("--out FILE", err.getvalue())
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["r"])


if __name__ == "__main__":
    unittest.main()
