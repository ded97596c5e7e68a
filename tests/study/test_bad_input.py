"""Reactions of the commands of studies to wrong input and full disks: a line that states the error, and an exit code."""

import io
import os
import signal
import subprocess
import time
import unittest
from unittest import mock

from command import KMIN, SEARCH, TINY, StudyTest

from headroom.errors import InputError
from headroom.quantity import parse_quantity
from headroom.study import progress
from headroom.yaml_file import read_yaml


class BadInput(StudyTest):
    def refused(self, *words):
        """The only line of a refused command."""
        code, out, err = self.call(*words)
        self.assertEqual((code, out), (2, ""), err)
        self.assertEqual(len(err.splitlines()), 1, err)
        return err.strip()

    def tune(self, old, new):
        return self.refused("tune", self.write("find.yaml", SEARCH.replace(old, new)), "--out", self.out)

    def test_numbers_that_no_number_holds(self):
        place = f"{self.folder}/find.yaml:3:"
        for text in ("1e400", "1e400KB", "1e308GB", "1e-400KB", "1e999999999KB", "9" * 5000 + "KB", "1/" + "9" * 5000):
            with self.subTest(text[:20]):
                err = self.tune("30KB", text)
                self.assertTrue(err.startswith(place), err[:200])
                self.assertLess(len(err), 300)
        self.assertIn("is not a whole number from 1 to 1000000", self.tune("budget: 12", "budget: " + "1" * 5000))
        self.assertIn("is not a number", self.tune("budget:", "constraints: [{metric: drops.lossless, max: 1e400}]\nbudget:"))
        self.assertFalse(self.out.exists())
        self.assertEqual(parse_quantity("0e5").value, 0)

    def test_study_files_that_are_no_yaml(self):
        path = self.folder / "bad.yaml"
        for content, told in (
            (b"name: a\nb: \xff\xfe\n", ":2:4: "),
            (b"name: a\x00b\n", ":1:8: "),
            (b"\x1f\x8b\x08junk", ":1:2: "),
            (b"name: [" * 3000, ":1:21001: "),
            (b"name: " + b"[" * 3000 + b"]" * 3000, "nested too deeply"),
            (b"name: &a [*a]\nx: *b\n", ":2:4: "),
            (b"a: b: c\n", ":1:5: "),
        ):
            with self.subTest(content[:20]):
                path.write_bytes(content)
                with self.assertRaises(InputError) as refused:
                    read_yaml(path).fields(["name"])
                self.assertIn(str(path), str(refused.exception))
                self.assertIn(told, str(refused.exception))
                self.assertEqual(len(str(refused.exception).splitlines()), 1)

    def test_texts_in_utf_16_are_read_as_run_reads_them(self):
        self.scenario.write_text("# About µs.\n" + TINY, encoding="utf-16")
        code, _, err = self.sweep()
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(self.query("select value from study where key = 'about'"), [("About µs.",)])
        study = self.folder / "find.yaml"
        study.write_text(SEARCH.replace("12", "many"), encoding="utf-16")
        self.assertIn("find.yaml:5:9: 'many' is not a whole number", self.refused("tune", study))

    def test_an_out_that_names_nothing(self):
        study = self.write("find.yaml", SEARCH)
        for words in (("sweep", self.scenario), ("tune", study), ("plot", "r"), ("trace", "r")):
            err = self.refused(*words, "--out", "")
            self.assertIn('--out ""', err)
        for command in ("sweep", "tune", "plot", "trace"):
            self.refused(command, "")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["find.yaml", "tiny.yaml"])

    def test_signals_in_the_first_moments_are_no_traceback(self):
        for number in range(12):
            with subprocess.Popen(
                [os.environ["HEADROOM_PROGRAM"], "sweep", self.scenario, "--out", self.out],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            ) as process:
                time.sleep(0.015 * number)
                process.send_signal(signal.SIGTERM if number % 2 else signal.SIGINT)
                err = process.communicate()[1].decode()
            self.assertNotIn("Traceback", err)
            # 0: the study was complete before. Python has not started yet, so the signal ends it.
            self.assertIn(process.returncode, (0, 3, -signal.SIGINT, -signal.SIGTERM), err)

    def test_paths_that_are_no_utf_8(self):
        strange = os.fsdecode(b"b\xe9")
        self.assertIn("is not UTF-8", self.refused("sweep", self.scenario, "--out", self.folder / strange))
        self.assertIn("is not UTF-8", self.refused("sweep", strange))
        other = self.folder / strange
        other.mkdir()
        (other / "tiny.yaml").write_text(TINY)
        (other / "find.yaml").write_text(SEARCH)
        self.assertIn("is not UTF-8", self.refused("sweep", other / "tiny.yaml", "--out", self.out))
        self.assertIn("is not UTF-8", self.refused("tune", other / "find.yaml", "--out", self.out))
        self.assertIn("is not UTF-8", self.refused("sweep", self.scenario, "--out", self.out, "--set", f"{KMIN}={strange}"))
        self.assertFalse(self.out.exists())

    def test_paths_do_not_command_the_terminal(self):
        for words in (("tune", self.folder / "\x1b[31mred.yaml"), ("sweep", self.folder / "a\x1b]0;title\x07.yaml")):
            said = self.refused(*words)
            self.assertIn("\\x1B", said)
            self.assertNotIn("\x1b", said)

    def test_an_output_that_takes_no_more_ends_with_one_line(self):
        study = self.write("find.yaml", SEARCH)
        subprocess.run([os.environ["HEADROOM_PROGRAM"], "run", self.scenario, "--out", "r"], cwd=self.folder, capture_output=True)
        for words in (
            ("sweep", self.scenario, "--out", self.out),
            ("sweep", self.scenario, "--out", self.out, "--json"),
            ("sweep", "--help"),
            ("tune", study, "--out", "t"),
            ("plot", "r"),
            ("trace", "r"),
            ("explain", "r"),
        ):
            for redirected in (">/dev/full", ">&-"):
                if redirected == ">&-" and words[0] not in ("sweep", "trace", "explain"):
                    continue
                with self.subTest(f"{words[0]} {words[-1]} {redirected}"):
                    line = ' "$@" ' + redirected
                    command = ["sh", "-c", '"$0"' + line, os.environ["HEADROOM_PROGRAM"], *map(str, words)]
                    done = subprocess.run(command, cwd=self.folder, stderr=subprocess.PIPE, text=True)
                    self.assertEqual(done.returncode, 3, done.stderr)
                    said = [l for l in done.stderr.splitlines() if "kept" not in l]
                    self.assertEqual(len(said), 1, done.stderr)
                    self.assertRegex(said[0], f"^headroom {words[0]}: standard output cannot be written: ")
        # There is also no error if no reader is left for it.
        command = ["sh", "-c", '"$0" "$@" 2>&-', os.environ["HEADROOM_PROGRAM"], "sweep", self.scenario, "--out", "s"]
        self.assertEqual(subprocess.run(command, cwd=self.folder, capture_output=True).returncode, 0)


class Metrics(StudyTest):
    # Only one of the settings has the second workload.
    BURST = '{name: burst, type: incast, size: 60KB, from: "*", to: h3, at: 1us}'
    OTHER = '{name: other, type: incast, size: 60KB, from: "*", to: h3, at: 1us}'

    def test_a_metric_of_some_settings_alone_is_missing_at_the_others(self):
        words = ("--set", f"workloads.0=[{self.BURST},{self.OTHER}]", "--seeds", "2", "--jobs", "1")
        code, out, err = self.sweep(*words, "--metric", "messages.other.completion_us.p99", "--metric", "pfc.pauses")
        self.assertEqual(code, 0, err)
        rows = out.splitlines()
        self.assertRegex(rows[1], r"^workloads.0 #1 +2/2 +– +\d")
        self.assertRegex(rows[2], r"^workloads.0 #2 +2/2 +[\d.]+ ± [\d.]+ +\d")
        self.assertIn("headroom sweep: messages.other.completion_us.p99: not measured at 1 of 2 settings", err)
        self.assertEqual(self.query("select count(*) from runs where status = 'done'"), [(4,)])

    def test_a_metric_of_no_setting_ends_the_sweep_once_each_has_run(self):
        words = ("--set", f"{KMIN}=[1KB,2KB]", "--seeds", "3", "--jobs", "1", "--metric", "messages.burst.completion_us.p9")
        code, out, err = self.sweep(*words)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("messages.burst.completion_us.p9: a summary has no such metric; did you mean", err)
        self.assertEqual(self.query("select seed, count(*) from runs where status = 'done'"), [(1, 2)])


class HowFar(StudyTest):
    def test_a_line_now_and_then_where_stderr_is_no_terminal(self):
        stream = io.StringIO()
        with mock.patch.object(progress.time, "monotonic") as clock:
            clock.return_value = 0.0
            found = progress.Progress(8, done=2, stream=stream)
            for now in (5, 10, 35, 40, 64, 66):
                clock.return_value = float(now)
                found.started(None)
                found.ended(None, "done")
                found.show()
        lines = stream.getvalue().splitlines()
        self.assertEqual(len(lines), 2, lines)
        self.assertEqual(lines[0], "headroom: 5 of 8 runs done, 0 running, 0 failed, about 35 s left")
        self.assertTrue(lines[1].startswith("headroom: 8 of 8 runs done"), lines)
        self.assertNotIn("\r", stream.getvalue())

    def test_tune_says_what_it_kept(self):
        study = self.write("find.yaml", SEARCH)
        code, answer, err = self.call("tune", study, "--out", self.out)
        self.assertEqual((code, err), (0, ""))
        (done,) = self.query("select count(*) from runs where status = 'done'")[0]
        self.change("update runs set status = 'pending', summary = null, path = null where id > 3")
        code, again, err = self.call("tune", study, "--out", self.out)
        self.assertEqual((code, again), (0, answer))
        self.assertEqual(err, "headroom tune: 3 runs are kept from before\n")
        self.assertGreater(done, 3)


if __name__ == "__main__":
    unittest.main()
