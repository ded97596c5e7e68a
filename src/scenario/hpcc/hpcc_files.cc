#include "scenario/hpcc/hpcc_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "scenario/yaml/line_reader.h"
#include "scenario/yaml/nearest.h"

namespace headroom {

namespace {

constexpr const char* kGpu = "/gpu";  // added to the name of the GPU's NIC

std::string NodeName(int64_t id) { return "n" + std::to_string(id); }

double Probability(const LineReader& lines, const std::string& text) {
  const double p = ParseFraction(lines.Word(text));
  if (p >= 1)
    throw ScenarioError(lines.where(), Quote(text) + " is out of range", "allowed: 0 or more, below 1");
  return p;
}

/// Counts the links of those ends that are hosts, of which each has at most so many.
void CountLinks(const LineReader& lines, const CustomLink& link, int most,
                std::map<std::string, int>& links_of) {
  for (const std::string& end : {link.a, link.b}) {
    const auto host = links_of.find(end);
    if (host != links_of.end() && ++host->second > most)
      throw ScenarioError(lines.where(),
                          fmt::format("a second link of host \"{}\" is not supported yet", end),
                          "give each host exactly one link");
  }
}

struct NsUnit {
  const char* name;
  double scale;
};
// Source: ns-3, data-rate.cc and time.cc; Tbps is Headroom's.
constexpr NsUnit kRates[] = {{"bps", 1},    {"b/s", 1},    {"Bps", 8},      {"B/s", 8},      {"kbps", 1e3},
                             {"kb/s", 1e3}, {"Kbps", 1e3}, {"Kb/s", 1e3},   {"kBps", 8e3},   {"kB/s", 8e3},
                             {"KBps", 8e3}, {"KB/s", 8e3}, {"Kib/s", 1024}, {"KiB/s", 8192}, {"Mbps", 1e6},
                             {"Mb/s", 1e6}, {"MBps", 8e6}, {"MB/s", 8e6},   {"Gbps", 1e9},   {"Gb/s", 1e9},
                             {"GBps", 8e9}, {"GB/s", 8e9}, {"Tbps", 1e12}};
constexpr NsUnit kTimes[] = {{"s", 1e12}, {"ms", 1e9},   {"us", 1e6},  {"ns", 1e3},
                             {"ps", 1},   {"min", 6e13}, {"h", 3.6e15}};

/// Reads a number with a unit of ns-3, and returns it in Headroom's smallest unit; a bare number has the
/// scale `bare`.
template <size_t N>
int64_t NsQuantity(const LineReader& lines, const std::string& text, const NsUnit (&units)[N], double bare,
                   const char* what, const char* bare_unit) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.starts_with('-')) throw ScenarioError(lines.where(), Quote(text) + " is negative", "0 or more");
  const std::string unit(stop, end);
  const auto found = std::ranges::find(units, unit, &NsUnit::name);
  std::vector<std::string> names;
  for (const NsUnit& u : units) names.emplace_back(u.name);
  if (error != std::errc() || (!unit.empty() && found == std::end(units)) || !std::isfinite(number)) {
    std::string near = error != std::errc()                          ? ""
                       : std::ranges::count(names, unit + "bps") > 0 ? unit + "bps"
                                                                     : Nearest(unit, names);
    std::erase(near, '"');
    throw ScenarioError(
        lines.where(), fmt::format("{} is not {}", Quote(text), what),
        fmt::format("a number and one of ns-3's units: {}; a bare number is in {}", Join(names), bare_unit),
        near.empty() ? "" : Quote(text.substr(0, text.size() - unit.size()) + near));
  }
  const double value = number * (unit.empty() ? bare : found->scale);
  constexpr double kMost = 9e18;
  if (value > kMost) throw ScenarioError(lines.where(), Quote(text) + " is too large");
  return std::llround(value);
}

CustomLink ReadLink(const LineReader& lines, const std::vector<std::string>& words, int64_t nodes) {
  CustomLink link;
  link.a = NodeName(lines.Integer(words[0], 0, nodes - 1));
  link.b = NodeName(lines.Integer(words[1], 0, nodes - 1));
  if (link.a == link.b)
    throw ScenarioError(lines.where(), fmt::format("\"{}\" has a link to itself", link.a));
  link.spec.rate = Rate(NsQuantity(lines, words[2], kRates, 1, "a rate", "bit/s"));
  if (link.spec.rate < kLowestRate || link.spec.rate > kHighestRate)
    throw ScenarioError(lines.where(), Quote(words[2]) + " is out of range", "allowed: 1Mbps to 100Tbps");
  link.spec.delay = Time(NsQuantity(lines, words[3], kTimes, 1e12, "a delay", "seconds"));
  if (link.spec.delay > Seconds(1))
    throw ScenarioError(lines.where(), Quote(words[3]) + " is out of range", "allowed: 0ns to 1s");
  link.spec.loss = Probability(lines, words[4]);
  return link;
}

/// Line 1 of a topology.
struct Head {
  int64_t nodes = 0, switches = 0, links = 0;
  int64_t nvswitches = 0;  ///< the first ones of the switches
  bool simai = false;
};

bool IsNumber(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end;
}

Head ReadHead(LineReader& lines, HpccLeftOut& left_out) {
  constexpr int64_t kMostHpccNodes = 1'000'000, kMostLinks = 10'000'000;
  const std::vector<std::string> words = lines.Next("nodes switches links");
  const bool simai = (words.size() == 6 && !IsNumber(words[5])) || words.size() == 7;
  const bool tors = words.size() == 4 || (words.size() == 6 && !simai);
  if (words.size() != 3 && !simai && !tors)
    throw ScenarioError(lines.where(), fmt::format("{} values are in the line", words.size()),
                        "expected: nodes switches links; nodes switches tors links; or SimAI's nodes "
                        "gpus_per_server nvswitches switches links gpu_type");
  const std::string at = lines.where().ToString() + ": ";
  Head head;
  head.nodes = lines.Integer(words[0], 1, kMostHpccNodes);
  head.switches = lines.Integer(words[simai ? 3 : 1], 0, head.nodes);
  head.links = lines.Integer(words[simai ? 4 : tors ? 3 : 2], 0, kMostLinks);
  if (tors)
    left_out.push_back(at +
                       "the number of ToRs has no effect: the links determine each switch's "
                       "role");
  if (tors && words.size() == 6) left_out.push_back(at + "the capacities after the links have no effect");
  if (!simai) return head;
  head.simai = true;
  head.nvswitches = lines.Integer(words[2], 0, head.nodes);
  head.switches += head.nvswitches;
  left_out.push_back(at + "GPUs per server and the GPU type have no effect: each GPU is a host");
  return head;
}

/// The next line of a list. Throws at `head`, the line with their number, if the file has fewer.
std::vector<std::string> NextOf(LineReader& lines, const Position& head, int64_t announced, int64_t read,
                                const char* what) {
  std::vector<std::string> words = lines.NextIfAny();
  if (words.empty())
    throw ScenarioError(head,
                        fmt::format("the line announces {} {}, but the file has {}", announced, what, read),
                        "give their number, or the missing lines");
  return words;
}

/// Notes that the remaining lines are left out, if there are any.
void LeaveOut(LineReader& lines, int64_t announced, const char* what, HpccLeftOut& left_out) {
  if (lines.NextIfAny().empty()) return;
  const Position first = lines.where();
  int64_t count = 1;
  while (!lines.NextIfAny().empty()) ++count;
  left_out.push_back(fmt::format("{}: {} beyond the {} {} that line 1 announces {} left out",
                                 first.ToString(), count == 1 ? "a line" : fmt::format("{} lines", count),
                                 announced, what, count == 1 ? "is" : "are"));
}

}  // namespace

CustomSpec ReadHpccTopology(const std::filesystem::path& file, const Position& where, HpccLeftOut* left_out) {
  LineReader lines(file, where);
  HpccLeftOut unused;
  HpccLeftOut& notes = left_out ? *left_out : unused;
  const Head head = ReadHead(lines, notes);
  const Position counts = lines.where();
  std::set<int64_t> ids;
  std::set<std::string> nvswitches;
  while (static_cast<int64_t>(ids.size()) < head.switches) {
    const auto read = static_cast<int64_t>(ids.size());
    const std::vector<std::string> words = NextOf(lines, counts, head.switches, read, "switches");
    const bool link = words.size() == 5 && !IsNumber(words[2]);
    if (link)
      throw ScenarioError(
          counts,
          fmt::format("the line announces {} switches, but the file names {} before its links", head.switches,
                      read),
          "give their number, or the missing ids");
    for (const std::string& word : words) {
      const int64_t id = lines.Integer(word, 0, head.nodes - 1);
      if (!ids.insert(id).second) throw ScenarioError(lines.where(), "switch " + word + " appears twice");
      if (static_cast<int64_t>(ids.size()) <= head.nvswitches) nvswitches.insert(NodeName(id));
    }
  }
  if (static_cast<int64_t>(ids.size()) > head.switches)
    throw ScenarioError(lines.where(), fmt::format("the line has {} ids of switches", ids.size()),
                        fmt::format("line 1 announces {}", head.switches));
  CustomSpec spec;
  for (int64_t id = 0; id < head.nodes; ++id)
    (ids.contains(id) ? spec.switches : spec.hosts).push_back(NodeName(id));
  std::map<std::string, int> links_of;
  for (const std::string& host : spec.hosts) links_of[host] = 0;
  for (int64_t i = 0; i < head.links; ++i) {
    const std::vector<std::string> words = NextOf(lines, counts, head.links, i, "links");
    if (words.size() != 5)
      throw ScenarioError(lines.where(), fmt::format("{} values are in the line", words.size()),
                          "expected: src dst rate delay error_rate");
    CustomLink& link = spec.links.emplace_back(ReadLink(lines, words, head.nodes));
    for (const auto& [end, other] : {std::pair(&link.a, &link.b), std::pair(&link.b, &link.a)}) {
      if (!nvswitches.contains(*other) || !links_of.contains(*end)) continue;
      *end += kGpu;
      if (links_of.emplace(*end, 0).second) spec.devices.push_back(*end);
    }
    CountLinks(lines, link, head.simai ? 2 : 1, links_of);
  }
  LeaveOut(lines, head.links, "links", notes);
  for (const std::string& host : spec.hosts)
    if (links_of[host] == 0) throw ScenarioError(counts, fmt::format("host \"{}\" has no link", host));
  return spec;
}

SimaiEnds::SimaiEnds(const Topology& topology) {
  for (const TopologyLink& link : topology.links) {
    for (const auto& [gpu, other] : {std::pair(&link.a, &link.b), std::pair(&link.b, &link.a)}) {
      const std::string& name = topology.nodes[gpu->node].name;
      if (name.ends_with(kGpu)) nvswitch_[HostName(name)] = other->node;
    }
  }
}

bool SimaiEnds::SameServer(const std::string& a, const std::string& b) const {
  const auto at_a = nvswitch_.find(a), at_b = nvswitch_.find(b);
  return at_a != nvswitch_.end() && at_b != nvswitch_.end() && at_a->second == at_b->second;
}

std::vector<int64_t> HpccIdsOf(const Topology& topology) {
  const auto count = static_cast<int64_t>(topology.nodes.size());
  std::vector<int64_t> ids;
  std::vector<bool> taken(topology.nodes.size());
  for (const TopologyNode& node : topology.nodes) {
    int64_t id = -1;
    const std::string name = HostName(node.name);
    const bool gpu = name != node.name;  // it has the number of its NIC
    const char* end = name.data() + name.size();
    const bool numbered = name[0] == 'n' && std::from_chars(name.data() + 1, end, id).ptr == end;
    if (!numbered || id < 0 || id >= count || (taken[static_cast<size_t>(id)] && !gpu)) break;
    taken[static_cast<size_t>(id)] = true;
    ids.push_back(id);
  }
  if (ids.size() == topology.nodes.size()) return ids;
  ids.clear();
  for (int64_t id = 0; id < count; ++id) ids.push_back(id);
  return ids;
}

namespace {

HpccFlow ReadFlow(const LineReader& lines, std::vector<std::string> words) {
  constexpr size_t kWithPort = 6;
  if (words.size() == kWithPort - 1) words.insert(words.begin() + 3, "0");
  if (words.size() != kWithPort)
    throw ScenarioError(lines.where(), fmt::format("{} values are in the line", words.size()),
                        "expected: src dst priority_group dst_port size_bytes start_s");
  HpccFlow flow;
  flow.where = lines.where();
  flow.src = NodeName(lines.Integer(words[0], 0, INT32_MAX));
  flow.dst = NodeName(lines.Integer(words[1], 0, INT32_MAX));
  flow.priority = static_cast<int>(lines.Integer(words[2], 0, 7));
  flow.dst_port = static_cast<uint16_t>(lines.Integer(words[3], 0, 65535));
  flow.size = Bytes(lines.Integer(words[4], 1, kLargestSize.v));
  // A number such as 2e-6 need not be a whole number of picoseconds.
  const bool exponent = words[5].find_first_of("eE") != std::string::npos && IsNumber(words[5]);
  flow.start = exponent ? Time(NsQuantity(lines, words[5], kTimes, 1e12, "a start", "seconds"))
                        : ParseBareTime(lines.Word(words[5]), "s");
  return flow;
}

}  // namespace

std::vector<HpccFlow> ReadHpccFlows(const std::filesystem::path& file, const Position& where,
                                    HpccLeftOut* left_out) {
  constexpr int64_t kMostFlows = 100'000'000;
  LineReader lines(file, where);
  const int64_t count = lines.Integer(lines.Next("the number of flows", 1)[0], 1, kMostFlows);
  const Position head = lines.where();
  std::vector<HpccFlow> flows;
  for (int64_t i = 0; i < count; ++i)
    flows.push_back(ReadFlow(lines, NextOf(lines, head, count, i, "flows")));
  HpccLeftOut unused;
  LeaveOut(lines, count, "flows", left_out ? *left_out : unused);
  const auto earlier = [](const HpccFlow& a, const HpccFlow& b) { return a.start < b.start; };
  const Time first = std::min_element(flows.begin(), flows.end(), earlier)->start;
  for (HpccFlow& flow : flows) {
    flow.start -= first;
    if (flow.start > kLongestTime)
      throw ScenarioError(flow.where, "the flow starts more than a day after the first");
  }
  return flows;
}

}  // namespace headroom
