"""The files and commands that the documents print: the program accepts them.

Nothing runs. Files are checked; commands are read, with their settings checked; each result that a command reads is one
that another printed command makes. Left out: files of the reader's own, my-….yaml and ../own.fio.
"""

import functools
import re
import shlex
import shutil
import unittest
from pathlib import Path

from command import ANALYSIS, StudyTest

from headroom import program
from headroom.plot.__main__ import _arguments as plot_arguments
from headroom.study import sweep, tune
from headroom.study.space_check import require_valid
from headroom.study.study_file import StudyFile

ROOT = ANALYSIS.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^ *```", re.S | re.M)
_RUN_OPTIONS = {"--out", "--seed", "--seeds", "--jobs", "--pcap", "--parts", "--ranks"}  # with a value


def _blocks():
    """(page, language, text) of each."""
    for page in PAGES:
        for found in _BLOCK.finditer(page.read_text(encoding="utf-8")):
            yield page.relative_to(ROOT), found[2], found[3]


@functools.cache
def _commands():
    """[(page, [word])] after the program's name."""
    out = []
    for page, language, text in _blocks():
        if language != "sh":
            continue
        for line in re.sub(r"\\\n\s*", " ", text).splitlines():
            words = shlex.split(line, comments=True)
            while words:
                end = words.index("&&") if "&&" in words else len(words)
                one, words = words[:end], words[end + 1 :]
                if one and one[0] in ("./headroom", "headroom"):
                    one = one[1 : one.index(">")] if ">" in one else one[1:]
                    out.append((str(page), one))
    return out


def _is_own(words):
    return any(Path(word).name.startswith("my") or "own.fio" in word for word in words)


def _option(words, name):
    return words[words.index(name) + 1] if name in words else None


def _name(path):
    return re.search(r"^name: *(\S+)", (ROOT / path).read_text("utf-8"), re.M)[1]


def _made(words):
    """The result's folder, as these words make it; None if they make none."""
    command, file = words[0], words[1] if len(words) > 1 else None
    if command == "convert":
        return _option(words, "--out")
    if command not in ("run", "sweep", "tune") or _is_own(words):
        return None
    return _option(words, "--out") or f"results/{_name(file)}" + ("-sweep" if command == "sweep" else "")


class Documents(StudyTest):
    def test_whole_files_are_accepted(self):
        """A scenario has a topology, a study parameters; other blocks are parts of files."""
        shutil.copytree(ROOT / "scenarios", self.folder / "scenarios")
        self.write("scenarios/topology.txt", "3 1 2\n2\n0 2 100Gbps 0.001ms 0\n1 2 100Gbps 0.001ms 0\n")
        self.write("scenarios/flow.txt", "1\n0 1 3 100 1000 2.0\n")
        kinds = {"topology": 0, "parameters": 0}
        for page, language, text in _blocks():
            if language != "yaml":
                continue
            keys = set(re.findall(r"^(\w+):", text, re.M))
            with self.subTest(page=page, keys=sorted(keys)):
                if "parameters" in keys:
                    path = self.write("scenarios/tuning/printed.yaml", text)
                    require_valid(StudyFile(path))
                    kinds["parameters"] += 1
                elif "topology" in keys:
                    program.check_file(self.write("scenarios/printed.yaml", text))
                    kinds["topology"] += 1
        self.assertTrue(all(kinds.values()), kinds)

    def test_commands_are_accepted(self):
        made = {_made(words) for _, words in _commands()}
        read = 0
        for page, words in _commands():
            if _is_own(words):
                continue
            with self.subTest(page, words=" ".join(words)):
                self.accept(words)
                for word in words[1:]:
                    result = re.match(r"results/[a-z0-9-]+$|results/[a-z0-9-]+(?=/recommended)", word)
                    if result and words[words.index(word) - 1] != "--out":
                        self.assertIn(result[0], made, "no printed command makes it")
                        read += 1
        self.assertGreater(read, 10)

    def accept(self, words):
        command, rest = words[0], words[1:]
        if command in ("run", "check", "fluid", "explain") and rest[0].endswith(".yaml") and not rest[0].startswith("results/"):
            sets = [rest[i + 1] for i, word in enumerate(rest) if word == "--set"]
            if command == "run":
                self.assertLessEqual({word for word in rest if word.startswith("--")}, _RUN_OPTIONS | {"--set", "--json"})
            program.check_file(ROOT / rest[0], sets)
        elif command == "sweep":
            options = sweep.arguments(rest)
            options.scenario = ROOT / options.scenario
            sweep.plan(options)
        elif command == "tune":
            require_valid(StudyFile(ROOT / tune.arguments(rest).study))
        elif command == "plot":
            plot_arguments(rest)
        elif rest and rest[0].startswith("scenarios/"):
            self.assertTrue((ROOT / rest[0]).exists())


if __name__ == "__main__":
    unittest.main()
