"""The cures that scenarios of known causes name at their beginnings: their form, and that the program accepts them."""

import json
import os
import re
import subprocess
import unittest

from command import ANALYSIS

ROOT = ANALYSIS.parent
FOLDER = ROOT / "scenarios/causes"
SCENARIOS = sorted(FOLDER.rglob("*.yaml"))
# The description, the two lines, the name.
HEAD = re.compile(r"(?:# (?!cure:|mechanism:).+\n)+# cure: (?P<cure>.+)\n# mechanism: (?P<word>[a-z-]+): (?P<words>\S.*)\nname: ")


def _head(file):
    return HEAD.match(file.read_text(encoding="utf-8"))


def _settings(cure):
    return {} if cure == "none" else dict(setting.split("=", 1) for setting in cure.split(" "))


class Cures(unittest.TestCase):
    def test_each_scenario_names_one_and_a_mechanism_of_the_table(self):
        table = (FOLDER / "README.md").read_text(encoding="utf-8")
        words = re.findall(r"^\| `([a-z-]+)` \| ", table, re.M)
        self.assertEqual(words, sorted(set(words)))
        used = set()
        for file in SCENARIOS:
            with self.subTest(file.stem):
                head = _head(file)
                self.assertIsNotNone(head, "the head is not as scenarios/causes/README.md says")
                self.assertIn(head["word"], words)
                used.add(head["word"])
        self.assertEqual(used, set(words), "words of the table that no scenario has")

    def test_nothing_helps_in_the_folder_of_that_name(self):
        cures = {file.stem: _head(file)["cure"] for file in FOLDER.glob("nothing/*.yaml")}
        self.assertEqual(len(cures), 10)
        self.assertEqual(set(cures.values()), {"none"})

    def test_the_program_takes_them_and_they_change_the_scenario(self):
        for file in SCENARIOS:
            settings = _settings(_head(file)["cure"])
            if not settings:
                continue
            with self.subTest(file.stem):
                check = [os.environ["HEADROOM_PROGRAM"], "check", file, "--points", "-"]
                found = subprocess.run(check, input=json.dumps([{}, settings]), capture_output=True, text=True, check=False)
                self.assertEqual((found.returncode, found.stderr), (0, ""))
                before, after = json.loads(found.stdout)
                self.assertNotIn("error", after)
                self.assertNotEqual(before["digest"], after["digest"])


if __name__ == "__main__":
    unittest.main()
