// Runs whose services' histories are judged.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "run/run.h"
#include "scenario/read/load.h"

namespace headroom {

inline RunRecord Judged(const std::string& yaml, const std::vector<std::string>& sets = {}) {
  RunOptions options;
  options.histories = true;
  return Run(LoadScenarioText(yaml, "test.yaml", ".", sets), options);
}

inline void ExpectRight(const RunRecord& record) {
  ASSERT_TRUE(record.histories);
  for (const std::string& story : record.histories->stories) ADD_FAILURE() << story;
  EXPECT_TRUE(record.histories->Ok());
}

}  // namespace headroom
