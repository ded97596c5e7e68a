// `results: stream` in the program as a user calls it: the files that a run leaves, also if it fails.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "files/whole_text.h"
#include "support/program.h"

namespace headroom::run_here_stream_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kScenario =
    "name: s\nduration: 100ms\nresults: stream\n"
    "topology: {type: star, hosts: 3, link: {rate: 100Gbps, length: 5m}}\n"
    "workloads: [{name: w, type: stream, from: \"h[01]\", to: h2, message: 2KB, in_flight: 8}]\n";

class StreamTest : public ProgramTest {
 protected:
  /// The names in the test's folder, also hidden ones.
  static std::string Names() { return Shell("ls -A").second; }
};

TEST_F(StreamTest, a_run_leaves_only_its_result) {
  Write("s.yaml", kScenario);
  const auto [code, said] = Shell("headroom run s.yaml --set duration=20ms --out r");
  EXPECT_EQ(code, 0) << said;
  EXPECT_EQ(Shell("ls -A r | grep -c stream").second, "0\n");
  const json summary = json::parse(*WholeText("r/summary.json"));
  EXPECT_EQ(summary["percentiles"], "exact");
  EXPECT_EQ(summary["messages"]["w"]["completion_us"]["error"], 0);
  const auto [shown, table] = Shell("headroom show r && headroom compare r r");
  EXPECT_EQ(shown, 0) << table;
}

TEST_F(StreamTest, a_full_disk_ends_the_run_with_the_reason_and_leaves_nothing) {
  Write("s.yaml", kScenario);
  const auto [code, said] = Shell("trap '' XFSZ; ulimit -f 1000; headroom run s.yaml --out r");
  EXPECT_EQ(code, 2) << said;
  EXPECT_THAT(said, HasSubstr("messages-0: cannot be written: File too large; `results: stream` keeps"));
  EXPECT_EQ(Names(), "s.yaml\n");
}

TEST_F(StreamTest, an_interrupted_run_leaves_a_whole_result) {
  Write("s.yaml", kScenario);
  const auto [code, said] =
      Shell(HEADROOM_PROGRAM " run s.yaml --set duration=10s --out r & sleep 2; kill -INT $!; wait $!");
  EXPECT_EQ(code, 3) << said;
  EXPECT_EQ(Names(), "r\ns.yaml\n");
  const json summary = json::parse(*WholeText("r/summary.json"));
  EXPECT_EQ(summary["status"], "interrupted");
  EXPECT_GT(summary["messages"]["w"]["finished"], 0);
  EXPECT_EQ(Shell("ls -A r | grep -c stream").second, "0\n");
}

}  // namespace
}  // namespace headroom::run_here_stream_test
