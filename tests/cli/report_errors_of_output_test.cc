// Output that does not arrive, and arguments that cannot be written.
#include "support/program.h"

namespace headroom::report_errors_of_output_test {
namespace {

class OutputTest : public ProgramTest {
 protected:
  static void WriteMessages() { Write("m.csv", "src,dst,bytes,start_us\nh0,h1,1000,1\n"); }
};

TEST_F(OutputTest, a_full_disk_is_an_error_of_every_command) {
  WriteSmall();
  WriteSmall("expects.yaml", "expect: [{metric: drops.lossless, max: 0, source: sum}]\nname: expects\n");
  const std::string expects = "sed -i 's/^name: small$//' expects.yaml; ";
  ASSERT_EQ(Shell(expects + "headroom run small.yaml --out r").first, 0);
  const std::string quickstart = std::string(HEADROOM_SOURCE_DIR) + "/scenarios/quickstart.yaml";
  for (const std::string& command :
       {std::string("--help"), std::string("--version"), std::string("run --help"),
        std::string("run small.yaml --out r --force"), std::string("run small.yaml --out r --force --json"),
        std::string("run small.yaml --seeds 2 --out rs --force"), std::string("check small.yaml"),
        std::string("check small.yaml --json"), "check " + quickstart, "fluid " + quickstart,
        std::string("validate expects.yaml"), std::string("compare r r"), std::string("show r"),
        std::string("show r pfc counters"), std::string("perf small.yaml --from h0 --to h1 --iters 5"),
        std::string("convert --to hpcc-topology small.yaml")}) {
    const auto [code, said] = Shell("headroom " + command + " >/dev/full");
    EXPECT_EQ(code, 2) << command;
    EXPECT_EQ(said.find("internal"), std::string::npos) << command << ": " << said;
    EXPECT_NE(said.find("headroom: standard output cannot be written: No space left on device\n"),
              std::string::npos)
        << command << ": " << said;
    EXPECT_NE(Shell("headroom " + command + " >&-").first, 0) << command;
  }
}

TEST_F(OutputTest, a_message_that_does_not_arrive_leaves_the_exit_code) {
  EXPECT_EQ(Shell("headroom run nothing.yaml 2>/dev/full").first, 2);
  EXPECT_EQ(Shell("headroom run nothing.yaml 2>&-").first, 2);
  EXPECT_EQ(Shell("headroom nothing 2>/dev/full").first, 2);
}

TEST_F(OutputTest, arguments_that_are_no_text_are_refused) {
  WriteSmall();
  for (const std::string command :
       {"run small.yaml --out bad$'\\xff'", "check small$'\\xff'.yaml --json", "show $'\\xc3\\x28'"}) {
    const auto [code, said] = Shell("bash -c \"" + std::string(HEADROOM_PROGRAM) + " " + command + "\"");
    EXPECT_EQ(code, 2);
    EXPECT_NE(said.find("is not UTF-8"), std::string::npos) << said;
  }
  EXPECT_EQ(In("."), "small.yaml");
}

TEST_F(OutputTest, a_file_to_write_is_where_its_link_leads) {
  WriteMessages();
  Write("there.txt", "# From before");
  ASSERT_EQ(Shell("ln -s there.txt link; headroom convert --from csv m.csv --force --out link").first, 0);
  EXPECT_TRUE(std::filesystem::is_symlink("link"));
  EXPECT_NE(Shell("cat there.txt").second, "# From before");
  // A device remains a device.
  EXPECT_EQ(Shell("headroom convert --from csv m.csv --out /dev/stdout | head -1").second,
            "# From m.csv; include it in a scenario.\n");
  EXPECT_EQ(Shell("headroom convert --from csv m.csv --out /dev/full").second,
            "headroom: /dev/full: cannot be written: No space left on device\n");
  EXPECT_EQ(In("."), "link m.csv there.txt");
}

TEST_F(OutputTest, a_file_that_is_open_already_is_written_on) {
  WriteMessages();
  const std::string convert = "headroom convert --from csv m.csv ";
  const std::string text = Shell(convert).second;
  ASSERT_TRUE(text.starts_with("# From m.csv"));
  ASSERT_EQ(Shell("ln -s /dev/fd/3 link").first, 0);
  for (const std::string& out :
       {std::string("--out /dev/stdout >>log"), std::string("--out /dev/stderr 2>>log"),
        std::string("--out /dev/fd/1 >>log"), std::string("--out /proc/self/fd/3 3>>log"),
        std::string("--out link 3>>log"), std::string("--out log >>log")}) {
    std::filesystem::remove("log");
    const auto [code, said] = Shell("echo before >log; " + convert + out + "; echo after >>log; cat log");
    EXPECT_EQ(said, "before\n" + text + "after\n") << out;
    EXPECT_EQ(In("."), "link log m.csv") << out;
  }
  EXPECT_EQ(Shell("{ echo before; " + convert + "--out /dev/stdout; echo after; } >log; cat log").second,
            "before\n" + text + "after\n");
}

TEST_F(OutputTest, a_file_that_cannot_be_written_is_told_and_leaves_nothing) {
  WriteMessages();
  std::filesystem::create_directory("folder");
  ASSERT_EQ(Shell("ln -s nowhere dangling; ln -s loop loop").first, 0);
  const std::string convert = "headroom convert --from csv m.csv --out ";
  for (const auto& [out, why] : std::vector<std::pair<std::string, std::string>>{
           {"''", "the file to write has an empty name; give another --out"},
           {"folder", "folder: cannot be written: is a folder"},
           {"dangling", "dangling: cannot be written: is a link that leads nowhere"},
           {"loop", "loop: cannot be written: Too many levels of symbolic links"},
           {"nothing/x.txt", "nothing/x.txt: cannot be written: No such file or directory"},
           {"m.csv/x.txt", "m.csv/x.txt: cannot be written: Not a directory"}}) {
    const auto [code, said] = Shell(convert + out);
    EXPECT_EQ(code, 2) << out;
    EXPECT_EQ(said, "headroom: " + why + "\n");
  }
  EXPECT_EQ(In("."), "dangling folder loop m.csv");
}

}  // namespace
}  // namespace headroom::report_errors_of_output_test
