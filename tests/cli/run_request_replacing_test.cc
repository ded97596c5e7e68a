// An earlier result, or another program's file, in a folder into which a command writes.
#include <fstream>
#include <map>
#include <random>

#include "files/manifest.h"
#include "files/staged_directory.h"
#include "support/program.h"
#include "support/text_file.h"

namespace headroom::run_request_replacing_test {
namespace {

namespace fs = std::filesystem;
using ReplacingTest = ProgramTest;

/// A result as the command writes it: these files, each with its name as text.
void MakeResult(const fs::path& target, const std::vector<std::string>& names, const std::string& status,
                const Replacing& replacing) {
  StagedDirectory staged(target, replacing);
  for (const std::string& name : names) {
    fs::create_directories((staged.path() / name).parent_path());
    std::ofstream(staged.path() / name) << name;
  }
  std::ofstream(staged.path() / "summary.json") << R"({"status": ")" << status << "\"}";
  staged.Commit();
}

/// Every file below the working directory with its text.
std::map<std::string, std::string> Everything() {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator("."))
    if (entry.is_regular_file()) found[entry.path().string()] = ReadTextFile(entry.path());
  return found;
}

// Random results, interrupted or finished, with a user's files in them or changed files. Without force
// nothing is lost, and nothing changes unless all files were Headroom's; with force a user's files stay.
TEST_F(ReplacingTest, no_file_of_somebody_else_is_ever_lost) {
  std::mt19937 random(7);
  const auto one_in = [&](unsigned n) { return random() % n == 0; };
  const std::vector<std::string> ours = {"messages.csv", "pcap/h0.pcap", "my sizes.csv"};
  const std::vector<std::string> theirs = {"notes.txt", "pcap/mine.pcap", "deep/er/x", "other/summary.json"};
  int refused = 0, replaced = 0;
  for (int round = 0; round < 60; ++round) {
    fs::remove_all("r");
    const bool finished = one_in(2), force = one_in(2);
    MakeResult("r", ours, finished ? "complete" : "interrupted", {});
    bool foreign = false, changed = false;
    for (const std::string& name : theirs) {
      if (!one_in(4)) continue;
      foreign = true;
      fs::create_directories(("r" / fs::path(name)).parent_path());
      std::ofstream("r" / fs::path(name)) << "mine";
    }
    if (one_in(3)) changed = (std::ofstream("r/messages.csv", std::ios::app) << "more").good();
    const auto before = Everything();
    const bool gives_way = force || (!finished && !foreign && !changed);
    try {
      MakeResult("r", {"events.csv"}, "complete", {.force = force});
      EXPECT_TRUE(gives_way) << round;
      ++replaced;
      for (const auto& [path, text] : before) {
        if (text == "mine") {
          EXPECT_EQ(ReadTextFile(path), "mine") << path;
        }
      }
      const auto kept = std::ranges::count_if(before, [](const auto& file) { return file.second == "mine"; });
      EXPECT_EQ(Everything().size(), 3 + static_cast<size_t>(kept));  // .headroom, events.csv, summary.json
    } catch (const ResultError& e) {
      EXPECT_FALSE(gives_way) << e.what();
      ++refused;
      EXPECT_EQ(Everything(), before);
    }
  }
  EXPECT_GT(refused, 15);
  EXPECT_GT(replaced, 15);
}

TEST_F(ReplacingTest, an_interrupted_result_with_a_users_file_is_kept_until_force) {
  MakeResult("r", {"messages.csv"}, "interrupted", {});
  Write("r/notes.txt", "mine");
  WriteSmall();
  EXPECT_EQ(
      Shell("headroom run small.yaml --out r"),
      std::pair(2, std::string("headroom: r: holds notes.txt, which Headroom did not write; give --force to "
                               "keep it and replace the result, or another --out\n")));
  EXPECT_EQ(In("r"), ".headroom messages.csv notes.txt summary.json");
  EXPECT_EQ(Shell("headroom run small.yaml --out r --force --seeds 2").first, 0);
  EXPECT_EQ(In("r"), ".headroom notes.txt seed-1 seed-2 summary.json");
  EXPECT_EQ(ReadTextFile("r/notes.txt"), "mine");
  // Files that Headroom wrote below are also its own.
  EXPECT_EQ(ForeignIn("r", ReadManifest("r")), std::vector<std::string>{"notes.txt"});
  EXPECT_TRUE(ChangedIn("r", ReadManifest("r")).empty());
}

TEST_F(ReplacingTest, a_summary_that_nobody_knows_is_not_replaced_by_force_either) {
  fs::create_directory("r");
  Write("r/summary.json", "{\"status\": \"complete\"}");
  WriteSmall();
  for (const std::string force : {"", " --force"})
    EXPECT_EQ(Shell("headroom run small.yaml --out r" + force).first, 2);
  EXPECT_EQ(Shell("headroom run small.yaml --out r --force").second,
            "headroom: r: holds a result without .headroom, so Headroom may not have written it; remove the "
            "folder, or another --out\n");
  EXPECT_EQ(In("r"), "summary.json");
}

TEST_F(ReplacingTest, validate_replaces_its_own_results_alone) {
  WriteSmall("small.yaml", "expect: [{metric: drops.lossless, max: 0, kind: ours, source: \"none\"}]\n");
  ASSERT_EQ(Shell("headroom run small.yaml --out v/small").first, 0);
  const auto before = Everything();
  const auto [code, said] = Shell("headroom validate small.yaml --out v");
  EXPECT_EQ(code, 2);
  EXPECT_EQ(said,
            "headroom: v/small: holds a finished result; give --force to replace it, or another --out\n");
  EXPECT_EQ(Everything(), before);
  EXPECT_EQ(Shell("headroom validate small.yaml --out v --force").first, 0);
  EXPECT_EQ(Shell("headroom validate small.yaml --out v").first, 0);
  Write("v/small/messages.csv", "changed");
  EXPECT_EQ(Shell("headroom validate small.yaml --out v").first, 2);
}

TEST_F(ReplacingTest, a_file_that_convert_would_write_is_kept_until_force) {
  WriteSmall();
  Write("mine.txt", "mine");
  Write("messages.csv", "src,dst,bytes,start_us\na,b,1,0\n");
  for (const auto& [what, mine] :
       {std::pair<std::string, std::string>("--to hpcc-topology small.yaml", "3 1 2\n"),
        {"--from csv messages.csv", "# From other.csv\n"}}) {
    Write("mine.txt", mine);
    EXPECT_EQ(
        Shell("headroom convert " + what + " --out mine.txt"),
        std::pair(2,
                  std::string("headroom: mine.txt: exists; give --force to replace it, or another --out\n")));
    EXPECT_EQ(ReadTextFile("mine.txt"), mine);
    EXPECT_EQ(Shell("headroom convert " + what + " --out mine.txt --force").first, 0);
    EXPECT_NE(ReadTextFile("mine.txt"), mine);
    EXPECT_EQ(Shell("headroom convert " + what + " --out mine.txt --force").first, 0);
    EXPECT_EQ(Shell("headroom convert " + what + " --out /dev/stdout >mine.txt").first, 0);
  }
}

TEST_F(ReplacingTest, with_force_convert_replaces_nothing_else_than_what_it_writes) {
  WriteSmall();
  ASSERT_EQ(Shell("headroom run small.yaml --out r").first, 0);
  Write("mine.json", "{}\n");
  Write("copy.csv", ReadTextFile("r/messages.csv"));
  const auto before = Everything();
  for (const std::string what :
       {"--to hpcc-topology small.yaml", "--to hpcc-flow r", "--to hpcc-fct r", "--from csv copy.csv"}) {
    for (const std::string out :
         {"small.yaml", "copy.csv", "mine.json", "r/messages.csv", "r/summary.json"}) {
      const auto [code, said] = Shell("headroom convert " + what + " --force --out " + out);
      EXPECT_EQ(code, 2) << what << ' ' << out << said;
      const bool listed = out.starts_with("r/");
      EXPECT_NE(said.find(out + (listed ? ": this file belongs to a result"
                                        : ": the file exists, and `headroom convert` did not write it")),
                std::string::npos)
          << said;
    }
  }
  EXPECT_EQ(Everything(), before);
}

}  // namespace
}  // namespace headroom::run_request_replacing_test
