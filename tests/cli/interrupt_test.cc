// Ctrl-C in the middle of a run: the program as a user meets it.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "report/result.h"

namespace headroom {
namespace {

namespace fs = std::filesystem;

/// Runs the region scenario, sends `signal` once it is under way, and returns its exit code (−1: killed).
int RunAndSignal(const fs::path& out, int signal) {
  const std::string scenario = std::string(HEADROOM_SOURCE_DIR) + "/scenarios/region.yaml";
  const pid_t child = fork();
  if (child == 0) {
    if (freopen("/dev/null", "w", stdout) == nullptr) _exit(99);
    execl(HEADROOM_PROGRAM, "headroom", "run", scenario.c_str(), "--out", out.c_str(), nullptr);
    _exit(99);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  kill(child, signal);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Interrupt, leaves_a_result_that_says_so) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const fs::path out = fs::path(testing::TempDir()) /
                         ("interrupted-" + std::to_string(signal) + "-" + std::to_string(getpid()));
    EXPECT_EQ(RunAndSignal(out, signal), 3);
    const auto summary = ReadSummary(out);
    EXPECT_EQ(summary["status"], "interrupted");
    // What there is adds up, and nothing unfinished was dropped.
    EXPECT_TRUE(summary["conservation"]["ok"]);
    EXPECT_GT(summary["conservation"]["in_flight_bytes"], 0);
    const auto& across = summary["messages"]["across"];  // on a slow machine the warm-up is not over yet
    EXPECT_GT(across["unfinished"].get<int>() + across["warmup_unfinished"].get<int>(), 0);
    EXPECT_TRUE(fs::exists(out / "messages.csv"));
    // A partial result gives way to the next run without force.
    EXPECT_FALSE(IsFinishedResult(out));
    fs::remove_all(out);
  }
}

}  // namespace
}  // namespace headroom
