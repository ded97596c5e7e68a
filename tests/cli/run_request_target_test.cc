// The target of a result: links, folders that cannot exist, and files of earlier processes.
#include <csignal>

#include "files/staged_directory.h"
#include "files/text_file.h"
#include "support/program.h"

namespace headroom::run_request_target_test {
namespace {

namespace fs = std::filesystem;
using TargetTest = ProgramTest;

TEST_F(TargetTest, a_link_to_a_folder_stays_and_the_result_is_where_it_leads) {
  WriteSmall();
  fs::create_directory("there");
  fs::create_directory_symlink("there", "link");
  EXPECT_EQ(Shell("headroom run small.yaml --out link").first, 0);
  EXPECT_TRUE(fs::is_symlink("link"));
  EXPECT_TRUE(IsFinishedResult("there"));
  EXPECT_EQ(Shell("headroom run small.yaml --out link").first, 2);
  EXPECT_EQ(Shell("headroom run small.yaml --out link/ --force --seeds 2").first, 0);
  EXPECT_TRUE(fs::is_symlink("link"));
  EXPECT_TRUE(IsFinishedResult("there/seed-2"));
  EXPECT_EQ(In("."), "link small.yaml there");
}

TEST_F(TargetTest, what_cannot_be_written_is_told_before_anything_runs) {
  WriteEndless();
  Write("file", "");
  ASSERT_EQ(Shell("ln -s nowhere dangling; ln -s loop loop").first, 0);
  const std::string longest(300, 'x');
  for (const auto& [out, why] : std::vector<std::pair<std::string, std::string>>{
           {"''", "the folder for the result has an empty name; give another --out"},
           {"dangling", "dangling: this path is a link to nowhere, which does not exist; give another --out"},
           {"loop", "loop: this path is a link to loop, which leads nowhere; give another --out"},
           {"file", "file: exists and is not a directory"},
           {longest, longest + ": cannot be written: File name too long"}}) {
    for (const std::string more : {"", " --seeds 2", " --pcap h0"}) {
      const auto [code, said] = Shell("timeout 10 " HEADROOM_PROGRAM " run endless.yaml --out " + out + more);
      EXPECT_EQ(code, 2) << out;
      EXPECT_EQ(said, "headroom: " + why + "\n");
    }
  }
  for (const std::string out : {"file/x", "file/x/y", "dangling/x"}) {
    const auto [code, said] = Shell("timeout 10 " HEADROOM_PROGRAM " run endless.yaml --out " + out);
    EXPECT_EQ(code, 2) << out;
    EXPECT_NE(said.find("cannot be written"), std::string::npos) << said;
  }
  EXPECT_EQ(In("."), "dangling endless.yaml file loop");
}

TEST_F(TargetTest, two_scenarios_do_not_write_one_result) {
  WriteSmall("a.yaml");
  WriteSmall("b.yaml");
  const auto [code, said] = Shell("headroom run a.yaml b.yaml");
  EXPECT_EQ(code, 2);
  EXPECT_EQ(said,
            "headroom: a.yaml and b.yaml would both write results/small; run one of them with --out DIR\n");
  EXPECT_EQ(In("."), "a.yaml b.yaml");
}

TEST_F(TargetTest, what_dead_processes_left_goes_and_that_of_others_stays) {
  const pid_t dead = fork();
  if (dead == 0) _exit(0);
  waitpid(dead, nullptr, 0);
  const std::string mine = PartialBeside("out").string();
  const std::string begin = mine.substr(0, mine.rfind('-') + 1);
  const std::string left = begin + std::to_string(dead), living = begin + std::to_string(getppid());
  fs::create_directories(left + "/below");
  fs::create_directory(living);
  fs::create_directory(begin + "x");
  fs::create_directory(".out.partial-another.machine-" + std::to_string(dead));
  fs::create_directory(".other" + left.substr(4));
  { const StagedDirectory staged("out", {}); }
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(living));
  EXPECT_TRUE(fs::exists(begin + "x"));
  EXPECT_TRUE(fs::exists(".out.partial-another.machine-" + std::to_string(dead)));
  EXPECT_TRUE(fs::exists(".other" + left.substr(4)));
  Write(left, "");
  WriteWhole("out", "text");
  EXPECT_FALSE(fs::exists(left));
}

}  // namespace
}  // namespace headroom::run_request_target_test
