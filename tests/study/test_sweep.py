"""The command `sweep` as a user calls it."""

import json
import signal
import time
import unittest
from pathlib import Path

from command import KMAX, KMIN, PMAX, TINY, StudyTest


class Runs(StudyTest):
    def test_every_combination_with_every_seed_is_one_row(self):
        code, out, err = self.sweep("--set", f"{KMIN}=[5KB,10KB]", "--set", f"{PMAX}=[1%,50%,100%]", "--seeds", "2")
        self.assertEqual((code, err), (0, ""))
        rows = self.query("select settings, seed, status, path, wall_s, cpu_s from runs order by id")
        self.assertEqual(len(rows), 2 * 3 * 2)
        self.assertEqual(len({(settings, seed) for settings, seed, *_ in rows}), 12)
        self.assertEqual(json.loads(rows[2][0]), {KMIN: "5KB", PMAX: "50%"})
        for _, seed, status, path, wall, cpu in rows:
            self.assertIn(seed, (1, 2))
            self.assertEqual(status, "done")
            self.assertTrue((self.out / path / "messages.csv").is_file())
            self.assertGreater(wall, 0)
            self.assertGreater(cpu, 0)
        self.assertEqual(len(out.splitlines()), 1 + 6 + 3)

    def test_the_study_keeps_what_the_scenario_expects(self):
        """The expectations of the last start; empty if the scenario has none."""
        self.sweep("--set", f"{KMIN}=[5KB,10KB]")
        self.assertEqual(self.query("select value from study where key = 'expect'"), [("null",)])
        self.out = self.folder / "other"
        self.write("base.yaml", "expect:\n  - {metric: drops.lossless, max: 0, kind: ours, source: &s lossless}\n"
                                f"  - {{metric: pfc.paused_us, at: {{{KMIN}: 10KB}}, min: 1, kind: ours, source: *s}}\n")
        self.write("tiny.yaml", f"include: base.yaml\nvary: {{{KMIN}: [5KB, 10KB]}}\n{TINY}")
        self.assertEqual(self.sweep()[0], 0)
        ((text,),) = self.query("select value from study where key = 'expect'")
        kept = json.loads(text)
        self.assertEqual(kept["vary"], {KMIN: ["5KB", "10KB"]})
        rows = [(r["metrics"], r["at"], r["min"], r["max"], r["source"]) for r in kept["rows"]]
        paused = (["pfc.paused_us"], {KMIN: "10KB"}, 1.0, None, "lossless")
        self.assertEqual(rows, [(["drops.lossless"], {}, None, 0.0, "lossless"), paused])

    def test_the_view_has_every_metric_of_the_summary(self):
        self.sweep("--set", f"{KMIN}=[5KB,10KB]")
        path, p99, kmin = self.query(
            f'select path, "messages.burst.completion_us.p99", "{KMIN}" from results order by id'
        )[1]
        summary = json.loads((self.out / path / "summary.json").read_text())
        self.assertEqual(p99, summary["messages"]["burst"]["completion_us"]["p99"])
        self.assertEqual(kmin, "10KB")
        resolved = (self.out / path / "resolved.yaml").read_text()
        self.assertIn("kmin: 10KB", resolved)

    def test_the_same_seeds_at_every_setting(self):
        # Arrivals depend only on the seed: the offered load is equal at all settings of a seed, and differs by seed.
        self.sweep("--set", f"{KMIN}=[5KB,10KB,20KB]", "--seeds", "3", "--seed", "7")
        offered = {}
        for seed, path in self.query("select seed, path from runs"):
            lines = (self.out / path / "messages.csv").read_text().splitlines()[1:]
            offered.setdefault(seed, set()).add(tuple(tuple(line.split(",")[0:9]) for line in lines))
        self.assertEqual(sorted(offered), [7, 8, 9])
        self.assertTrue(all(len(found) == 1 for found in offered.values()))
        self.assertEqual(len(set.union(*offered.values())), 3)

    def test_keys_that_move_together_and_what_the_scenario_varies(self):
        self.scenario = self.write("v.yaml", TINY + f"vary: {{{PMAX}: [10%, 20%]}}\nseeds: 2\n")
        code, _, _ = self.sweep("--set", f"{KMIN},{KMAX}=[[5KB,20KB],[10KB,80KB]]")
        self.assertEqual(code, 0)
        found = {tuple(json.loads(s).values()) for (s,) in self.query("select settings from runs")}
        expected = {(p, *k) for p in ("10%", "20%") for k in (("5KB", "20KB"), ("10KB", "80KB"))}
        self.assertEqual(found, expected)
        self.assertEqual(self.query("select count(*) from runs"), [(8,)])

    def test_json_has_means_and_intervals(self):
        code, out, _ = self.sweep("--set", f"{KMIN}=[5KB,10KB]", "--seeds", "4", "--json")
        self.assertEqual(code, 0)
        points = json.loads(out)["points"]
        self.assertEqual([p["at"] for p in points], [{KMIN: "5KB"}, {KMIN: "10KB"}])
        metric = points[0]["metrics"]["messages.burst.completion_us.p99"]
        values = self.query(
            f"""select "messages.burst.completion_us.p99" from results where "{KMIN}" = '5KB'"""
        )
        self.assertEqual(metric["n"], 4)
        self.assertAlmostEqual(metric["mean"], sum(v for (v,) in values) / 4)
        self.assertGreater(metric["half_width_95"], 0)

    def test_results_do_not_depend_on_the_number_of_jobs(self):
        words = ("--set", f"{KMIN}=[5KB,10KB]", "--seeds", "3")
        self.call("sweep", self.scenario, "--out", self.folder / "one", "--jobs", "1", *words)
        self.call("sweep", self.scenario, "--out", self.folder / "four", "--jobs", "4", *words)
        sql = "select settings, seed, path, json_remove(summary, '$.run') from runs order by id"
        self.assertEqual(self.query(sql, self.folder / "one"), self.query(sql, self.folder / "four"))


    def test_maps_have_short_names_and_places_in_lists_their_key(self):
        maps = ["{kmin: 5KB, kmax: 9KB, pmax: 1%}", "{kmin: 6KB, kmax: 9KB, pmax: 2%}", "{kmin: 7KB, kmax: 9KB, pmax: 2%}"]
        burst = '{name: burst, type: incast, size: 50KB, from: "*", to: h3, at: 1us}'
        self.scenario = self.write(
            "v.yaml",
            TINY + f"vary:\n  switches.0.ecn.storage:\n    - &low {maps[0]}\n    - {maps[1]}\n    - &high {maps[2]}\n",
        )
        words = ("--metric", "pfc.pauses", "--set", f"workloads.0=[{burst}]", "--set", "mtu=[1024]")
        code, out, err = self.sweep(*words)
        self.assertEqual((code, err), (0, ""))
        lines = out.splitlines()
        self.assertRegex(lines[0], r"^storage +workloads\.0 +mtu +runs +pfc.pauses$")
        for line, name in zip(lines[1:4], ("low", "storage #1", "high")):
            self.assertRegex(line, rf"^{name} +workloads.0 #1 +1024 +1/1 ")
        self.assertEqual(lines[4:8], [f"storage low: {maps[0]}", f"workloads.0 #1: {burst}", f"storage #1: {maps[1]}",
                                      f"storage high: {maps[2]}"])  # fmt: skip
        # The rows are where plots find them; given names are kept.
        (labels,) = self.query("select value from study where key = 'labels'")
        storage = dict(zip(maps, ("low", "storage #1", "high")))
        self.assertEqual(json.loads(labels[0]), {"switches.0.ecn.storage": storage, "workloads.0": {burst: "workloads.0 #1"}})
        more = "{kmin: 8KB, kmax: 9KB, pmax: 2%}"
        self.assertEqual(self.sweep(*words, "--set", f"switches.0.ecn.storage=[{more},{maps[1]}]")[0], 0)
        (labels,) = self.query("select value from study where key = 'labels'")
        self.assertEqual(json.loads(labels[0])["switches.0.ecn.storage"], {**storage, more: "storage #2"})


class Resumes(StudyTest):
    def test_finished_runs_are_kept_and_only_new_ones_run(self):
        self.sweep("--set", f"{KMIN}=[5KB,10KB]")
        before = self.query("select id, settings, started, tries, wall_s from runs")
        code, out, _ = self.sweep("--set", f"{KMIN}=[5KB,10KB,20KB]", "--seeds", "2")
        self.assertEqual(code, 0)
        after = self.query("select id, settings, started, tries, wall_s from runs")
        self.assertEqual(len(after), 6)
        self.assertTrue(set(before) <= set(after))

    def test_a_run_that_was_under_way_runs_again(self):
        self.sweep("--set", f"{KMIN}=[5KB,10KB]")
        whole = self.query("select path, json_remove(summary, '$.run') from runs order by id")
        self.change("update runs set status = 'running', summary = null, path = null where id = 2")
        (self.out / "runs" / ".x.partial-1").mkdir()
        self.assertEqual(self.sweep("--set", f"{KMIN}=[5KB,10KB]")[0], 0)
        self.assertEqual(self.query("select path, json_remove(summary, '$.run') from runs order by id"), whole)
        self.assertFalse((self.out / "runs" / ".x.partial-1").exists())

    def test_a_changed_scenario_is_another_study(self):
        self.sweep("--set", f"{KMIN}=[5KB,10KB]")
        self.scenario.write_text(TINY.replace("60KB", "61KB"))
        code, out, err = self.sweep("--set", f"{KMIN}=[5KB,10KB]")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("with a different scenario; runs would not compare: give another --out", err)
        # A comment is not a change.
        self.scenario.write_text("# said\n" + TINY)
        self.assertEqual(self.sweep("--set", f"{KMIN}=[5KB,10KB]")[0], 0)

    def test_another_build_of_the_program_is_refused(self):
        self.sweep("--set", f"{KMIN}=[5KB]")
        for change in ("update study set value = 'other' where key = 'build'", "delete from study where key = 'build'"):
            self.change(change)
            code, out, err = self.sweep("--set", f"{KMIN}=[5KB,10KB]")
            self.assertEqual((code, out), (2, ""))
            self.assertIn("was begun with another build of headroom", err)
            self.assertIn("runs would not compare: give another --out, or remove the folder", err)
        self.assertEqual(self.query("select count(*) from runs"), [(1,)])

    def test_ctrl_c_keeps_what_is_finished(self):
        words = ("--set", f"{KMIN}=[1KB,2KB,3KB,4KB]", "--set", "duration=[2ms]", "--seeds", "20", "--jobs", "2")
        process = self.start("sweep", self.scenario, "--out", self.out, *words)
        while not self.done():
            time.sleep(0.01)
        (self.out / "runs" / ".half.partial-1").mkdir()  # as of a run that is killed while it writes
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        self.assertEqual((process.returncode, out), (3, ""))
        self.assertIn("interrupted; finished runs are kept", err)
        counts = dict(self.query("select status, count(*) from runs group by status"))
        self.assertGreater(counts["done"], 0)
        self.assertEqual(set(counts), {"done", "pending"})
        self.assertEqual(list((self.out / "runs").glob(".*")), [])

    def done(self):
        if not (self.out / "study.sqlite").exists():
            return 0
        try:
            return self.query("select count(*) from runs where status = 'done'")[0][0]
        except Exception:  # the table does not exist yet
            return 0


class Refuses(StudyTest):
    def refused(self, *words):
        code, out, err = self.sweep(*words)
        self.assertEqual((code, out), (2, ""))
        self.assertFalse((self.out / "study.sqlite").exists())
        return err

    def test_a_setting_that_is_not_valid_before_anything_runs(self):
        err = self.refused("--set", f"{KMIN}=[5KB,5KQ]")
        self.assertIn(f"--set {KMIN}=5KQ: ", err)
        err = self.refused("--set", "switches.0.ecn.storage.kmni=[5KB]")
        self.assertIn('did you mean "kmin"?', err)
        err = self.refused("--set", f"{KMIN}=[5KB,50KB]")  # above kmax: only that corner is wrong
        self.assertIn("kmin", err)

    def test_settings_that_are_not_lists(self):
        self.assertIn("a bracket or quote is not closed", self.refused("--set", f"{KMIN}=[5KB"))
        self.assertIn("an empty value", self.refused("--set", f"{KMIN}=[5KB,]"))
        self.assertIn("has 1 value for 2 keys", self.refused("--set", f"{KMIN},{KMAX}=[[5KB]]"))
        self.assertIn("is given twice", self.refused("--set", f"{KMIN}=5KB", "--set", f"{KMIN}=6KB"))
        self.assertIn("give seeds by --seed", self.refused("--set", "seed=[1,2]"))
        self.assertIn("not an assignment; give KEY=[VALUE,VALUE,…], with a KEY as for", self.refused("--set", KMIN))

    def test_an_option_that_is_not_there_names_the_nearest(self):
        self.assertEqual(
            self.refused("--sedes", "3"),
            "headroom sweep: unrecognised option '--sedes'; did you mean \"--seeds\"; see headroom sweep --help\n",
        )
        self.assertIn("unrecognised option '--xyzzy'; see", self.refused("--xyzzy=3"))

    def test_what_would_be_ignored_or_would_never_end(self):
        self.assertIn("--sbatch needs --launcher slurm", self.refused("--sbatch=--partition=long"))
        err = self.refused("--seeds", "1000000000000", "--set", f"{KMIN}=[1KB,2KB]")
        self.assertIn("2 settings with 1000000000000 seeds are more than 1000000 runs: lower --seeds", err)

    def test_a_missing_scenario(self):
        self.scenario = self.folder / "none.yaml"
        self.assertIn("none.yaml", self.refused("--set", f"{KMIN}=[5KB]"))

    def test_a_metric_that_no_summary_has(self):
        words = ("--seeds", "4", "--jobs", "1", "--metric", "messages.burst.completion_us.p9")
        for _ in range(2):  # with one run, and then with the existing ones
            code, out, err = self.sweep(*words)
            self.assertEqual((code, out), (2, ""))
            self.assertIn("did you mean messages.burst.completion_us.p9", err)
            self.assertEqual(self.query("select count(*) from runs where status = 'done'"), [(1,)])

    def test_two_sweeps_on_one_study(self):
        words = ("--set", f"{KMIN}=[1KB,2KB,3KB,4KB]", "--set", "duration=2ms", "--seeds", "20", "--jobs", "1")
        first = self.start("sweep", self.scenario, "--out", self.out, *words)
        while not (self.out / "runs").exists():
            time.sleep(0.01)
        code, _, err = self.sweep(*words)
        self.assertEqual(code, 2)
        self.assertIn(f"process {first.pid} on ", err)
        self.assertIn("is working on this study; wait for it, or give another --out", err)
        first.kill()
        first.communicate()

    def test_a_folder_that_cannot_be_written(self):
        self.out = Path("/sys/study")  # not even root can write there
        self.assertIn("the study cannot be kept there", self.refused("--set", f"{KMIN}=[5KB]"))


if __name__ == "__main__":
    unittest.main()
