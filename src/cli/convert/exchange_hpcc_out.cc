// Topologies and results in the HPCC simulator's formats.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <stdexcept>

#include "cli/convert/exchange.h"
#include "files/staged_directory.h"
#include "report/csv/csv_rows.h"
#include "report/metric_path.h"
#include "report/result.h"
#include "report/result_scenario.h"
#include "scenario/hpcc/hpcc_files.h"
#include "scenario/yaml/quantity.h"

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr int kDestinationPort = 100;  ///< the port of every flow in its public files

std::string DelayText(Time delay) {
  return delay.v % 1000 == 0 ? fmt::format("{}ns", delay.v / 1000) : fmt::format("{}ps", delay.v);
}

/// The time is exact: ParseTime does not round.
Time Nanoseconds(const CsvTable& table, size_t row, const char* column) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = table.At(row, column) + "ns";
  try {
    return ParseTime(node);
  } catch (const ScenarioError&) {
    table.Fail(row, column);
  }
}

/// Its files number hosts, which have one link each.
void RequireOneNic(const Topology& topology) {
  for (const TopologyNode& node : topology.nodes) {
    if (node.name.find('/') != std::string::npos)
      throw std::invalid_argument(
          fmt::format("{} is inside a host: hosts with several NICs or devices are not supported yet in the "
                      "HPCC simulator's files",
                      node.name));
  }
}

struct Message {
  int64_t src = 0, dst = 0, priority = 0, bytes = 0;
  std::string verb;
  Time start, completed = kNever, ideal;
};

/// The number of messages of all workloads, including the warm-up.
double MessagesIn(const nlohmann::ordered_json& summary) {
  double sum = 0;
  for (const auto& [workload, unused] : summary.at("messages").items())
    for (const char* key : {"offered", "warmup_offered"})
      sum += FindNumber(summary, "messages." + workload + '.' + key).value_or(0);
  return sum;
}

std::vector<Message> MessagesOf(const fs::path& result) {
  const fs::path file = result / "messages.csv";
  if (!fs::exists(file)) {
    if (fs::exists(result / "seed-1"))
      throw std::invalid_argument(fmt::format("{} holds runs of several seeds; give one run, such as {}",
                                              result.string(), (result / "seed-1").string()));
    throw std::invalid_argument(
        fmt::format("{} is not a result: it has no messages.csv; run the scenario first", result.string()));
  }
  const nlohmann::ordered_json summary = ReadSummary(result);
  const Scenario scenario = ReadScenarioOfResult(result);
  RequireOneNic(scenario.topology);
  const std::vector<int64_t> ids = HpccIdsOf(scenario.topology);
  std::map<std::string, int64_t> id_of;
  for (size_t n = 0; n < ids.size(); ++n) id_of[scenario.topology.nodes[n].name] = ids[n];
  const CsvTable table(file);
  if (const double messages = MessagesIn(summary); messages != static_cast<double>(table.rows()))
    throw ResultError(
        fmt::format("{}: the file has {} messages, but summary.json counts {}; run the "
                    "scenario again",
                    file.string(), table.rows(), messages));
  const auto host = [&](size_t row, const char* column) {
    const auto found = id_of.find(table.At(row, column));
    if (found == id_of.end()) table.Fail(row, column);
    return found->second;
  };
  std::vector<Message> messages;
  for (size_t row = 0; row < table.rows(); ++row) {
    Message m;
    m.src = host(row, "src");
    m.dst = host(row, "dst");
    m.priority = static_cast<int64_t>(table.NumberAt(row, "priority", kPriorities - 1));
    m.bytes = static_cast<int64_t>(table.NumberAt(row, "bytes", INT64_MAX));
    m.verb = table.At(row, "verb");
    m.start = Nanoseconds(table, row, "start_ns");
    m.ideal = Nanoseconds(table, row, "ideal_ns");
    if (table.At(row, "finished") == "1") m.completed = Nanoseconds(table, row, "completed_ns");
    messages.push_back(m);
  }
  return messages;
}

/// The address that the simulator gives to a node.
uint32_t AddressOf(int64_t id) {
  return 0x0b000001u + (static_cast<uint32_t>(id / 256) << 16) + (static_cast<uint32_t>(id % 256) << 8);
}

/// Rounds to the nearest.
int64_t WholeNanoseconds(Time time) { return (time.v + 500) / 1000; }

}  // namespace

/// The parts of the scenario for which the topology file has no place.
static std::vector<std::string> LeftOut(const Scenario& scenario, bool named_ports) {
  std::vector<std::string> notes;
  if (named_ports) notes.push_back("names of ports are left out: this format has no place for them");
  std::set<std::string> latencies;
  for (const SwitchParameters& s : scenario.switches) {
    if (s.transit() > Time{}) latencies.insert(FormatTime(s.transit()));
  }
  if (!latencies.empty()) {
    notes.push_back(
        fmt::format("the switches' latency ({}) is left out: switches of the HPCC simulator have none; "
                    "with latency: 0ns both simulators agree",
                    fmt::join(latencies, ", ")));
  }
  const auto is_odd = [](const TopologyLink& l) {
    return l.spec.weight != 1 || l.spec.reorder.probability > 0;
  };
  if (std::ranges::any_of(scenario.topology.links, is_odd))
    notes.push_back("weights of links and random delays are left out: this format has no place for them");
  if (std::ranges::any_of(scenario.switches, [](const auto& s) { return s.routing != RoutingParameters(); }))
    notes.push_back("routing other than ecmp is left out: this format has no place for it");
  if (!scenario.faults.empty()) notes.push_back("faults are left out: this format has no place for them");
  if (!scenario.switches.empty())
    notes.push_back(
        "buffers, ECN and NICs are not in this file: set them in the HPCC simulator's "
        "config.txt");
  return notes;
}

Converted HpccTopologyOf(const Scenario& scenario) {
  const Topology& topology = scenario.topology;
  RequireOneNic(topology);
  const std::vector<int64_t> ids = HpccIdsOf(topology);
  Converted out;
  out.text = fmt::format("{} {} {}\n", topology.nodes.size(), topology.nodes.size() - topology.hosts,
                         topology.links.size());
  std::vector<int64_t> switches(ids.begin() + topology.hosts, ids.end());
  std::sort(switches.begin(), switches.end());
  out.text += fmt::format("{}\n", fmt::join(switches, " "));
  bool named = false;
  for (const TopologyLink& link : topology.links) {
    out.text +=
        fmt::format("{} {} {} {} {}\n", ids[link.a.node], ids[link.b.node], FormatRate(link.spec.rate),
                    DelayText(link.spec.delay + link.spec.phy), FormatNumber(link.spec.loss));
    named |= !link.a.port.empty() && link.a.port != fmt::format("p{}", link.a.port_index);
    named |= !link.b.port.empty() && link.b.port != fmt::format("p{}", link.b.port_index);
  }
  out.notes = LeftOut(scenario, named);
  return out;
}

Converted HpccFlowsOf(const fs::path& result) {
  std::vector<Message> messages = MessagesOf(result);
  Converted out;
  const auto empty = std::erase_if(messages, [](const Message& m) { return m.bytes == 0; });
  if (empty > 0)
    out.notes.push_back(fmt::format("{} messages of 0 bytes are left out: a flow needs at least one", empty));
  const auto own = std::erase_if(messages, [](const Message& m) { return m.src == m.dst; });
  if (own > 0) out.notes.push_back(fmt::format("{} messages from a host to itself are left out", own));
  const auto reads =
      std::count_if(messages.begin(), messages.end(), [](auto& m) { return m.verb == "read"; });
  if (reads > 0)
    out.notes.push_back(
        fmt::format("{} READs become flows of the data that they read; the READ requests "
                    "are left out",
                    reads));
  std::stable_sort(messages.begin(), messages.end(),
                   [](const Message& a, const Message& b) { return a.start < b.start; });
  out.text = fmt::format("{}\n", messages.size());
  constexpr int64_t kSecond = 1'000'000'000'000;
  for (const Message& m : messages) {
    out.text += fmt::format("{} {} {} {} {} {}.{:012}\n", m.src, m.dst, m.priority, kDestinationPort, m.bytes,
                            m.start.v / kSecond, m.start.v % kSecond);
  }
  return out;
}

Converted HpccCompletionsOf(const fs::path& result) {
  std::vector<Message> messages = MessagesOf(result);
  Converted out;
  const auto unfinished = std::erase_if(messages, [](const Message& m) { return m.completed == kNever; });
  if (unfinished > 0) {
    out.notes.push_back(
        fmt::format("{} unfinished messages are left out: the format has no place for them", unfinished));
  }
  // The simulator's source ports count the flows of a pair from 10000, in the order of their starts.
  std::map<std::pair<int64_t, int64_t>, int> flows;
  std::vector<std::pair<Message, int>> numbered;
  for (const Message& m : messages) numbered.emplace_back(m, 10000 + flows[{m.src, m.dst}]++);
  std::stable_sort(numbered.begin(), numbered.end(),
                   [](const auto& a, const auto& b) { return a.first.completed < b.first.completed; });
  for (const auto& [m, port] : numbered) {
    out.text += fmt::format("{:08x} {:08x} {} {} {} {} {} {}\n", AddressOf(m.src), AddressOf(m.dst), port,
                            kDestinationPort, m.bytes, WholeNanoseconds(m.start),
                            WholeNanoseconds(m.completed - m.start), WholeNanoseconds(m.ideal));
  }
  return out;
}

}  // namespace headroom
