// What `check` says of a run's memory, against what the run takes; and runs that are refused, or stopped.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "files/whole_text.h"
#include "support/program.h"

namespace headroom::run_here_memory_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// In MB.
struct Estimated {
  double expected = 0, worst = 0, peak = 0;
};

class RunMemoryTest : public ProgramTest {
 protected:
  Estimated Measure(const std::string& text) {
    Write("m.yaml", text);
    Estimated e;
    const auto [code, said] = Shell("headroom check m.yaml --json > check.json");
    EXPECT_EQ(code, 0) << said;
    const json estimate = json::parse(*WholeText("check.json"))["estimate"];
    e.expected = estimate["memory_bytes"].get<double>() / 1e6;
    e.worst = estimate["memory_worst_bytes"].get<double>() / 1e6;
    const auto [ran, told] = Shell("headroom run m.yaml --out r --force");
    EXPECT_EQ(ran, 0) << told;
    e.peak = json::parse(*WholeText("r/summary.json"))["run"]["peak_rss_mb"].get<double>();
    return e;
  }
};

std::string Star(int hosts, const std::string& duration) {
  return "name: m\nduration: " + duration + "\ntopology: {type: star, hosts: " + std::to_string(hosts) +
         ", link: {rate: 100Gbps, length: 5m}}\n";
}

// Of each kind one that takes some hundreds of MB in little time: for messages, queue pairs, processes, slots
// of services, keys, connections.
TEST_F(RunMemoryTest, peaks_are_within_a_factor_of_two_of_what_is_expected) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "objects have memory of the sanitizer's around them";
#endif
  const std::vector<std::string> texts = {
      Star(64, "20us") +
          "workloads: [{name: w, type: stream, from: \"*\", to: \"*\", message: 1KB, qp: {per_pair: 40}, "
          "in_flight: 40}]\n",
      Star(2, "100us") +
          "workloads: [{name: w, type: verbs, verb: send, message: 16B, window: 16, processes: {from: 120, "
          "to: 90}, "
          "from: h0, to: h1}]\n",
      Star(8, "50us") +
          "services: [{name: c, type: herd, servers: h0, clients: \"h[1-4]\", processes: 100, "
          "client_processes: 40, "
          "window: 4}]\n"
          "workloads: [{name: w, type: kv, service: c, keys: 10000, value: 200B, puts: 5%}]\n",
      Star(4, "50us") +
          "services: [{name: c, type: farm, tables: true, servers: h0, clients: h1, processes: 4}]\n"
          "workloads: [{name: w, type: kv, service: c, keys: 800000, value: 64B, puts: 5%}]\n",
      Star(8, "100us") +
          "services: [{name: c, type: queue_pairs, servers: h0, clients: \"h[1-4]\", connections: 6000}]\n"
          "workloads: [{name: w, type: transfers, service: c, size: 1KB, window: 2}]\n"};
  for (const std::string& text : texts) {
    const Estimated e = Measure(text);
    EXPECT_GT(e.peak, 150) << text;
    EXPECT_GT(e.peak, e.expected / 2) << text << e.expected;
    EXPECT_LT(e.peak, e.expected * 2) << text << e.expected;
    EXPECT_LT(e.peak, e.worst) << text;
  }
}

TEST_F(RunMemoryTest, what_does_not_fit_is_refused_before_it_takes_any) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer needs all addresses";
#endif
  Write("m.yaml",
        Star(2, "100us") +
            "workloads: [{name: w, type: verbs, verb: send, message: 16B, window: 16, processes: {from: 200, "
            "to: 200}, from: h0, to: h1}]\n");
  const auto [code, said] = Shell("ulimit -v 300000; headroom run m.yaml --out r");
  EXPECT_EQ(code, 2);
  EXPECT_THAT(said, HasSubstr("m.yaml: the run would take about "));
  EXPECT_THAT(said, HasSubstr("307.2 MB is free: fewer processes, or a smaller window"));
  EXPECT_EQ(In("."), "m.yaml");
}

// Where another limit than the estimate stops a command, it says so in one line and leaves nothing.
TEST_F(RunMemoryTest, a_file_that_may_not_grow_is_an_error_of_writing) {
  WriteSmall();
  const auto [code, said] = Shell("ulimit -f 1; headroom run small.yaml --out r");
  EXPECT_EQ(code, 2);
  EXPECT_THAT(said, HasSubstr("cannot be written: File too large"));
  EXPECT_EQ(In("."), "small.yaml");
}

// Python's libraries find no room, or what they read does not: then one line says so, and no traceback.
TEST_F(RunMemoryTest, commands_in_python_that_run_out_of_memory_say_so) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer needs all addresses";
#endif
  WriteSmall();
  ASSERT_EQ(Shell("headroom run small.yaml --out r").first, 0);
  for (const char* limit : {"60000", "150000"}) {
    const auto [code, said] = Shell(std::string("ulimit -v ") + limit + "; headroom plot r --out p");
    EXPECT_EQ(code, 2) << said;
    EXPECT_THAT(said, HasSubstr("out of memory"));
    EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
    EXPECT_EQ(In("."), "r small.yaml");
  }
}

TEST_F(RunMemoryTest, half_a_million_values_to_vary_are_refused_at_once) {
  std::string values;
  for (int i = 0; i < 500'000; ++i) values += std::to_string(i) + ",";
  WriteSmall("many.yaml", "vary: {mtu: [" + values + "1]}\n");
  const auto [code, said] = Shell("ulimit -t 20; headroom check many.yaml");
  EXPECT_EQ(code, 2);
  EXPECT_THAT(said, HasSubstr("more than 10000 combinations to vary"));
}

}  // namespace
}  // namespace headroom::run_here_memory_test
