"""The package `headroom`: the examples of docs/python.md and the notebook, and that its answers equal the program's."""

import doctest
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from command import ANALYSIS, KMAX, KMIN, TINY, StudyTest

import headroom
from headroom.csv_file import FILES, PARTS
from headroom.plot.network.links import network_of

ROOT = ANALYSIS.parent


class InFolder(StudyTest):
    def setUp(self):
        super().setUp()
        before = Path.cwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)

    def program(self, *words):
        done = subprocess.run([os.environ["HEADROOM_PROGRAM"], *map(str, words)], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout


class AsShown(InFolder):
    def setUp(self):
        super().setUp()
        (self.folder / "scenarios").symlink_to(ROOT / "scenarios")

    def test_the_page(self):
        """The page's commands and its lines with >>>, in order, with their output."""
        page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
        shown = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE, verbose=False)
        names, said, examples = {}, [], 0
        for kind, text in re.findall(r"^```(sh|pycon)\n(.*?)^```", page, re.M | re.S):
            if kind == "sh" and text.startswith("./headroom "):
                self.program(*shlex.split(text.replace("\\\n", ""))[1:])
            elif kind == "pycon":
                block = doctest.DocTestParser().get_doctest(text, names, "docs/python.md", None, 0)
                examples += len(block.examples)
                shown.run(block, out=said.append, clear_globs=False)
                names = block.globs
        self.assertEqual("".join(said), "")
        self.assertGreater(examples, 15)

    def test_the_notebook(self):
        cells = json.loads((ROOT / "examples/python/quickstart.ipynb").read_text(encoding="utf-8"))["cells"]
        names = {}
        for cell in cells:
            if cell["cell_type"] == "code":
                exec("".join(cell["source"]), names)  # noqa: S102 - without Jupyter
        self.assertLess(names["p99"]["1600KB"].mean, names["p99"]["200KB"].mean)
        self.assertEqual(names["messages"]["seed"].nunique(), 5)
        self.assertIn("messages.burst.completion_us.p99", names["found"].changes.index)


class AsTheProgram(InFolder):
    def run_tiny(self, out, *sets, **options):
        return headroom.run(self.scenario, set=dict(sets), out=out, **options)

    def test_compare_has_the_changes_of_the_program(self):
        self.run_tiny("one")
        self.run_tiny("other", (KMAX, "20KB"))
        self.run_tiny("three", seeds=3)
        self.run_tiny("three-other", (KMAX, "20KB"), seeds=3)
        one, three = (headroom.load(a).compare(headroom.load(b)) for a, b in (("one", "other"), ("three", "three-other")))
        for found in (one, three):
            self.assertEqual(found.settings.loc["switches.*.ecn.storage.kmax"].tolist(), ["40KB", "20KB"])
        self.assertTrue(one.changes["half_width_percent"].isna().all())
        self.assertEqual(set(one.changes["verdict"]), {""})
        said = self.program("compare", "three", "three-other")
        self.assertIn(f"{len(three.changes)} metrics changed, {three.equal} are equal", said)
        row = three.changes.loc["messages.burst.completion_us.p99"]
        pooled = [headroom.load(r).summary["seeds"]["pooled"]["messages"]["burst"]["completion_us"]["p99"]["value"] for r in ("three", "three-other")]
        self.assertEqual([row.a, row.b], pooled)
        self.assertAlmostEqual(row.change_percent, 100 * (row.b / row.a - 1))
        self.assertGreater(row.half_width_percent, 0)
        same = headroom.load("three").compare(headroom.load("three"))
        self.assertEqual((len(same.changes), len(same.settings)), (0, 0))
        self.assertIn("all settings are equal", repr(same))

    def test_a_result_of_another_tool_has_no_settings(self):
        ours = self.run_tiny("r", seeds=1)
        (Path("r") / "resolved.yaml").rename("elsewhere.yaml")
        with self.assertRaisesRegex(headroom.InputError, "^r: resolved.yaml is missing"):
            print(headroom.load("r").settings)
        self.run_tiny("s")
        found = ours.compare(headroom.load("s"))
        self.assertIn("settings are not compared: r has no resolved.yaml", repr(found))
        self.assertEqual(len(found.changes), 0)

    def test_every_table_of_a_run_is_known(self):
        observe = "observe: {queues: {every: 5us, match: '*'}, groups: {every: 5us, match: '*'}, rates: {every: 5us, match: '*'}, "
        observe += "goodput: {every: 5us}, cnps: {match: '*'}, drops: {match: '*'}, estats: {every: 50us, match: '*'}}\n"
        disks = "  - {name: disks, type: io, service: store, blocks: [{size: 4KiB}], reads: 50%, depth: 2}\n"
        disks += "services: [{name: store, type: storage, compute: [h0, h1], extent_nodes: h2, front: {protocol: sk_rdma}}]\n"
        self.write("tiny.yaml", TINY + disks + observe)
        result = self.run_tiny("all")
        self.assertEqual(result.tables, list(FILES))
        self.assertEqual({p.stem for p in result.path.glob("*.csv")}, set(FILES))
        for name in result.tables:
            table = result.table(name)
            with open(result.path / f"{name}.csv", encoding="utf-8") as file:
                sometimes = ("window_ns", "context_ns", "copy_ns", "wake_ns", "buffer_ns", "peer_ns")  # 0 in this run
                expected = [column for column in table.columns if column not in sometimes]
                self.assertEqual(expected, file.readline().strip().split(","))
                self.assertEqual(len(table), sum(1 for _ in file))
        self.assertEqual(result.table("messages").attrs["units"]["start_ns"], "ns")
        self.assertEqual(result.table("rates").attrs["units"], {"time_ns": "ns", "rate_bps": "bit/s", "sent_bytes": "B"})
        self.assertEqual(result.table("ports")["priority"].dtype, "int64")
        operations = result.table("operations")
        parts = operations[[f"{part}_ns" for part in PARTS]].sum(axis=1)
        self.assertGreater(len(operations), 20)
        self.assertLess((operations["completed_ns"] - operations["start_ns"] - parts).abs().max(), 0.01)

    def test_a_topology_in_a_file_of_another_tool_has_links_and_a_map(self):
        self.write("t.txt", "4 1 3\n3\n0 3 25Gbps 1us 0\n1 3 25Gbps 1us 0\n2 3 100Gbps 2us 0\n")
        star = "{type: star, hosts: 4, link: {rate: 100Gbps, length: 5m}}"
        self.write("t.yaml", TINY.replace(star, "{type: hpcc, file: t.txt}").replace("to: h3", "to: n2"))
        run = headroom.run("t.yaml", out="t").runs[0]
        self.assertEqual([(link.a[0], link.b[0], link.rate_bps) for link in run.links], [("n0", "n3", 25e9), ("n1", "n3", 25e9), ("n2", "n3", 100e9)])
        self.assertEqual(list(run.table("links")["delay_ns"][::2]), [1000, 1000, 2000])
        self.assertEqual(network_of(run).tiers, {"n0": 0, "n1": 0, "n2": 0, "n3": 1})

    def test_what_varies_is_a_list(self):
        self.write("tiny.yaml", TINY + "vary: {workloads.burst.size: [60KB, 30KB]}\n")
        large, small = self.run_tiny("v", seeds=2)
        self.assertEqual([r.settings["workloads.burst.size"] for r in (large, small)], ["60KB", "30KB"])
        self.assertEqual([r.seeds for r in (large, small)], [[1, 2], [1, 2]])

    def test_refusals_have_the_words_of_the_program_and_leave_nothing(self):
        for options, told in (
            ({"set": {"foo": 1}}, "--set foo=1: unknown key"),
            ({"set": {KMIN: "5us"}}, f"--set {KMIN}=5us: "),
            ({"seeds": 0}, "--seeds 0 is not a number of seeds"),
        ):
            with self.assertRaises(headroom.ProgramError) as raised:
                headroom.run(self.scenario, out="r", **options)
            self.assertTrue(str(raised.exception).startswith(told), raised.exception)
            self.assertEqual(raised.exception.code, 2)
        with self.assertRaisesRegex(headroom.InputError, "^nosuch.yaml: there is no such file"):
            headroom.run("nosuch.yaml", out="r")
        self.assertEqual([p.name for p in self.folder.iterdir()], ["tiny.yaml"])
        self.run_tiny("r")
        with self.assertRaisesRegex(headroom.InputError, "^r: holds a finished result"):
            self.run_tiny("r")
        self.run_tiny("r", force=True)

    def test_an_interrupted_run_is_a_keyboard_interrupt_and_a_marked_result(self):
        self.write("tiny.yaml", TINY.replace("100us", "5s"))
        call = "import headroom\ntry: headroom.run('tiny.yaml', out='r')\nexcept KeyboardInterrupt: print('interrupted')"
        words, environment = [sys.executable, "-c", call], {**os.environ, "PYTHONPATH": str(ANALYSIS)}
        process = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while process.poll() is None and not (child := children.read_text().strip()):
            time.sleep(0.02)
        while int(Path(f"/proc/{child}/stat").read_text().split()[13]) < 10:  # hundredths of a second of its CPU time
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        self.assertEqual(process.communicate(timeout=60)[0], "interrupted\n")
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"tiny.yaml", "r"})
        self.assertEqual(headroom.load("r").runs[0].status, "interrupted")

    def test_loading_what_is_none_or_damaged(self):
        result = self.run_tiny("r")
        with self.assertRaisesRegex(headroom.InputError, "^s does not exist"):
            headroom.load("s")
        with self.assertRaisesRegex(headroom.InputError, "r: has no table 'mesages'; .* did you mean messages?"):
            result.table("mesages")
        with open("r/queues.csv", "w", encoding="utf-8") as file:
            file.write("time_ns,node,port,queu,bytes\n")
        with self.assertRaisesRegex(headroom.InputError, "^r/queues.csv:1:1: column queue is missing"):
            headroom.load("r").table("queues")
        self.run_tiny("two", seeds=2)
        for text in ('{"seeds": {"metrics": 3}}', '{"seeds": 3}', "["):
            Path("two/summary.json").write_text(text)
            with self.assertRaisesRegex(headroom.InputError, "^two/summary.json:"):
                headroom.load("two").compare(headroom.load("two"))
        Path("two/summary.json").unlink()
        with self.assertRaisesRegex(headroom.InputError, "^two/summary.json: cannot be read"):
            print(headroom.load("two").summary)
        Path("r/summary.json").write_text("{")
        with self.assertRaisesRegex(headroom.InputError, "^r/summary.json:1:2: "):
            headroom.load("r")

    def test_sweep_says_what_the_program_says_once(self):
        code, _, err = self.call("sweep", "nosuch.yaml", "--set", f"{KMIN}=[1KB]")
        self.assertEqual(code, 2)
        self.assertEqual(err.count("headroom"), err.startswith("headroom"), err)

    def test_importing_it_costs_little(self):
        """Large packages are imported when they are used: `sweep` needs none of them."""
        loaded = "import sys, headroom, headroom.study.sweep; print([m for m in ('pandas', 'numpy', 'yaml') if m in sys.modules])"
        done = subprocess.run(
            [sys.executable, "-c", loaded], env={**os.environ, "PYTHONPATH": str(ANALYSIS)}, capture_output=True, text=True
        )
        self.assertEqual((done.stdout, done.stderr), ("[]\n", ""))


if __name__ == "__main__":
    unittest.main()
