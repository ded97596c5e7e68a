// Lossless groups and queues that the scenario's own workloads overrun. In random scenarios without faults
// `check` has found every drop, and every drop that it finds takes place.
#include "analysis/check/buffers/check_overrun.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "analysis/check/check.h"
#include "analysis/scenario_of.h"
#include "run/run.h"
#include "support/in_child.h"
#include "support/own_tables.h"

namespace headroom::check_overrun_test {
namespace {

using ::testing::HasSubstr;
using Severity = Finding::Severity;

/// The place where `check` reports drops for this reason.
const char* PlaceOf(DropReason reason) {
  switch (reason) {
    case DropReason::egress_limit:
      return "egress";
    case DropReason::headroom_full:
      return "headroom of";
    case DropReason::group_cap:
      return "←";
    default:
      return "memory";
  }
}

/// Whether a run lost lossless frames, for each drop reason.
std::array<bool, kDropReasons> Lost(const Scenario& s) {
  std::array<bool, kDropReasons> lost{};
  const RunRecord r = headroom::Run(s, {});
  for (const PortRecord& port : r.ports) {
    for (int p = 0; p < kPriorities; ++p) {
      for (int i = 0; i < kDropReasons; ++i)
        lost[i] = lost[i] || (s.classes[p].lossless && port.priority[p].drops[i] > 0);
    }
  }
  return lost;
}

bool SaysDropped(const Finding& f) {
  return f.severity == Severity::error && f.what.find("slows the senders down") != std::string::npos;
}

/// What differs between run and findings; "" where they agree.
std::string Disagreement(const Scenario& s) {
  const Fabric fabric(s);
  const Findings findings = CheckScenario(fabric).findings;
  const auto lost = Lost(s);
  std::string text;
  for (int i = 0; i < kDropReasons; ++i) {
    const auto reason = static_cast<DropReason>(i);
    const bool found = std::ranges::any_of(findings, [&](const Finding& f) {
      return f.severity != Severity::note && f.where.find(PlaceOf(reason)) != std::string::npos;
    });
    if (lost[i] && !found) text += fmt::format("dropped for {} without a finding\n", DropReasonName(reason));
  }
  const bool any = std::ranges::count(lost, true) > 0;
  for (const Finding& f : findings)
    if (SaysDropped(f) && !any) text += "not dropped: " + f.what + '\n';
  return text;
}

/// Hosts on one switch at 100 Gb/s, without congestion control unless `more` sets it.
Scenario Star(int hosts, const std::string& workloads, const OwnTables& tables,
              const std::string& more = "nics: [{match: \"*\", congestion_control: none}]\n") {
  return StarOf(hosts, "deadline: 20ms\n" + more + "workloads:\n" + workloads + tables.Text());
}

struct Case {
  const char* name;
  Scenario scenario;
  const char* where;  ///< place of the error; empty: none
};

std::vector<Case> Cases() {
  const OwnTables fixed{.in = "mode: static, size: 10MB", .pg = "size: 0, xoff: 20000, static_th: 300000"};
  const auto with = [](OwnTables tables, const std::string& q, const std::string& in = "") {
    tables.q = q;
    if (!in.empty()) tables.in = in;
    return tables;
  };
  const std::string burst = "  - {name: a, type: incast, size: SIZE, from: FROM, to: TO, at: ATus}\n";
  const auto bursts = [&](const char* size, const char* from, const char* to, const char* at = "10") {
    std::string text = burst;
    for (const auto& [key, value] :
         {std::pair("SIZE", size), std::pair("FROM", from), std::pair("TO", to), std::pair("AT", at)})
      text.replace(text.find(key), std::string(key).size(), value);
    return text;
  };
  const auto renamed = [](std::string text, const char* name) {
    return text.replace(text.find("name: a"), 7, std::string("name: ") + name);
  };
  std::vector<Case> cases;
  // Each of 8 senders' 300 kB waits as 293 frames of 1102 B, of which 7/8 stay: 2.26 MB.
  cases.push_back({"headers count",
                   Star(9, bursts("300KB", "\"*\"", "h0"), with(fixed, "static_th: 2150000")),
                   "class storage, egress"});
  // Of 160 kB 1.2 MB stay, of twice as much 2.4 MB.
  cases.push_back({"one burst alone fits",
                   Star(9, bursts("160KB", "\"*\"", "h0"), with(fixed, "static_th: 2000000")), ""});
  cases.push_back({"two bursts at once",
                   Star(9, bursts("160KB", "\"*\"", "h0") + renamed(bursts("160KB", "\"*\"", "h0"), "b"),
                        with(fixed, "static_th: 2000000")),
                   "class storage, egress"});
  // The two queues of each group share its 300 kB.
  cases.push_back(
      {"two targets share the groups",
       Star(10, bursts("300KB", "\"h[2-9]\"", "h0") + renamed(bursts("300KB", "\"h[2-9]\"", "h1"), "b"),
            with(fixed, "static_th: 2000000")),
       ""});
  // Two groups take 2/3 of 4 MB in 213 us. Then three more groups grow by x each until x = 4/3 MB − 2 x,
  // while x leaves: 0.44 MB, together 3.56 MB. Five groups at once would hold 5/6, 3.33 MB.
  const OwnTables dynamic{.in = "mode: dynamic, size: 4MB, xoff: 1MB", .q = "static_th: 3400000"};
  cases.push_back(
      {"groups that fill one after another",
       Star(6, bursts("8MB", "[h1, h2]", "h0") + renamed(bursts("3MB", "[h3, h4, h5]", "h0", "250"), "b"),
            dynamic),
       "class storage, egress"});
  // Each of 16 groups adds at least 2 frames when they pause, together 35 kB.
  cases.push_back({"a headroom pool for some groups",
                   Star(17, bursts("400KB", "\"*\"", "h0"),
                        with(fixed, "static_th: 40000000", "mode: static, size: 10MB, xoff: 16000")),
                   "headroom of in"});
  // A lone queue takes 2/3 of 4 MB, and 8 groups hold 2 MB. When another queue has 2 MB, it takes 4/3 MB.
  OwnTables both{.in = "mode: static, size: 10MB",
                 .out = "mode: dynamic, size: 4MB",
                 .pg = "size: 0, xoff: 20000, static_th: 250000",
                 .q = "dynamic_th: 1"};
  both.groups = "\"*|3-4\": {profile: pg}, \"*|6\": {profile: in_lossy}";
  cases.push_back(
      {"another class takes the queue's pool",
       Star(10,
            bursts("600KB", "\"h[2-9]\"", "h0") +
                renamed(bursts("600KB", "\"h[2-9]\"", "h1"), "b, priority: two"),
            both,
            "nics: [{match: \"*\", congestion_control: none}]\npriorities: {storage: {priority: 3, dscp: 3, "
            "lossless: true}, two: {priority: 4, dscp: 4, lossless: true}, cnp: {priority: 6, dscp: 48, "
            "strict: "
            "true}}\n"),
       "egress"});
  cases.push_back({"streams hold no more than they have in flight",
                   Star(9, "  - {name: a, type: stream, message: 16KB, in_flight: 4, from: \"*\", to: h0}\n",
                        with(fixed, "static_th: 1000000")),
                   ""});
  // 8 · 12.5 B/ns reach 300 kB in 3.4 us; the first CNP arrives after about 4 us.
  cases.push_back({"marks come too late",
                   Star(9, bursts("1MB", "\"*\"", "h0"), with(fixed, "static_th: 300000"),
                        "nics: [{match: \"*\", transport: {ack_priority: cnp}}]\n"),
                   "class storage, egress"});
  return cases;
}

TEST(CheckOverrun, TellsWhatRunsDrop) {
  for (const Case& c : Cases()) {
    SCOPED_TRACE(c.name);
    const Fabric fabric(c.scenario);
    const Findings findings = CheckScenario(fabric).findings;
    const auto said = std::ranges::find_if(findings, SaysDropped);
    EXPECT_EQ(said != findings.end(), *c.where != 0);
    EXPECT_THAT(said == findings.end() ? "" : said->where, HasSubstr(c.where));
    InChild([&] { EXPECT_EQ(std::ranges::count(Lost(c.scenario), true) > 0, *c.where != 0); });
  }
}

/// Small buffers of all kinds, in which bursts and streams meet.
class RandomOverrun {
 public:
  explicit RandomOverrun(uint32_t seed) : random_(seed) {}

  std::string Text() {
    const bool leaves = Of(3) == 0, two = Of(3) == 0, marks = Of(4) == 0;
    hosts_ = leaves ? 8 : 5 + 4 * Of(4);
    const int rate = OneOf({25, 40, 100}), metres = OneOf({5, 40, 300});
    std::string text = fmt::format("name: r\nduration: 500us\ndeadline: 5ms\ntopology: {}\n",
                                   Topology(leaves, rate, metres));
    text += "priorities:\n  storage: {priority: 3, dscp: 3, lossless: true}\n";
    if (two) text += "  two: {priority: 4, dscp: 4, lossless: true}\n";
    text += "  bulk: {priority: 1, dscp: 1}\n  cnp: {priority: 6, dscp: 48, strict: true}\n";
    text += fmt::format("nics: [{{match: \"*\", congestion_control: {}}}]\nworkloads:\n",
                        marks ? "dcqcn" : "none");
    for (int i = 0, n = 1 + Of(3); i < n; ++i)
      text += Workload(i, i > 0 && Of(3) == 0 ? "bulk" : two && Of(2) == 0 ? "two" : "storage");
    return text + Tables(two, marks).Text();
  }

 private:
  int Of(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }
  int OneOf(std::initializer_list<int> of) { return *(of.begin() + Of(static_cast<int>(of.size()))); }

  std::string Topology(bool leaves, int rate, int metres) {
    if (!leaves)
      return fmt::format("{{type: star, hosts: {}, link: {{rate: {}Gbps, length: {}m}}}}", hosts_, rate,
                         metres);
    return fmt::format(
        "{{type: leaf_spine, leaves: 2, spines: {}, hosts_per_leaf: 4, host_link: {{rate: {}Gbps, length: "
        "{}m}}, "
        "fabric_link: {{rate: {}Gbps, length: {}m}}}}",
        OneOf({1, 2}), rate, metres, OneOf({100, 400}), metres);
  }
  std::string Workload(int i, const char* priority) {
    const std::string what = fmt::format("name: w{}, priority: {}, from: {}, to: h{}", i, priority,
                                         Of(4) > 0 ? "\"*\"" : "[h2, h3, h4]", OneOf({0, 0, 1}));
    const int at = 10 + OneOf({0, 0, 0, 5, 40});
    if (Of(5) == 0) return List(i, priority, at);
    if (Of(3) > 0)
      return fmt::format("  - {{{}, type: incast, size: {}KB, at: {}us}}\n", what, OneOf({64, 200, 400}), at);
    return fmt::format("  - {{{}, type: stream, message: {}KB, in_flight: {}, start: {}us, stop: {}us}}\n",
                       what, OneOf({16, 100}), OneOf({1, 4}), at, at + 150);
  }
  std::string List(int i, const char* priority, int at) {
    std::string text = fmt::format("  - {{name: w{}, priority: {}, type: list, messages: [", i, priority);
    for (int m = 0; m < 8; ++m)
      text += fmt::format("{}{{at: {}us, from: h{}, to: h{}, size: {}KB}}", m == 0 ? "" : ", ",
                          at + OneOf({0, 0, 10}), 2 + Of(hosts_ - 2), Of(2), OneOf({200, 400}));
    return text + "]}\n";
  }
  OwnTables Tables(bool two, bool marks) {
    const bool dynamic = Of(2) == 0, dynamic_queue = Of(3) == 0;
    OwnTables t;
    t.size = "60MB";
    t.in = fmt::format("mode: {}, size: {}KB, xoff: {}KB", dynamic ? "dynamic" : "static",
                       OneOf({1'000, 4'000, 12'000}), OneOf({50, 200, 2'000}));
    t.out = fmt::format("mode: {}, size: {}MB", dynamic_queue ? "dynamic" : "static", OneOf({4, 20, 40}));
    t.pg = fmt::format("size: {}, xon: 0, xon_offset: 4000, xoff: {}KB, {}", OneOf({0, 2'000, 20'000}),
                       OneOf({20, 60, 200}),
                       dynamic ? fmt::format("dynamic_th: {}", OneOf({-5, -3, -1, 0, 2}))
                               : fmt::format("static_th: {}KB", OneOf({20, 50, 100, 300})));
    t.q = dynamic_queue ? fmt::format("dynamic_th: {}", OneOf({-2, 0, 1}))
                        : fmt::format("static_th: {}KB", OneOf({300, 1'000, 3'000, 6'000}));
    t.groups = fmt::format(
        "\"*|{}\": {{profile: pg}}, \"*|1\": {{profile: in_lossy}}, \"*|6\": {{profile: in_lossy}}",
        two ? "3-4" : "3");
    if (marks) t.more = "    ecn: {storage: {kmin: 50KB, kmax: 200KB, pmax: 10%}}\n";
    return t;
  }

  std::mt19937 random_;
  int hosts_ = 0;
};

TEST(CheckOverrun, AgreesWithRunsOfRandomScenarios) {
  int said = 0;
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    const std::string text = RandomOverrun(seed).Text();
    const Scenario s = ScenarioOf(text);
    const Fabric fabric(s);
    said += std::ranges::any_of(CheckScenario(fabric).findings, SaysDropped);
    EXPECT_EQ(TextFromChild([&] { return Disagreement(s); }), "") << text;
  }
  EXPECT_GT(said, 5);
}

}  // namespace
}  // namespace headroom::check_overrun_test
