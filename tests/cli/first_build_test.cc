// Output of ./headroom during its build.
#include "support/program.h"

namespace headroom::first_build_test {
namespace {

class FirstBuildTest : public ProgramTest {
 protected:
  /// Builds with a cmake that runs `script`.
  static std::pair<int, std::string> Build(const std::string& script) {
    std::filesystem::create_directory("stub");
    Write("stub/cmake", "#!/bin/sh\n" + script);
    return Shell(
        "chmod +x stub/cmake; PATH=$PWD/stub:$PATH root=$PWD program=it bash -euo pipefail -c "
        "'. " HEADROOM_SOURCE_DIR "/setup/setup.sh; build release headroom; echo done'");
  }
};

TEST_F(FirstBuildTest, tells_how_far_it_is_a_few_times) {
  const auto [code, said] = Build(
      "echo '[0/2] Re-checking globbed directories...'; for i in $(seq 40); do echo \"[$i/40] Building x\"; "
      "done");
  EXPECT_EQ(code, 0);
  EXPECT_EQ(said.substr(0, 36), "it: built 4 of 40\nit: built 8 of 40\n");
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 11) << said;
}

TEST_F(FirstBuildTest, is_silent_where_nothing_is_to_be_built) {
  EXPECT_EQ(Build("echo 'ninja: no work to do.'").second, "done\n");
}

TEST_F(FirstBuildTest, shows_why_it_failed) {
  const auto [code, said] = Build("echo '[1/40] Building x'; echo 'x.cc:1: error: wrong'; exit 1");
  EXPECT_EQ(code, 2);
  EXPECT_EQ(said, "x.cc:1: error: wrong\nit: building build/release failed; the reason stands above\n");
}

}  // namespace
}  // namespace headroom::first_build_test
