"""headroom run --launcher slurm, with a real Slurm of one node."""

import json
import re
import signal
import time
import unittest

from command import HAS_RANKS, TINY, WIDE, StudyTest
from one_node_slurm import SlurmTest

LONG = ("--set", "duration=10s", "--set", "deadline=20s")
RANKS = 2 if HAS_RANKS else 1


def files(folder):
    """{name: contents} without the costs of the run."""
    found = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file() and p.name != ".headroom"}
    summary = json.loads(found["summary.json"])
    del summary["run"]
    return {**found, "summary.json": summary}


def _without_cost(text, folder):
    return re.sub(r"^speed .*\n", "", text.replace(str(folder), "DIR"), flags=re.M)


class SlurmRun(SlurmTest):
    def setUp(self):
        super().setUp()
        self.scenario = self.write("wide.yaml", WIDE)

    def by_slurm(self, *words):
        # A machine with one core accepts two ranks.
        words = ("--launcher", "slurm", "--ranks", RANKS, "--sbatch=--overcommit", *words)
        return self.start("run", self.scenario, "--out", self.out, *words, env=self.slurm.environment)

    def started(self, state):
        """A job is in this state."""
        until = time.monotonic() + 60
        while self.slurm.call("squeue", "--noheader", "--format", "%T") != state and time.monotonic() < until:
            time.sleep(0.1)

    def left(self):
        """Files beside the result."""
        return [p.name for p in self.folder.iterdir() if p.name.startswith(".")]

    def test_gives_output_and_files_of_a_local_run(self):
        alone = self.folder / "alone"
        _, out, _ = self.call("run", self.scenario, "--out", alone)
        process = self.by_slurm("--sbatch=--time=10")
        said, err = process.communicate()
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertEqual(_without_cost(said, self.out), _without_cost(out, alone))
        self.assertEqual(files(self.out), files(alone))
        self.assertEqual(self.left(), [])
        # A finished result is not replaced, and nothing is submitted.
        process = self.by_slurm()
        self.assertIn("holds a finished result; give --force", process.communicate()[1])
        self.assertEqual(process.returncode, 2)

    def test_an_error_in_the_job_is_printed_with_its_code(self):
        process = self.by_slurm("--sbatch=--hold")
        self.started("PENDING")
        self.scenario.unlink()
        self.slurm.call("scontrol", "release", self.slurm.call("squeue", "--noheader", "--format", "%i"))
        out, err = process.communicate()
        self.assertEqual((process.returncode, out), (2, ""))
        self.assertIn("wide.yaml: ", err)
        self.assertEqual((self.left(), self.out.exists()), ([], False))

    def test_progress_names_the_job(self):
        process = self.by_slurm("--progress", "--set", "duration=5ms")
        _, err = process.communicate()
        self.assertEqual(process.returncode, 0)
        self.assertRegex(err, r"headroom run: job \d+: running, \w+")

    def test_an_interrupted_run_leaves_its_result_so_far(self):
        process = self.by_slurm(*LONG, "--progress")
        for line in process.stderr:  # the first line of the run's own progress
            if " of 10,000" in line or "events/s" in line:
                break
        process.send_signal(signal.SIGINT)
        process.communicate()
        self.assertEqual(process.returncode, 3)
        self.assertEqual(json.loads((self.out / "summary.json").read_text())["status"], "interrupted")
        self.wait()
        self.assertEqual(self.left(), [])

    def test_an_interrupt_cancels_a_waiting_job(self):
        process = self.by_slurm("--sbatch=--begin=now+1hour")
        self.started("PENDING")
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate()
        self.assertEqual((process.returncode, out, err), (3, "", "headroom run: interrupted; nothing was written\n"))
        self.assertEqual(self.slurm.call("squeue", "--noheader"), "")
        self.assertEqual((self.left(), self.out.exists()), ([], False))

    def test_a_job_that_is_killed_leaves_nothing_or_its_result_so_far(self):
        process = self.by_slurm(*LONG)
        self.started("RUNNING")
        job = self.slurm.call("squeue", "--noheader", "--format", "%i")
        self.slurm.call("scancel", job)
        out, err = process.communicate()
        self.assertEqual(process.returncode, 3)
        if self.out.exists():  # Slurm first asked the program to end, and it had the time
            said = "INTERRUPTED" in out or "has the result until then" in err  # its text may be cut off
            self.assertTrue(said, out + err)
            self.assertEqual(json.loads((self.out / "summary.json").read_text())["status"], "interrupted")
            return
        self.assertEqual(out, "")
        # It depends on the time who learns of it first: Slurm, the job's shell, or the program that waits for its ranks.
        ends = "|".join((rf"headroom run: job {job}: (Slurm ended it: [A-Z]+|its program ended with code 1[0-9][0-9])",
                         "headroom: .*: mpirun failed", "headroom: interrupted before the run began"))
        self.assertRegex(err, rf"({ends}); nothing was written\n$")

    def test_what_sbatch_refuses_is_named(self):
        process = self.by_slurm("--sbatch=--partition=nowhere")
        out, err = process.communicate()
        self.assertEqual((process.returncode, out), (2, ""))
        self.assertIn("headroom run: sbatch refused the job: ", err)
        self.assertIn("invalid partition", err)
        self.assertEqual((self.left(), self.out.exists()), ([], False))


class BadInput(StudyTest):
    def refused(self, *words):
        code, out, err = self.call("run", self.scenario, "--out", self.out, *words)
        self.assertEqual((code, out, self.out.exists()), (2, "", False))
        return err

    def test_launchers_have_names(self):
        self.assertIn("there is no --launcher lsf; allowed: local, slurm", self.refused("--launcher", "lsf"))
        self.assertIn("--sbatch needs --launcher slurm", self.refused("--sbatch=--time=1"))

    def test_a_job_is_one_run(self):
        for words in (("--seeds", "2"), ("--set", "vary={mtu: [1024, 2048]}"), (self.write("other.yaml", TINY.replace("tiny", "other")),)):
            code, _, err = self.call("run", self.scenario, "--launcher", "slurm", *words)
            self.assertEqual(code, 2)
            self.assertIn("--launcher slurm starts one run; allowed: one scenario with one seed and no vary", err)

    def test_ranks_are_judged_before_the_job_is_submitted(self):
        self.assertIn("do not divide the network into 2 ranks", self.refused("--launcher", "slurm", "--ranks", "2"))


if __name__ == "__main__":
    unittest.main()
