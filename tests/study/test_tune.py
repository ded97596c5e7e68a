"""The command `tune`, and its foundations."""

import contextlib
import functools
import io
import itertools
import json
import math
import random
import shutil
import time
import unittest

from command import ANALYSIS, KMAX, KMIN, PMAX, SEARCH, StudyTest

try:
    import optuna  # noqa: F401
except ImportError:
    optuna = None
import headroom
from headroom.errors import InputError
from headroom.plot.__main__ import main as plot
from headroom.quantity import parse_quantity, quantity_text
from headroom.study.fidelity import Judge, Setting
from headroom.study.progress import time_text
from headroom.study.rating import Rating, layers, rank_agreement, ranking
from headroom.study.study_file import _KEYS, StudyFile
from headroom.study.vendor_nic import vendor_settings
from headroom.yaml_file import read_yaml

REPORT = ANALYSIS.parents[1] / "shared/data/reports-2/short-study.yaml"
# Bursts of eight senders; the present thresholds mark every packet, and cut every sender to nearly nothing.
INCAST = """\
name: incast
duration: 2ms
topology: {type: star, hosts: 9, link: {rate: 100Gbps, length: 5m}}
switches:
  - match: "*"
    ecn: {storage: {kmin: 5KB, kmax: 10KB, pmax: 100%}}
workloads:
  - {name: burst, type: incast, size: 250KB, from: "*", to: h8, at: 1us, repeat: {every: 500us, count: 4}}
  - {name: random, type: poisson, sizes: AliStorage2019, load: 5%}
"""
STUDY = f"""\
name: find
scenario: incast.yaml
parameters:
  kmin: {{key: {KMIN}, min: 5KB, max: 6MB, scale: log}}
  kmax: {{key: {KMAX}, min: kmin, max: 12MB, scale: log}}
  pmax: {{key: {PMAX}, min: 1%, max: 100%, scale: log, step: 1%}}
objectives: [{{metric: messages.burst.completion_us.p99}}]
constraints: [{{metric: drops.lossless, max: 0}}]
budget: 24
seeds: 3
"""


class Tune(StudyTest):
    def setUp(self):
        super().setUp()
        self.write("incast.yaml", INCAST)

    def tune(self, text=STUDY, out=None, *words):
        """(exit code, answer or None, stderr)"""
        study = self.write("study.yaml", text)
        code, said, err = self.call("tune", study, "--out", out or self.out, "--json", *words)
        return code, json.loads(said) if said else None, err


@functools.cache
def _searched():
    """(study's folder, answer, seconds) of STUDY with one job, for the tests that read it or continue a copy."""
    study = Tune()
    study.setUp()
    unittest.addModuleCleanup(study.doCleanups)
    start = time.monotonic()
    code, found, err = study.tune(STUDY, None, "--jobs", "1")
    study.assertEqual((code, err), (0, ""))
    return study.out, found, time.monotonic() - start


@unittest.skipIf(optuna is None, "python3-optuna is not installed")
class Finds(Tune):
    def test_a_better_setting_within_the_budget(self):
        self.out, found, _ = _searched()
        self.write("study.yaml", STUDY)
        self.assertLessEqual(found["spent"], 24)
        best = found["recommended"]
        (objective,) = best["objectives"]
        self.assertTrue(objective["better"])
        # All runs of these seeds are in the table, and the difference is that of their pairs.
        seeds = found["fresh_seeds"]
        self.assertEqual(seeds, list(range(4, 4 + objective["verdict"]["seeds"])))
        self.assertEqual(objective["verdict"]["says"], "better")
        rows = self.query(
            f"""select "{KMIN}", "{KMAX}", "{PMAX}", seed, "messages.burst.completion_us.p99" from results
                where duration is null"""
        )
        p99 = {tuple(row[:4]): row[4] for row in rows}
        recommended = tuple(best["values"].values())
        differences = [p99[*recommended, seed] - p99[None, None, None, seed] for seed in seeds]
        self.assertAlmostEqual(objective["difference"]["mean"], sum(differences) / len(seeds))
        self.assertEqual(found["bounds"], [{"metric": "drops.lossless", "min": None, "max": 0, "sign": 1}])
        # Its cost is the sum of the runs in the table: a quarter for a short one.
        (cost,) = self.query("select sum(share) from runs")
        self.assertAlmostEqual(cost[0], found["spent"])
        self.assertEqual(json.loads((self.out / "study.json").read_text()), found)
        code, text, _ = self.call("tune", self.folder / "study.yaml", "--out", self.out)
        self.assertRegex(text, r"^verdict against the baseline\n  better by \d+ (± \d+ %|% \(\d+ to \d+ %\)) \(\d+ fresh seeds, 95 %\)\n    messages.burst.completion_us.p99: ")
        self.assertIn("recommended\nkmin", text)
        self.assertIn("MIN_TIME_BETWEEN_CNPS_P1", text)
        # The next step is a patch.
        self.assertEqual((self.out / "recommended").resolve(), (self.out / best["result"]).resolve())
        config = ANALYSIS.parent / "scenarios" / "own-switch" / "config_db.json"
        words = ("--to", "sonic-patch", self.out / "recommended", "--config", config)
        code, patch, _ = self.call("convert", *words)
        self.assertEqual(code, 0)
        wanted = {"green_min_threshold": "kmin", "green_max_threshold": "kmax", "green_drop_probability": "pmax"}
        for change in json.loads(patch):
            *_, profile, field = change["path"].split("/")
            self.assertEqual((change["op"], profile), ("replace", "AZURE_LOSSLESS"))
            value = parse_quantity(best["values"][wanted.pop(field)]).value
            self.assertAlmostEqual(float(change["value"]), value * (100 if field.endswith("probability") else 1))
        self.assertEqual(wanted, {})

    def test_hopeless_settings_cost_no_run(self):
        # azure-24mb: a lone group pauses at 2 MB, so Kmin above that marks nothing before PFC acts. Six in ten of the
        # first proposals are there.
        _, found, _ = self.tune(STUDY.replace("min: 5KB, max: 6MB", "min: 1MB, max: 6MB"))
        ruled_out = found["ruled_out_without_a_run"]
        self.assertGreater(sum(entry["settings"] for entry in ruled_out), 0)
        self.assertIn("PFC fires before ECN", ruled_out[0]["why"])
        kmins = self.query(f"""select distinct json_extract(settings, '$."{KMIN}"') from runs""")
        self.assertTrue(all(k is None or parse_quantity(k).value < 2.01e6 for (k,) in kmins))

    def test_where_all_are_ruled_out_no_setting_is_said_to_have_run(self):
        hopeless = STUDY.replace("min: 5KB, max: 6MB", "min: 3MB, max: 6MB")
        unkept = "constraints: [{metric: messages.burst.completion_us.p99, max: 1}]"
        study = self.write("study.yaml", hopeless.replace("constraints: [{metric: drops.lossless, max: 0}]", unkept))
        code, text, _ = self.call("tune", study, "--out", self.out)
        self.assertEqual(code, 1)
        self.assertRegex(text, r"^no setting ran: all \d+ proposals were ruled out")
        self.assertIn("PFC fires before ECN marks with 1 congested group", text)

    def test_kills_and_jobs_leave_the_same_answer(self):
        other, undisturbed, took = _searched()
        chance = random.Random(3)
        self.write("study.yaml", STUDY)
        for _ in range(5):
            process = self.start("tune", self.folder / "study.yaml", "--out", self.out, "--jobs", "2")
            time.sleep(chance.uniform(0.2, 0.8) * took)
            process.kill()
            process.communicate()
        code, found, _ = self.tune()
        self.assertEqual(code, 0)
        places = {"dir": str(other), "scenario": undisturbed["scenario"]}
        self.assertEqual({**found, **places}, undisturbed)
        rows = "select settings, seed, status, json_remove(summary, '$.run') from runs order by id"
        self.assertEqual(self.query(rows), self.query(rows, other))

    def test_a_larger_budget_keeps_what_was_run(self):
        folder, first, _ = _searched()
        shutil.copytree(folder, self.out, symlinks=True)
        before = set(self.query("select id, started from runs"))
        _, found, _ = self.tune(STUDY.replace("budget: 24", "budget: 32"))
        self.assertTrue(before <= set(self.query("select id, started from runs")))
        self.assertGreaterEqual(found["spent"], first["spent"])  # the same, if the verdict was clear before

    def test_several_objectives_have_a_front(self):
        two = "objectives: [{metric: messages.burst.completion_us.p99}, {metric: ecn.marked_fraction}]"
        text = STUDY.replace("objectives: [{metric: messages.burst.completion_us.p99}]", two)
        code, found, _ = self.tune(text.replace("budget: 24", "budget: 30"))
        self.assertEqual(code, 0)
        front = [f["metrics"] for f in found["finalists"] if f["on_front"]]
        self.assertEqual(sum(f["recommended"] for f in found["finalists"]), 1)
        names = [o["metric"] for o in found["objectives"]]
        for a, b in itertools.permutations(front, 2):
            self.assertFalse(all(a[n]["mean"] <= b[n]["mean"] for n in names) and a != b)

    def test_a_constraint_that_nothing_keeps(self):
        code, found, err = self.tune(STUDY.replace("drops.lossless, max: 0", "messages.burst.completion_us.p99, max: 100"))
        self.assertEqual((code, err), (1, "headroom tune: no setting that ran keeps the constraints with every seed\n"))
        self.assertIsNone(found["recommended"])
        self.assertFalse((self.out / "recommended").exists())
        # This setting keeps the bound that the answer names, with all its seeds.
        (missed,) = found["nearest"]["constraints"]
        (base,) = found["baseline_constraints"]
        self.assertEqual(missed["seeds_missed"], missed["seeds"])
        self.assertGreaterEqual(missed["seeds"], 3)
        self.assertEqual((base["seeds_missed"], base["seeds"]), (3, 3))
        self.assertGreater(base["worst"], missed["worst"])
        kmin, *_ = settings = list(found["nearest"]["settings"].values())
        ran = f"""select seed, "messages.burst.completion_us.p99" from results where "{KMIN}" = '{kmin}'"""
        by_seed = dict(self.query(ran + " and duration is null"))
        self.assertEqual(len(by_seed), missed["seeds"])
        self.assertAlmostEqual(max(by_seed.values()), missed["worst"])
        self.assertGreaterEqual(missed["would_keep"]["max"], missed["worst"])
        self.call(
            "sweep", self.folder / "incast.yaml", "--set", f"{KMIN},{KMAX},{PMAX}=[[{','.join(settings)}]]",
            "--seed", max(by_seed), "--seeds", 1, "--out", self.folder / "again",
        )  # fmt: skip
        ((_, again),) = self.query(ran, self.folder / "again")
        self.assertAlmostEqual(again, by_seed[max(by_seed)])

    def test_the_baseline_is_kept_where_nothing_is_better(self):
        # Without marks the switch holds the burst: no threshold can make it faster.
        wide = INCAST.replace("kmin: 5KB, kmax: 10KB, pmax: 100%", "kmin: 1.9MB, kmax: 4MB, pmax: 1%")
        self.write("incast.yaml", wide)
        code, found, err = self.tune()
        self.assertEqual((code, err), (0, ""))
        best = found["recommended"]
        self.assertTrue(best["baseline"])
        self.assertEqual(best["settings"], {})
        self.assertNotEqual(best["found"]["objectives"][0]["verdict"]["says"], "better")
        self.assertTrue((self.out / "recommended" / "summary.json").exists())
        code, text, _ = self.call("tune", self.folder / "study.yaml", "--out", self.out)
        self.assertEqual(code, 0)
        self.assertTrue(text.startswith("KEEP THE BASELINE: it keeps the constraints"), text[:200])

    def test_a_metric_that_is_not_there(self):
        code, found, err = self.tune(STUDY.replace("burst.completion_us.p99}]", "burst.completion_us.p98}]"))
        self.assertEqual((code, found), (2, None))
        self.assertIn("messages.burst.completion_us.p98: a summary has no such metric; did you mean", err)

    def test_short_runs_that_end_before_a_workload_begins(self):
        for late in (INCAST.replace("at: 1us", "at: 600us"), INCAST + "warmup: 600us\n"):
            self.write("incast.yaml", late)
            self.out = self.folder / str(len(late))
            code, found, err = self.tune()
            self.assertEqual((code, found), (2, None))
            fix = "in a run of 25 % of the duration: raise short: in the study file, or set short: 100%"
            self.assertIn(fix, err)
            self.assertEqual(self.query("select count(*) from runs"), [(0,)])

    def test_a_duration_for_all_runs_makes_none_short(self):
        """`set: {duration}`, with short runs and without; the study's table and its plots show the full runs."""
        for short, shares in (("100%", [1.0]), ("50%", [0.5, 1.0])):
            out = self.folder / short[:-1]
            text = SEARCH.replace("short: 100%", f"set: {{duration: 80us, deadline: 8ms}}\nshort: {short}")
            self.assertEqual(self.tune(text, out)[0], 0)
            study = headroom.load(out)
            self.assertEqual(sorted({run.share for run in study.runs}), shares)
            self.assertEqual({run.settings["duration"] for run in study.runs if run.share == 1}, {"80us"})
            self.assertEqual(study.table()["seeds"].sum(), sum(run.share == 1 for run in study.runs))
            self.assertIn("messages.burst.completion_us.p99", study.table())
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(plot([str(out)]), 0)
            self.assertNotIn("duration", [axis.key for axis in study.axes])

    @unittest.skipUnless(REPORT.is_file(), "the reports of shared/data are not here")
    def test_the_study_that_was_reported(self):
        self.write("short-study-scenario.yaml", REPORT.with_name("short-study-scenario.yaml").read_text())
        text = REPORT.read_text().replace("budget: 60", "budget: 14\nseeds: 2")
        self.assertEqual(self.tune(text)[0], 0)
        self.assertGreater(len(headroom.load(self.out).table()), 1)
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(plot([str(self.out)]), 0)

    def test_random_search(self):
        code, found, _ = self.tune(STUDY + "search: random\n")
        self.assertEqual(code, 0)
        self.assertLessEqual(found["spent"], 24)


# There are ten senders: with a slow switch DCQCN oscillates by its fluid model.
WAVES = """\
name: waves
duration: 1s
topology: {type: star, hosts: 11, link: {rate: 40Gbps, delay: 500ns}}
switches: [{match: "*", ecn: {storage: {kmin: 5KB, kmax: 200KB, pmax: 1%}}}]
workloads: [{name: all, type: stream, from: "*", to: h10, message: 1MB}]
"""


class RuledOut(Tune):
    def judged(self, rule):
        """The reason why a setting with a fast switch, and one with a slow one, is ruled out."""
        self.write("waves.yaml", WAVES)
        study = STUDY.replace("incast.yaml", "waves.yaml") + rule
        judge = Judge(StudyFile(self.write("study.yaml", study)))
        judge.learn({})
        settings = [Setting(i, {}, {"switches.0.latency": time}) for i, time in enumerate(("500ns", "48us"))]
        judge.judge(settings)
        return [setting.ruled_out for setting in settings]

    def test_settings_with_a_low_phase_margin(self):
        quick, slow = self.judged("rule_out: {phase_margin: 0}\n")
        self.assertIsNone(quick)
        self.assertRegex(slow, r"^the fluid model gives DCQCN a phase margin of -5\.\d°, less than 0$")
        quick, _ = self.judged("rule_out: {phase_margin: 30}\n")
        self.assertIn("less than 30", quick)

    def test_none_without_the_rule(self):
        self.assertEqual(self.judged(""), [None, None])


class Files(Tune):
    def refused(self, before, after):
        path = self.write("study.yaml", STUDY.replace(before, after))
        with self.assertRaises(InputError) as caught:
            StudyFile(path)
        return str(caught.exception)

    def test_what_is_wrong_and_where(self):
        place = str(self.folder / "study.yaml")
        self.assertEqual(
            self.refused("budget: 24", "budgte: 24"),
            f'{place}:9:9: unknown key "budgte"; allowed: name, scenario, set, baseline, parameters, objectives, '
            "constraints, rule_out, budget, seeds, resolution, confidence, short, search, seed; did you mean budget?",
        )
        self.assertEqual(self.refused("budget: 24\n", ""), f'{place}:1:1: "budget" is missing')
        self.assertIn(":9:9: 3 is too little; with 3 seeds, at least 22", self.refused("budget: 24", "budget: 3"))
        self.assertIn("'5KQ' is not a quantity", self.refused("min: 5KB", "min: 5KQ"))
        self.assertIn("or a parameter above it: kmin", self.refused("min: kmin", "min: kmni"))
        self.assertIn("max is below the possible values of min", self.refused("max: 12MB", "max: 5MB"))
        self.assertIn("of different kinds", self.refused("max: 12MB", "max: 12us"))
        self.assertIn("one of linear, log, integer", self.refused("max: 100%, scale: log", "max: 100%, scale: lg"))
        self.assertIn("must begin above 0", self.refused("min: 1%", "min: 0%"))
        self.assertIn("one of minimise, maximise", self.refused("p99}", "p99, goal: less}"))
        self.assertIn("has min, max or both", self.refused(", max: 0", ""))
        self.assertIn("is not a share", self.refused("seeds: 3", "seeds: 3\nshort: 200%"))
        self.assertIn("'0%' is not a share from 0.1% to 50%", self.refused("seeds: 3", "seeds: 3\nresolution: 0%"))
        self.assertIn("'100%' is not a share from 80% to 99.9%", self.refused("seeds: 3", "seeds: 3\nconfidence: 100%"))
        self.assertIn("in degrees, without a unit", self.refused("seeds: 3", "seeds: 3\nrule_out: {phase_margin: 5deg}"))
        self.assertIn("short runs do not compare: give short: 100%", self.refused(KMIN, "duration"))
        self.assertIn("short runs do not compare", self.refused("seeds: 3", "seeds: 3\nbaseline: {deadline: 9ms}"))
        self.assertIn("at least two different", self.refused("min: 1%, max: 100%, scale: log, step: 1%", "choice: [1%]"))

    def test_steps(self):
        stepped = STUDY.replace("max: 12MB, scale: log", "max: 12MB, scale: log, step: 2.5KB")
        space = StudyFile(self.write("study.yaml", stepped)).space
        chance = random.Random(1)
        seen = set()
        for _ in range(2000):
            values = space.values({p.name: chance.random() for p in space.parameters})
            self.assertRegex(values["pmax"], r"^[0-9]+%$")
            seen.add(int(values["pmax"][:-1]))
            kmin, kmax = parse_quantity(values["kmin"]).value, parse_quantity(values["kmax"]).value
            self.assertEqual(kmax % 2500, 0)
            self.assertLessEqual(kmin, kmax)
        self.assertEqual((min(seen), max(seen)), (1, 100))
        self.assertEqual(space.values({"kmin": 0.0, "kmax": 0.0, "pmax": 0.5})["kmax"], "5KB")
        self.assertEqual(space.values({"kmin": 0.0, "kmax": 0.08, "pmax": 0.5})["kmax"], "10KB")
        self.assertIn("not a step between", self.refused("step: 1%", "step: 200%"))
        self.assertIn("not of the kind", self.refused("step: 1%", "step: 1us"))
        self.assertIn("a step of 1", self.refused("max: 6MB, scale: log", "max: 6MB, scale: integer, step: 1KB"))

    def test_the_schema_has_the_keys_that_are_read(self):
        schema = json.loads((ANALYSIS.parent / "schema" / "study.schema.json").read_text())
        self.assertEqual(sorted(schema["properties"]), sorted(_KEYS))
        for path in sorted((ANALYSIS.parent / "scenarios" / "tuning").glob("*.yaml")):
            if "parameters:" not in path.read_text():
                continue
            study = StudyFile(path)
            self.assertTrue(study.scenario.is_file())
            allowed = schema["properties"]["parameters"]["additionalProperties"]["properties"]
            for _, parameter in read_yaml(path).fields(_KEYS)["parameters"].items():
                parameter.fields(list(allowed))

    def test_coupled_parameters_are_never_out_of_order(self):
        space = StudyFile(self.write("study.yaml", STUDY)).space
        chance = random.Random(1)
        for _ in range(2000):
            values = space.values({p.name: chance.random() for p in space.parameters})
            kmin, kmax = parse_quantity(values["kmin"]).value, parse_quantity(values["kmax"]).value
            self.assertLessEqual(kmin, kmax)
            self.assertLessEqual(5000, kmin)
            self.assertLessEqual(kmax, 12e6)
        low = space.values({"kmin": 1.0, "kmax": 0.0, "pmax": 0.5})
        self.assertEqual((low["kmin"], low["kmax"], low["pmax"]), ("6MB", "6MB", "10%"))
        self.assertEqual(space.settings(low), {KMIN: "6MB", KMAX: "6MB", PMAX: "10%"})


class Numbers(unittest.TestCase):
    def test_quantities(self):
        for text, value, kind in (("50KB", 50e3, "size"), ("1/256", 1 / 256, "number"), ("55us", 55e6, "time"),
                                  ("5%", 0.05, "number"), ("40Mbps", 40e6, "rate"), ("3km", 300_000, "length")):
            quantity = parse_quantity(text)
            self.assertEqual((quantity.value, quantity.kind), (value, kind))
        for wrong in ("", "KB", "5QB", "1/0", "1/2KB", "5 5"):
            with self.assertRaises(ValueError):
                parse_quantity(wrong)

    def test_values_are_written_with_three_digits_and_no_fractions_of_a_byte(self):
        self.assertEqual(quantity_text(123456, "KB"), "123KB")
        self.assertEqual(quantity_text(82110, "KB"), "82.1KB")
        self.assertEqual(quantity_text(1234567, "KB"), "1.23MB")
        self.assertEqual(quantity_text(5432, "MB"), "5.43KB")
        self.assertEqual(quantity_text(12.6, "B"), "13B")
        self.assertEqual(quantity_text(1536, "KiB"), "1.5KiB")
        self.assertEqual(quantity_text(0.012345, "%"), "1.23%")
        self.assertEqual(quantity_text(1 / 256, ""), "0.00391")

    def test_times(self):
        self.assertEqual([time_text(s) for s in (0, 0.2, 0.7, 89, 100, 6000)], ["0 s", "1 s", "1 s", "89 s", "2 min", "1.7 h"])

    def test_pareto_layers(self):
        ratings = [Rating([1, 4]), Rating([2, 2]), Rating([4, 1]), Rating([3, 3]), Rating([0, 0], [1])]
        self.assertEqual(layers(ratings), [[0, 1, 2], [3], [4]])
        self.assertEqual(ranking(ratings)[-1], 4)
        # A failed run is worse than one that breaks a constraint.
        self.assertEqual(ranking([Rating([math.inf], [math.inf]), Rating([9], [5]), Rating([8], [6])]), [1, 2, 0])

    def test_kendalls_tau(self):
        self.assertEqual(rank_agreement([1, 2, 3], [10, 20, 30]), 1)
        self.assertEqual(rank_agreement([1, 2, 3], [3, 2, 1]), -1)
        # Of 6 pairs, 4 agree and 2 do not.
        self.assertAlmostEqual(rank_agreement([1, 2, 3, 4], [2, 1, 4, 3]), 1 / 3)
        # A tie: 2 pairs agree; tau-b = 2 / √((3 − 1) × 3).
        self.assertAlmostEqual(rank_agreement([1, 1, 2], [1, 2, 3]), 2 / math.sqrt(6))
        self.assertIsNone(rank_agreement([1, 1], [1, 2]))

    def test_vendor_names(self):
        rp = {"increase_timer": "300us", "byte_counter": "2097088B", "rate_ai": "5Mbps", "g": "0.0048828125",
              "alpha_timer": "1500ns", "reduce_window": "0ns", "fast_recovery": "5"}
        cnp = {"coalescing": "per_qp", "min_cnp_interval": "4us"}
        of_vendor = {**rp, "machine": "vendor", "byte_counter": "10MB", "clamp_target": "false", "max_rate": "50Gbps",
                     "clamp_tgt_rate_after_time_inc": "true", "rpg_gd": "10", "rpg_min_dec_fac": "50",
                     "initial_alpha_value": "512", "rate_to_set_on_first_cnp": "1000", "roce_cc_prio_mask": "8"}
        nics = [
            {"match": "h*", "dcqcn": {"rp": rp, "np": cnp}},
            {"match": "p*", "dcqcn": {"rp": of_vendor, "np": {**cnp, "coalescing": "per_packet"}}},
            {"match": "n*", "congestion_control": "none", "dcqcn": {"rp": rp}},
            {"match": "x*", "dcqcn": {"rp": {**rp, "machine": "hpcc"}}},
            # The firmware accepts no window below 1 µs, so these two are set first.
            {"match": ["g*", "i*"], "dcqcn": {"rp": {**rp, "reduce_window": "1us"}, "np": cnp}},
            {"match": "w*", "congestion_control": {"type": "swift"}, "dcqcn": {"rp": rp}},
        ]
        found = vendor_settings({"nics": nics, "priorities": {"cnp": {"priority": "6", "dscp": "48"}}})
        self.assertEqual([s.match for s in found], [["h*", "g*", "i*"], ["p*"], ["x*"], ["w*"]])
        first, second = ({name: value for name, value, _, _ in s.rows} for s in found[:2])
        # The firmware's defaults: 32767 × 64 B, and 1019 of 1024 are kept.
        self.assertEqual(
            first,
            {"RPG_TIME_RESET_P1": 300, "RPG_BYTE_RESET_P1": 32767, "RPG_AI_RATE_P1": 5, "DCE_TCP_G_P1": 1019,
             "DCE_TCP_RTT_P1": 2, "RATE_REDUCE_MONITOR_PERIOD_P1": 1, "RPG_THRESHOLD_P1": 5,
             "MIN_TIME_BETWEEN_CNPS_P1": 4, "RPG_MAX_RATE_P1": 0, "RPG_GD_P1": 11, "RPG_MIN_DEC_FAC_P1": 50,
             "INITIAL_ALPHA_VALUE_P1": 1023, "CLAMP_TGT_RATE_P1": 1, "CLAMP_TGT_RATE_AFTER_TIME_INC_P1": 1,
             "RATE_TO_SET_ON_FIRST_CNP_P1": 0, "CNP_DSCP_P1": 48, "CNP_802P_PRIO_P1": 6, "ROCE_CC_PRIO_MASK_P1": 255},
        )
        notes = {name: note for name, _, _, note in found[0].rows}
        self.assertEqual(notes["DCE_TCP_RTT_P1"], "rounded from 1.5")
        self.assertEqual(notes["RATE_REDUCE_MONITOR_PERIOD_P1"], "the least that it takes, for 0")
        self.assertIn("from the next", notes["RPG_THRESHOLD_P1"])
        # On the vendor's own machine every parameter has the scenario's value; its byte counter ends at 2 MB.
        expected = {"RPG_BYTE_RESET_P1": 0, "MIN_TIME_BETWEEN_CNPS_P1": 0, "RPG_GD_P1": 10, "CLAMP_TGT_RATE_P1": 0,
                    "CLAMP_TGT_RATE_AFTER_TIME_INC_P1": 1, "INITIAL_ALPHA_VALUE_P1": 512, "RPG_MAX_RATE_P1": 50000,
                    "RATE_TO_SET_ON_FIRST_CNP_P1": 1000, "ROCE_CC_PRIO_MASK_P1": 8}
        self.assertEqual({name: second[name] for name in expected}, expected)
        notes = {name: note for name, _, _, note in found[1].rows}
        self.assertEqual(notes["RPG_BYTE_RESET_P1"], "off: 156250 is beyond its 32767")
        self.assertEqual(notes["RPG_THRESHOLD_P1"], "")
        self.assertIn("notification point 255, reaction point 8", notes["ROCE_CC_PRIO_MASK_P1"])
        self.assertEqual((found[2].rows, found[2].why_not), ([], "machine hpcc is not the firmware's"))
        self.assertEqual((found[3].rows, found[3].why_not), ([], "congestion control swift is not the firmware's"))


if __name__ == "__main__":
    unittest.main()
