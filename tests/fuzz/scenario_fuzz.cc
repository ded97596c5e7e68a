// Fuzz target of the scenario parser: any bytes give a Scenario or a ScenarioError, within five seconds of
// CPU.
//
// A build with one_input.cc and main.cc mutates the scenarios of tests/ and scenarios/; with clang++
// -fsanitize=fuzzer instead of main.cc, libFuzzer does. Lines that begin with "#--set " act as --set; files
// are read from the folder of the good scenarios.
#include <sstream>
#include <string>
#include <vector>

#include "corpus.h"
#include "one_input.h"
#include "scenario/read/load.h"
#include "scenario/write/write.h"

namespace {

constexpr double kMemory = 64e6;  // small, so that a scenario that fits is built quickly

std::vector<std::string> SetsIn(const std::string& text) {
  const std::string mark = "#--set ";
  std::vector<std::string> sets;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(mark)) sets.push_back(line.substr(mark.size()));
  return sets;
}

}  // namespace

/// A scenario that loads can be written and loaded again.
void Check(const std::string& text) {
  const std::string directory = std::string(HEADROOM_SOURCE_DIR) + "/tests/scenario/good";
  try {
    const auto file =
        headroom::LoadScenarioFileText(text, "fuzz.yaml", directory, SetsIn(text), {.memory = kMemory});
    const headroom::Resolved resolved = headroom::WriteResolved(file);
    if (!resolved.files.empty()) return;  // the files would have to be copied
    const auto again =
        headroom::LoadScenarioFileText(resolved.yaml, "resolved.yaml", directory, {}, {.memory = kMemory});
    if (headroom::WriteResolved(again).yaml != resolved.yaml) Fail("not a fixed point", text);
  } catch (const headroom::ScenarioError& e) {
    if (std::string(e.what()).starts_with("resolved.yaml")) Fail(e.what(), text);
  }
}

FuzzCorpus Corpus() {
  FuzzCorpus corpus;
  corpus.folders = {{"tests/scenario", ".yaml"}, {"scenarios", ".yaml"}};
  corpus.tokens = {"0",
                   "-1",
                   "99999999999999999999",
                   "100000000",
                   "1/0",
                   "1e999",
                   "5%",
                   "0ns",
                   "1ps",
                   "100Gbps",
                   "64KiB",
                   "null",
                   "~",
                   "true",
                   "\"\"",
                   "\"*\"",
                   "[",
                   "]",
                   "{",
                   "}",
                   ": ",
                   "- ",
                   "? ",
                   "&a ",
                   "*a",
                   "<<: ",
                   "!!str ",
                   "|\n",
                   ">\n",
                   "---\n",
                   "...\n",
                   "\t",
                   "# ",
                   "%YAML 1.2\n",
                   "\xff",
                   "\xef\xbb\xbf",
                   "é",
                   "h0",
                   "s0",
                   "*",
                   "[0-",
                   "hpcc",
                   "none",
                   "include: smallest.yaml\n",
                   "file: hpcc-flows.txt",
                   "#--set seed=2\n",
                   "#--set workloads.0.size=1\n",
                   "#--set nics.*.generation=gen1\n"};
  corpus.kept = "fuzz-input.yaml";
  return corpus;
}
