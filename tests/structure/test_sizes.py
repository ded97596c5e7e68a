"""The largest size of a room and of a function: a reader finds an idea by its file, and grasps a function at a glance."""

import ast
import re
import subprocess
import unittest
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST_FILES, MOST_LINES = 32, 60
LIMITS = "docs/development.md, section Limits of the code, has the limits"
# Lines that open a brace at the indentation of functions, but are not functions.
OTHERS = re.compile(r"\s*(?://|#|(?:namespace|struct|class|enum|union|extern|if|for|while|switch|else|do|return)\b)")


def functions(text):
    """(first line, lines, head) of each function with a brace that opens at the indentation of a file or of a class. In
    the layout of clang-format its closing brace stands alone at the indentation of its first line."""
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        line = lines[number]
        indentation = len(line) - len(line.lstrip())
        opens = number
        if line and indentation <= 2 and "(" in line and not OTHERS.match(line):
            while opens + 1 < len(lines) and not lines[opens].endswith(("{", ";", "}", ":")):
                opens += 1
            if lines[opens].endswith("{"):
                last = opens
                while last + 1 < len(lines) and not lines[last].startswith(" " * indentation + "}"):
                    last += 1
                yield number + 1, last - number + 1, line.strip()
                opens = last
        number = opens + 1


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno - node.lineno + 1, f"def {node.name}"


class Sizes(unittest.TestCase):
    def test_no_room_has_more_files_than_a_reader_looks_through(self):
        tracked = subprocess.run(["git", "ls-files", "src", "analysis", "python"], cwd=ROOT, capture_output=True, text=True)
        rooms = Counter(str(Path(path).parent) for path in tracked.stdout.split())
        if not rooms:
            self.skipTest("no list of files: this is no checkout")
        self.assertEqual([f"{room}: {files} files" for room, files in rooms.items() if files > MOST_FILES], [], LIMITS)

    def test_no_function_is_longer_than_a_screen(self):
        long, seen = [], 0
        for top, pattern, found in (("src", "*.[ch]*", functions), ("analysis", "*.[ch]*", functions), ("python", "*.py", python_functions)):
            for path in sorted((ROOT / top).rglob(pattern)):
                for line, lines, head in found(path.read_text()):
                    seen += 1
                    if lines > MOST_LINES:
                        long.append(f"{path.relative_to(ROOT)}:{line}: {lines} lines: {head}")
        self.assertEqual(long, [], LIMITS)
        self.assertGreater(seen, 2000)

    def test_a_longer_one_is_found(self):
        body = ["  Step();"] * 59
        for head, lines in ((["void Run() {"], 61), (["std::vector<int> Room::Run(int first,", "                           int last) {"], 62),
                            (["template <class T>", "void Run(T t) {"], 61)):
            text = "\n".join(["int a = 1;", "", *head, *body, "}", "", "int b = 2;"])
            self.assertEqual([found[1] for found in functions(text)], [lines], head)
        python = "\n".join(["class Room:", "    def run(self):", *["        step()"] * 60])
        self.assertEqual(list(python_functions(python)), [(2, 61, "def run")])
        inside = "\n".join(["class Room {", " public:", "  void Run() {", *["    Step();"] * 60, "  }", "};"])
        self.assertEqual([found[1] for found in functions(inside)], [62])


if __name__ == "__main__":
    unittest.main()
