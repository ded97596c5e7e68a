"""Every change of the table, for scenarios of many kinds: it is a scenario, a different one, and the printed text
describes it."""

import re
import unittest

from command import ANALYSIS, TINY, StudyTest

from headroom import program
from headroom.changes import by_key, changed, forms
from headroom.explain import keys
from headroom.explain.counterfactuals import AHEAD, CONGESTION, CORES, LINKS, TABLE, every
from headroom.explain.search import _groups, _overlap, as_it_is, asked, case_of
from headroom.study.cores import Cores

TINY_STAR = "topology: {type: star, hosts: 4, link: {rate: 100Gbps, length: 3m}}\n"
SCENARIOS = ANALYSIS.parent / "scenarios"
KINDS = ("kv-in-region", "causes/daisy-chain", "causes/negotiated-down", "causes/wrong-dscp", "causes/slow-program", "causes/watchdog",
         "causes/storm", "causes/registration", "causes/judged/one-queue-for-all", "causes/judged/scratched-optic")  # fmt: skip


class EveryChange(StudyTest):
    def case(self, file):
        run = as_it_is(file, self.folder / "as-it-is" / file.stem, 1, Cores(1, 1))
        _, workload, split = asked(run, None, None)
        return case_of(run, program.check_file(file), workload, split["waits"])

    def test_that_the_scenario_allows_has_a_form_for_set(self):
        seen = set()
        for name in KINDS:
            file = SCENARIOS / f"{name}.yaml"
            case = self.case(file)
            made = every(case, {})
            asked_for = [forms(case.document, one.edits) for one in made]
            looked_at = iter(program.check_points(file, [{}, *(form for forms_of_one in asked_for for form in forms_of_one)]))
            as_is = next(looked_at)["digest"]
            refused = 0
            for one, wanted in zip(made, asked_for):
                found = [next(looked_at) for _ in wanted]
                refused += "error" in found[-1]
                if "error" not in found[-1] and found[-1]["digest"] != as_is:
                    seen.add(re.split("[=:]", one.id)[0])
            self.assertLess(refused, 0.4 * len(made), name)
        never = {row.id for row in TABLE} - seen
        self.assertLessEqual(never, {"link", "headroom", "queues", "cnp-interval", "placement", "sonic", "sonic-ports"}, never)
        for key in ("nics.transport.rto", "priorities.storage.strict", "switches.buffer.alpha", "faults", "nics.bugs.congestion_leaking", "workloads.asked.qp"):
            self.assertIn(key, seen)

    def test_what_one_link_holds_is_tried_at_that_link(self):
        file = SCENARIOS / "causes/daisy-chain.yaml"
        case = self.case(file)
        place = max(case.waits, key=case.waits.get)
        case.waits = {place: 10.0, "elsewhere:p0": 1.0}
        found = [one for one in every(case, {}) if one.id.startswith("link:")]
        self.assertEqual([one.words for one in found], [f"the link at {place} twice as fast"])
        case.waits = {place: 10.0, "elsewhere:p0": 8.0, "third:p0": 8.0}
        self.assertFalse([one for one in every(case, {}) if one.id.startswith("link:")])

    def test_both_queues_of_a_service_grow_together(self):
        network = "mtu: 1024B\ntopology: {type: star, hosts: 2, link: {rate: 100Gbps, delay: 100us}}\nduration: 2ms\n"
        calls = "workloads: [{name: calls, type: rpc, service: rpc, answer: 4MiB}]\n"
        for queues, tried in (("sq: 16, rq: 20", ["64", "80"]), ("sq: 2048, rq: 128", None)):
            service = f"services: [{{name: rpc, type: brpc, clients: h0, servers: h1, {queues}}}]\n"
            case = self.case(self.write(f"queues-{tried is None}.yaml", network + service + calls))
            found = [[value for _, value in one.edits] for one in every(case, {}) if one.id.startswith("queues")]
            self.assertEqual(found, [tried] if tried else [])

    def test_what_is_tried_fits_the_percentile_that_is_asked_about(self):
        run = as_it_is(SCENARIOS / "causes/bystander.yaml", self.folder / "as-it-is", 1, Cores(1, 1))
        split = run.summary["messages"]["asked"]["parts_us"]
        for percentile in ("p50", "p99"):
            metric, workload, found = asked(run, f"messages.asked.completion_us.{percentile}", None)
            self.assertEqual((metric.rpartition(".")[2], workload), (percentile, "asked"))
            wanted = {part: us / sum(split[percentile].values()) for part, us in split[percentile].items() if us > 0}
            self.assertEqual({part: round(share, 9) for part, share in found["parts"].items()}, {part: round(share, 9) for part, share in wanted.items()})

    def test_a_class_of_its_own_is_possible_where_the_others_have_a_default(self):
        """With two classes besides cnp, neither is the default of the other workload."""
        classes = "priorities: {rdma: {priority: 3, dscp: 26, lossless: true}, cnp: {priority: 6, dscp: 48, strict: true}}\n"
        load = "duration: 50us\nworkloads: [{name: small, type: permutation, size: 4KB}, {name: big, type: permutation, size: 40KB}]\n"
        file = self.write("classes.yaml", TINY_STAR + classes + load)
        case = self.case(file)
        own = [one.edits for one in every(case, {}) if one.id == "class:first"]
        found = program.check_points(file, [forms(case.document, edits)[-1] for edits in own])
        self.assertTrue([point for point in found if "digest" in point], found)


class KeysOfTheSchema(unittest.TestCase):
    """The changes of a document, by their ids."""

    DOCUMENT = {
        "priorities": {"storage": {"priority": "3", "lossless": "true", "weight": "1"}, "bulk": {"priority": "4", "lossless": "false", "weight": "1"}},
        "nics": [
            {"match": "*", "transport": {"rto": "4ms", "ack_priority": "same"}, "congestion_control": {"type": "swift", "base": "20us"}},
            {"match": "h1", "transport": {"rto": "8ms"}},
        ],
        "hosts": [{"match": "*", "clock": "2.5GHz"}],
        "workloads": [{"name": "w", "type": "poisson", "priority": "storage", "load": "0.2", "qp": {"per_pair": "1"}}],
        "faults": [{"type": "link_down", "link": ["a", "b"]}, {"type": "pause_storm", "node": "h1"}],
    }

    def made(self):
        return {change: (words, edits, cost) for change, words, _, edits, cost, _ in keys.changes(self.DOCUMENT)}

    def test_change_together_where_entries_have_the_same_key(self):
        made = self.made()
        rto = [("nics", i, "transport", "rto") for i in (0, 1)]
        self.assertEqual(made["nics.transport.rto=/4"], ("nics.transport.rto / 4", list(zip(rto, ("1ms", "2ms"))), "setting"))
        self.assertEqual(made["nics.transport.rto=8ms"][1], [(rto[0], "8ms")])
        self.assertEqual(made["nics.transport.ack_priority=cnp"], ("nics.transport.ack_priority from same to cnp", [(("nics", 0, "transport", "ack_priority"), "cnp")], "setting"))

    def test_take_the_values_that_the_schema_lists(self):
        made = self.made()
        self.assertEqual(made["nics.congestion_control.base=*4"][1], [(("nics", 0, "congestion_control", "base"), "80us")])
        self.assertEqual(made["nics.congestion_control=none"][2], "reconfiguration")
        self.assertEqual(made["hosts.clock=*2"][1:], ([(("hosts", 0, "clock"), "5GHz")], "hardware"))
        self.assertEqual(made["workloads.w.load=/2"][1:], ([(("workloads", 0, "load"), "0.1")], "diagnosis"))
        self.assertEqual(made["workloads.w.priority=bulk"][1], [(("workloads", 0, "priority"), "bulk")])
        self.assertNotIn("workloads.w.priority=storage", made)
        self.assertEqual(made["priorities.bulk.lossless=true"][2], "setting")
        self.assertEqual(made["nics.transport.recovery=counter"][1], [(("nics", 0, "transport", "recovery"), "counter")])

    def test_leave_out_each_fault(self):
        made, faults = self.made(), self.DOCUMENT["faults"]
        self.assertEqual(made["faults=without-0"], ("without the link down at a–b", [(("faults",), faults[1:])], "repair"))
        self.assertEqual(made["faults=without"][1], [(("faults",), [])])

    def test_that_run_together_are_of_different_keys(self):
        from types import SimpleNamespace

        trials = [SimpleNamespace(variant=SimpleNamespace(id=change, edits=edits)) for change, (_, edits, _) in self.made().items()]
        groups = _groups(trials)
        self.assertEqual(sum(map(len, groups)), len(trials))
        for group in groups:
            self.assertLessEqual(len(group), 8)
            kinds = [trial.variant.id.partition("=")[0] for trial in group]
            self.assertEqual(len(set(kinds)), len(kinds))
        self.assertTrue(_overlap([(("a",), 1), (("b",), 1), (("a", 0, "c"), 2)]))
        self.assertFalse(_overlap([(("a", 0), 1), (("a", 1), 2)]))


class Forms(StudyTest):
    def test_the_short_one_is_not_taken_where_the_order_of_entries_gives_it_another_meaning(self):
        # The file has no entry for all NICs: `nics."*"` creates one, after that of h0, whose timeout it overrides.
        nics = "nics: [{match: h0, transport: {rto: 8ms}}]\n"
        file = self.write("tiny.yaml", TINY + nics)
        document = as_it_is(file, self.folder / "as-it-is", 1, Cores(1, 1)).scenario.document
        self.assertEqual([entry["transport"]["rto"] for entry in document["nics"]], ["4ms", "8ms"])
        edits = [(("nics", i, "transport", "rto"), rto) for i, rto in enumerate(("1ms", "2ms"))]
        short, whole = forms(document, edits)
        meant = self.write("meant.yaml", TINY + 'nics: [{match: "*", transport: {rto: 1ms}}, {match: h0, transport: {rto: 2ms}}]\n')
        digests = [point["digest"] for point in program.check_points(file, [short, whole])]
        self.assertEqual(digests[1], program.check_points(meant, [{}])[0]["digest"])
        self.assertNotEqual(digests[0], digests[1])

    def test_an_entry_that_is_appended_and_a_list_of_patterns(self):
        document = {"switches": [{"match": "*", "latency": "1us"}], "nics": [{"match": ["h0", "h[1-2]"], "bugs": {"a.b": "true"}}]}
        edits = [(("switches", 1), {"match": "s1", "pfc": {"enabled": "false"}}), (("nics", 0, "bugs", "a.b"), "false")]
        self.assertEqual(by_key(document, edits), {'switches."s1".pfc': "{enabled: false}", 'nics."[h0,h[1-2]]".bugs."a.b"': "false"})
        self.assertEqual(changed(document, edits)["switches"][1], {"match": "s1", "pfc": {"enabled": "false"}})
        self.assertEqual(len(document["switches"]), 1)


class Documentation(unittest.TestCase):
    def test_has_the_table(self):
        page = (ANALYSIS.parent / "docs/explain.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| `([a-z-]+)` \| (.*?) \| ", page, re.M)
        self.assertEqual(rows, [(row.id, row.words) for row in TABLE])

    def test_parts_are_those_of_results(self):
        from headroom.csv_file import MESSAGE_PARTS, PARTS

        self.assertLessEqual({*AHEAD, *CONGESTION, *CORES, *LINKS}, {*MESSAGE_PARTS, *PARTS})


if __name__ == "__main__":
    unittest.main()
