// Settings on which a result depends, and those on which it does not.
#include <gtest/gtest.h>

#include "run/busy.h"
#include "run/record_text.h"
#include "run/run.h"
#include "support/in_child.h"
#include "workload/types/stream.h"

namespace headroom::same_results_test {
namespace {

std::string Result(const Scenario& s, const RunOptions& options = {}) {
  return TextFromChild([&] { return RecordText(Run(s, options)); });
}

TEST(Run, TheSameSeedGivesTheSameRecord) {
  const std::string once = Result(Busy());
  ExpectSameText(Result(Busy()), once);
  EXPECT_EQ(once.rfind("complete", 0), 0u) << once.substr(0, 100);
  EXPECT_NE(once.find("pause rx"), std::string::npos);
  EXPECT_NE(once.find("first_drop"), std::string::npos);
  EXPECT_NE(once.find("first_mark"), std::string::npos);
}

TEST(Run, AnotherSeedGivesAnother) { EXPECT_NE(Result(Busy(1)), Result(Busy(2))); }

TEST(Run, TheDriverAndTheLanesDoNotMatter) {
  const std::string fast = Result(Busy());
  RunOptions ns3;
  ns3.driver = Driver::ns3_default;
  ExpectSameText(Result(Busy(), ns3), fast);
  RunOptions without_lanes;
  without_lanes.lanes = false;
  ExpectSameText(Result(Busy(), without_lanes), fast);
  without_lanes.driver = Driver::ns3_default;
  ExpectSameText(Result(Busy(), without_lanes), fast);
}

TEST(Run, LanesForSizesThatRecurDoNotMatter) {
  // READ responses, and last frames of 452 and 64 B: sizes that only the run itself produces.
  Scenario s = Busy();
  s.workloads[0].verb = Operation::read_request;
  StreamArrivals small;
  small.from = {0, 1, 2};
  small.to = {4, 5, 6};
  small.message = Bytes(2);
  small.in_flight = 4;
  s.workloads.push_back(WorkloadOf("small", small));
  RunOptions without_lanes;
  without_lanes.lanes = false;
  const std::string learned = Result(s);
  EXPECT_NE(learned.find("pause rx"), std::string::npos);
  ExpectSameText(Result(s, without_lanes), learned);
}

TEST(Run, CheckingAndProgressDoNotMatter) {
  RunOptions options;
  options.check = true;
  options.on_progress = [](const Progress&) { return true; };
  ExpectSameText(Result(Busy(), options), Result(Busy()));
}

TEST(Run, ObserversChangeNeitherMessagesNorPauses) {
  Scenario observed = Busy();
  observed.observe.queues = Observation{Microseconds(1), {"*"}};
  observed.observe.groups = Observation{Nanoseconds(700), {"leaf*"}};
  observed.observe.rates = Observation{Microseconds(2), {"h1"}};
  observed.observe.goodput = Observation{Microseconds(10), {"*"}};
  observed.observe.cnps = std::vector<std::string>{"h*"};
  observed.observe.drops = std::vector<std::string>{"leaf*"};
  const auto text = [](const Scenario& s) {
    return TextFromChild([&] {
      const RunRecord r = headroom::Run(s, {});
      return MessagesText(r) + PausesText(r) + std::to_string(r.end.v);
    });
  };
  ExpectSameText(text(observed), text(Busy()));
}

TEST(Run, AWarmupChangesNeitherMessagesNorPauses) {
  Scenario warm = Busy();
  warm.warmup = Microseconds(100);
  const auto text = [](const Scenario& s) {
    return TextFromChild([&] {
      const RunRecord r = headroom::Run(s, {});
      return MessagesText(r) + PausesText(r) + std::to_string(r.end.v);
    });
  };
  ExpectSameText(text(warm), text(Busy()));
}

}  // namespace
}  // namespace headroom::same_results_test
