"""Every change of the table, for scenarios of many kinds: it is a scenario, a different one, and the printed text
describes it."""

import re
import unittest

from command import ANALYSIS, TINY, StudyTest

from headroom import program
from headroom.changes import by_key, changed, forms
from headroom.explain import control_changes
from headroom.explain.counterfactuals import EVERY, TABLE, Case, every
from headroom.explain.search import as_it_is, asked, case_of
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

    def test_is_a_scenario_of_its_own_and_has_a_short_form(self):
        seen = set()
        for name in KINDS:
            file = SCENARIOS / f"{name}.yaml"
            case = self.case(file)
            made = every(case)
            asked_for = [forms(case.document, one.edits) for one in made]
            looked_at = iter(program.check_points(file, [{}, *(form for forms_of_one in asked_for for form in forms_of_one)]))
            as_is = next(looked_at)["digest"]
            for one, wanted in zip(made, asked_for):
                found = [next(looked_at) for _ in wanted]
                with self.subTest(scenario=name, change=one.id):
                    self.assertNotIn("error", found[-1])
                    self.assertNotEqual(found[-1]["digest"], as_is)
                    seen.add(one.id.partition(":")[0])
        never = {row.id for row in TABLE} - seen
        self.assertLessEqual(never, {"dcqcn", "link", "devices", "chunk", "headroom", "processes", "queues", "cores", "clocks", "cnp-interval", "window", "routing", "link-order", "policy", "control"}, never)

    def test_what_one_link_holds_is_tried_at_that_link(self):
        file = SCENARIOS / "causes/daisy-chain.yaml"
        case = self.case(file)
        place = max(case.waits, key=case.waits.get)
        case.waits = {place: 10.0, "elsewhere:p0": 1.0}
        found = [one for one in every(case) if one.id.startswith("link:")]
        self.assertEqual([one.words for one in found], [f"the link at {place} twice as fast"])
        case.waits = {place: 10.0, "elsewhere:p0": 8.0, "third:p0": 8.0}
        self.assertFalse([one for one in every(case) if one.id.startswith("link:")])

    def test_both_queues_of_a_service_grow_together(self):
        network = "mtu: 1024B\ntopology: {type: star, hosts: 2, link: {rate: 100Gbps, delay: 100us}}\nduration: 2ms\n"
        calls = "workloads: [{name: calls, type: rpc, service: rpc, answer: 4MiB}]\n"
        for queues, tried in (("sq: 16, rq: 20", ["64", "80"]), ("sq: 2048, rq: 128", None)):
            service = f"services: [{{name: rpc, type: brpc, clients: h0, servers: h1, {queues}}}]\n"
            case = self.case(self.write(f"queues-{tried is None}.yaml", network + service + calls))
            found = [[value for _, value in one.edits] for one in every(case) if one.id.startswith("queues")]
            self.assertEqual(found, [tried] if tried else [])

    def test_another_policy_is_held_against_sonics(self):
        load = "duration: 20us\nworkloads: [{name: perm, type: permutation, size: 20KB}]\n"
        kinds = {
            "reverie": ("alpha: 1/4, policy: reverie", {"policy", "alpha", "buffer"}),
            "static": ("policy: {type: static, limit: 200KB}", {"policy", "buffer"}),
            "sonics": ("alpha: 0.37", {"alpha", "buffer"}),
        }
        for name, (buffer, tried) in kinds.items():
            file = self.write(f"policy-{name}.yaml", TINY_STAR + load + f"switches: [{{match: '*', buffer: {{profile: azure-24mb, {buffer}}}}}]\n")
            found = {one.id.partition(":")[0] for one in every(self.case(file))} & {"policy", "alpha", "buffer"}
            self.assertEqual(found, tried, name)

    def test_keys_of_a_control_are_tried_at_hosts_that_have_it(self):
        """Each is a different scenario; DCQCN's keys and marks are tried only if a control reads them."""
        load = "duration: 20us\nworkloads: [{name: perm, type: permutation, size: 20KB}]\nswitches: [{match: '*', ecn: {storage: {kmin: 9KB, kmax: 9KB, pmax: 100%}}}]\n"
        marks, of_dcqcn = {"ecn-thresholds:x2"}, {"rate-recovery"}
        for name, keys, others in (
            ("dcqcn", set(), marks | of_dcqcn),
            ("hpcc", {"eta", "max_stage", "additive"}, set()),
            ("timely", {"low", "high", "additive", "beta"}, set()),
            ("dctcp", {"g", "initial_window"}, marks),
            ("swift", {"base", "scaling", "endpoint", "ai"}, set()),
            ("receiver_credit", {"share"}, set()),
            ("none", set(), set()),
        ):
            nics = f"nics: [{{match: '*', congestion_control: {name}}}, {{match: h3, congestion_control: none}}]\n"
            file = self.write(f"control-{name}.yaml", TINY_STAR + load + nics)
            case = self.case(file)
            made = every(case)
            own = [one for one in made if one.id.startswith("control:")]
            self.assertEqual({re.fullmatch(rf"control:{name}-([a-z_]+)-.*", one.id)[1] for one in own}, keys, name)
            self.assertEqual({one.id for one in made} & (marks | of_dcqcn), others, name)
            looked_at = program.check_points(file, [{}, *(by_key(case.document, one.edits) for one in own)])
            self.assertEqual([change["error"] for change in looked_at if "error" in change], [])
            digests = [change["digest"] for change in looked_at]
            self.assertEqual(len(set(digests)), 1 + len(own), name)

    def test_of_a_control_that_is_not_known_all_numbers_are_tried(self):
        control = {"type": "aimd", "step": "1.5", "least": "3", "rate": "10Gbps", "mode": "fast"}
        case = Case({"workloads": [{"name": "w"}], "nics": [{"match": "*", "congestion_control": control}]}, {}, "w", {}, [], {})
        found = {one[0]: one[2] for one in control_changes.keys(case)}
        path = ("nics", 0, "congestion_control")
        self.assertEqual(
            found,
            {"aimd-step-×2": [((*path, "step"), "3")], "aimd-step-/2": [((*path, "step"), "0.75")],
             "aimd-least-×2": [((*path, "least"), "6")], "aimd-least-/2": [((*path, "least"), "2")],
             "aimd-rate-×2": [((*path, "rate"), "20Gbps")], "aimd-rate-/2": [((*path, "rate"), "5Gbps")]},
        )

    def test_what_lets_packets_overtake_is_tried_where_there_is_some(self):
        links = "host_link: {rate: 100Gbps, length: 3m}, fabric_link: [{match: '*', rate: 100Gbps, length: 30m, reorder: {probability: 1%, delay: 0us..2us}}]"
        network = f"topology: {{type: leaf_spine, leaves: 2, spines: 2, hosts_per_leaf: 2, {links}}}\n"
        load = "duration: 20us\nworkloads: [{name: perm, type: permutation, size: 20KB}]\n"
        for routing, tried in (("spray", {"routing", "link-order"}), ("ecmp", {"link-order"})):
            file = self.write(f"order-{routing}.yaml", network + load + f"switches: [{{match: 'leaf*', routing: {routing}}}]\n")
            case = self.case(file)
            found = [one for one in every(case) if one.id in ("routing", "link-order")]
            self.assertEqual({one.id for one in found}, tried)
            for one in found:
                as_is, *without = (point["digest"] for point in program.check_points(file, [{}, *forms(case.document, one.edits)]))
                self.assertNotIn(as_is, without)

    def test_a_window_is_tried_where_there_is_one(self):
        for window, tried in (("window: 4KiB", 1), ("rto: 8ms", 0)):
            file = self.write(f"windows{tried}.yaml", TINY + f"nics: [{{match: '*', transport: {{{window}}}}}]\n")
            case = self.case(file)
            found = [one for one in every(case) if one.id == "window"]
            self.assertEqual(len(found), tried, window)
            for one in found:
                forms_of = forms(case.document, one.edits)
                as_is, *without = (point["digest"] for point in program.check_points(file, [{}, *forms_of]))
                none = self.write("none.yaml", TINY + "nics: [{match: '*', transport: {window: none}}]\n")
                self.assertEqual(without[-1], program.check_points(none, [{}])[0]["digest"])
                self.assertNotEqual(without[-1], as_is)

    def test_what_is_tried_fits_the_percentile_that_is_asked_about(self):
        run = as_it_is(SCENARIOS / "causes/bystander.yaml", self.folder / "as-it-is", 1, Cores(1, 1))
        split = run.summary["messages"]["asked"]["parts_us"]
        for percentile in ("p50", "p99"):
            metric, workload, found = asked(run, f"messages.asked.completion_us.{percentile}", None)
            self.assertEqual((metric.rpartition(".")[2], workload), (percentile, "asked"))
            wanted = {part: us / sum(split[percentile].values()) for part, us in split[percentile].items() if us > 0}
            self.assertEqual({part: round(share, 9) for part, share in found["parts"].items()}, {part: round(share, 9) for part, share in wanted.items()})


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

        self.assertLessEqual(set(EVERY), {*MESSAGE_PARTS, *PARTS})


if __name__ == "__main__":
    unittest.main()
