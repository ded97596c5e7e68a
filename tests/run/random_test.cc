// Random scenarios: in each the accounts balance, and the driver does not matter.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "run/record_text.h"
#include "run/run.h"
#include "support/in_child.h"
#include "support/random_scenario.h"
#include "support/run_accounts.h"

namespace headroom::random_test {
namespace {

std::string CheckedRun(const Scenario& s, Driver driver, bool lanes) {
  return TextFromChild([&] {
    RunOptions options;
    options.driver = driver;
    options.lanes = lanes;
    options.check = true;
    const RunRecord r = headroom::Run(s, options);
    ExpectAccounts(s, r);
    return RecordText(r);
  });
}

/// The number of scenarios; `./test long` sets HEADROOM_SCENARIOS for more.
uint64_t Wanted() {
  const char* const wanted = std::getenv("HEADROOM_SCENARIOS");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 24;
}

TEST(RandomScenarios, BalanceTheirAccountsUnderEveryDriver) {
  std::map<std::string, int> seen;
  for (uint64_t seed = 1; seed <= Wanted(); ++seed) {
    SCOPED_TRACE(RandomScenarioText(seed));
    const Scenario s = LoadRandomScenario(seed).scenario;
    const std::string fast = CheckedRun(s, Driver::fast, true);
    ASSERT_FALSE(fast.empty());
    ExpectSameText(CheckedRun(s, Driver::ns3_default, seed % 2 == 0), fast);
    for (const char* word : {"complete at", "pause rx", "first_mark", "operation ", "fault_start"}) {
      seen[word] += fast.find(word) != std::string::npos;
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(seen["complete at"], 12);
  for (const char* word : {"pause rx", "first_mark", "operation ", "fault_start"})
    EXPECT_GT(seen[word], 3) << word;
}

}  // namespace
}  // namespace headroom::random_test
