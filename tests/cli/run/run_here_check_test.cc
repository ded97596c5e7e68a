// Verdicts on the answers of services, from the program as a user calls it.
#include <gmock/gmock.h>

#include "report/result.h"
#include "support/program.h"

namespace headroom::run_here_check_test {
namespace {

using testing::HasSubstr;
using CheckedRunTest = ProgramTest;

/// Two disks and three storage servers with reads and writes of two blocks a disk; `more` is added to the
/// service.
std::string Store(const std::string& more) {
  return "name: store\nduration: 500us\n"
         "topology: {type: star, hosts: 5, link: {rate: 100Gbps, length: 5m}}\n"
         "services: [{name: store, type: storage, compute: [h0, h1], extent_nodes: \"h[2-4]\", disk_size: "
         "1MiB,"
         " extent: 1MiB, front: {protocol: sk_rdma}, back: {protocol: su_rdma}, disk: {read: 9us, write: "
         "5us}" +
         more +
         "}]\n"
         "workloads: [{name: disks, type: io, service: store, reads: 50%, depth: 8, blocks: [{size: 4KiB}],"
         " addresses: {zones: [{ios: 90%, space: 1%}, {ios: 10%, space: 99%}]}}]\n";
}

TEST_F(CheckedRunTest, a_store_that_answers_wrongly_is_told_and_the_run_has_failed) {
  Write("right.yaml", Store(""));
  EXPECT_EQ(Shell("headroom run right.yaml --check --out right 2>&1 >/dev/null"),
            std::pair(0, std::string()));
  const struct {
    const char *bugs, *says;
  } defects[] = {
      {", bugs: {early_answer: true}", "when only 2 of 3 nodes had executed them"},
      {", bugs: {repeats: true}, timeout: 20us", "was executed twice"},
      {", bugs: {stale_reads: true}, seal: {takes: 100us}", "must come before"},
  };
  for (const auto& defect : defects) {
    SCOPED_TRACE(defect.bugs);
    Write("wrong.yaml", Store(defect.bugs));
    const auto [code, said] = Shell("headroom run wrong.yaml --check --force --out wrong 2>&1 >/dev/null");
    EXPECT_EQ(code, 1);
    EXPECT_THAT(said, HasSubstr("headroom: store, seed 1: "));
    EXPECT_THAT(said, HasSubstr(defect.says));
    EXPECT_TRUE(IsFinishedResult("wrong"));  // there is a result to look at
    // Without --check there is no verdict.
    EXPECT_EQ(Shell("headroom run wrong.yaml --force --out wrong 2>&1 >/dev/null"),
              std::pair(0, std::string()));
  }
}

TEST_F(CheckedRunTest, so_it_is_with_several_seeds) {
  Write("wrong.yaml", Store(", bugs: {early_answer: true}"));
  const auto [code, said] = Shell("headroom run wrong.yaml --check --seeds 2 --out wrong 2>&1 >/dev/null");
  EXPECT_EQ(code, 1);
  EXPECT_THAT(said, HasSubstr("headroom: store, seed 1: "));
  EXPECT_THAT(said, HasSubstr("headroom: store, seed 2: "));
}

}  // namespace
}  // namespace headroom::run_here_check_test
