"""`headroom compare RESULT MEASURED…`: matching, differences, deviations, and what is written."""

import json
import re
import subprocess
import unittest

import pandas as pd
import yaml
from samples import HERE, PROGRAM, SAMPLES, WithFolder, WithLab, compare, run, shown

TABLES = (
    "pfc counters", "priority-group watermark shared", "priority-group watermark headroom", "priority-group drop counters",
    "queue counters", "queue wredcounters", "queue watermark unicast", "buffer_pool watermark", "headroom-pool watermark",
    "pfcwd stats",
)  # fmt: skip


class RoundTrip(WithLab):
    def test_what_show_prints_is_equal(self):
        for table in TABLES:
            for options in ([], ["--json"]):
                with self.subTest(table=table, options=options):
                    path = self.write("shown", shown(self.lab, table, *options))
                    code, out, err = compare(self.lab, path, "--json", "--tolerance", "0")
                    self.assertEqual((code, err), (0, ""))
                    found = json.loads(out)
                    self.assertTrue(found["counters"] or found["zero_on_both_sides"])
                    self.assertTrue(all(one["equal"] for one in found["counters"]))
                    self.assertEqual(found["unmatched"], [])

    def test_all_tables_at_once_in_one_file(self):
        path = self.write("all", "\n".join(shown(self.lab, table) for table in TABLES))
        code, out, _ = compare(self.lab, path)
        self.assertEqual(code, 0)
        self.assertRegex(out, r"\d\d counters equal, 0 counters different")


class RoundTripOfIos(WithFolder):
    def test_fio_as_text_and_json_is_equal(self):
        disks = self.write("disks.yaml", (HERE.parents[1] / "scenarios/disks.yaml").read_text())
        result = run(disks, self.folder / "disks")
        for options in ([], ["--json"]):
            path = self.write("io", shown(result, "io", *options))
            code, out, err = compare(result, path, "--json", "--tolerance", "0")
            self.assertEqual((code, err), (0, ""))
            found = json.loads(out)["counters"]
            self.assertGreaterEqual(len(found), 10)
            self.assertEqual([one for one in found if not one["equal"]], [])


class Matching(WithLab):
    def entries(self, *words):
        code, out, err = compare(self.lab, *words, "--json")
        self.assertEqual((code, err), (0, ""))
        found = json.loads(out)
        return {(e["node"], e["port"], e["item"], e["counter"]): e for e in found["counters"]}, found["unmatched"]

    def test_by_name_and_only_switch(self):
        found, unmatched = self.entries(SAMPLES / "queue_wred.txt")
        self.assertEqual(found["t0", "Ethernet8", "3", "marked_packets"]["measured"], 3398)
        self.assertEqual(unmatched, [])

    def test_by_alias_of_a_dump(self):
        aliased = self.write("aliased.txt", (SAMPLES / "queue_wred.txt").read_text().replace("Ethernet8", "     etp3"))
        found, _ = self.entries(aliased, SAMPLES / "state_db.json")
        self.assertEqual(found["t0", "Ethernet8", "3", "marked_packets"]["measured"], 3398)
        found, unmatched = self.entries(aliased)
        self.assertNotIn(("t0", "Ethernet8", "3", "marked_packets"), found)
        self.assertEqual([one["why"] for one in unmatched], ["t0 has no port etp3; name it in --map under ports"])

    def test_by_a_map(self):
        names = self.write("map.yaml", "nodes: {leaf-7: t0}\nports: {'leaf-7:swp9': 't0:Ethernet8'}\n")
        text = (SAMPLES / "queue_wred.txt").read_text().replace("Ethernet8", "     swp9").replace("Ethernet4", "     swp5")
        found, unmatched = self.entries(f"leaf-7={self.write('wred.txt', text)}", "--map", names)
        self.assertEqual(found["t0", "Ethernet8", "3", "marked_packets"]["measured"], 3398)
        self.assertEqual([(one["count"], one["why"]) for one in unmatched], [(1, "t0 has no port swp5; name it in --map under ports")])

    def test_a_map_with_a_wrong_key(self):
        code, out, err = compare(self.lab, SAMPLES / "queue_wred.txt", "--map", self.write("map.yaml", "port: {a: b}\n"))
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(err, r'map.yaml:1:\d+: unknown key "port"; allowed: nodes, ports, pools, workloads; did you mean ports')

    def test_hosts_by_name_and_their_counters_together(self):
        found, _ = self.entries(f"h0={SAMPLES / 'ethtool_mlx5.txt'}")
        self.assertEqual(found["h0", "p0", "3", "pfc_frames_rx"]["measured"], 2110)
        statistics = [f"h2={SAMPLES / 'rdma_statistic.txt'}", f"h0={SAMPLES / 'rdma_statistic_pretty.txt'}"]
        _, unmatched = self.entries(f"h0={SAMPLES / 'ethtool_mlx5.txt'}", *statistics)
        self.assertTrue(any("files of 1 hosts are missing, such as h1" in one["why"] for one in unmatched))
        found, unmatched = self.entries(*statistics, f"h1={SAMPLES / 'rdma_statistic.json'}")
        self.assertEqual(found["", "", "", "cnp_handled"]["measured"], 331 + 309)
        self.assertEqual(found["", "", "", "cnp_handled"]["metric"], "cnp.handled")
        self.assertEqual(unmatched, [])

    def test_perftest_beside_a_workload_of_that_size(self):
        found, unmatched = self.entries(SAMPLES / "ib_write_bw.txt")
        self.assertEqual(list(found), [("", "", "write of 65536 B", "goodput_gbps")])
        self.assertEqual(sum(one["count"] for one in unmatched), 4)

    def test_nothing_that_matches_is_an_error(self):
        code, out, err = compare(self.lab, SAMPLES / "ethtool_mlx5.txt")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("the file does not name its host; give HOST=", err)

    def test_two_files_of_the_same_counters(self):
        code, _, err = compare(self.lab, SAMPLES / "counters_db.json", SAMPLES / "counters_db_later.json")
        self.assertEqual(code, 2)
        self.assertIn("give dumps of one device as BEFORE,AFTER", err)


class OlderResults(WithFolder):
    def test_a_column_that_the_result_lacks_is_no_zero(self):
        lab = run(HERE / "lab.yaml", self.folder / "lab")
        ports = pd.read_csv(lab / "ports.csv", dtype=str)
        later = ["peak_group_shared_bytes", "peak_queue_shared_bytes", "drop_on_chip_full", "drop_restart"]
        ports.drop(columns=later).to_csv(lab / "ports.csv", index=False)
        code, out, err = compare(lab, SAMPLES / "queue_watermark.txt", SAMPLES / "pg_drop.txt", "--json")
        self.assertEqual((code, err), (0, ""))
        found = json.loads(out)
        self.assertEqual({one["counter"] for one in found["counters"]}, {"drop_ingress"})
        self.assertIn("the result has no peak of the queue, shared", [one["why"] for one in found["unmatched"]])

    def test_a_result_without_ports(self):
        lab = run(HERE / "lab.yaml", self.folder / "lab")
        (lab / "ports.csv").unlink()
        code, _, err = compare(lab, SAMPLES / "queue_watermark.txt")
        self.assertEqual(code, 2)
        self.assertIn("has no ports.csv", err)

    def test_several_seeds_give_a_range(self):
        text = (HERE / "lab.yaml").read_text()
        lab = run(self.write("lab.yaml", f"{text}seeds: 3\n"), self.folder / "lab")
        _, out, _ = compare(lab, SAMPLES / "queue_wred.txt", "--json")
        found = {one["port"]: one for one in json.loads(out)["counters"]}["Ethernet8"]
        low, high = found["simulated_range"]
        self.assertLess(low, high)
        self.assertTrue(low <= found["simulated"] <= high)


class Differences(WithLab):
    def test_two_dumps(self):
        word = f"{SAMPLES / 'counters_db.json'},{SAMPLES / 'counters_db_later.json'}"
        _, out, _ = compare(self.lab, word, "--json")
        found = {(e["port"], e["item"], e["counter"]): e for e in json.loads(out)["counters"]}
        self.assertEqual(found["Ethernet0", "", "rx_bytes"]["measured"], 21216480 / 2)
        self.assertEqual(found["Ethernet8", "3", "peak_queue_shared_bytes"]["measured"], 811202)  # a peak has no difference

    def test_counts_are_scaled_to_the_runs_duration(self):
        _, out, _ = compare(self.lab, SAMPLES / "counters_db.json", "--json", "--interval", "10s")
        found = {(e["port"], e["item"], e["counter"]): e for e in json.loads(out)["counters"]}
        us = json.loads((self.lab / "summary.json").read_text())["sim_time_us"]
        self.assertAlmostEqual(found["Ethernet0", "", "rx_bytes"]["measured"], 21216480 * us * 1e-6 / 10, 3)
        self.assertEqual(found["Ethernet8", "3", "peak_queue_shared_bytes"]["measured"], 811202)

    def test_a_counter_that_goes_down(self):
        code, out, err = compare(self.lab, f"{SAMPLES / 'counters_db_later.json'},{SAMPLES / 'counters_db.json'}")
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(err, r"counters_db.json:\d+:1: Ethernet0 \w+ is \d+, but \d+ in the earlier .*; the counter was cleared")


class Answers(WithLab):
    def test_losses_come_before_volume(self):
        _, out, _ = compare(self.lab, SAMPLES / "interface_counters.txt", SAMPLES / "pg_drop.txt", "--json")
        order = [one["counter"] for one in json.loads(out)["counters"]]
        self.assertLess(max(order.index(c) for c in ("drop_ingress", "drop_tx")), order.index("tx_packets"))

    def test_tolerance_decides_the_exit_code(self):
        self.assertEqual(compare(self.lab, SAMPLES / "pg_shared.txt")[0], 0)
        self.assertEqual(compare(self.lab, SAMPLES / "pg_shared.txt", "--tolerance", "5")[0], 1)

    def test_expectations_can_be_validated(self):
        path = self.folder / "expect.yaml"
        shown_table = self.write("wm", shown(self.lab, "queue watermark unicast"))
        code, out, err = compare(self.lab, shown_table, "--expect", path)
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, r"expect.yaml: \d+ expectations")
        found = yaml.safe_load(path.read_text())["expect"]
        self.assertEqual({one["kind"] for one in found}, {"ours"})
        scenario = self.write("again.yaml", f"{(HERE / 'lab.yaml').read_text()}{path.read_text()}")
        done = subprocess.run([PROGRAM, "validate", str(scenario)], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        code, _, err = compare(self.lab, shown_table, "--expect", path)
        self.assertEqual(code, 2)
        self.assertIn("exists; give another name to --expect", err)

    def test_several_intervals_give_the_measured_spread(self):
        text = (SAMPLES / "queue_wred.txt").read_text()
        paths = [self.write(f"{n}.txt", re.sub("3,398", f"{n:5d}", text)) for n in (1000, 1100, 1250)]
        path = self.folder / "expect.yaml"
        compare(self.lab, ",".join(map(str, paths)), "--expect", path)
        found = [one for one in yaml.safe_load(path.read_text())["expect"] if one["metric"].endswith("Ethernet8.3.marked_packets")]
        self.assertEqual(found[0]["within"], [100, 150])
        self.assertEqual(found[0]["range"], "the smallest and the largest measured interval")

    def test_the_picture(self):
        folder = self.folder / "plots"
        code, out, err = compare(self.lab, SAMPLES / "counters_db.json", "--plot", folder)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(sorted(path.name for path in folder.iterdir()), ["measured.csv", "measured.png", "measured.svg"])
        self.assertIn("node,port,item,counter,unit,measured", (folder / "measured.csv").read_text())

    def test_damage_leaves_nothing_written(self):
        damaged = self.write("damaged.json", (SAMPLES / "counters_db.json").read_text()[:-5])
        plots, expect = self.folder / "plots", self.folder / "expect.yaml"
        code, out, err = compare(self.lab, SAMPLES / "pg_drop.txt", damaged, "--plot", plots, "--expect", expect)
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(err, r"^\S+damaged.json:\d+:\d+: damaged JSON")
        self.assertFalse(plots.exists() or expect.exists())

    def test_usage(self):
        for words, wanted in (
            ((self.lab, "missing.txt"), "missing.txt: there is no such file"),
            ((self.lab, HERE / "lab.yaml"), "lab.yaml is a scenario, not a measured file"),
            ((self.folder, SAMPLES / "pg_drop.txt"), "is not a result"),
            ((self.lab, SAMPLES / "pg_drop.txt", "--interval", "0s"), "argument --interval"),
            ((self.lab, SAMPLES / "pg_drop.txt", "--tolerance", "-1"), "argument --tolerance"),
        ):
            code, out, err = compare(*words)
            self.assertEqual((code, out), (2, ""))
            self.assertIn(wanted, err)


if __name__ == "__main__":
    unittest.main()
