"""What explain names is what helps, measured: some scenarios of known causes, of one seed each."""

import importlib.machinery
import importlib.util
import unittest

from command import ANALYSIS, StudyTest

ROOT = ANALYSIS.parent


def _bench():
    loader = importlib.machinery.SourceFileLoader("causes", str(ROOT / "bench/causes"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("causes", loader))
    loader.exec_module(module)
    return module


class Halves(unittest.TestCase):
    def test_are_folders(self):
        causes = _bench()
        rules = causes.scenarios("rules")
        self.assertGreaterEqual(len(rules), 20)
        self.assertEqual({file.parent for file in rules}, {ROOT / "scenarios/causes"})
        judged = causes.scenarios("judged")
        self.assertEqual({causes.half(file) for file in judged} - {"judged"}, set())
        self.assertEqual(causes.scenarios("all"), rules + judged)


class NamesWhatHelps(StudyTest):
    def test_in_scenarios_of_known_causes(self):
        causes = _bench()
        known = {
            "collision": "collision",
            "acks": "ack_class",
            "registration": "registration",
            "watchdog": "watchdog",
            "weights": "weight",
            "limiter": "host_link",
            "small-headroom": "host_link",
        }
        for name, cause in known.items():
            with self.subTest(name):
                of = causes.judge(ROOT / f"scenarios/causes/{name}.yaml", 1, 1, self.folder)
                self.assertEqual((of["named"], of["right"]), (cause, True), of["all"][:3])
                self.assertGreater(of["own_cut"], 0.3)


if __name__ == "__main__":
    unittest.main()
