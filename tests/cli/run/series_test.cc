// Several runs of one command: their varied keys, and the results that remain if some runs do not end.
#include <csignal>
#include <thread>

#include "report/result.h"
#include "support/program.h"

namespace headroom::series_test {
namespace {

namespace fs = std::filesystem;
using SeveralRunsTest = ProgramTest;

std::string Vary(const std::string& values) { return "vary: {workloads.w.size: " + values + "}\n"; }

TEST_F(SeveralRunsTest, points_that_would_share_a_folder_are_refused) {
  WriteSmall("anchors.yaml", Vary("[&a/b 1KB, &a_b 2KB]"));
  for (const std::string command : {"run", "run --seeds 2"}) {
    const auto [code, said] = Shell("headroom " + command + " anchors.yaml");
    EXPECT_EQ(code, 2);
    EXPECT_EQ(said,
              "headroom: anchors.yaml: vary: the values \"size=a/b\" and \"size=a_b\" would share the "
              "folder size=a_b; name the values, as in [&first VALUE, &second VALUE]\n");
  }
  WriteSmall("twice.yaml", Vary("[1KB, 2KB, 1KB]"));
  EXPECT_EQ(Shell("headroom run twice.yaml").second, "twice.yaml:5:37: \"1KB\" appears twice\n");
  EXPECT_EQ(Shell("headroom check twice.yaml").first, 2);
  Write("d_x", "0 0\n1000 100\n");
  fs::create_directory("d");
  Write("d/x", "0 0\n2000 100\n");
  WriteSmall("values.yaml", "vary: {workloads.w.size: [{file: d/x}, {file: d_x}]}\n");
  EXPECT_EQ(Shell("headroom run values.yaml").first, 2);
  EXPECT_FALSE(fs::exists("results"));
}

TEST_F(SeveralRunsTest, a_value_whose_folder_has_too_long_a_name_is_refused) {
  WriteSmall("long.yaml", Vary("[1KB, {file: " + std::string(300, 'x') + "}]"));
  const auto [code, said] = Shell("headroom run long.yaml");
  EXPECT_EQ(code, 2);
  EXPECT_NE(said.find("the name of the folder would be too long"), std::string::npos) << said;
}

TEST_F(SeveralRunsTest, every_point_is_read_before_the_first_runs) {
  WriteEndless("late.yaml", Vary("[1KB, 2KB, 3K]"));
  WriteEndless("first.yaml");
  ASSERT_EQ(Shell("sed -i 's/^name: .*/name: first/' first.yaml").first, 0);
  for (const std::string files : {"late.yaml", "first.yaml late.yaml", "late.yaml --seeds 2"}) {
    const auto [code, said] = Shell("timeout 10 " HEADROOM_PROGRAM " run " + files);
    EXPECT_EQ(code, 2) << files;
    EXPECT_NE(said.find("\"3K\""), std::string::npos) << said;
  }
  EXPECT_EQ(
      Shell("timeout 10 " HEADROOM_PROGRAM " run first.yaml --seed 1000000000000 --seeds 2").second,
      "headroom: first.yaml: 2 seeds from 1000000000000 on exceed the largest seed, 1000000000000; give "
      "a smaller --seed or --seeds\n");
  EXPECT_EQ(
      Shell("headroom run first.yaml --seeds 10001").second,
      "headroom: --seeds 10001 is not a number of seeds; allowed: 1 to 10000; see headroom run --help\n");
  EXPECT_FALSE(fs::exists("results"));
}

/// The child processes of a process.
std::vector<pid_t> ChildrenOf(pid_t process) {
  const std::string id = std::to_string(process);
  std::ifstream list("/proc/" + id + "/task/" + id + "/children");
  std::vector<pid_t> children;
  for (pid_t child = 0; list >> child;) children.push_back(child);
  return children;
}

template <class Condition>
bool Within10s(const Condition& holds) {
  for (int i = 0; i < 1000; ++i) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

/// Starts `run endless.yaml --out out --seeds 3 --jobs 3` with one more option.
pid_t StartThree(const char* option = nullptr) {
  const pid_t parent = fork();
  if (parent == 0) {
    setpgid(0, 0);
    if (freopen("said.txt", "w", stdout) == nullptr || dup2(STDOUT_FILENO, STDERR_FILENO) < 0) _exit(99);
    execl(HEADROOM_PROGRAM, "headroom", "run", "endless.yaml", "--out", "out", "--seeds", "3", "--jobs", "3",
          option, nullptr);
    _exit(99);
  }
  EXPECT_TRUE(Within10s([&] {
    const std::vector<pid_t> children = ChildrenOf(parent);
    return children.size() == 3 &&
           std::all_of(children.begin(), children.end(), [](pid_t c) { return Catches(c, SIGTERM); });
  }));
  // The setup is short.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  return parent;
}

int CodeOf(pid_t process) {
  int status = 0;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST_F(SeveralRunsTest, a_run_that_is_killed_leaves_a_result_that_says_so) {
  WriteEndless();
  const pid_t parent = StartThree();
  kill(ChildrenOf(parent)[1], SIGKILL);
  EXPECT_TRUE(Within10s([&] { return ChildrenOf(parent).size() == 2; }));
  kill(parent, SIGTERM);
  EXPECT_EQ(CodeOf(parent), 3);
  const auto summary = ReadSummary("out");
  EXPECT_EQ(summary["seeds"]["list"].dump(), "[1,3]");
  EXPECT_EQ(summary["seeds"]["planned"], 3);
  EXPECT_EQ(summary["status"], "interrupted");
  const std::string said = Shell("cat said.txt").second;
  EXPECT_EQ(said.find("headroom: the run of endless, seed 2 was killed by signal 9\n"), 0u) << said;
  EXPECT_NE(said.find("endless, 2 of 3 seeds: INTERRUPTED"), std::string::npos) << said;
  EXPECT_EQ(In("."), "endless.yaml out said.txt");
  // The same command is accepted again.
  EXPECT_FALSE(IsFinishedResult("out"));
}

TEST_F(SeveralRunsTest, an_earlier_result_is_not_taken_for_that_of_a_run_that_failed) {
  WriteSmall("a.yaml");
  WriteSmall("b.yaml");
  ASSERT_EQ(Shell("sed -i 's/^name: .*/name: other/' b.yaml; headroom run a.yaml b.yaml").first, 0);
  // Files may not grow: the first child fails when it writes.
  const auto [code, said] = Shell("(ulimit -f 0; headroom run a.yaml b.yaml --force; echo code $?) | cat");
  EXPECT_NE(said.find(".csv: cannot be written: File too large\n"), std::string::npos) << said;
  EXPECT_NE(said.find("code 2\n"), std::string::npos) << said;
  EXPECT_EQ(ReadSummary("results/small")["status"], "complete");
}

TEST_F(SeveralRunsTest, a_child_that_is_killed_as_it_writes_leaves_nothing_in_the_series) {
  WriteEndless();
  const pid_t parent = StartThree("--pcap=h0:p0");  // the capture is written during the run
  kill(ChildrenOf(parent)[1], SIGKILL);
  EXPECT_TRUE(Within10s([&] { return ChildrenOf(parent).size() == 2; }));
  kill(parent, SIGTERM);
  EXPECT_EQ(CodeOf(parent), 3);
  EXPECT_EQ(In("out"), ".headroom seed-1 seed-3 summary.json");
}

TEST_F(SeveralRunsTest, sigterm_and_sigint_of_the_parent_end_its_children_and_keep_what_there_is) {
  // The signal goes to the parent alone, and to the group, as a terminal and `timeout` send it.
  for (const auto& [signal, group] :
       {std::pair{SIGTERM, false}, {SIGINT, false}, {SIGTERM, true}, {SIGINT, true}}) {
    WriteEndless();
    const pid_t parent = StartThree();
    const std::vector<pid_t> children = ChildrenOf(parent);
    kill(group ? -parent : parent, signal);
    EXPECT_EQ(CodeOf(parent), 3);
    EXPECT_EQ(ReadSummary("out")["seeds"]["list"].dump(), "[1,2,3]") << signal << group;
    for (const pid_t child : children) EXPECT_NE(kill(child, 0), 0);
    EXPECT_EQ(ReadSummary("out")["status"], "interrupted");
    EXPECT_EQ(In("."), "endless.yaml out said.txt");
    fs::remove_all("out");
  }
}

TEST_F(SeveralRunsTest, children_end_with_a_parent_that_is_killed_and_the_next_run_clears_up) {
  WriteEndless();
  const pid_t parent = StartThree();
  const std::vector<pid_t> children = ChildrenOf(parent);
  kill(parent, SIGKILL);
  CodeOf(parent);
  EXPECT_TRUE(Within10s([&] {
    return std::all_of(children.begin(), children.end(), [](pid_t c) { return kill(c, 0) != 0; });
  }));
  EXPECT_NE(In(".").find(".out.partial-"), std::string::npos);
  WriteSmall();
  EXPECT_EQ(Shell("headroom run small.yaml --out out").first, 0);
  EXPECT_EQ(In("."), "endless.yaml out said.txt small.yaml");
}

}  // namespace
}  // namespace headroom::series_test
