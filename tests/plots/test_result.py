"""Reading result folders: which folders are results, what a message's time is, and all of it in a message to the user."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path

from synthetic_results import Builder

from headroom.errors import InputError
from headroom.pause_roots import never_fired, pauses_of
from headroom.plot.report.result_words import sentences, warnings
from headroom.result import load_results


class InFolder(unittest.TestCase):
    def setUp(self):
        self._temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self._temporary.name)
        self.addCleanup(self._temporary.cleanup)


class Messages(InFolder):
    def test_unfinished_ones_count_with_their_age(self):
        builder = Builder()
        builder.end_us = 100.0
        builder.message("w", 1000, 10, 20, 5)
        builder.message("w", 1000, 40, None, 5)
        messages = load_results([builder.write(self.folder / "r")])[0].messages
        # The second message started at 40 of 100 µs: 60 µs so far, 60 ÷ 5 = 12 times its ideal.
        self.assertEqual(list(messages["us"]), [20, 60])
        self.assertEqual(list(messages["slowdown"]), [4, 12])
        self.assertEqual(list(messages["finished"]), [True, False])

    def test_those_that_programs_answer_have_no_ideal_time(self):
        builder = Builder()
        builder.message("echo", 64, 10, 20, 5)
        file = builder.write(self.folder / "r") / "messages.csv"
        file.write_text(file.read_text().replace(",5000.000,4.000000,", ",0.000,,"))
        messages = load_results([file.parent])[0].messages
        self.assertEqual((list(messages["us"]), messages["slowdown"].isna().all()), ([20], True))

    def test_the_warmup_is_left_out_and_counted(self):
        builder = Builder()
        for start in (0, 99, 100, 101):
            builder.message("w", 1000, start, 20, 5)
        result = load_results([builder.write(self.folder / "r", warmup="100us")])[0]
        self.assertEqual(len(result.messages), 2)
        self.assertEqual(result.runs[0].before_warmup, 2)

    def test_marking_is_as_the_run_had_it(self):
        folder = Builder().incast(bursts=1).write(self.folder / "r")
        (folder / "marking.csv").write_text("node,port,queue,kmin_bytes,kmax_bytes,pmax\nt0,p0,4,1000,2000,0.05\n")
        run = load_results([folder])[0].runs[0]
        self.assertEqual(run.marking("t0", "p0", "4"), (1000, 2000, 0.05))
        self.assertEqual(run.thresholds("t0", "p0", 4), (1000, 2000))
        self.assertIsNone(run.thresholds("t0", "p0", "3"))

    def test_seeds_are_pooled(self):
        for seed in (1, 2, 10):
            Builder(seed).incast(bursts=1).write(self.folder / "r" / f"seed-{seed}")
        result = load_results([self.folder / "r"])[0]
        self.assertEqual([run.seed for run in result.runs], [1, 2, 10])
        self.assertEqual(len(result.messages), 48)


class Pauses(InFolder):
    def test_each_pause_once_where_it_acts(self):
        run = load_results([Builder().pause_storm(ports=2, per_burst=5, bursts=1).write(self.folder / "r")])[
            0
        ].runs[0]
        pauses = pauses_of(run)
        self.assertEqual(len(pauses), 10)
        self.assertEqual(set(pauses["node"]), {"h0", "h1"})
        self.assertEqual(set(pauses["by_node"]), {"t0"})

    def test_the_pausing_end_stands_in(self):
        builder = Builder().pause_storm(ports=1, per_burst=5, bursts=1, both_ends=False)
        pauses = pauses_of(load_results([builder.write(self.folder / "r")])[0].runs[0])
        self.assertEqual(len(pauses), 5)
        self.assertEqual(set(pauses["node"]), {"h0"})

    def test_a_pause_without_end_lasts_to_the_end_of_the_run(self):
        builder = Builder()
        builder.pauses.append(["4000000.000", "h0", "p0", "t0", "p0", 3, "rx", "", 0, ""])
        pauses = pauses_of(load_results([builder.write(self.folder / "r")])[0].runs[0])
        self.assertEqual(pauses["duration_us"][0], 1000)
        self.assertTrue(pauses["still_paused"][0])

    def test_never_fired_says_how_near_it_came(self):
        quiet = load_results([Builder().write(self.folder / "quiet")])[0]
        self.assertIn("62 % of it, at t0", never_fired(quiet))
        off = load_results([Builder().write(self.folder / "off", pfc="false")])[0]
        self.assertIn("PFC is off", never_fired(off))


class Words(InFolder):
    def test_partial_and_wrong_results_warn(self):
        builder = Builder()
        builder.status = "deadlock"
        result = load_results([builder.write(self.folder / "r")])[0]
        result.runs[0].summary["conservation"]["ok"] = False
        result.runs[0].summary["drops"]["lossless"] = 3
        told = " ".join(warnings(result))
        for words in ("stopped in a deadlock", "Conservation failed", "Lossless traffic was dropped"):
            self.assertIn(words, told)

    def test_a_seed_that_is_counted_and_gone_is_missed(self):
        for seed in (1, 2):
            Builder(seed).incast(bursts=1).write(self.folder / "r" / f"seed-{seed}")
        (self.folder / "r" / "summary.json").write_text(json.dumps({"status": "complete", "messages": {}, "seeds": {"list": [1, 2]}}))
        self.assertEqual(load_results([self.folder / "r"])[0].seeds, [1, 2])
        lost = self.folder / "r" / "seed-2"
        for name, lose in (("messages.csv", (lost / "messages.csv").unlink), ("summary.json", (lost / "summary.json").unlink), ("summary.json", lambda: shutil.rmtree(lost))):
            lose()
            with self.assertRaisesRegex(InputError, f"seed-2/{name} is missing, and .*r/summary.json is of seed 2 too; run the scenario again"):
                load_results([self.folder / "r"])

    def test_a_series_that_lacks_seeds_is_partial(self):
        def told(seeds, status="complete"):
            (self.folder / "r" / "summary.json").write_text(json.dumps({"status": status, "messages": {}, "seeds": seeds}))
            result = load_results([self.folder / "r"])[0]
            return result.partial, " ".join(warnings(result)), sentences(result)[0]

        for seed in (1, 2, 4):
            Builder(seed).incast(bursts=1).write(self.folder / "r" / f"seed-{seed}")
        self.assertEqual(told({"list": [1, 2, 4], "metrics": {}})[:2], (None, ""))
        partial, warned, sentence = told({"list": [1, 2, 4], "planned": 4, "metrics": {}}, "interrupted")
        self.assertEqual(partial, "interrupted, 3 of 4 seeds")
        self.assertIn("Partial result: interrupted, 3 of 4 seeds.", warned)
        self.assertTrue(sentence.startswith("3 seeds: interrupted, 3 of 4 seeds after"), sentence)
        cut = Builder(2).incast(bursts=1)
        cut.status = "deadline"
        shutil.rmtree(self.folder / "r" / "seed-2")
        cut.write(self.folder / "r" / "seed-2")
        self.assertEqual(
            told({"list": [1, 2, 4], "planned": 4}, "interrupted")[0],
            "interrupted, 3 of 4 seeds; stopped at the deadline with messages unfinished (1 of 3 seeds)",
        )

    def test_nulls_and_absences_in_the_summary_are_survived(self):
        result = load_results([Builder().incast().write(self.folder / "r")])[0]
        for key in ("messages", "pfc", "ecn", "drops", "buffer", "conservation", "transport"):
            result.runs[0].summary[key] = None
        self.assertTrue(sentences(result))
        self.assertEqual(warnings(result), [])

    def test_percentiles_of_unfinished_messages_are_bounds(self):
        result = load_results([Builder().poisson(200, unfinished=50).write(self.folder / "r")])[0]
        told = " ".join(sentences(result))
        self.assertIn("50 unfinished", told)
        self.assertIn("or more", told)


class Refusals(InFolder):
    def refused(self, *paths):
        with self.assertRaises(InputError) as raised:
            load_results(paths)
        return str(raised.exception)

    def test_a_misspelt_name(self):
        Builder().write(self.folder / "region")
        (self.folder / "regoi").mkdir()  # a closer name, but not a result
        self.assertIn(f"did you mean {self.folder / 'region'}?", self.refused(self.folder / "regoin"))
        load_results([self.folder / "region"])

    def test_nothing_there(self):
        self.assertIn("run the scenario first: ./headroom run FILE", self.refused(self.folder / "x"))

    def test_a_scenario_instead_of_its_result(self):
        (self.folder / "region.yaml").write_text("name: region\n", encoding="utf-8")
        self.assertIn("./headroom plot results/region", self.refused(self.folder / "region.yaml"))

    def test_a_file_of_a_result(self):
        result = Builder().write(self.folder / "r")
        self.assertIn(f"did you mean {result}?", self.refused(result / "messages.csv"))

    def test_the_folder_above(self):
        Builder().write(self.folder / "a")
        Builder().write(self.folder / "b")
        self.assertIn(f"./headroom plot {self.folder / 'a'} {self.folder / 'b'}", self.refused(self.folder))

    def test_a_folder_without_messages(self):
        (Builder().write(self.folder / "r") / "messages.csv").unlink()
        self.assertIn("it has no messages.csv", self.refused(self.folder / "r"))

    def test_twice_the_same(self):
        result = Builder().write(self.folder / "r")
        self.assertIn("is given twice", self.refused(result, self.folder / "." / "r"))

    def test_a_damaged_summary(self):
        (Builder().write(self.folder / "r") / "summary.json").write_text('{"seed": 1,', encoding="utf-8")
        self.assertIn("summary.json:1:12", self.refused(self.folder / "r"))

    def test_a_missing_column(self):
        file = Builder().write(self.folder / "r") / "messages.csv"
        file.write_text("id,workload,bytes\n", encoding="utf-8")
        self.assertIn("messages.csv:1:1: column start_ns is missing", self.refused(self.folder / "r"))

    def test_a_number_that_is_none(self):
        file = Builder().incast(bursts=1).write(self.folder / "r") / "messages.csv"
        lines = file.read_text(encoding="utf-8").splitlines()
        lines[3] = lines[3].replace("1000000,", "much,", 1)
        file.write_text("\n".join([*lines, ""]), encoding="utf-8")
        self.assertIn("messages.csv:4:1: bytes is 'much'", self.refused(self.folder / "r"))

    def test_an_empty_table(self):
        (Builder().write(self.folder / "r") / "messages.csv").write_text("", encoding="utf-8")
        self.assertIn("empty, without a header", self.refused(self.folder / "r"))


if __name__ == "__main__":
    unittest.main()
