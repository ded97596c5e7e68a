"""--launcher slurm, with a real Slurm of one node."""

import json
import os
import re
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

from command import HAS_RANKS, KMIN, PMAX, SEARCH, WIDE
from one_node_slurm import SlurmTest

from headroom.study.slurm import is_alive

ROWS = "select settings, seed, status, digest, path, json_remove(summary, '$.run') from runs order by id"
WORDS = ("--set", f"{KMIN}=[2KB,5KB,10KB]", "--set", f"{PMAX}=[10%,50%]", "--seeds", "3")


def _without_times(text, folder):
    """The answer without its folder and the time that further runs would take."""
    return re.sub(r"\(\d+[^)]* (s|min|h)\)", "()", text.replace(str(folder), ""))


class Slurm(SlurmTest):
    def by_slurm(self, *words):
        process = self.start(
            "sweep", self.scenario, "--out", self.out, "--launcher", "slurm", *words, env=self.slurm.environment
        )
        out, err = process.communicate()
        return process.returncode, out, err

    def test_a_job_array_fills_the_same_table(self):
        alone = self.folder / "alone"
        self.call("sweep", self.scenario, "--out", alone, *WORDS)
        code, out, err = self.by_slurm("--sbatch=--time=10", "--jobs", "2", *WORDS)
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, r"^job \d+: 18 runs;")
        script = (self.out / "slurm" / "job.sh").read_text()
        self.assertIn("#SBATCH --array=1-18%2\n", script)
        self.assertIn("#SBATCH --time=10\n", script)
        # The same command reports its progress, if it is not already complete.
        code, out, _ = self.by_slurm(*WORDS)
        self.assertEqual(code, 0)
        self.assertRegex(out, r"^\d+ of 18 runs are done$|^kmin  pmax  runs")
        self.wait()
        logs = "".join(log.read_text() for log in (self.out / "slurm").glob("*.log"))
        self.assertEqual(logs, "")
        self.assertEqual(self.query(ROWS), self.query(ROWS, alone))
        self.assertEqual(self.query("select max(tries) from runs"), [(1,)])
        code, out, _ = self.by_slurm(*WORDS)
        self.assertEqual(code, 0)
        self.assertIn("kmin  pmax  runs", out)

    def test_runs_of_a_job_array_have_several_processes(self):
        if not HAS_RANKS:
            self.skipTest("headroom_mpi.so is missing")
        self.scenario = self.write("tiny.yaml", WIDE)
        words = ("--set", f"{KMIN}=[5KB,10KB]")
        alone = self.folder / "alone"
        self.call("sweep", self.scenario, "--out", alone, *words)
        # A machine with one core accepts two ranks.
        code, _, err = self.by_slurm("--sbatch=--overcommit", "--ranks", "2", *words)
        self.assertEqual((code, err), (0, ""))
        self.wait()
        self.assertEqual(self.query(ROWS), self.query(ROWS, alone))
        self.assertEqual(self.query("select distinct json_extract(summary, '$.run.ranks') from runs"), [(2,)])

    def test_what_a_cancelled_job_left_is_submitted_again(self):
        words = ("--set", f"{KMIN}=[5KB,10KB]", "--set", "duration=100ms", "--seeds", "6")
        self.by_slurm(*words)
        until = time.monotonic() + 120
        while not self.query("select 1 from runs where status = 'running'") and time.monotonic() < until:
            time.sleep(0.05)
        code, out, err = self.sweep_here(*words)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("is working on this study", err)
        job = self.query("select value from study where key = 'slurm_job'")[0][0]
        self.slurm.call("scancel", "--signal=KILL", "--full", job)
        self.slurm.call("scancel", job)
        self.wait()
        left = self.query("select count(*) from runs where status != 'done'")[0][0]
        self.assertGreater(left, 0)
        code, out, _ = self.sweep_here(*words)
        self.assertEqual(code, 0)
        self.assertEqual(self.query("select status, count(*) from runs group by status"), [("done", 12)])

    def test_tune_finds_the_same_answer_as_alone(self):
        study = self.write("study.yaml", SEARCH)
        alone = self.folder / "alone"
        code, out, _ = self.call("tune", study, "--out", alone)
        self.assertEqual(code, 0)
        process = self.start(
            "tune", study, "--out", self.out, "--launcher", "slurm", "--sbatch=--time=10", env=self.slurm.environment
        )
        answer, err = process.communicate()
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual(*(_without_times(said, folder) for said, folder in ((answer, self.out), (out, alone))))
        self.assertEqual(self.query(ROWS), self.query(ROWS, alone))
        found, expected = (json.loads((folder / "study.json").read_text()) for folder in (self.out, alone))
        self.assertEqual(found["recommended"]["settings"], expected["recommended"]["settings"])
        # The study is not shared any more: the same command finds all runs.
        code, again, err = self.call("tune", study, "--out", self.out)
        self.assertEqual(code, 0, err)
        self.assertEqual(*(_without_times(said, self.out) for said in (again, answer)))

    def test_tune_reports_jobs_that_leave_no_result(self):
        study = self.write("study.yaml", SEARCH)
        process = self.start(
            "tune", study, "--out", self.out, "--launcher", "slurm", "--sbatch=--chdir=/nowhere", "--sbatch=--output=/nowhere/log",
            env=self.slurm.environment,
        )
        out, err = process.communicate()
        self.assertEqual((process.returncode, out), (3, ""))
        self.assertIn("ended without a result", err)
        self.assertIn("the same command continues", err)

    def sweep_here(self, *words):
        process = self.start("sweep", self.scenario, "--out", self.out, *words, env=self.slurm.environment)
        out, err = process.communicate()
        return process.returncode, out, err


class State(unittest.TestCase):
    """Of a job, with a squeue in place of Slurm's."""

    def alive(self, answer):
        with tempfile.TemporaryDirectory() as folder:
            squeue = Path(folder) / "squeue"
            squeue.write_text(f"#!/bin/sh\n{answer}\n", encoding="utf-8")
            squeue.chmod(0o755)
            with mock.patch.dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}"):
                return is_alive("7")

    def test_a_job_is_alive_until_slurm_says_otherwise(self):
        self.assertIs(self.alive("echo 7_1"), True)
        self.assertIs(self.alive("true"), False)
        self.assertIs(self.alive("echo slurm_load_jobs error: Invalid job id specified >&2; exit 1"), False)
        self.assertIsNone(self.alive("echo slurm_load_jobs error: Unable to contact slurm controller >&2; exit 1"))


if __name__ == "__main__":
    unittest.main()
