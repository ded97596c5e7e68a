// The program's errors for wrong calls, and for features that it does not have.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <string>

namespace headroom::options_test {
namespace {

/// Exit code, and what the program writes to stdout and stderr.
std::pair<int, std::string> Call(const std::string& arguments) {
  std::FILE* pipe = popen((std::string(HEADROOM_PROGRAM) + ' ' + arguments + " 2>&1").c_str(), "r");
  std::string said;
  char part[4096];
  for (size_t n = 0; (n = std::fread(part, 1, sizeof part, pipe)) > 0;) said.append(part, n);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, said};
}

const std::string kRun = "run " + std::string(HEADROOM_SOURCE_DIR) + "/scenarios/quickstart.yaml";

TEST(Usage, unknown_commands_and_options_are_named) {
  EXPECT_EQ(Call("cheek").second,
            "headroom: there is no command cheek; did you mean \"check\"; see headroom --help\n");
  EXPECT_EQ(Call(kRun + " --sead 1").second,
            "headroom: unrecognised option '--sead'; did you mean \"--seed\"; see headroom run --help\n");
  EXPECT_EQ(Call(kRun + " --xyzzy 1").second,
            "headroom: unrecognised option '--xyzzy'; see headroom run --help\n");
}

TEST(Usage, a_seed_out_of_range_is_said_as_it_was_written) {
  for (const std::string seed : {"-1", "0", "x", "1.5", "1000000000001", "99999999999999999999"}) {
    const auto [code, said] = Call(kRun + " --seed " + seed);
    EXPECT_EQ(code, 2);
    EXPECT_EQ(
        said,
        "headroom: --seed " + seed +
            " is not a seed; allowed: whole numbers from 1 to 1000000000000; see headroom run --help\n");
  }
}

TEST(Usage, NumbersOfPartsAndProcessesOutOfRangeAreRefused) {
  EXPECT_EQ(
      Call(kRun + " --parts 0"),
      (std::pair<int, std::string>(2,
                                   "headroom: --parts 0 is not a number of parts; allowed: whole numbers "
                                   "from 1 to 1024, or auto; see headroom run --help\n")));
  EXPECT_EQ(
      Call(kRun + " --estimate 1"),
      (std::pair<int, std::string>(2,
                                   "headroom: --estimate 1 is not a number of processes; allowed: whole "
                                   "numbers from 2 to 1024; see headroom run --help\n")));
  // The links of the quick start are too short to be cut.
  const auto [code, said] = Call(kRun + " --estimate 2 --out /tmp/headroom-never-written");
  EXPECT_EQ(code, 2);
  EXPECT_NE(said.find("do not divide the network into 2 parts"), std::string::npos) << said;
  EXPECT_NE(said.find("a run in one process"), std::string::npos) << said;
}

}  // namespace
}  // namespace headroom::options_test
