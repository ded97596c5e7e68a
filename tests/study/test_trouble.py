"""Events during a sweep: kill -9, a killed worker, a full disk, one bad corner."""

import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from command import ANALYSIS, KMAX, KMIN, PMAX, StudyTest

try:
    import optuna
except ImportError:
    optuna = None

SEARCH = f"""\
name: find
scenario: tiny.yaml
parameters:
  kmin: {{key: {KMIN}, min: 5KB, max: 1MB, scale: log}}
  kmax: {{key: {KMAX}, min: kmin, max: 2MB, scale: log}}
objectives: [{{metric: messages.burst.completion_us.p99}}]
budget: 12
seeds: 2
short: 100%
search: random
"""

# A run's row, without the time when it ran and its speed.
ROWS = "select settings, seed, status, digest, path, exit_code, message, json_remove(summary, '$.run') from runs order by id"


def children_of(pid):
    """Living processes that this one started."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


class Killed(StudyTest):
    def test_twenty_kills_leave_the_table_of_an_undisturbed_sweep(self):
        # 10 × 10 settings × 2 seeds make 200 runs.
        kmins = ",".join(f"{k}KB" for k in range(2, 22, 2))
        pmaxs = ",".join(f"{p}%" for p in range(10, 110, 10))
        words = ("--set", f"{KMIN}=[{kmins}]", "--set", f"{PMAX}=[{pmaxs}]", "--seeds", "2", "--jobs", "2")
        undisturbed = self.folder / "undisturbed"
        start = time.monotonic()
        code, _, err = self.call("sweep", self.scenario, "--out", undisturbed, *words)
        took = time.monotonic() - start
        self.assertEqual((code, err), (0, ""))
        chance = random.Random(20)
        kills = 0
        while kills < 20:
            # On average it lives a tenth of the whole: some die while they check the settings, some with half the work
            # done.
            process = self.start("sweep", self.scenario, "--out", self.out, *words)
            time.sleep(chance.uniform(0, took / 5))
            kills += process.poll() is None
            process.kill()
            process.communicate()
        code, _, err = self.call("sweep", self.scenario, "--out", self.out, *words)
        self.assertEqual((code, err), (0, ""))
        rows = self.query(ROWS)
        self.assertEqual(len(rows), 200)
        self.assertEqual(rows, self.query(ROWS, undisturbed))
        folders = sorted(path for _, _, _, _, path, *_ in rows)
        self.assertEqual(folders, sorted(f"runs/{p.name}" for p in (self.out / "runs").iterdir()))
        for path in folders[::20]:
            for name in ("messages.csv", "resolved.yaml"):
                self.assertEqual((self.out / path / name).read_bytes(), (undisturbed / path / name).read_bytes())
        self.assertEqual(self.query("select count(*) from runs where tries > 20"), [(0,)])

    def test_no_orphan_survives(self):
        words = ("--set", f"{KMIN}=[1KB,2KB]", "--set", "duration=1s", "--set", "deadline=2s", "--jobs", "2")
        process = self.start("sweep", self.scenario, "--out", self.out, *words)
        while len(runs := children_of(process.pid)) < 2:
            time.sleep(0.01)
        process.kill()
        process.communicate()
        until = time.monotonic() + 20
        while any(self.lives(run) for run in runs) and time.monotonic() < until:
            time.sleep(0.01)
        self.assertEqual([run for run in runs if self.lives(run)], [])

    @staticmethod
    def lives(pid):
        try:
            return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
        except OSError:
            return False

    def test_a_killed_worker_is_told_and_runs_again(self):
        words = ("--set", f"{KMIN}=[5KB,10KB,20KB]", "--set", "duration=20ms", "--jobs", "1")
        process = self.start("sweep", self.scenario, "--out", self.out, *words)
        while not (runs := children_of(process.pid)) or not self.is_run(runs[0]):
            time.sleep(0.005)
        os.kill(runs[0], signal.SIGKILL)
        _, err = process.communicate()
        self.assertEqual(process.returncode, 1)
        self.assertIn("killed by signal 9 (SIGKILL)", err)
        self.assertIn("1 was killed; the same command runs it again", err)
        self.assertEqual(self.query("select status, count(*) from runs group by status"), [("done", 2), ("killed", 1)])
        code, _, err = self.sweep(*words)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(self.query("select status, sum(tries) from runs group by status"), [("done", 4)])

    @staticmethod
    def is_run(pid):
        """Whether it is past fork and exec, and is not a `check`."""
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except OSError:
            return False
        return words[1:2] == [b"run"]


class Edited(StudyTest):
    def test_a_scenario_that_changes_while_its_sweep_runs(self):
        words = ("--set", f"{KMIN}=[5KB,10KB,20KB]", "--set", "duration=[20ms]", "--seeds", "5", "--jobs", "1")
        process = self.start("sweep", self.scenario, "--out", self.out, *words)
        while not (self.out / "runs").exists():
            time.sleep(0.005)
        whole = self.scenario.read_text()
        self.scenario.write_text(whole.replace("60KB", "61KB"))
        _, err = process.communicate()
        self.assertEqual(process.returncode, 3)
        self.assertIn("has changed while its study runs", err)
        # With the old scenario it continues; the table has no rows of the other one.
        self.scenario.write_text(whole)
        self.assertEqual(self.sweep(*words)[0], 0)
        digests = "select count(*) from runs where digest = json_extract(summary, '$.digest')"
        self.assertEqual(self.query(digests), [(15,)])


    def test_a_program_that_is_compiled_anew_while_a_sweep_runs(self):
        program, other = self.folder / "headroom", self.folder / "other"
        shutil.copy(os.environ["HEADROOM_PROGRAM"], program)
        other.write_bytes(program.read_bytes() + b"x")
        other.chmod(0o755)
        words = ("--set", f"{KMIN}=[5KB,10KB,20KB]", "--set", "duration=[20ms]", "--seeds", "5", "--jobs", "1")
        command = [sys.executable, "-m", "headroom.study", "sweep", self.scenario, "--out", self.out, *words]
        environment = {**os.environ, "HEADROOM_PROGRAM": str(program), "PYTHONPATH": str(ANALYSIS)}

        def start():
            pipe = subprocess.PIPE
            return subprocess.Popen(list(map(str, command)), stdout=pipe, stderr=pipe, text=True, env=environment)

        process = start()
        while not (self.out / "runs").exists():
            time.sleep(0.005)
        shutil.copy(program, self.folder / "whole")
        os.replace(other, program)
        out, err = process.communicate()
        self.assertEqual((process.returncode, out), (3, ""))
        self.assertIn("was recompiled while the study runs", err)
        process = start()
        _, err = process.communicate()
        self.assertEqual(process.returncode, 2)
        self.assertIn("was begun with another build of headroom", err)
        # With the original program it continues.
        os.replace(self.folder / "whole", program)
        process = start()
        _, err = process.communicate()
        # A slow machine reports its progress.
        told = [line for line in err.splitlines() if not re.fullmatch(r"headroom: \d+ of 15 runs done, .*", line)]
        self.assertEqual((process.returncode, told), (0, []))


class Machine(StudyTest):
    """Runs that fail for lack of resources run again with the same command."""

    def limited(self, size, *words):
        """(exit code, stdout, stderr) of a command whose files may not exceed this size."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

        process = self.start(*words, preexec_fn=limit)
        return process.wait(), *process.communicate()

    @unittest.skipIf(optuna is None, "python3-optuna is not installed")
    def test_tune_goes_on_after_a_result_that_could_not_be_written(self):
        self.write("tiny.yaml", self.scenario.read_text().replace("duration: 100us", "duration: 4ms"))
        tune = ("tune", self.write("study.yaml", SEARCH), "--jobs", "1", "--out", self.out)
        code, out, err = self.limited(160_000, *tune)
        self.assertEqual((code, out), (3, ""), err)
        self.assertRegex(err, "csv: .*File too large")
        self.assertNotIn("finished runs are kept", err, "nothing is")
        self.assertEqual(self.query("select status, count(*) from runs group by status"), [("pending", 1)])
        code, _, err = self.call(*tune)
        self.assertEqual((code, err), (0, ""))

    def test_a_study_that_cannot_be_begun_keeps_nothing_and_says_so(self):
        code, out, err = self.limited(40_000, "sweep", self.scenario, "--seeds", "2", "--jobs", "1", "--out", self.out)
        self.assertEqual((code, out), (3, ""), err)
        self.assertRegex(err, r"study.sqlite: cannot be written: .*; no run was begun: check the space .* \(ulimit -f\), then start")
        self.assertFalse(self.out.exists())
        file = self.write("file", "")
        code, _, err = self.call("sweep", self.scenario, "--out", file / "study")
        self.assertEqual(code, 2)
        self.assertRegex(err, "the study cannot be kept there: .*; give another --out\n$")

    def test_runs_without_memory_are_no_failures(self):
        for said, code in (("headroom: out of memory; `headroom check` estimates the memory of a scenario", 2), ("libm.so.6: failed to map segment", 127)):
            program, mark = self.folder / f"program{code}", self.folder / "mark"
            lacking = f"[ $1 = run ] && [ -e '{mark}' ] && {{ echo '{said}' >&2; exit {code}; }}"
            program.write_text(f"#!/bin/sh\n{lacking}\nexec '{os.environ['HEADROOM_PROGRAM']}' \"$@\"\n")
            program.chmod(0o755)
            environment = {**os.environ, "HEADROOM_PROGRAM": str(program), "PYTHONPATH": str(ANALYSIS)}
            words = [sys.executable, "-m", "headroom.study", "sweep", str(self.scenario), "--out", str(self.out / str(code))]
            mark.touch()
            done = subprocess.run(words, env=environment, capture_output=True, text=True)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("the same command runs it again", done.stderr)
            mark.unlink()
            done = subprocess.run(words, env=environment, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))


class Disk(StudyTest):
    def mount(self, size):
        """A separate file system for the study; returns whether it is possible."""
        self.out.mkdir()
        words = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(self.out)]
        if subprocess.run(words, capture_output=True).returncode != 0:
            print("not tested: no file system can be mounted here")
            return False
        self.addCleanup(subprocess.run, ["umount", str(self.out)])
        return True

    def remount(self, options):
        subprocess.run(["mount", "-o", f"remount,{options}", str(self.out)], check=True)

    def test_what_is_finished_before_it_is_full_is_kept(self):
        if not self.mount("400k"):
            return
        words = ("--set", f"{KMIN}=[1KB,2KB,3KB,4KB,5KB,6KB,7KB,8KB]", "--jobs", "1", "--seeds", "4")
        code, out, err = self.sweep(*words)
        self.assertEqual((code, out), (3, ""))
        self.assertRegex(err, "No space left on device|disk is full")
        self.assertRegex(err, "finished runs are kept")
        self.assertNotRegex(err, "headroom[^\n]*: headroom: ")
        done = self.query("select id, tries from runs where status = 'done'")
        self.assertGreater(len(done), 0)
        self.assertLess(len(done), 32)
        self.remount("size=20m")
        code, _, err = self.sweep(*words)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(self.query("select count(*) from runs where status = 'done'"), [(32,)])
        self.assertTrue(set(done) <= set(self.query("select id, tries from runs")))

    def test_nothing_is_left_where_there_is_no_room_to_begin(self):
        if not self.mount("64k"):
            return
        for free in (0, 4, 8, 12):
            filler = self.out / "filler"
            filler.write_bytes(b"x" * (shutil.disk_usage(self.out).free - 1024 * free))
            with self.subTest(free=free):
                words = ("sweep", self.scenario, "--out", self.out / "study", "--set", f"{KMIN}=[1KB,2KB]")
                code, text, err = self.call(*words)
                self.assertEqual((code, text), (3, ""), err)
                self.assertRegex(err, "^headroom sweep: .*(No space left on device|disk is full)")
                self.assertEqual(err.count("headroom"), 1, err)
                self.assertEqual([path.name for path in self.out.iterdir()], ["filler"])
            filler.unlink()

    @unittest.skipIf(optuna is None, "python3-optuna is not installed")
    def test_tune_at_the_end_of_a_full_disk_keeps_its_runs(self):
        if not self.mount("20m"):
            return
        study = self.write("study.yaml", SEARCH)
        tune = ("tune", study, "--out", self.out)
        code, answer, err = self.call(*tune)
        self.assertEqual((code, err), (0, ""))
        (self.out / "optuna.sqlite").unlink()
        before = {path.name for path in self.out.iterdir()}
        # This is enough for SQLite to open the study, but not for the search.
        filler = self.out / "filler"
        filler.write_bytes(b"x" * (shutil.disk_usage(self.out).free - 150_000))
        code, out, err = self.call(*tune)
        filler.unlink()
        self.assertEqual((code, out), (3, ""))
        self.assertRegex(err, "\nheadroom tune: .*optuna.sqlite: cannot be written: .*; all runs are kept: free the disk")
        self.assertEqual({path.name for path in self.out.iterdir()}, before)
        code, again, err = self.call(*tune)
        self.assertEqual((code, again), (0, answer))
        self.assertRegex(err, r"^headroom tune: \d+ runs are kept from before\n$")
        # A search does not begin either if its answer could not be written.
        (self.out / "study.json").unlink()
        (self.out / "study.json").mkdir()
        code, out, err = self.call(*tune)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("study.json: is a folder, but a file goes there; move it away", err)

    def test_a_study_that_can_only_be_read(self):
        if not self.mount("20m"):
            return
        self.assertEqual(self.sweep("--set", f"{KMIN}=[1KB,2KB]")[0], 0)
        before = self.query("select id, started, tries from runs")
        self.remount("ro")
        more = ("--set", f"{KMIN}=[1KB,2KB,3KB]")
        code, out, err = self.sweep(*more)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("cannot be written: Read-only file system; give another --out", err)
        # The database can still be read.
        self.assertEqual(self.query("select id, started, tries from runs"), before)
        self.remount("rw")
        code, _, err = self.sweep(*more)
        self.assertEqual((code, err), (0, ""))
        self.assertTrue(set(before) < set(self.query("select id, started, tries from runs")))


# Five switches in a ring, each with a host that writes to the next but one. Without congestion control, the traffic
# that waits for each link of the ring pauses the link before it, all around.
RING = """\
name: ring
duration: 1ms
deadline: 50ms
topology:
  type: custom
  hosts: [h0, h1, h2, h3, h4]
  switches: [s0, s1, s2, s3, s4]
  links: [LINKS]
switches: [{match: "*", ecn: {storage: {kmin: 5KB, kmax: 50KB, pmax: 50%}}}]
nics: [{match: "*", congestion_control: none}]
workloads: [{name: round, type: list, messages: [MESSAGES]}]
""".replace(
    "LINKS",
    ", ".join(
        f"{{ends: [{a}, {b}], rate: 100Gbps, length: 5m}}"
        for i in range(5)
        for a, b in ((f"h{i}", f"s{i}"), (f"s{i}", f"s{(i + 1) % 5}"))
    ),
).replace("MESSAGES", ", ".join(f"{{at: 0us, from: h{i}, to: h{(i + 2) % 5}, size: 20MB}}" for i in range(5)))


class OneCorner(StudyTest):
    def test_a_deadlock_at_one_setting_fails_that_one_alone(self):
        key = "nics.0.congestion_control"
        words = (self.write("ring.yaml", RING), "--out", self.out, "--set", f"{key}=[none,dcqcn]", "--seeds", "2")
        code, out, err = self.call("sweep", *words)
        self.assertEqual(code, 1)
        self.assertIn("lossless traffic deadlocked", err)
        self.assertIn("2 of 4 runs failed", err)
        self.assertRegex(out, "none +0/2")
        self.assertRegex(out, "dcqcn +2/2")
        sql = f"""select "{key}", status from results order by id"""
        self.assertEqual(self.query(sql), 2 * [("none", "failed")] + 2 * [("dcqcn", "done")])
        # They would fail again: they run again only on request.
        self.call("sweep", *words)
        self.assertEqual(self.query("select sum(tries) from runs"), [(4,)])
        self.call("sweep", *words, "--retry")
        self.assertEqual(self.query("select sum(tries) from runs"), [(6,)])


if __name__ == "__main__":
    unittest.main()
