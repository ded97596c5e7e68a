"""Stories whose causes are known come out of `headroom explain`, and the key that it names is what helps."""

import json
import os
import subprocess
import unittest

from command import ANALYSIS, StudyTest

STORY = ANALYSIS.parents[1] / "shared/data/stories/leaf-spine-mix.yaml"


@unittest.skipUnless(STORY.is_file(), "the stories of shared/data are not here")
class TellsStories(StudyTest):
    def headroom(self, *arguments):
        done = subprocess.run([os.environ["HEADROOM_PROGRAM"], *map(str, arguments)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_of_acks_in_a_paused_class_and_of_the_queue_that_pauses_come_from(self):
        as_is = self.folder / "as-is"
        self.headroom("run", STORY, "--out", as_is)
        found = json.loads(self.headroom("explain", as_is, "--json"))
        mix = next(w for w in found["workloads"] if w["workload"] == "mix")
        # Half are delivered in a tenth of the time in which they complete: the rest is the way back.
        self.assertLess(mix["delivery_us"]["p50"], 0.15 * mix["completion_us"]["p50"])
        of_acks = next(s for s in mix["settings"] if set(s["parts"]) == {"ack_paused", "ack_queued"})
        self.assertGreater(of_acks["share"], 0.3)
        keys = {key for key in of_acks["keys"] if key.endswith(".transport.ack_priority")}
        self.assertTrue(keys)
        self.assertEqual({of_acks["keys"][key] for key in keys}, {"same"})

        # What it names is what helps: the same with ACKs in their own class.
        helped = self.folder / "helped"
        self.headroom("run", STORY, "--out", helped, "--set", 'nics."*".transport.ack_priority=cnp')
        after = json.loads(self.headroom("explain", helped, "--json"))
        mix_after = next(w for w in after["workloads"] if w["workload"] == "mix")
        self.assertLess(mix_after["completion_us"]["p50"], 0.25 * mix["completion_us"]["p50"])

        # Pauses: leaf0:p4 is among the two most of paused time comes from, and first from 2.4 to 4.8 ms.
        self.assertIn("leaf0:p4:3", [root["place"] for root in found["roots"][:2]])
        words = self.headroom("explain", as_is)
        self.assertIn("from leaf0:p4:3", words)
        import headroom

        causes = headroom.load(as_is).table("pfc_causes")
        then = causes[(causes["start_ns"] >= 2.4e6) & (causes["start_ns"] < 4.8e6)]
        held = (then["duration_ns"] * then["share"]).groupby([then["root_node"], then["root_port"]]).sum()
        self.assertEqual(held.idxmax(), ("leaf0", "p4"))

        # Two directions of a link are not each other's cause: no frame that came in by p16 leaves by p16.
        ours = causes[(causes["node"] == "leaf0") & (causes["port"] == "p16")]
        self.assertFalse(((ours["root_node"] == "leaf0") & (ours["root_port"] == "p16")).any())


if __name__ == "__main__":
    unittest.main()
