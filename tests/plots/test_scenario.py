"""The values that the plots read from resolved.yaml."""

import tempfile
import unittest
from pathlib import Path

import synthetic_results  # noqa: F401 - makes the package importable

from headroom.scenario import Scenario
from headroom.settings import changed_settings

TEXT = """\
warmup: 100us
topology:
  type: custom
  links:
    - {ends: [a, t0], rate: 25Gbps, length: 3m}
    - {ends: ["t0:Ethernet4", b], rate: 100Gbps, length: 3m}
priorities:
  storage: {priority: 3}
  bulk: {priority: 4}
switches:
  - match: "*"
    ecn: {storage: {kmin: 1MB, kmax: 2MB, pmax: 5%}, bulk: {kmin: 400kB, kmax: 1600kB, per_rate: 100Gbps}}
  - match: "t1*"
    ecn: {storage: {kmin: 5MB, kmax: 10MB}}
    pfc: {enabled: false}
"""


class ReadsResolved(unittest.TestCase):
    def test_a_value_by_its_key_as_set_takes_it(self):
        scenario = self.scenario(TEXT)
        for key, value in (
            ("switches.1.ecn.storage.kmin", "5MB"),
            ("switches.*.ecn.storage.kmin", "1MB"),
            ('switches."t1*".pfc.enabled', "false"),
            ("topology.links.1.rate", "100Gbps"),
            ("switches.7.ecn.storage.kmin", None),
            ("switches.0.ecn.storage", None),
            ("warmup.more", None),
        ):
            self.assertEqual(scenario.value(key), value, key)

    def test_settings_that_differ_are_named_as_set_takes_them(self):
        first = self.scenario("name: a\nseed: 1\n" + TEXT)
        other = TEXT.replace("kmin: 1MB", "kmin: 2MB").replace("25Gbps", "40Gbps").replace("warmup", "duration")
        self.assertEqual(
            changed_settings([first.settings, self.scenario("name: b\nseed: 2\n" + other).settings]),
            [
                ("warmup", ["100us", "–"]),
                ("topology.links.0.rate", ["25Gbps", "40Gbps"]),
                ("switches.*.ecn.storage.kmin", ["1MB", "2MB"]),
                ("duration", ["–", "100us"]),
            ],
        )
        self.assertEqual(changed_settings([first.settings, first.settings]), [])

    def scenario(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "resolved.yaml"
            path.write_text(text, encoding="utf-8")
            return Scenario(path)

    def test_warmup_classes_and_pfc(self):
        scenario = self.scenario(TEXT)
        self.assertEqual(scenario.warmup_us, 100)
        self.assertEqual(scenario.class_of("4"), "bulk")
        self.assertFalse(scenario.pfc_enabled())
        self.assertTrue(self.scenario("name: x\n").pfc_enabled())

    def test_what_cannot_be_read_is_absent_and_says_why(self):
        for text in ("a: &x 1\nb: *x\n", "a: [1\n", "- a list\n", "warmup: soon\n"):
            scenario = self.scenario(text)
            self.assertIn("resolved.yaml cannot be read", scenario.trouble)
            self.assertEqual(scenario.warmup_us, 0)
        self.assertEqual(Scenario(Path("/nonexistent/resolved.yaml")).trouble, "resolved.yaml is missing")

    def test_odd_shapes_do_no_harm(self):
        scenario = self.scenario(
            "switches: {match: x}\ntopology: {links: {host: {rate: 1Gbps}}}\npriorities: []\n"
        )
        self.assertIsNone(scenario.class_of("3"))
        self.assertTrue(scenario.pfc_enabled())
