// `headroom run --ranks` as a user calls it, under the machine's Open MPI. Skipped without it.
#include "ranks/rank_world.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>

#include "ranks/mpirun_watch.h"
#include "support/program.h"
#include "support/short_runs.h"

namespace headroom::rank_world_test {
namespace {

namespace fs = std::filesystem;

class RanksTest : public ProgramTest {
 protected:
  void SetUp() override {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "MPI keeps memory until its end; tests/equality/ranks_test.cc has ranks without MPI";
#endif
    const bool module = fs::exists(fs::path(HEADROOM_PROGRAM).parent_path() / "headroom_mpi.so");
    if (!module || Shell("command -v mpirun").first != 0) GTEST_SKIP() << "no Open MPI";
  }
};

constexpr char kRun[] =
    HEADROOM_PROGRAM " run " HEADROOM_SOURCE_DIR "/scenarios/messages.yaml --set warmup=0us ";
constexpr char kLong[] = "--set duration=1s --set deadline=2s --ranks 2 ";

TEST_F(RanksTest, give_the_files_of_one_process) {
  const std::string run = std::string(kRun) + "--set duration=300us --out ";
  const auto [code, said] = Shell(run + "one");
  ASSERT_EQ(code, 0) << said;
  const auto [ranks_code, ranks_said] = Shell(run + "two --ranks 2 </dev/null");
  ASSERT_EQ(ranks_code, 0) << ranks_said;
  EXPECT_EQ(DigestOfResult("one"), DigestOfResult("two"));
}

/// The shell kills rank 1 of the run, once both ranks are there.
constexpr char kKillsRank1[] = R"sh(
run=$!
for i in $(seq 300); do
  for rank in $(pgrep -P "$(pgrep -P $run)" 2>/dev/null); do
    if tr '\0' '\n' <"/proc/$rank/environ" 2>/dev/null | grep -qx OMPI_COMM_WORLD_RANK=1; then found=$rank; fi
  done
  [ -n "$found" ] && break
  sleep 0.1
done
sleep 1
kill -9 "$found"
wait $run
code=$?
ls -A /dev/shm | grep -e "-$run\$"
exit $code
)sh";

TEST_F(RanksTest, that_die_are_named_and_leave_nothing) {
  for (const char* results : {"memory", "stream"}) {
    const auto [code, said] = Shell(std::string(kRun) + kLong + "--set observe={} --set results=" + results +
                                    " --out lost &" + kKillsRank1);
    EXPECT_EQ(code, 3) << said;
    EXPECT_NE(said.find("rank 1 of 2 ended early, so the run was stopped; nothing was written"),
              std::string::npos)
        << said;
    EXPECT_EQ(said.find(".headroom.partial"), std::string::npos) << "left in /dev/shm: " << said;
    EXPECT_EQ(Shell("ls -A | grep lost").second, "") << results;
  }
}

/// The shell ends mpirun after this number of seconds.
std::string EndsMpirunAfter(const std::string& seconds) {
  return "run=$!\nfor i in $(seq 300); do mpirun=$(pgrep -P $run) && break; sleep 0.1; done\nsleep " +
         seconds + "\nkill -TERM \"$mpirun\"\nwait $run";
}

TEST_F(RanksTest, leave_nothing_or_a_whole_result_when_mpirun_is_ended) {
  for (const char* after : {"0", "0.3", "2"}) {
    const auto [code, said] = Shell(std::string(kRun) + kLong + "--out ended &\n" + EndsMpirunAfter(after));
    EXPECT_EQ(code, 3) << said;
    EXPECT_EQ(fs::exists("ended/summary.json"), said.find("nothing was written") == std::string::npos)
        << said;
    fs::remove_all("ended");
  }
}

TEST_F(RanksTest, write_a_whole_result_when_interrupted) {
  const auto [code, said] =
      Shell(std::string(kRun) + kLong + "--out ended & run=$!; sleep 5; kill -INT $run; wait $run");
  EXPECT_EQ(code, 3) << said;
  EXPECT_TRUE(fs::exists("ended/summary.json")) << said;
}

TEST_F(RanksTest, that_find_no_room_for_their_files_end) {
  const auto [code, said] = Shell("(ulimit -f 200; timeout -s KILL 30 " + std::string(kRun) +
                                  "--set duration=300us --out full --ranks 2); code=$?; exit $code");
  EXPECT_EQ(code, 2) << said;
  EXPECT_NE(said.find("Open MPI could not write its files"), std::string::npos) << said;
  EXPECT_NE(said.find("nothing was written"), std::string::npos) << said;
  EXPECT_EQ(said.find("ERROR"), std::string::npos) << said;  // Open MPI's own words
  EXPECT_FALSE(fs::exists("full"));
}

TEST_F(RanksTest, say_that_they_were_interrupted_before_the_run) {
  for (const char* after : {"0.05", "0.4", "0.8"}) {
    const auto [code, said] =
        Shell(std::string(kRun) + kLong + "--set duration=3s --set deadline=4s --out ended & run=$!; sleep " +
              after + "; kill -TERM $run; wait $run");
    if (code == 143) continue;  // the program did not yet catch the signal
    EXPECT_EQ(code, 3) << said;
    if (fs::exists("ended/summary.json")) break;  // it had begun
    EXPECT_NE(said.find("interrupted before the run began; nothing was written"), std::string::npos) << said;
    EXPECT_EQ(said.find("ended early"), std::string::npos) << said;
  }
}

const std::string kMpirun = "mpirun --allow-run-as-root --oversubscribe -n 2 ";

TEST_F(RanksTest, of_mpirun_refuse_what_one_process_does) {
  const auto [code, said] = Shell(kMpirun + std::string(kRun) + "--out two --estimate 4");
  EXPECT_EQ(code, 2) << said;
  EXPECT_NE(said.find("--estimate describes a run in one process"), std::string::npos) << said;
}

TEST_F(RanksTest, of_mpirun_refuse_another_number) {
  const std::string run = kMpirun + std::string(kRun) + "--set duration=300us --out two --ranks ";
  const auto [code, said] = Shell(run + "3");
  EXPECT_EQ(code, 2) << said;
  EXPECT_NE(said.find("started 2 processes, so --ranks 3 is not possible; allowed: --ranks 2"),
            std::string::npos)
      << said;
  EXPECT_EQ(Shell(run + "2").first, 0);
}

TEST_F(RanksTest, that_do_not_join_are_refused) {
  const auto [code, said] = Shell("PMI_SIZE=2 PMI_RANK=0 " + std::string(kRun) + "--out two");
  EXPECT_EQ(code, 2) << said;
  EXPECT_NE(said.find("srun --mpi=pmix"), std::string::npos) << said;
}

/// As srun starts a process without a way to join the others.
const std::string kTask =
    "SLURM_STEP_NUM_TASKS=2; SLURM_TASK_PID=$$; export SLURM_STEP_NUM_TASKS SLURM_TASK_PID; ";

TEST_F(ProgramTest, tasks_of_srun_without_pmix_are_refused) {
  const std::string run = std::string(kRun) + "--set duration=300us --out ";
  const auto [code, said] = Shell(kTask + "exec " + run + "two");
  EXPECT_EQ(code, 2) << said;
  EXPECT_NE(said.find("srun started 2 processes that cannot join"), std::string::npos) << said;
  EXPECT_NE(said.find("allowed: srun --mpi=pmix"), std::string::npos) << said;
  // A run of its own for each task, and a script that srun starts.
  EXPECT_EQ(Shell(kTask + "exec " + run + "one --ranks 1").first, 0);
  EXPECT_EQ(Shell(kTask + run + "other; exit $?").first, 0);
}

TEST_F(RanksTest, that_the_network_does_not_allow_are_told_what_it_allows) {
  const auto allowed = [](const std::string& words) {
    const std::string said =
        Shell(HEADROOM_PROGRAM " run " HEADROOM_SOURCE_DIR "/scenarios/" + words + " --out two").second;
    const size_t at = said.find("allowed: ");
    return at == std::string::npos ? said : said.substr(at);
  };
  EXPECT_EQ(allowed("quickstart.yaml --ranks 2"), "allowed: --ranks 1\n");
  const std::string many = allowed("messages.yaml --ranks 600 --parts 2");
  int most = 0;
  ASSERT_EQ(std::sscanf(many.c_str(), "allowed: at most %d parts in all", &most), 1) << many;
  EXPECT_LE(most, 1024);
}

TEST_F(RanksTest, jobs_count_runs_and_not_processes) {
  const auto [code, said] = Shell(std::string(kRun) + kLong + R"sh(--seeds 2 --jobs 2 --out seeds & run=$!
for i in $(seq 200); do
  found=0
  for child in $(pgrep -P $run); do pgrep -P "$child" >/dev/null && found=$((found + 1)); done
  [ $found = 2 ] && break
  sleep 0.1
done
echo "$found at once"
kill -INT $run
wait $run)sh");
  EXPECT_NE(said.find("2 at once"), std::string::npos) << said;
  EXPECT_EQ(code, 3) << said;
}

TEST_F(RanksTest, stream_their_results) {
  const std::string run = std::string(kRun) + "--set duration=300us --set observe={} --set results=";
  const auto [code, said] = Shell(run + "stream --ranks 2 --out two");
  ASSERT_EQ(code, 0) << said;
  EXPECT_EQ(Shell("ls -A two | grep -c stream").second, "0\n");
  const auto [one_code, one_said] = Shell(run + "stream --out one");
  ASSERT_EQ(one_code, 0) << one_said;
  EXPECT_EQ(DigestOfResult("one"), DigestOfResult("two"));
}

TEST(MpirunReportsTest, a_dead_rank_is_named_and_the_rest_passed_on) {
  MpirunReports reports;
  const std::string border(74, '-');
  std::string rest = reports.Take("first line\n" + border + "\nmpirun noticed that process ra");
  rest +=
      reports.Take("nk 3 with PID 0 on node here exited on signal 9 (Killed).\n" + border + "\nlast line\n");
  EXPECT_EQ(rest, "first line\nlast line\n");
  EXPECT_EQ(reports.lost_rank(), 3);
}

TEST(MpirunReportsTest, an_exit_code_names_its_rank) {
  MpirunReports reports;
  const std::string border(74, '-');
  reports.Take(border + "\n  Process name: [[31163,1],2]\n  Exit code:    134\n" + border + "\n");
  EXPECT_EQ(reports.lost_rank(), 2);
}

TEST(MpirunWatchTest, a_process_whose_child_is_dead_for_seconds_hangs) {
  const pid_t parent = fork();
  if (parent == 0) {
    if (fork() == 0) _exit(0);
    for (;;) pause();  // does not wait for the child
  }
  MpirunWatch watch(parent);
  const auto start = std::chrono::steady_clock::now();
  while (!watch.Hangs() && std::chrono::steady_clock::now() < start + std::chrono::seconds(60))
    usleep(50'000);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  watch.Kill();
  int status = 0;
  waitpid(parent, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
}

TEST(MpirunWatchTest, a_process_with_a_living_child_does_not_hang) {
  const pid_t parent = fork();
  if (parent == 0) {
    if (fork() == 0) sleep(60);
    for (;;) pause();
  }
  MpirunWatch watch(parent);
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() < start + std::chrono::seconds(7)) {
    EXPECT_FALSE(watch.Hangs());
    usleep(50'000);
  }
  watch.Kill();
  waitpid(parent, nullptr, 0);
}

}  // namespace
}  // namespace headroom::rank_world_test
