// The HPCC simulator's files as a scenario, and its completion times as a result.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "cli/convert/exchange.h"
#include "files/text_file.h"
#include "report/csv/result_file.h"
#include "report/summary/summary_sections.h"
#include "report/version.h"
#include "scenario/hpcc/hpcc_files.h"
#include "scenario/read/load.h"
#include "scenario/write/write.h"
#include "scenario/yaml/line_reader.h"
#include "scenario/yaml/quantity.h"
#include "workload/types/list.h"

namespace headroom {

namespace fs = std::filesystem;

namespace {

std::string PathFrom(const fs::path& folder, const fs::path& file) {
  return WriteTexts({fs::proximate(fs::absolute(file), fs::absolute(folder)).string()});
}

/// The node with this address: the inverse of AddressOf in exchange_hpcc_out.cc.
int64_t NodeAt(const LineReader& lines, const std::string& text) {
  uint32_t address = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), address, 16);
  if (error != std::errc{} || end != text.data() + text.size() || (address & 0xff0000ffu) != 0x0b000001u)
    throw ScenarioError(lines.where(), Quote(text) + " is not the address of a node",
                        "expected: 0bXXYY01 in eight hexadecimal digits, of node XXYY");
  return (address >> 8) & 0xffff;
}

struct Completion {
  int64_t src = 0, dst = 0;
  Bytes size;
  Time start, took, alone;
};

/// The duration of a flow in nanoseconds, which must not be 0.
Time NotNothing(const LineReader& lines, const std::string& text, const char* what, int64_t most) {
  const int64_t ns = lines.Integer(text, 0, most);
  if (ns == 0)
    throw ScenarioError(lines.where(), fmt::format("{} is 0, but a flow takes time", what),
                        fmt::format("allowed: 1 to {}", most));
  return headroom::Nanoseconds(ns);
}

std::vector<Completion> ReadCompletions(const fs::path& file) {
  constexpr const char* kLine =
      "source destination source_port destination_port bytes start_ns fct_ns alone_ns";
  constexpr int64_t kMost = 1'000'000'000'000'000;  // in ns: eleven days
  LineReader lines(file, WholeFile(file));
  std::vector<Completion> found;
  for (auto words = lines.NextIfAny(); !words.empty(); words = lines.NextIfAny()) {
    if (words.size() != 8)
      throw ScenarioError(lines.where(), fmt::format("{} values are in the line", words.size()),
                          fmt::format("expected: {}", kLine));
    Completion c;
    c.src = NodeAt(lines, words[0]);
    c.dst = NodeAt(lines, words[1]);
    c.size = Bytes(lines.Integer(words[4], 1, kLargestSize.v));
    c.start = headroom::Nanoseconds(lines.Integer(words[5], 0, kMost));
    c.took = NotNothing(lines, words[6], "fct_ns", kMost);
    c.alone = NotNothing(lines, words[7], "alone_ns", kMost);
    found.push_back(c);
  }
  if (found.empty())
    throw ScenarioError(WholeFile(file), "the file has no line with a flow",
                        fmt::format("expected: {}", kLine));
  return found;
}

/// A scenario with only the nodes that the messages name, and the one workload.
Scenario Bare(const std::string& name, const std::string& workload,
              const std::vector<Completion>& completions) {
  std::set<int64_t> ids;
  for (const Completion& c : completions) ids.insert({c.src, c.dst});
  Scenario s;
  s.name = name;
  for (const int64_t id : ids) s.topology.nodes.push_back({fmt::format("n{}", id), "host", true, {}});
  s.topology.hosts = static_cast<uint32_t>(ids.size());
  WorkloadParameters w;
  w.name = workload;
  w.arrivals = ListArrivals{};
  s.workloads = {w};
  return s;
}

RunRecord RecordOf(const Scenario& scenario, std::vector<Completion> completions) {
  std::map<std::string, NodeId> nodes;
  for (NodeId n = 0; n < scenario.topology.hosts; ++n) nodes[scenario.topology.nodes[n].name] = n;
  std::stable_sort(completions.begin(), completions.end(),
                   [](const Completion& a, const Completion& b) { return a.start < b.start; });
  RunRecord record;
  std::map<NodeId, uint32_t> numbers;
  for (const Completion& c : completions) {
    MessageRecord m;
    m.src = nodes.at(fmt::format("n{}", c.src));
    m.dst = nodes.at(fmt::format("n{}", c.dst));
    m.number = numbers[m.src]++;
    m.size = c.size;
    m.start = c.start;
    m.completed = c.start + c.took;
    m.ideal = c.alone;
    record.end = std::max(record.end, m.completed);
    record.messages.push_back(m);
  }
  return record;
}

}  // namespace

std::string ScenarioNameAt(const fs::path& out, const std::string& otherwise) {
  std::string name = out.stem().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') c = '-';
  return name.empty() ? otherwise : name;
}

Converted ScenarioOfHpcc(const fs::path& topology, const fs::path& flows, const fs::path& out_file) {
  const fs::path folder = out_file.has_parent_path() ? out_file.parent_path() : fs::path(".");
  Converted out;
  ReadHpccTopology(topology, WholeFile(topology), &out.notes);
  std::set<int> priorities;
  Time last;
  for (const HpccFlow& flow : ReadHpccFlows(flows, WholeFile(flows), &out.notes)) {
    priorities.insert(flow.priority);
    last = std::max(last, flow.start);
  }
  out.notes.push_back(
      "the two files have no ECN thresholds, so switches mark no packet and DCQCN never cuts a rate; "
      "copy KMIN_MAP, KMAX_MAP and PMAX_MAP of config.txt to ecn: under switches:");
  out.text = fmt::format(
      "# From {} and {}, files of the HPCC simulator: its frames, its buffer rule and its reaction point. "
      "Its\n# config.txt has the rest: ECN thresholds (KMIN_MAP …), the memory (BUFFER_SIZE), the timers.\n",
      topology.filename().string(), flows.filename().string());
  out.text +=
      fmt::format("name: {}\nduration: {}\ndeadline: 100s\n",
                  WriteTexts({ScenarioNameAt(out_file, "hpcc-import")}), FormatTime(last + Microseconds(1)));
  out.text += fmt::format("topology: {{type: hpcc, file: {}}}\nmtu: 1000\nframes: hpcc\npriorities:\n",
                          PathFrom(folder, topology));
  for (const int p : priorities)
    out.text += fmt::format("  group{}: {{priority: {}, lossless: true}}\n", p, p);
  out.text +=
      "switches:\n  - {match: \"*\", latency: 0ns, buffer: {profile: hpcc, size: 32MiB}}\n"
      "nics:\n  - {match: \"*\", generation: hpcc-sim}\n";
  out.text += fmt::format("workloads:\n  - {{name: flows, type: hpcc, file: {}}}\n", PathFrom(folder, flows));
  LoadScenarioText(out.text, out_file.empty() ? "hpcc-import" : out_file.string(),
                   folder);  // throws an error for invalid input
  return out;
}

void ResultOfHpccCompletions(const fs::path& file, const std::string& workload, const fs::path& target,
                             bool force) {
  std::vector<Completion> completions = ReadCompletions(file);
  const Scenario scenario = Bare(target.filename().string(), workload, completions);
  const RunRecord record = RecordOf(scenario, std::move(completions));
  StagedDirectory staged(target, {.force = force, .command = "convert"});
  ResultFiles().at("messages")->Write(staged.path() / "messages.csv", {scenario, record});
  nlohmann::ordered_json summary;
  summary["scenario"] = scenario.name;
  summary["seed"] = nullptr;
  summary["status"] = RunStatusName(RunStatus::complete);
  summary["sim_time_us"] = InMicroseconds(record.end);
  summary["version"] = kVersion;
  summary["imported_from"] = file.filename().string();
  summary["messages"] = SummariseMessages(scenario, record, SIZE_MAX);
  TextFile text(staged.path() / "summary.json");
  text.Write(summary.dump(2) + "\n");
  text.Close();
  staged.Commit();
}

}  // namespace headroom
