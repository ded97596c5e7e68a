"""docs/coverage.md: each expectation that a line names exists, and each document has all of its lines."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/coverage.md").read_text(encoding="utf-8")
LINES = {"HERD": 89, "Azure storage": 63, "RDMA in typical applications": 30, "RDMAvisor": 24, "Receiver sliding window": 22}


def expectations(scenario):
    """The text of a paper's scenario from its expectations on, with the points that it varies before them."""
    path = ROOT / "scenarios/papers" / f"{scenario}.yaml"
    return re.split(r"^vary:|^expect:", path.read_text(encoding="utf-8"), maxsplit=1, flags=re.M)[-1]


class Coverage(unittest.TestCase):
    def test_each_named_expectation_exists(self):
        named = re.findall(r"`([a-z0-9-]+): ([^`]+)`", PAGE)
        self.assertGreater(len(named), 100)
        wrong = [f"{scenario}: {words}" for scenario, words in named if words not in expectations(scenario)]
        self.assertEqual(wrong, [])

    def test_each_document_has_its_lines(self):
        for title, lines in LINES.items():
            section = re.search(rf"^## {title}.*?(?=^## |\Z)", PAGE, re.M | re.S)[0]
            numbers = [int(n) for n in re.findall(r"^\| (\d+) \| \S.* \| \S.* \|$", section, re.M)]
            self.assertEqual(numbers, list(range(1, lines + 1)), title)


if __name__ == "__main__":
    unittest.main()
