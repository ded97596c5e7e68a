"""scenarios/tuning: the order of three ways to run the same racks, over ten seeds, and its reasons."""

import json
import unittest

from command import ANALYSIS, StudyTest
from headroom.interval import paired_difference

STORY = ANALYSIS.parent / "scenarios" / "tuning" / "story.yaml"
P99, P50 = "messages.storage.completion_us.p99", "messages.storage.completion_us.p50"
ECN, NIC = "switches.0.ecn.storage", "nics.0"


class Story(StudyTest):
    def test_the_order_of_published_experience_and_its_mechanism(self):
        code, _, err = self.call("sweep", STORY, "--out", self.out)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(self.query("select count(*) from runs where status = 'done'"), [(60,)])
        pfc, published, tuned = (
            self.by_seed(ecn, nic)
            for ecn, nic in (("5KB", "none"), ("5KB", "dcqcn-paper}"), ("18KB", "increase_timer"))
        )
        self.assertEqual(len(pfc["seeds"]), 10)
        self.less(P99, tuned, pfc)
        self.less(P99, pfc, published)
        self.less("pfc.pauses", published, pfc)
        # No message is lost in any of them: the subject is waiting.
        for way in (pfc, published, tuned):
            self.assertEqual(set(way["drops.lossless"].values()), {0})
        # With PFC alone even a median message waits behind unrelated traffic.
        self.less(P50, published, pfc)
        self.less(P50, tuned, pfc)
        # With the published values, links are idle while senders recover: the same messages take longer in all, with
        # fewer marks than PFC alone leaves (where no sender reacts to them).
        self.less("sim_time_us", pfc, published)
        self.less("ecn.marked_fraction", published, pfc)
        # The tuned setting has hardly any pauses, and no idle links.
        self.less("pfc.paused_us", tuned, published)
        self.less("sim_time_us", tuned, published)

    def by_seed(self, ecn, nic):
        """{metric: {seed: value}} at the point whose settings contain these words."""
        found = {"seeds": set()}
        for settings, seed, summary in self.query("select settings, seed, summary from runs"):
            chosen = json.loads(settings)
            if ecn not in chosen[ECN] or nic not in chosen[NIC] or not self.is_one(chosen[NIC], nic):
                continue
            found["seeds"].add(seed)
            summary = json.loads(summary)
            for metric in (P99, P50, "pfc.pauses", "pfc.paused_us", "drops.lossless", "ecn.marked_fraction", "sim_time_us"):
                value = summary
                for step in metric.split("."):
                    value = value[step]
                found.setdefault(metric, {})[seed] = value
        return found

    @staticmethod
    def is_one(settings, words):
        return ("increase_timer" in settings) == (words == "increase_timer")

    def less(self, metric, a, b):
        """The 95 % interval of the difference, seed by seed, is below 0."""
        difference = paired_difference(b[metric], a[metric])
        self.assertLess(difference.mean, 0, metric)
        self.assertTrue(difference.excludes(0), f"{metric}: {difference.mean} ± {difference.half_width}")


if __name__ == "__main__":
    unittest.main()
