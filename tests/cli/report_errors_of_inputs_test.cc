// Inputs that are not files or have no end; texts that are not numbers.
#include <array>

#include "support/program.h"

namespace headroom::report_errors_of_inputs_test {
namespace {

using InputsTest = ProgramTest;

TEST_F(InputsTest, what_is_no_file_or_has_no_end_is_refused_by_every_reader) {
  WriteSmall();
  WriteSmall("includes.yaml", "include: /dev/zero\n");
  WriteSmall("fifo-size.yaml", "vary: {workloads.w.size: [{file: fifo}]}\n");
  ASSERT_EQ(
      Shell("mkfifo fifo; headroom run small.yaml --out r && mkdir zero && ln -s /dev/zero zero/summary.json"
            " && cp -r r odd && ln -sf /dev/zero odd/messages.csv && ln -sf /dev/zero odd/ports.csv")
          .first,
      0);
  const std::string convert = "convert --out never.txt --from ";
  for (const std::string& command :
       std::vector<std::string>{"run /dev/zero",
                                "run fifo",
                                "check includes.yaml",
                                "check small.yaml --set include=fifo",
                                "run fifo-size.yaml",
                                "check small.yaml --points /dev/zero",
                                "check small.yaml --points fifo",
                                "check small.yaml --points nothing",
                                convert + "csv /dev/zero",
                                convert + "csv fifo",
                                convert + "csv nothing",
                                convert + "csv .",
                                convert + "hpcc /dev/zero fifo",
                                convert + "htsim /dev/zero fifo",
                                convert + "hpcc-fct /dev/zero",
                                "convert --to hpcc-flow odd",
                                "convert --to sonic-patch small.yaml --config /dev/zero",
                                "compare r zero",
                                "compare r fifo",
                                "show odd queue counters",
                                "run small.yaml --out zero"}) {
    const auto [code, said] = Shell("timeout 10 " HEADROOM_PROGRAM " " + command + " </dev/null");
    EXPECT_EQ(code, 2) << command << ": " << said;
    EXPECT_EQ(said.find("internal"), std::string::npos) << command << ": " << said;
    EXPECT_LT(said.size(), 400u) << command;
  }
  EXPECT_EQ(Shell("headroom " + convert + "csv /dev/zero").second, "/dev/zero: is not a regular file\n");
  EXPECT_EQ(Shell("headroom run /dev/zero").second, "/dev/zero: is not a regular file\n");
  EXPECT_FALSE(std::filesystem::exists("never.txt"));
}

TEST_F(InputsTest, a_damaged_result_is_told_with_its_file_and_never_shown) {
  WriteSmall();
  ASSERT_EQ(Shell("headroom run small.yaml --out r").first, 0);
  const auto told = [](const std::string& damage, const std::string& command) {
    Shell("rm -rf d; cp -r r d; " + damage);
    const auto [code, said] = Shell("headroom " + command);
    EXPECT_EQ(code, 2) << damage << ": " << said;
    return said;
  };
  const std::string again = " headroom does not write; run the scenario again\n";
  EXPECT_EQ(told("sed -i 's/^s0,p0,3,/s0,p0,77,/' d/ports.csv", "show d pfc counters"),
            "headroom: d/ports.csv:8: priority is \"77\", which" + again);
  EXPECT_EQ(told("sed -i 's/,10000,/,x,/' d/messages.csv", "convert --to hpcc-flow d"),
            "headroom: d/messages.csv:2: bytes is \"x\", which" + again);
  EXPECT_EQ(told("sed -i 's/,h2,/,h9,/' d/messages.csv", "convert --to hpcc-fct d"),
            "headroom: d/messages.csv:2: dst is \"h9\", which" + again);
  EXPECT_EQ(told(": > d/ports.csv", "show d queue counters"),
            "headroom: d/ports.csv: is empty; run the scenario again\n");
  for (const auto& [file, command, column] :
       std::vector<std::array<std::string, 3>>{{"ports.csv", "show d pfc counters", "node"},
                                               {"watchdog.csv", "show d pfcwd stats", "node"},
                                               {"messages.csv", "convert --to hpcc-flow d", "workload"}})
    EXPECT_EQ(told("echo word > d/" + file, command), "headroom: d/" + file + ":1: has no column " + column +
                                                          "; run the scenario again with this version\n");
  for (const std::string form : {"hpcc-flow", "hpcc-fct"}) {
    EXPECT_EQ(told("truncate -s 99 d/summary.json", "convert --to " + form + " d"),
              "headroom: d/summary.json: is not a JSON object\n");
    EXPECT_EQ(told("rm d/summary.json", "convert --to " + form + " d"),
              "headroom: d: is not a result: it has no summary.json\n");
    EXPECT_EQ(told("sed -i '$d' d/messages.csv", "convert --to " + form + " d"),
              "headroom: d/messages.csv: the file has 1 messages, but summary.json counts 2; run the "
              "scenario again\n");
  }
  for (const std::string text : {"{}", "name: x"})
    EXPECT_EQ(told("echo '" + text + "' > d/resolved.yaml", "compare r d"),
              "d/resolved.yaml:1:1: there is no " + std::string(text == "{}" ? "name" : "duration") +
                  "; every result has this file; run the scenario again\n");
  EXPECT_EQ(told("echo null > d/resolved.yaml", "compare r d"), "d/resolved.yaml:1:1: the file is empty\n");
  for (const std::string key : {"scenario", "status", "seed", "messages", "buffer"})
    EXPECT_EQ(told("sed -i -e 's/^  \"" + key + "\": {/  \"" + key + "\": -1, \"x\": {/' -e 's/^  \"" + key +
                       "\": [^-{]*,$/  \"" + key + "\": -1,/' d/summary.json",
                   "compare r d"),
              "headroom: d/summary.json: the file is not a summary of a run: " + key +
                  " is missing, or its type is wrong\n");
  EXPECT_NE(told("sed -i 's/\"pools\": /\"pool\": /' d/summary.json", "show d buffer_pool watermark")
                .find("has no pools of s0"),
            std::string::npos);
}

TEST_F(InputsTest, a_tolerance_is_a_number_from_0_on) {
  WriteSmall();
  ASSERT_EQ(Shell("headroom run small.yaml --out r").first, 0);
  for (const std::string tolerance : {"nan", "inf", "-1"}) {
    const auto [code, said] = Shell("headroom compare r r --tolerance=" + tolerance);
    EXPECT_EQ(code, 2);
    EXPECT_EQ(said, "headroom: --tolerance " + tolerance +
                        " is out of range; allowed: 0 or more, in per cent; see headroom compare --help\n");
  }
  EXPECT_EQ(Shell("headroom compare r r --tolerance x").first, 2);
  EXPECT_EQ(Shell("headroom compare r r --tolerance 0").first, 0);
}

}  // namespace
}  // namespace headroom::report_errors_of_inputs_test
