"""The rooms of the code: which includes which, the owner of each file, and the place of its tests.

The order is that of the table "Rooms" in ARCHITECTURE.md. A room is a folder; it includes its own files and
those of rooms above it, so rooms form no cycle.
"""

import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = "ARCHITECTURE.md"
# Paths in other projects, which pages name as sources.
ELSEWHERE = ("tests/snappi_tests", "tests/saitests", "tests/pfcwd")
# Tests that do not belong to one room: complete runs, and comparisons with something outside.
WHOLE = {"acceptance", "equality", "fuzz", "peers", "plots", "run", "scenario", "short", "structure", "study", "support"}


def rooms(page):
    """The folders in the first column of the table "Rooms", in its order."""
    table = page.split("## Rooms", 1)[1].split("\n## ", 1)[0]
    found = []
    for row in re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE):
        found += re.findall(r"`([^`]+)`", row)
    return found


def sources(top):
    return sorted(p.relative_to(ROOT) for p in (ROOT / top).rglob("*") if p.suffix in (".h", ".cc"))


def included(text):
    """[(line, what it includes)]"""
    return [(text[: found.start()].count("\n") + 1, found[1]) for found in re.finditer(r'^#include "([^"]+)"', text, re.MULTILINE)]


def home(include):
    """The folder of the file that `include` names."""
    path = Path(include)
    return str(path.parent if path.parts[0] == "analysis" else "src" / path.parent)


def violations(order, files):
    """The errors of `files`, which has a text for each path."""
    place = {room: i for i, room in enumerate(order)}
    wrong = []
    for path, text in files.items():
        room = str(Path(path).parent)
        if room not in place:
            wrong.append(f"{path}: {PAGE} has no room {room}")
            continue
        for line, include in included(text):
            other = home(include)
            if other not in place:
                wrong.append(f'{path}:{line}: "{include}" is in no room of {PAGE}')
            elif place[other] > place[room]:
                wrong.append(f'{path}:{line}: "{include}" is in {other}, which comes after {room}')
    return wrong


# tests of ./headroom while it builds
OF_NO_SOURCE = {"tests/cli/first_build_test.cc"}


class Rooms(unittest.TestCase):
    order = rooms((ROOT / PAGE).read_text())
    files = {str(p): (ROOT / p).read_text() for top in ("src", "analysis") for p in sources(top)}

    def test_each_includes_those_above_it_alone(self):
        self.assertEqual(violations(self.order, self.files), [], f"{PAGE} has the order, in its table of rooms")

    def test_each_is_there_once(self):
        self.assertEqual(len(self.order), len(set(self.order)))
        with_files = {str(Path(p).parent) for p in self.files}
        self.assertEqual([r for r in self.order if r.startswith("src") and r not in with_files], [])

    def test_an_include_against_the_order_is_found(self):
        files = {"src/net/port.cc": '#include "sim/units.h"\n#include "switch/switch.h"\n',
                 "src/attic/old.cc": "", "src/sim/units.cc": '#include "attic/old.h"\n'}
        self.assertEqual(violations(["src/sim", "src/net", "src/switch"], files), [
            'src/net/port.cc:2: "switch/switch.h" is in src/switch, which comes after src/net',
            "src/attic/old.cc: ARCHITECTURE.md has no room src/attic",
            'src/sim/units.cc:1: "attic/old.h" is in no room of ARCHITECTURE.md'])

    def test_a_source_without_a_header_says_whose_part_it_is(self):
        silent = [path for path, text in self.files.items()
                  if path.endswith(".cc") and path[:-3] + ".h" not in self.files and not text.startswith("// ")]
        self.assertEqual(silent, [])


class Python(unittest.TestCase):
    def test_each_imports_from_those_above_it_alone(self):
        place = {room: i for i, room in enumerate(rooms((ROOT / PAGE).read_text()))}
        wrong, seen = [], 0
        for path in sorted((ROOT / "python/headroom").rglob("*.py")):
            room = str(path.parent.relative_to(ROOT))
            text = path.read_text()
            for found in re.finditer(r"^\s*from (headroom[.\w]*) import ([\w, ]*)", text, re.MULTILINE):
                module, names = found.groups()
                for name in (name.partition(" ")[0] for name in names.split(", ")):
                    to = ROOT / "python" / f"{module}.{name}".replace(".", "/")
                    other = to if to.is_dir() else to.parent if to.with_suffix(".py").is_file() else to.parent.parent
                    other = str(other.relative_to(ROOT))
                    seen += 1
                    if place[other] > place[room]:
                        line = text[: found.start(1)].count("\n") + 1
                        wrong.append(f"{path.relative_to(ROOT)}:{line}: {module} is in {other}, which comes after {room}")
        self.assertEqual(wrong, [])
        self.assertGreater(seen, 100)


class Tests(unittest.TestCase):
    def test_lie_in_the_folder_of_what_they_test(self):
        """tests/net/topology/routing_test.cc and routing_… belong to src/net/topology/routing."""
        stems = {}
        for top in ("src", "analysis"):
            for path in sources(top):
                folder = path.parent if top == "analysis" else path.parent.relative_to("src")
                stems.setdefault(str(folder), set()).add(path.stem)
        wrong = []
        for path in sources("tests"):
            folder = str(path.relative_to("tests").parent)
            if not path.stem.endswith("_test") or Path(folder).parts[0] in WHOLE or str(path) in OF_NO_SOURCE:
                continue
            name = path.stem.removesuffix("_test")
            if not any(name == stem or name.startswith(stem + "_") for stem in stems.get(folder, ())):
                wrong.append(f"{path}: nothing in the room {folder} has a name that it begins with")
        self.assertEqual(wrong, [])


class Mentions(unittest.TestCase):
    def test_files_that_pages_and_comments_name_are_there(self):
        names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout.split()
        if not names:
            self.skipTest("needs a checkout with its history")
        dead = []
        for name in names:
            path = ROOT / name
            if path.suffix not in (".md", ".h", ".cc", ".py", ".txt", ".cmake") or not path.is_file():
                continue
            for mention in re.findall(r"`((?:src|analysis|tests|bench|docs|scenarios)/[\w/.*-]*)`", path.read_text()):
                pattern = mention.rstrip("/")
                if not mention.startswith(ELSEWHERE) and not list(ROOT.glob(pattern)) and not list(ROOT.glob(pattern + ".*")):
                    dead.append(f"{name}: {mention}")
        self.assertEqual(dead, [])


if __name__ == "__main__":
    unittest.main()
