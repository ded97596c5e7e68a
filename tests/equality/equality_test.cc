// Every scenario gives the same files in one part, in several, and in several processes.
//
// Without settings the matrix has few scenarios, which together have every feature. With
// HEADROOM_EQUALITY=all it has every shipped scenario, and more cuts of each (`./test long`).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "protocol/keyvalue/key_value_parameters.h"
#include "protocol/storage/storage_parameters.h"
#include "run/run.h"
#include "scenario/paths/cut.h"
#include "support/fewer.h"
#include "support/first_difference.h"
#include "support/in_child.h"
#include "support/random_cut.h"
#include "support/rank_processes.h"
#include "support/short_runs.h"
#include "support/test_folder.h"
#include "support/time_of_event.h"

namespace headroom::equality_test {
namespace {

namespace fs = std::filesystem;

struct Row {
  std::string scenario;             ///< below the source tree
  std::vector<std::string> has{};   ///< features that its run must show (FeaturesOf)
  std::vector<std::string> sets{};  ///< as `--set`
  uint64_t events = 60'000;         ///< the run ends at the time of this event
};

void PrintTo(const Row& row, std::ostream* to) { *to << row.scenario; }

/// The matrix of each change.
std::vector<Row> Sixteen() {
  return {{"scenarios/region.yaml", {"storage"}, {"warmup=0us"}, 250'000},
          {"scenarios/kv-in-region.yaml", {"keys"}, {"warmup=0us"}, 150'000},
          {"scenarios/applications.yaml",
           {"applications", "keys", "TCP", "messages"},
           {"warmup=0us", "workloads.storage.load=1%", "workloads.rdma_gets.start=0us",
            "workloads.smc_gets.start=0us", "workloads.vma_gets.start=0us"},
           150'000},
          {"scenarios/cache.yaml",
           {"TCP", "keys"},
           {"warmup=0us", "workloads.requests.start=0us", "services.cache.transport=tcp"}},
          {"scenarios/policies.yaml", {"TCP", "storage"}, {"warmup=0us"}, 100'000},
          {"tests/equality/failover.yaml", {"storage", "failover", "TCP", "faults", "estats"}, {}, 300'000},
          {"scenarios/papers/rdmavisor-fig8.yaml", {"connections"}},
          {"scenarios/causes/storm.yaml", {"storms", "pauses", "messages"}},
          {"scenarios/causes/watchdog.yaml", {"watchdogs", "drops", "pauses"}},
          {"scenarios/causes/slow-program.yaml", {"verbs"}},
          {"scenarios/causes/far-reads.yaml", {"READs"}},
          {"tests/equality/chassis.yaml",
           {"chassis", "loss", "faults", "READs", "verbs", "estats", "marks"},
           {},
           200'000},
          {"tests/equality/several-paths.yaml", {"loss", "READs", "messages", "faults"}, {}, 200'000},
          {"tests/equality/several-paths.yaml",
           {"loss", "READs", "messages", "faults"},
           {"nics.0.transport.recovery=selective_repeat", "nics.0.transport.window=bdp"},
           200'000},
          {"tests/equality/ring.yaml", {"messages", "loss"}, {}, 200'000},
          {"tests/equality/rails.yaml", {"messages", "READs", "loss"}, {}, 200'000},
          {"tests/equality/two-ports.yaml", {"loss", "READs", "messages", "faults", "storms"}, {}, 200'000}};
}

/// Sanitizer builds run one row in six.
std::vector<Row> Rows() {
  std::vector<Row> rows = Sixteen();
  if (kFewerScenarios) return {rows[5], rows[11]};
  if (!RunsAll()) return rows;
  const auto known = [&](const std::string& scenario) {
    return std::ranges::any_of(rows, [&](const Row& row) { return row.scenario == scenario; });
  };
  for (const std::string& scenario : ShippedScenarios()) {
    if (!known(scenario)) rows.push_back({scenario, {}});
  }
  return rows;
}

bool OnTcp(const Scenario& scenario) {
  return std::ranges::any_of(scenario.services,
                             [](const AnyService& s) { return s->TcpClass().has_value(); });
}

std::set<std::string> FeaturesOf(const Scenario& scenario, const RunRecord& r) {
  std::set<std::string> features;
  const auto add = [&features](const std::string& name, bool seen) {
    if (seen) features.insert(name);
  };
  const auto event = [&r](const std::string& kind) {
    return std::ranges::any_of(r.events_log, [&](const EventRecord& e) { return e.kind == kind; });
  };
  const auto messages = [&](const auto& of) {
    return std::ranges::any_of(r.messages, [&](const MessageRecord& m) {
      return m.Finished() && of(scenario.workloads[m.workload]);
    });
  };
  for (size_t w = 0; w < scenario.workloads.size(); ++w) {
    if (!OffersOperations(scenario.workloads[w])) continue;
    const AnyService& service = scenario.services[ServiceOf(scenario.workloads[w])];
    const bool finished =
        std::ranges::any_of(r.operation_totals[w], [](const auto& t) { return t.finished > 0; });
    add(service.Find<StorageParameters>() != nullptr    ? "storage"
        : service.Find<KeyValueParameters>() != nullptr ? "keys"
        : service->IsApplication()                      ? "applications"
                                                        : "connections",
        finished);
  }
  add("messages", messages([](const WorkloadParameters& w) { return !w.arrivals->OnVerbs(); }));
  add("verbs", messages([](const WorkloadParameters& w) { return w.arrivals->OnVerbs(); }));
  add("READs", messages([](const WorkloadParameters& w) { return w.verb == Operation::read_request; }));
  add("chassis", std::ranges::any_of(scenario.switches, [](const auto& s) { return s.chassis.has_value(); }));
  add("pauses", !r.pauses.empty());
  add("storms", std::ranges::any_of(r.pauses, [](const PauseRecord& p) { return p.storm; }));
  add("watchdogs", event("watchdog_detected"));
  add("failover", event("failover"));
  add("faults", event("fault_stop"));
  add("drops", event("first_drop"));
  add("marks", event("first_mark"));
  add("loss", r.retransmitted_packets > 0);
  add("estats", !r.estats.empty());
  add("TCP", OnTcp(scenario));
  return features;
}

/// Runs the scenario until `deadline` and writes its files. Empty without files: on a rank that has none.
void RunUntil(Time deadline, const ScenarioFile& file, RunOptions options, const fs::path& folder,
              const std::vector<std::string>& has = {}) {
  Scenario scenario = file.scenario;
  scenario.deadline = std::min(scenario.deadline, deadline);
  const bool writes = options.exchange == nullptr || options.exchange->rank() == 0;
  RunRecord record = headroom::Run(scenario, options);
  if (!writes) return;
  const std::set<std::string> features = FeaturesOf(scenario, record);
  for (const std::string& feature : has)
    EXPECT_TRUE(features.contains(feature))
        << scenario.name << " has no " << feature << ", but " << fmt::format("{}", fmt::join(features, ", "));
  WriteRun(file, record, folder);
}

class Equality : public testing::TestWithParam<Row> {
 protected:
  void InOnePart(const std::vector<std::string>& has) {
    deadline_ = TimeOfEvent(GetParam().events, file_.scenario);
    InChild([&] { RunUntil(deadline_, file_, {}, folder_ / "whole", has); });
  }
  /// `how`: a name for the cut.
  void Compare(const std::vector<int>& parts, int ranks, const std::string& how) {
    const fs::path folder = folder_ / fmt::format("{}-{}", how, ranks);
    RunOptions options;
    options.parts = parts;
    if (ranks == 1) {
      InChild([&] { RunUntil(deadline_, file_, options, folder); });
    } else {
      TextFromRanks(ranks, [&](Exchange& exchange) {
        options.exchange = &exchange;
        RunUntil(deadline_, file_, options, folder);
        return std::string();
      });
    }
    ++compared_;
    EXPECT_EQ(FirstDifference(folder_ / "whole", folder), "")
        << GetParam().scenario << ", " << how << ", " << ranks << " ranks";
  }
  /// Fewer parts, if only the hosts of services and one switch can be cut.
  void CompareRandomCut(int parts, int ranks, uint64_t seed) {
    const std::vector<NodeId> together = HostsOfFirstRank(file_.scenario, false);
    std::vector<int> cut = RandomCut(file_.scenario.topology, together, parts, seed);
    if (cut.empty()) cut = RandomCut(file_.scenario.topology, together, parts = 2, seed);
    if (!cut.empty() && parts >= ranks)
      Compare(cut, ranks, fmt::format("random cut {} into {} parts", seed, parts));
  }
  /// As `--ranks` cuts, if it can.
  void CompareRanks(int ranks) {
    std::vector<int> cut;
    try {
      cut = PartsOfRanks(file_.scenario, 1, ranks);
    } catch (const std::invalid_argument&) {
      return;
    }
    Compare(cut, ranks, fmt::format("{} ranks", ranks));
  }
  /// As `--parts` cuts, if it can.
  void CompareCut(int parts) {
    const auto cut = CutInto(file_.scenario.topology, parts, HostsTogether(file_.scenario));
    if (cut) Compare(*cut, 1, fmt::format("{} parts", parts));
  }

  const ScenarioFile file_ =
      LoadScenarioFile(fs::path(HEADROOM_SOURCE_DIR) / GetParam().scenario, GetParam().sets);
  const TestFolder folder_;
  Time deadline_;
  int compared_ = 0;
};

TEST_P(Equality, OfPartsAndRanks) {
  if (const auto why = WhyNotCut(file_.scenario)) GTEST_SKIP() << *why;
  InOnePart(GetParam().has);
  CompareCut(2);
  CompareRandomCut(3, 1, 1);
  CompareRandomCut(3, 2, 2);
  CompareRanks(2);
  EXPECT_GE(compared_, 2) << GetParam().scenario << " is hardly cut";
  if (!RunsAll()) return;
  for (const int parts : {3, 8}) CompareCut(parts);
  CompareRandomCut(8, 1, 3);
  CompareRandomCut(3, 3, 4);
  CompareRanks(3);
}

std::string NameOf(const testing::TestParamInfo<Row>& info) {
  std::string name = info.param.scenario + fmt::format("{}", fmt::join(info.param.sets, "_"));
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Matrix, Equality, testing::ValuesIn(Rows()), NameOf);

}  // namespace
}  // namespace headroom::equality_test
