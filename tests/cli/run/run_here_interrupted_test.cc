// Ctrl-C during a run, in the program as a user calls it.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "files/manifest.h"
#include "report/result.h"
#include "support/program.h"
#include "support/text_file.h"

namespace headroom::run_here_interrupted_test {
namespace {

namespace fs = std::filesystem;

constexpr double kUnderWay = 1.0, kSettingUp = 0.3;

/// CPU seconds that a process has used.
double CpuOf(pid_t process) {
  clockid_t clock = 0;
  timespec spent = {};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &spent) != 0) return 0;
  return static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec);
}

/// Runs a scenario with `word`, sends `signal` once the program handles it and has worked for `cpu` seconds,
/// and returns its exit code (−1: killed). Its output goes into `said`.
int RunAndSignal(const std::string& scenario, const fs::path& out, int signal, double cpu = kUnderWay,
                 const std::string& word = "--json", const fs::path& said = "/dev/null") {
  const pid_t child = fork();
  if (child == 0) {
    if (freopen("/dev/null", "w", stdout) == nullptr) _exit(99);
    if (freopen(said.c_str(), "w", stderr) == nullptr) _exit(99);
    execl(HEADROOM_PROGRAM, "headroom", "run", scenario.c_str(), "--out", out.c_str(), word.c_str(), nullptr);
    _exit(99);
  }
  while (CpuOf(child) < cpu || !Catches(child, signal))
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  kill(child, signal);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

const std::string kRegion = std::string(HEADROOM_SOURCE_DIR) + "/scenarios/messages.yaml";

TEST(Interrupt, leaves_a_result_that_says_so) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const fs::path out = fs::path(testing::TempDir()) /
                         ("interrupted-" + std::to_string(signal) + "-" + std::to_string(getpid()));
    EXPECT_EQ(RunAndSignal(kRegion, out, signal), 3);
    const auto summary = ReadSummary(out);
    EXPECT_EQ(summary["status"], "interrupted");
    // The contents add up, and nothing unfinished was dropped.
    EXPECT_TRUE(summary["conservation"]["ok"]);
    EXPECT_GT(summary["conservation"]["in_flight_bytes"], 0);
    const auto& across = summary["messages"]["across"];  // on a slow machine the warm-up is not over yet
    EXPECT_GT(across["unfinished"].get<int>() + across["warmup_unfinished"].get<int>(), 0);
    EXPECT_TRUE(fs::exists(out / "messages.csv"));
    // The next run replaces a partial result without force.
    EXPECT_FALSE(IsFinishedResult(out));
    fs::remove_all(out);
  }
}

TEST(Interrupt, a_finished_result_is_kept) {
  const fs::path out = fs::path(testing::TempDir()) / ("kept-" + std::to_string(getpid()));
  const fs::path said = out.string() + ".txt";
  fs::create_directories(out);
  std::ofstream(out / "summary.json")
      << R"({"scenario": "region", "seed": 1, "status": "complete", "messages": {}})";
  WriteManifest(out, "run");
  EXPECT_EQ(RunAndSignal(kRegion, out, SIGINT, kUnderWay, "--force", said), 3);
  EXPECT_EQ(ReadTextFile(said), "headroom: interrupted; " + out.string() + " keeps its finished result\n");
  EXPECT_EQ(ReadSummary(out)["status"], "complete");
  fs::remove_all(out);
  fs::remove(said);
}

TEST(Interrupt, while_a_large_network_is_built_ends_at_once) {
  const fs::path dir = fs::path(testing::TempDir()) / ("large-" + std::to_string(getpid()));
  fs::create_directories(dir);
  const fs::path said = dir / "said.txt";
  std::ofstream(dir / "large.yaml")
      << "name: large\nduration: 1us\ntopology: {type: leaf_spine, leaves: 200, spines: 4, hosts_per_leaf: "
         "400, host_link: {rate: 100Gbps, length: 3m}, fabric_link: {rate: 100Gbps, length: 30m}}\n"
         "workloads: [{name: w, type: list, messages: [{from: h0, to: h1, size: 1KB}]}]\n";
  EXPECT_EQ(RunAndSignal(dir / "large.yaml", dir / "out", SIGINT, kSettingUp, "--json", said), 3);
  EXPECT_EQ(ReadTextFile(said), "headroom: interrupted before the run began; nothing was written\n");
  EXPECT_FALSE(fs::exists(dir / "out"));
  fs::remove_all(dir);
}

}  // namespace
}  // namespace headroom::run_here_interrupted_test
