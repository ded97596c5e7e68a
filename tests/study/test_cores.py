"""The cores of a machine, divided between runs and the processes of each run."""

import json
import unittest

from command import HAS_RANKS, KMIN, SEARCH, TINY, WIDE, StudyTest

from headroom import program
from headroom.study.cores import Cores

ROWS = "select settings, seed, status, digest, path, json_remove(summary, '$.run') from runs order by id"


def _files(folder):
    """{name: contents} of the runs' tables."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.glob("runs/*/*.csv")}


class Choice(unittest.TestCase):
    """With numbers in place of a machine and a scenario."""

    def cores(self, jobs, ranks=None, others=0, most=1000):
        self.running = []
        found = Cores(jobs, ranks, busy=lambda: 1 + sum(self.running) + others)
        found._gains = lambda scenario, settings, share: min(share, most)
        return found

    def begun(self, cores, left):
        """Processes of the runs that begin at once, of `left`."""
        while left and cores.has_room(self.running):
            self.running.append(cores.of_next("x.yaml", {}, left, self.running))
            left -= 1
        return self.running

    def test_as_many_runs_as_cores_have_one_process_each(self):
        for left in (4, 5, 100):
            self.assertEqual(self.begun(self.cores(4), left), [1, 1, 1, 1])

    def test_fewer_runs_share_the_cores(self):
        self.assertEqual(self.begun(self.cores(4), 1), [4])
        self.assertEqual(self.begun(self.cores(4), 2), [2, 2])
        self.assertEqual(self.begun(self.cores(4), 3), [1, 1, 2])
        self.assertEqual(self.begun(self.cores(8), 3), [2, 3, 3])

    def test_cores_that_other_programs_use_are_left_to_them(self):
        self.assertEqual(self.begun(self.cores(4, others=2), 1), [2])
        self.assertEqual(self.begun(self.cores(4, others=9), 2), [1, 1])

    def test_a_run_that_does_not_gain_has_one_process(self):
        self.assertEqual(self.begun(self.cores(4, most=1), 2), [1, 1])

    def test_given_numbers_are_kept(self):
        self.assertEqual(self.begun(self.cores(3, ranks=2), 5), [2, 2, 2])
        self.assertEqual(self.begun(self.cores(2, ranks=1), 1), [1])
        self.assertEqual(Cores(None, 10**3).jobs, 1)


class Studies(StudyTest):
    def setUp(self):
        super().setUp()
        self.scenario = self.write("tiny.yaml", WIDE)

    def refused(self, command, *words):
        code, out, err = self.call(command, *words)
        self.assertEqual((code, out, self.out.exists()), (2, "", False), err)
        return err

    def test_ranks_are_whole_numbers(self):
        study = self.write("study.yaml", SEARCH)
        for number in ("0", "-1", "1025", "two"):
            for command, file in (("sweep", self.scenario), ("tune", study)):
                err = self.refused(command, file, "--out", self.out, f"--ranks={number}")
                self.assertIn(f"{number} is not a number of processes; allowed: whole numbers from 1 to 1024, or auto", err)
            self.assertIn(f"{number} is not a number of processes", self.refused("explain", self.scenario, "--out", self.out, f"--ranks={number}"))

    def test_a_scenario_that_cannot_be_divided_is_refused(self):
        self.scenario = self.write("tiny.yaml", TINY)
        study = self.write("study.yaml", SEARCH)
        why = "do not divide the network into 2 ranks" if HAS_RANKS else "--ranks needs MPI"
        for command, file in (("sweep", self.scenario), ("tune", study), ("explain", self.scenario)):
            self.assertIn(why, self.refused(command, file, "--out", self.out, "--ranks", "2"))

    def test_check_tells_in_how_many_processes_a_point_could_run(self):
        if not HAS_RANKS:
            return
        (found,) = program.check_points(self.scenario, [{}], 2)
        self.assertEqual((found["ranks"]["ranks"], found["ranks"]["refused"]), (2, None))
        self.assertGreater(found["ranks"]["gain"], 0)
        (found,) = program.check_points(self.write("near.yaml", TINY), [{}], 2)
        self.assertEqual(found["ranks"]["ranks"], 1)
        self.assertIn("do not divide the network", found["ranks"]["refused"])

    def test_runs_with_ranks_give_the_same_study(self):
        if not HAS_RANKS:
            return
        words = ("--set", f"{KMIN}=[5KB,10KB]")
        alone = self.folder / "alone"
        code, told, _ = self.call("sweep", self.scenario, "--out", alone, *words)
        self.assertEqual(code, 0)
        code, out, err = self.sweep(*words, "--jobs", "1", "--ranks", "2")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(self.query(ROWS), self.query(ROWS, alone))
        self.assertEqual(_files(self.out), _files(alone))
        self.assertIn("cores: 2 runs in 2 processes each\n", out)
        self.assertEqual(out.replace("cores: 2 runs in 2 processes each\n", "").replace(str(self.out), ""), told.replace(str(alone), ""))
        _, out, _ = self.sweep(*words, "--json")
        self.assertEqual(json.loads(out)["runs_by_ranks"], {"2": 2})

    def test_tune_gives_the_same_answer(self):
        if not HAS_RANKS:
            return
        study = self.write("study.yaml", SEARCH)
        alone = self.folder / "alone"
        self.call("tune", study, "--out", alone, "--ranks", "1")
        code, out, err = self.call("tune", study, "--out", self.out, "--jobs", "1", "--ranks", "2")
        self.assertIn(code, (0, 1), err)
        self.assertRegex(out, r"cores: \d+ runs in 2 processes each")
        self.assertEqual(self.query(ROWS), self.query(ROWS, alone))


if __name__ == "__main__":
    unittest.main()
