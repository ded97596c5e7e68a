// Runs of fio's jobs and of a trace: all requests are executed, at their rates and times.
#include <gtest/gtest.h>

#include <algorithm>

#include "run/record_text.h"
#include "run/run.h"
#include "scenario/read/load.h"
#include "support/in_child.h"

namespace headroom::io_files_test {
namespace {

TEST(IoFiles, jobs_and_traces_run_to_their_ends) {
  InChild([] {
    const Scenario s = LoadScenario(HEADROOM_SOURCE_DIR "/scenarios/io-files.yaml",
                                    {"workloads.oltp.time_scale=1/50000", "workloads.web.time_scale=1/1000"});
    ASSERT_EQ(s.workloads.size(), 3u);
    const RunRecord record = headroom::Run(s, {});
    EXPECT_EQ(record.status, RunStatus::complete);
    const auto& [pages, log, web] =
        std::tie(record.operation_totals[0], record.operation_totals[1], record.operation_totals[2]);
    EXPECT_EQ(web[0].offered + web[1].offered, 200u);
    EXPECT_EQ(web[0].finished + web[1].finished, 200u);
    // 40 MiB/s in blocks of 16 KiB, at each of two hosts: 2560 a second for 1.2 ms, and one at the start
    EXPECT_EQ(log[0].offered, 0u);
    EXPECT_NEAR(static_cast<double>(log[1].offered + log[1].ramp), 2 * (2560 * 1.4e-3 + 1), 2);
    // 1.2 ms after a ramp of 0.2 ms
    EXPECT_GT(pages[0].ramp, 0u);
    EXPECT_NEAR(InSeconds(pages[0].span), 1.2e-3, 2e-5);
    EXPECT_NEAR(
        static_cast<double>(pages[0].offered) / static_cast<double>(pages[0].offered + pages[1].offered), 0.7,
        0.08);
    for (const auto& totals : record.operation_totals)
      for (const OperationTotals& t : totals) EXPECT_EQ(t.offered, t.finished);
  });
}

}  // namespace
}  // namespace headroom::io_files_test
