"""Damaged files of a result: the commands refuse them with their place, without a traceback, and do not read them as
other data."""

import contextlib
import csv
import io
import json
import math
import random
import shutil
import tempfile
import unittest
from pathlib import Path

from synthetic_results import Builder, write_csv

from headroom.csv_file import COLUMNS, MESSAGE_PARTS, read_csv
from headroom.errors import InputError
from headroom.result import load_results
from headroom.trace.__main__ import main as trace


class Damaged(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        builder = Builder(3).poisson(20, unfinished=2).incast(4, 2).queue(every=200).group(every=200).rate("h0", every=200)
        builder.cnps("NA").pause_storm(ports=2, per_burst=4, bursts=2).event(1030, "first_mark")
        builder.event(1040, "watchdog_detected", detail='a, "b"').event(9, "deadlock", "", "", "")
        self.whole = builder.write(self.folder / "whole")
        drops = [["1500.000", "t0", "p1", 0, "egress_limit", 1082], ["1600.000", "t0", "p1", 3, "headroom_full", 1082]]
        write_csv(self.whole / "drops.csv", "time_ns,node,port,priority,reason,bytes".split(","), drops)

    def trace(self, result):
        """(exit code, stderr)"""
        with contextlib.redirect_stderr(io.StringIO()) as err, contextlib.redirect_stdout(io.StringIO()):
            code = trace([str(result)])
        return code, err.getvalue()

    def damaged(self, name, data):
        copy = self.folder / "r"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.whole, copy)
        (copy / name).write_bytes(data)
        return copy

    def test_what_a_trace_cannot_tell_is_refused_with_its_place(self):
        for name, row, wanted in (
            ("events.csv", "1000.000,first_mark,t0,p2,three,", "events.csv:5:1: priority is 'three'; a whole number is expected"),
            ("events.csv", ",first_mark,t0,p2,3,", "events.csv:5:1: time_ns is ''; a number is expected"),
            ("events.csv", "1000.000,first_mark,t0", "events.csv:5:1: "),
            ("cnps.csv", "1000.000,h0,1.5,cut", "cnps.csv:102:1: qp is '1.5'; a whole number is expected"),
            ("cnps.csv", "nan,h0,1,cut", "cnps.csv:102:1: time_ns is 'nan'; a number is expected"),
            ("cnps.csv", "inf,h0,1,cut", "cnps.csv:102:1: time_ns is 'inf'; a number, 0 or more, is expected"),
            ("cnps.csv", "1e999,h0,1,cut", "cnps.csv:102:1: time_ns is "),
            ("cnps.csv", "-5,h0,1,cut", "cnps.csv:102:1: time_ns is '-5.0'; a number, 0 or more, is expected"),
            ("cnps.csv", "1000.000,h0,1,cut,more", "cnps.csv:102:1: 5 values for 4 columns"),
            ("cnps.csv", "1000.000,h0", "cnps.csv:102:1: 2 values for 4 columns"),
            ("cnps.csv", "1000.000,,1,cut", "cnps.csv:102:1: host is ''; a name is expected"),
            ("pfc.csv", "1000.000,h0,p0,t0,p0,3,up,5.000,0,0", "direction is 'up'; rx or tx is expected"),
            ("drops.csv", "True,t0,p1,3,headroom_full,1082", "drops.csv:4:1: time_ns is 'True'; a number is expected"),
        ):
            with self.subTest(row):
                code, err = self.trace(self.damaged(name, (self.whole / name).read_bytes() + row.encode() + b"\n"))
                self.assertEqual(code, 2, err)
                self.assertIn(wanted, err)
        code, err = self.trace(self.damaged("cnps.csv", (self.whole / "cnps.csv").read_bytes()[:-3]))
        self.assertEqual(code, 2)
        self.assertIn("cnps.csv:101:1: the last line is incomplete", err)

    def test_a_column_under_another_name_is_no_empty_column(self):
        for name in ("messages", "pfc", "events", "queues", "rates", "ports", "groups", "cnps", "drops"):
            header, _, rows = (self.whole / f"{name}.csv").read_text().partition("\n")
            columns = header.split(",")
            for place, column in enumerate(columns):
                other = ",".join([*columns[:place], "x" + column, *columns[place + 1 :]])
                copy = self.damaged(f"{name}.csv", f"{other}\n{rows}".encode())
                with self.subTest(name=name, column=column), self.assertRaisesRegex(InputError, f"{name}.csv:1:[0-9]+: ") as raised:
                    read_csv(copy / f"{name}.csv", name)
                self.assertIn(column, str(raised.exception))
            with self.assertRaisesRegex(InputError, f"{name}.csv:1:1: column {COLUMNS[name][0]} is missing"):
                read_csv(self.damaged(f"{name}.csv", b"nothing\n") / f"{name}.csv", name)
        header = "time_ns,event,node,prot,priority,detail\n"
        code, err = self.trace(self.damaged("events.csv", header.encode()))
        self.assertEqual(code, 2)
        self.assertIn("events.csv:1:20: 'prot' is not a column of events.csv; did you mean port? Run", err)

    def test_a_column_of_a_group_is_missed_where_another_of_it_is_there(self):
        header, *rows = csv.reader(io.StringIO((self.whole / "messages.csv").read_text()))
        parts = [f"{part}_ns" for part in MESSAGE_PARTS]
        table = [header + parts, *(row + ["0.000"] * len(parts) for row in rows)]
        for column in (*(part for part in parts if part not in ("window_ns", "context_ns")), "src", "priority", "verb"):
            place = table[0].index(column)
            copy = self.damaged("messages.csv", b"")
            write_csv(copy / "messages.csv", table[0][:place] + table[0][place + 1 :], [row[:place] + row[place + 1 :] for row in table[1:]])
            code, err = self.trace(copy)
            self.assertEqual(code, 2)
            self.assertIn(f"messages.csv:1:1: column {column} is missing", err)
        torn = [row[:-1] + [""] for row in table[1:]]
        write_csv(copy / "messages.csv", table[0], torn)
        with self.assertRaisesRegex(InputError, "messages.csv:2:1: other_ns is empty, but other parts of that time are not"):
            read_csv(copy / "messages.csv", "messages")

    def test_a_key_that_is_asked_for_and_missing_is_named(self):
        whole = json.loads((self.whole / "summary.json").read_text())
        (name, *_) = whole["messages"]
        del whole["messages"][name]["completion_us"]["p99"]
        summary = load_results([self.damaged("summary.json", json.dumps(whole).encode())])[0].runs[0].summary
        with self.assertRaisesRegex(InputError, rf"summary.json: messages.{name}.completion_us.p99 is missing; is the result from another"):
            summary["messages"][name]["completion_us"]["p99"]

    def test_a_finished_message_has_a_time_and_a_slowdown(self):
        for old, new in (("completed_ns", ""), ("slowdown", ""), ("completed_ns", "5.000")):
            rows = list(csv.DictReader(io.StringIO((self.whole / "messages.csv").read_text())))
            last = next(row for row in reversed(rows) if row["finished"] == "1")
            last[old] = new
            copy = self.damaged("messages.csv", b"")
            write_csv(copy / "messages.csv", list(rows[0]), [row.values() for row in rows])
            with self.assertRaisesRegex(InputError, f"messages.csv:{rows.index(last) + 2}:1: {old} of a finished message is"):
                load_results([copy])

    def test_a_summary_that_is_none(self):
        whole = json.loads((self.whole / "summary.json").read_text())
        for change in ({"messages": [1]}, {"sim_time_us": "5"}, {"buffer": {"t0": 5}}, {"drops": {"by_reason": 3}}):
            copy = self.damaged("summary.json", json.dumps({**whole, **change}).encode())
            with self.assertRaisesRegex(InputError, "summary.json: .*run the scenario again with --force"):
                load_results([copy])
        for text in (b'{"seed": NaN}', b'{"seed": 1e999}', b"[" * 100_000, b"\xff{}", b"", b"3"):
            with self.assertRaisesRegex(InputError, "summary.json"):
                load_results([self.damaged("summary.json", text)])

    def test_an_out_that_is_a_folder(self):
        for out in (".", str(self.folder), "/"):
            with contextlib.redirect_stderr(io.StringIO()) as err:
                self.assertEqual(trace([str(self.whole), "--out", out]), 2)
            self.assertIn(f"--out {out} is a folder; give a file", err.getvalue())

    def mutated(self, chance, data):
        lines = data.split(b"\n")
        line_number = chance.randrange(len(lines) - 1)
        fields = lines[line_number].split(b",")
        place = chance.randrange(len(fields))
        kind = chance.randrange(8)
        if kind == 0:
            return data[: chance.randrange(len(data))]
        if kind == 1:
            found = bytearray(data)
            for _ in range(3):
                found[chance.randrange(len(data))] = chance.randrange(256)
            return bytes(found)
        if kind == 2:
            chance.shuffle(fields)
        elif kind == 3:
            del fields[place]
        elif kind == 4:
            fields.insert(place, fields[place])
        else:
            fields[place] = chance.choice([b"nan", b"", b"NA", b"inf", b"1e999", b"x", b"-1", b"0x1", b"1_0", b"True", b'"'])
        lines[line_number] = b",".join(fields)
        return b"\n".join(lines)

    def test_a_hundred_and_fifty_mutations_are_refused_or_read_as_they_stand(self):
        chance = random.Random(7)
        names = "messages pfc events queues rates groups cnps drops".split()  # the files that a trace reads
        codes = {0: 0, 2: 0}
        for number in range(150):
            name = names[number % len(names)]
            copy = self.damaged(f"{name}.csv", self.mutated(chance, (self.whole / f"{name}.csv").read_bytes()))
            with self.subTest(number=number, name=name):
                code, err = self.trace(copy)
                codes[code] += 1
                if code == 2:
                    self.assertIn(f"{name}.csv", err)
                else:
                    self.assert_as_it_stands(load_results([copy])[0].runs[0], name)
        self.assertGreater(codes[0], 10)
        self.assertGreater(codes[2], 70)

    def assert_as_it_stands(self, run, name):
        """Plots and traces read what the standard library reads."""
        table = run._raw_messages if name == "messages" else run.table(name)
        with open(run.path / f"{name}.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), len(table))
        for column in table.columns:
            for row, value in zip(rows, table[column]):
                if column in ("window_ns", "context_ns") and column not in row:  # where no queue pair has a window, and
                                                                                 # no message a context
                    self.assertTrue(value == 0 or math.isnan(value))
                elif row.get(column, "") == "":
                    self.assertTrue(value is None or math.isnan(value))
                elif isinstance(value, str):
                    self.assertEqual(value, row[column])
                else:
                    self.assertEqual(value, float(row[column]))


if __name__ == "__main__":
    unittest.main()
