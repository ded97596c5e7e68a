"""Results of other versions, or damaged ones: for each part that is missing, empty or of another kind, the command
refuses the file or does not need it; no command ends in a traceback.

HEADROOM_OLDER_RESULTS: how many of some thousands of changes are tried; 200 take a minute.
"""

import contextlib
import csv
import io
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import command  # noqa: F401 - finds the package

import headroom
from headroom.command import ended
from headroom.explain.__main__ import main as explain
from headroom.explain.findings import findings
from headroom.explain.words import page
from headroom.plot.__main__ import _of_results
from headroom.result import Run, load_results
from headroom.summary_file import read_summary
from headroom.trace.__main__ import main as trace

SCENARIOS = {
    "messages": """\
name: messages
duration: 100us
topology: {type: star, hosts: 5, link: {rate: 100Gbps, length: 5m}}
priorities:
  storage: {priority: 3, dscp: 3, lossless: true, weight: 1}
  cnp: {priority: 6, dscp: 48, lossless: false, strict: true}
switches: [{match: "*", buffer: {profile: azure-24mb, alpha: 1/128}, ecn: {storage: {kmin: 10KB, kmax: 40KB, pmax: 10%}}}]
nics: [{match: "*", generation: gen2}]
workloads:
  - {name: burst, type: incast, size: 600KB, from: "*", to: h4, at: 1us, priority: storage}
  - {name: random, type: poisson, sizes: AliStorage2019, load: 20%, priority: storage}
faults: [{type: loss, link: [h0, s0], probability: 1/200}]
observe: {queues: {every: 10us}, groups: {every: 10us, match: "s0:p4"}, rates: {every: 10us, match: h0}, goodput: {every: 50us},
          cnps: {match: h0}, drops: {match: "*"}, estats: {match: "*"}}
""",
    "disks": """\
name: disks
duration: 200us
topology: {type: star, hosts: 4, link: {rate: 100Gbps, length: 5m}}
services: [{name: store, type: storage, compute: "h[0-1]", extent_nodes: "h[2-3]", front: {protocol: sk_rdma}}]
workloads: [{name: d, type: io, service: store, blocks: [{size: 8KiB, share: 70%}, {size: 64KiB, share: 30%}], reads: 70%, depth: 4}]
""",
    "keys": """\
name: keys
duration: 50us
topology: {type: star, hosts: 3, link: {rate: 100Gbps, length: 5m}}
services: [{name: cache, type: herd, servers: h0, clients: "h[1-2]", processes: 2, window: 4}]
workloads: [{name: k, type: kv, service: cache, keys: 1000, key: 16B, value: 32B, puts: 20%}]
""",
}


def _lines(rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _of_csv(text):
    """(description, the missing column or None, text) of changes."""
    header, *rows = csv.reader(io.StringIO(text))
    yield "the header alone", None, _lines([header])
    for i, column in enumerate(header):
        yield f"without {column}", column, _lines([row[:i] + row[i + 1 :] for row in (header, *rows)])
        yield f"{column} empty", None, _lines([header, *(row[:i] + [""] + row[i + 1 :] for row in rows)])


def _paths(value, place=()):
    for key in value:
        yield (*place, key)
        if isinstance(value[key], dict):
            yield from _paths(value[key], (*place, key))


def _of_json(text):
    for *above, key in _paths(json.loads(text)):
        for to in ("nothing", None, "x", {}):
            whole = json.loads(text)
            place = whole
            for step in above:
                place = place[step]
            if to == "nothing":
                del place[key]
            else:
                place[key] = to
            yield f"{'.'.join((*above, key))}: {to}", None, json.dumps(whole)


def _of_yaml(text):
    lines = text.split("\n")
    for i in range(len(lines) - 1):
        yield f"without line {i + 1}", None, "\n".join(lines[:i] + lines[i + 1 :])


class OlderResults(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        for name, text in SCENARIOS.items():
            (self.folder / f"{name}.yaml").write_text(text)
            words = [os.environ["HEADROOM_PROGRAM"], "run", f"{name}.yaml", "--out", f"whole-{name}"]
            subprocess.run(words, cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

    def changes(self):
        """(result, file, description, missing column or None, its text or None) of each."""
        for name in SCENARIOS:
            for path in sorted((self.folder / f"whole-{name}").glob("[!.]*")):
                text = path.read_text(encoding="utf-8")
                yield from ((name, path.name, *change) for change in (("removed", None, None), ("empty", None, ""), ("cut", None, text[:-3])))
                mutation_of = {".csv": _of_csv, ".json": _of_json, ".yaml": _of_yaml}[path.suffix]
                yield from ((name, path.name, *change) for change in mutation_of(text))

    def answer(self, work):
        """(exit code, standard error)"""
        with contextlib.redirect_stderr(io.StringIO()) as err, contextlib.redirect_stdout(io.StringIO()):
            code = work()
        return code, err.getvalue()

    def use(self, whole, changed, draws):
        """{name: the command} of all commands that read results."""

        def read():
            result = headroom.load(changed)
            for name in result.tables:
                result.table(name)
            return None if result.workloads or result.operation_kinds or result.partial or repr(result) else 1

        def draw(*folders):
            results = load_results(folders)
            plots, html_of = _of_results(results)
            html_of({plot.stem: "<svg>" for plot in plots})

        folder = str(changed)
        uses = {
            "explain": lambda: explain([folder, "--json"]),
            "trace": lambda: trace([folder, "--force"]),
            "load": lambda: ended("load", read, "", ""),
            "compare": lambda: ended("compare", lambda: str(headroom.load(whole).compare(headroom.load(changed))) and None, "", ""),
        }
        if draws:
            uses["plot"] = lambda: ended("plot", lambda: draw(folder), "", "")
            uses["plot of two"] = lambda: ended("plot", lambda: draw(str(whole), folder), "", "")
        return uses

    def test_explain_says_what_a_summary_holds_or_refuses_it(self):
        count = 50 * int(os.environ.get("HEADROOM_OLDER_RESULTS", "6"))
        for name in ("messages", "disks"):
            run = load_results([self.folder / f"whole-{name}"])[0].runs[0]
            text = (run.path / "summary.json").read_text(encoding="utf-8")
            (folder := self.folder / f"{name}-changed").mkdir()
            chosen = {}  # one of the keys that differ only in the names of queues
            for path in _paths(json.loads(text)):
                chosen.setdefault(tuple("queue" if ":" in key else key for key in path), path)
            changes, codes = list(itertools.product(chosen.values(), ("nothing", None, -1, "x", {}, [], 1e308))), {0: 0, 2: 0}
            for path, to in random.Random(count).sample(changes, min(len(changes), count)):
                place = whole = json.loads(text)
                for step in path[:-1]:
                    place = place[step]
                place.update({path[-1]: to}) if to != "nothing" else place.pop(path[-1])
                (folder / "summary.json").write_text(json.dumps(whole), encoding="utf-8")

                def work(folder=folder, run=run):
                    changed = Run(folder, read_summary(folder), run.tables)
                    changed.scenario = run.scenario
                    found = findings(changed)
                    return json.dumps(found, allow_nan=False) and page(found, everything=True) and None

                with self.subTest(f"{name}: {'.'.join(path)}: {to}"):
                    code, err = self.answer(lambda: ended("explain", work, "", ""))
                    codes[code] += 1
                    self.assertTrue(code == 0 or re.fullmatch(r"headroom explain: \S+/summary\.json: .+\n", err), err)
            self.assertGreater(min(codes.values()), 50, codes)

    def test_what_is_missing_is_named_or_not_needed(self):
        count = int(os.environ.get("HEADROOM_OLDER_RESULTS", "6"))
        chance, codes, changed = random.Random(count), {0: 0, 2: 0}, self.folder / "r"
        by_file = {}
        for change in self.changes():
            by_file.setdefault(Path(change[1]).suffix, []).append(change)
        # As many changes of columns as of keys of a summary, which are more.
        chosen = [one for changes in by_file.values() for one in chance.sample(changes, min(len(changes), count // len(by_file)))]
        for number, (name, file, what, column, text) in enumerate(chosen):
            whole = self.folder / f"whole-{name}"
            shutil.rmtree(changed, ignore_errors=True)
            shutil.copytree(whole, changed)
            (changed / file).unlink()
            if text is not None:
                (changed / file).write_text(text, encoding="utf-8")
            for use, work in self.use(whole, changed, number % 9 == 0).items():
                with self.subTest(f"{use}: {name}/{file} {what}"):
                    code, err = self.answer(work)
                    codes[code] += 1
                    if code == 2:
                        self.assertIn(file, err)
                        self.assertIn(column or "", err)
        self.assertGreater(min(codes.values()), 5, codes)


if __name__ == "__main__":
    unittest.main()
