"""`headroom perf --fit`: known resources are recovered from tables that Headroom prints, and what the tables do not
determine is named."""

import json
import subprocess
import unittest

from samples import PROGRAM, SAMPLES, WithFolder, called

from headroom.measured.fit.__main__ import _SCENARIO, main
from headroom.measured.fit.model import Model, lengths
from headroom.measured.fit.points import Point

# gen2 of docs/models/nic-resources.md, with other values where a test gives them.
GEN2 = {
    "pcie.latency": 200, "pcie.bandwidth": 126, "pio.line": 8.5, "tx.inline": 6.95, "tx.fetched": 13.75, "tx.read": 11.375,
    "rx.write": 7.15, "rx.recv": 11.375, "rx.read": 9.625, "engine.message": 4.175,
}  # fmt: skip
SIZES = (2, 64, 128, 512, 1024, 4096, 65536)


def fit(*words):
    """(exit code, standard output, standard error)."""
    return called(main, words)


class WithTables(WithFolder):
    def scenario(self, resources):
        return self.write("hosts.yaml", _SCENARIO.format(rate="100Gbps", base=resources))

    def table(self, test, resources, sizes=SIZES, pairs=1, more=()):
        """The file of a table that `headroom perf` prints on two hosts with these resources."""
        scenario = self.scenario(resources)
        head, rows = "", ""
        for size in sizes:
            words = [PROGRAM, "perf", str(scenario), "--from", "a", "--to", "b", "--test", test, "-s", str(size)]
            words += ["--qp", str(pairs), *more] if test.endswith("_bw") else []
            done = subprocess.run(words, check=True, capture_output=True, text=True)
            *head, row = done.stdout.splitlines(keepends=True)
            rows += row
        return self.write(f"{test}-{pairs}.txt", "".join(head) + rows)

    def fitted(self, tables, truth):
        """{key: answer} after a check that every determined key is within 5 % of the truth, and the answer."""
        code, out, err = fit("--rate", "100Gbps", "--fit", *tables, "--json")
        self.assertEqual((code, err), (0, ""))
        answer = json.loads(out)
        found = {one["key"]: one for one in answer["parameters"]}
        for key, one in found.items():
            if one["determined"]:
                value = float(one["value"].rstrip("Gbpns"))
                self.assertAlmostEqual(value / truth[key], 1, delta=0.05, msg=key)
        return found, answer


class KnownResources(WithTables):
    def test_latency_pcie_and_the_cost_of_a_message(self):
        resources = "{set: gen2, pcie: {latency: 350ns, bandwidth: 60Gbps}, tx: {fetched: 60ns}}"
        tables = [self.table(test, resources) for test in ("ib_write_lat", "ib_write_bw", "ib_read_lat")]
        truth = GEN2 | {"pcie.latency": 350, "pcie.bandwidth": 60, "tx.fetched": 60}
        found, answer = self.fitted(tables, truth)
        for key in ("pcie.latency", "pcie.bandwidth", "tx.fetched"):
            self.assertTrue(found[key]["determined"], key)
        for key in ("tx.inline", "engine.message"):
            self.assertFalse(found[key]["determined"], key)
        self.assertEqual(len(answer["held_back"]), 3)
        for one in answer["rows"] + answer["held_back"]:
            self.assertAlmostEqual(one["simulated_ns"] / one["measured_ns"], 1, delta=0.02, msg=one)

    def test_a_station_that_another_may_replace(self):
        tables = [self.table("ib_write_bw", "{set: gen2, rx: {write: 50ns}}", (2, 64, 512, 4096))]
        found, answer = self.fitted(tables, GEN2 | {"rx.write": 50})
        self.assertFalse(found["pcie.latency"]["determined"])
        self.assertFalse(found["rx.write"]["determined"])
        stations = [one for one in found.values() if one["or"]]
        self.assertIn("rx.write", {key for one in stations for key in [one["key"], *one["or"]]})

    def test_contexts(self):
        resources = "{set: gen2, tx: {fetched: 30ns}, context_cache: {entries: 20, miss: 900ns}}"
        more = ("-n", "100", "--tx-depth", "16")
        tables = [self.table("ib_write_bw", resources, (64,), pairs, more) for pairs in (1, 8, 16, 24, 32, 48, 96)]
        found, _ = self.fitted(tables, GEN2 | {"tx.fetched": 30, "context_cache.entries": 20, "context_cache.miss": 900})
        self.assertTrue(found["context_cache.entries"]["determined"])

    def test_two_short_runs_give_the_time_of_a_long_one(self):
        point = Point("ib_write_bw", "RC", 32, 16, 1024, None, 64, 1000, 1.0, 0, "")
        model = Model(self.scenario("{set: gen2, context_cache: {entries: 20, miss: 900ns}}"), ("a", "b"), "gen2", [])
        resources = "{set: gen2, context_cache: {entries: 20, miss: 900ns}}"
        long = model._once(point, model._arguments(point, resources, 1000))
        self.assertEqual(len(lengths(point)), 2)
        self.assertAlmostEqual(model._run(point, resources) / long, 1, delta=0.01)


class BadInput(WithTables):
    def test_messages(self):
        table = SAMPLES / "ib_write_bw.txt"
        unnamed = self.write("unnamed.txt", "#bytes #iterations BW average[Gb/sec]\n64 1000 3.2\n128 1000 6.4\n256 1000 12\n")
        damaged = self.write("damaged.txt", table.read_text().replace("91.20", "9x.20"))
        scenario = self.write("s.yaml", _SCENARIO.format(rate="100Gbps", base="gen2"))
        for words, wanted in (
            (("--fit", table), "give either a scenario with --from and --to, or --rate"),
            (("--rate", "100", "--fit", table), "argument --rate"),
            ((scenario, "--fit", table), "a scenario needs --from and --to"),
            (("--rate", "100Gbps", "--fit", SAMPLES / "fio.txt"), "fio.txt:1:1: no table of perftest"),
            (("--rate", "100Gbps", "--fit", unnamed), "unnamed.txt:1:1: the test's name is missing"),
            (("--rate", "100Gbps", "--fit", damaged), r"damaged.txt:\d+:1: BW"),
            (("--rate", "100Gbps", "--fit", table, "--hold-back", "3"), "--hold-back 3: no table has that size; there are 2, 64"),
            (("--rate", "100Gbps", "--base", "gen9", "--fit", table), "gen9"),
            ((scenario, "--from", "a", "--to", "c", "--fit", table), 'there is no host "c"'),
        ):
            code, out, err = fit(*words)
            self.assertEqual((code, out), (2, ""), words)
            self.assertRegex(err, wanted)


if __name__ == "__main__":
    unittest.main()
