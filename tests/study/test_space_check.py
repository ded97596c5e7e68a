"""Parameters that the scenario does not accept are refused at their place, before any run."""

import unittest

from command import ANALYSIS, KMAX, KMIN, PMAX, StudyTest

from headroom.errors import InputError
from headroom.study.space_check import require_valid
from headroom.study.study_file import StudyFile

STUDY = f"""\
name: find
scenario: tiny.yaml
parameters:
  kmin: {{key: {KMIN}, min: 5KB, max: 6MB, scale: log}}
  kmax: {{key: {KMAX}, min: kmin, max: 12MB, scale: log}}
  pmax: {{key: {PMAX}, min: 1%, max: 100%, scale: log, step: 1%}}
  buffer: {{key: switches.0.buffer.profile, choice: [azure-24mb, azure-deep]}}
objectives: [{{metric: pfc.pauses}}]
constraints: [{{metric: drops.lossless, max: 0}}]
budget: 24
seeds: 3
"""


class Refused(StudyTest):
    def refused(self, *changes):
        text = STUDY
        for before, after in changes:
            self.assertIn(before, text)
            text = text.replace(before, after)
        path = self.write("study.yaml", text)
        with self.assertRaises(InputError) as caught:
            require_valid(StudyFile(path))
        return str(caught.exception).removeprefix(f"{path}:")

    def test_what_is_right_is_not(self):
        require_valid(StudyFile(self.write("study.yaml", STUDY)))
        # A Kmin above the scenario's Kmax is valid for the search: it fits other values of Kmax.
        require_valid(StudyFile(self.write("study.yaml", STUDY.replace("min: kmin", "min: 5KB"))))

    def test_a_mistyped_key(self):
        said = self.refused((KMIN, KMIN[:-4] + "kmni"))
        self.assertTrue(said.startswith('4:15: switches.0.ecn.storage.kmni: unknown key "kmni"; allowed: kmin'), said)
        self.assertTrue(said.endswith('did you mean "kmin"?'), said)
        self.assertIn("there is no item 7", self.refused((PMAX, PMAX.replace(".0.", ".7."))))

    def test_a_part_of_a_curve_of_a_sonic_file(self):
        """The program would propose a whole curve with the tried value, which is not the baseline's."""
        own = ANALYSIS.parent / "scenarios/own-switch.yaml"
        changes = [("scenario: tiny.yaml", f"scenario: {own}"), *((key, key.replace(".0.", ".t0.")) for key in (KMIN, KMAX, PMAX))]
        said = self.refused(*changes)
        self.assertIn('config_db.json has kmin 2MB, kmax 10MB, pmax 5%; give all three in set: {switches.t0.ecn.storage: {kmin: …', said)
        self.assertNotIn("--set", said)
        curve = "{kmin: 2MB, kmax: 10MB, pmax: 5%}"
        text = STUDY
        for before, after in changes:
            text = text.replace(before, after)
        text = text.replace("parameters:", f"set: {{switches.t0.ecn.storage: {curve}}}\nparameters:").replace("switches.0.buffer.profile, choice: [azure-24mb, azure-deep]", "mtu, choice: [1024, 4096]")
        require_valid(StudyFile(self.write("study.yaml", text)))

    def test_a_unit_that_is_not_the_keys(self):
        said = self.refused(("min: 1%, max: 100%, scale: log, step: 1%", "min: 20us, max: 30us"))
        self.assertTrue(said.startswith('6:49: pmax: "20us" is not'), said)

    def test_a_bound_out_of_range(self):
        said = self.refused(("max: 100%", "max: 200%"))
        self.assertEqual(said, '6:58: pmax: "200%" is out of range; allowed: above 0 to 100%')

    def test_one_of_a_choice(self):
        said = self.refused(("azure-deep]", "azure-dep]"))
        self.assertTrue(said.startswith('7:65: buffer: there is no buffer profile "azure-dep"'), said)

    def test_the_wrong_one_of_two_that_go_together(self):
        # All values of kmax are wrong then; kmin is not the reason.
        said = self.refused((KMAX, KMAX.replace("ecn.", "enc.")))
        self.assertTrue(said.startswith('5:15: '), said)
        self.assertIn('unknown key "enc"', said)

    def test_two_parameters_on_one_key(self):
        said = self.refused((PMAX, KMAX), ("1%, max: 100%, scale: log, step: 1%", "1KB, max: 9KB"))
        self.assertEqual(said, f"6:15: pmax and kmax set the same key, {KMAX}: one parameter per key")
        self.assertIn("set the same key", self.refused(("switches.0.buffer.profile", "switches.0.ecn.storage")))
        self.assertIn(f"{PMAX} appears twice", self.refused((f"key: {PMAX}", f"key: [{PMAX}, {PMAX}]")))

    def test_bounds_of_constraints(self):
        self.assertIn("9:45: 'nan' is not a number", self.refused(("max: 0", "max: nan")))
        self.assertIn("9:45: 'inf' is not a number", self.refused(("max: 0", "max: inf")))
        self.assertIn("9:53: max 3 is below min 5: no value keeps both", self.refused(("max: 0", "min: 5, max: 3")))

    def test_the_command_says_so_and_runs_nothing(self):
        study = self.write("study.yaml", STUDY.replace(KMIN, KMIN[:-4] + "kmni"))
        code, out, err = self.call("tune", study, "--out", self.out)
        self.assertEqual((code, out), (2, ""))
        self.assertTrue(err.startswith(f"{study}:4:15: "), err)
        self.assertFalse(self.out.exists())


if __name__ == "__main__":
    unittest.main()
