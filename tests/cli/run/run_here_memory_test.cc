// The memory estimate of `check` compared with the run's memory; refused and stopped runs.
#include <fcntl.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cli/report_errors.h"
#include "cli/run_request.h"
#include "files/whole_text.h"
#include "scenario/memory/memory.h"
#include "scenario/read/load.h"
#include "support/in_child.h"
#include "support/program.h"

namespace headroom::run_here_memory_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// Memory in MB.
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

// One scenario of each kind that soon takes some hundreds of MB: for messages, queue pairs, processes, slots
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
          "workloads: [{name: w, type: transfers, service: c, size: 1KB, window: 2}]\n",
      // Requests begin after all clients are connected, which takes longer.
      Star(3, "100us") +
          "services: [{name: c, type: rdmavisor, servers: h0, clients: \"h[1-2]\", connections: 200000}]\n"
          "workloads: [{name: w, type: transfers, service: c, size: 1KB}]\n",
      // A burst stops the queues of all hosts for most of the time.
      "name: m\nduration: 1200us\ndeadline: 20ms\ntopology: {type: leaf_spine, leaves: 4, spines: 4, "
      "hosts_per_leaf: 8, host_link: {rate: 100Gbps, length: 5m}, fabric_link: {rate: 100Gbps, length: "
      "30m}}\n"
      "nics: [{match: \"*\", congestion_control: none}]\n"
      "workloads: [{name: b, type: incast, size: 400KB, from: \"*\", to: h0, at: 1us}, {name: c, type: "
      "poisson, "
      "sizes: 2KB, load: 70%, from: \"*\", to: \"*\"}]\n"};
  for (const std::string& text : texts) {
    const Estimated e = Measure(text);
    EXPECT_GT(e.peak, 150) << text;
    EXPECT_GT(e.peak, e.expected / 2) << text << e.expected;
    EXPECT_LT(e.peak, e.expected * 2) << text << e.expected;
    EXPECT_LT(e.peak, e.worst) << text;
  }
}

/// Draws values from lists.
class Choice {
 public:
  explicit Choice(uint32_t seed) : random_(seed) {}
  std::string Of(const std::vector<std::string>& of) { return of[random_() % of.size()]; }

 private:
  std::mt19937 random_;
};

std::string MessagesOf(Choice& pick) {
  if (pick.Of({"stream", "poisson"}) == "stream")
    return "workloads: [{name: w, type: stream, from: \"*\", to: \"*\", message: " +
           pick.Of({"16B", "1KB", "1MB"}) + ", in_flight: " + pick.Of({"1", "8", "64"}) +
           ", qp: {per_pair: " + pick.Of({"1", "4", "50"}) +
           "}, verb: " + pick.Of({"write", "read", "send"}) + "}]\n";
  return "workloads: [{name: w, type: poisson, sizes: " + pick.Of({"1KB", "16KB"}) +
         ", load: " + pick.Of({"20%", "60%", "95%"}) + ", qp: " + pick.Of({"per_message", "{per_pair: 2}"}) +
         "}]\n";
}

std::string PostingOf(Choice& pick) {
  const std::string verb = pick.Of(
      {"verb: send, transport: rc", "verb: send, transport: ud", "verb: write, transport: uc", "verb: read"});
  std::string text = "workloads: [{name: w, type: verbs, " + verb + ", message: " + pick.Of({"16B", "256B"}) +
                     ", window: " + pick.Of({"1", "4", "64"}) +
                     ", from: \"h[0-3]\", to: \"h[4-7]\", processes: {from: " + pick.Of({"1", "10", "40"}) +
                     ", to: " + pick.Of({"1", "10", "40"}) + "}";
  if (verb != "verb: read")
    text += pick.Of({"", ", reply: {verb: send, transport: rc}", ", reply: {verb: write}"});
  return text + "}]\n";
}

std::string KeysOf(Choice& pick) {
  const std::string system = pick.Of({"herd", "pilaf", "farm", "farm_var", "echo"});
  std::string text = "services: [{name: c, type: " + system +
                     ", servers: h0, clients: \"h[1-7]\", processes: " + pick.Of({"1", "6", "40"}) +
                     ", client_processes: " + pick.Of({"1", "10", "60"}) +
                     ", window: " + pick.Of({"1", "4", "8"});
  if (system != "herd" && system != "echo") text += ", tables: " + pick.Of({"true", "false"});
  text += "}]\nworkloads: [{name: w, type: kv, service: c, keys: " + pick.Of({"1000", "300000"}) +
          ", value: " + pick.Of({"32B", "900B"});
  return text + (system == "echo" ? "" : ", puts: " + pick.Of({"0%", "5%", "100%"})) + "}]\n";
}

std::string ConnectionsOf(Choice& pick) {
  return "services: [{name: c, type: " +
         pick.Of({"queue_pairs", "rdmavisor", "locked, share: 2, threads: 4"}) +
         ", servers: h0, clients: \"h[1-7]\", connections: " + pick.Of({"10", "500", "3000"}) +
         "}]\nworkloads: [{name: w, type: transfers, service: c, size: " + pick.Of({"256B", "64KB"}) +
         ", window: " + pick.Of({"1", "16"}) + "}]\n";
}

std::string DisksOf(Choice& pick) {
  return "services: [{name: c, type: storage, compute: \"h[0-3]\", extent_nodes: \"h[4-7]\", front: "
         "{protocol: " +
         pick.Of({"sk_rdma", "su_rdma"}) + ", credits: " + pick.Of({"4", "200"}) +
         "}, disk: {read: 10us, write: 5us}}]\nworkloads: [{name: w, type: io, service: c, blocks: [{size: " +
         pick.Of({"4KiB", "64KiB"}) + "}], reads: " + pick.Of({"0%", "50%", "100%"}) + ", " +
         pick.Of({"depth: 1", "depth: 256", "rate: 500000"}) + "}]\n";
}

/// A scenario whose counts may be large.
std::string RandomText(uint32_t seed) {
  Choice pick(seed);
  std::string text = "name: m\nduration: " + pick.Of({"100us", "1ms"}) +
                     "\ntopology: {type: star, hosts: 8, link: {rate: " + pick.Of({"25Gbps", "100Gbps"}) +
                     ", length: " + pick.Of({"3m", "300m"}) + "}}\n";
  text += pick.Of({"", "nics: [{match: \"*\", generation: gen2, resources: gen2}]\n"});
  text += pick.Of({"", "observe: {parts: false}\n", "observe: {queues: {every: 1us}}\n",
                   "observe: {operations: 1/100}\n"});
  const std::string kind = pick.Of({"messages", "posting", "keys", "connections", "disks"});
  if (kind == "messages") return text + MessagesOf(pick);
  if (kind == "posting") return text + PostingOf(pick);
  if (kind == "keys") return text + KeysOf(pick);
  return text + (kind == "disks" ? DisksOf(pick) : ConnectionsOf(pick));
}

// HEADROOM_MEMORY sets the number of scenarios.
TEST_F(RunMemoryTest, no_peak_of_random_runs_is_above_the_most) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "objects have memory of the sanitizer's around them";
#endif
  const char* const wanted = std::getenv("HEADROOM_MEMORY");
  const uint32_t runs = wanted == nullptr ? 4 : static_cast<uint32_t>(std::strtoul(wanted, nullptr, 10));
  for (uint32_t seed = 0; seed < runs; ++seed) {
    const std::string text = RandomText(seed);
    const Estimated e = Measure(text);
    EXPECT_LT(e.peak, e.worst) << text;
    constexpr double kSmall = 200;
    if (e.peak <= kSmall) continue;
    EXPECT_GT(e.peak, e.expected / 2) << text << e.expected;
    EXPECT_LT(e.peak, e.expected * 2) << text << e.expected;
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
  EXPECT_THAT(said, HasSubstr("307.2 MB is free: give fewer processes, or a smaller window"));
  EXPECT_EQ(In("."), "m.yaml");
}

/// The program's output and exit code if its process takes `grown` bytes more than it should from the
/// beginning, or from `later` on.
std::pair<int, std::string> RunGrown(const RunRequest& request, size_t grown, Time later) {
  int code = 0;
  InChild([&] {
    const int log = open("said", O_CREAT | O_WRONLY, 0644);
    dup2(log, STDERR_FILENO);
    std::vector<char> memory;
    std::thread grows([&] {
      std::this_thread::sleep_for(std::chrono::nanoseconds(later.v / 1000));
      memory.assign(grown, 1);
    });
    if (later.v == 0) grows.join();
    const int ended = ReportingErrors([&] { return RunHere(request); });
    if (grows.joinable()) grows.join();
    std::ofstream("code") << ended;
  });
  code = std::stoi(WholeText("code").value_or("-1"));
  const std::string said = WholeText("said").value_or("");
  std::filesystem::remove("code");
  std::filesystem::remove("said");
  return {code, said};
}

// The stated maximum is a promise: a run that exceeds it stops, during the setup or later, whatever takes the
// memory.
TEST_F(RunMemoryTest, a_run_that_grows_beyond_the_most_is_stopped_and_leaves_nothing) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "objects have memory of the sanitizer's around them";
#endif
  WriteEndless("m.yaml",
               "priorities: {bulk: {priority: 0, dscp: 0, lossless: false}}\n"
               "nics: [{match: \"*\", congestion_control: none}]\n");
  constexpr size_t kGrown = 150'000'000;
  const double most = EstimateMemory(LoadScenario("m.yaml")).worst;
  ASSERT_LT(most, kGrown);
  for (const Time later : {Time(0), Milliseconds(200)}) {
    RunRequest request;
    request.file = "m.yaml";
    request.target = "r";
    request.captures = {"s0"};  // captures are written during the run
    const auto [code, said] = RunGrown(request, kGrown, later);
    EXPECT_EQ(code, kBadInput);
    EXPECT_THAT(said, HasSubstr("endless: the run was stopped and wrote nothing: it takes "));
    EXPECT_THAT(said, HasSubstr(" of memory, but the estimated maximum is " + FormatMemory(most)));
    EXPECT_EQ(In("."), "m.yaml");
  }
}

// If another limit than the estimate stops a command, it prints one line and leaves no file.
TEST_F(RunMemoryTest, a_file_that_may_not_grow_is_an_error_of_writing) {
  WriteSmall();
  const auto [code, said] = Shell("ulimit -f 1; headroom run small.yaml --out r");
  EXPECT_EQ(code, 2);
  EXPECT_THAT(said, HasSubstr("cannot be written: File too large"));
  EXPECT_EQ(In("."), "small.yaml");
}

// If Python's libraries or their data do not fit into memory, one line reports it, without a traceback.
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
