#include "scenario/hpcc_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "scenario/yaml/line_reader.h"

namespace headroom {

namespace {

std::string NodeName(int64_t id) { return "n" + std::to_string(id); }

double Probability(const LineReader& lines, const std::string& text) {
  const double p = ParseFraction(lines.Word(text));
  if (p >= 1) throw ScenarioError(lines.where(), Quote(text) + " is out of range", "allowed: 0 to below 1");
  return p;
}

/// Counts the links of the ends that are hosts.
void CountLinks(const LineReader& lines, const CustomLink& link, std::map<std::string, int>& links_of) {
  for (const std::string& end : {link.a, link.b}) {
    const auto host = links_of.find(end);
    if (host != links_of.end() && ++host->second > 1)
      throw ScenarioError(lines.where(),
                          fmt::format("a second link of host \"{}\" is not supported yet", end),
                          "a host has one link");
  }
}

CustomLink ReadLink(const LineReader& lines, const std::vector<std::string>& words, int64_t nodes) {
  CustomLink link;
  link.a = NodeName(lines.Integer(words[0], 0, nodes - 1));
  link.b = NodeName(lines.Integer(words[1], 0, nodes - 1));
  if (link.a == link.b) throw ScenarioError(lines.where(), fmt::format("\"{}\" is linked to itself", link.a));
  link.spec.rate = ParseRate(lines.Word(words[2]));
  if (link.spec.rate < kLowestRate || link.spec.rate > kHighestRate)
    throw ScenarioError(lines.where(), Quote(words[2]) + " is out of range", "allowed: 1Mbps to 100Tbps");
  link.spec.delay = ParseTime(lines.Word(words[3]));
  if (link.spec.delay > Seconds(1))
    throw ScenarioError(lines.where(), Quote(words[3]) + " is out of range", "allowed: 0ns to 1s");
  link.spec.loss = Probability(lines, words[4]);
  return link;
}

}  // namespace

CustomSpec ReadHpccTopology(const std::filesystem::path& file, const Position& where) {
  constexpr int64_t kMostHpccNodes = 1'000'000, kMostLinks = 10'000'000;
  LineReader lines(file, where);
  const auto head = lines.Next("nodes switches links", 3);
  const Position counts = lines.where();
  const int64_t nodes = lines.Integer(head[0], 1, kMostHpccNodes);
  const int64_t switches = lines.Integer(head[1], 0, nodes);
  const int64_t links = lines.Integer(head[2], 0, kMostLinks);
  std::set<int64_t> ids;
  if (switches > 0) {
    for (const std::string& word : lines.Next("the ids of the switches", static_cast<size_t>(switches)))
      if (!ids.insert(lines.Integer(word, 0, nodes - 1)).second)
        throw ScenarioError(lines.where(), "switch " + word + " stands twice");
  }
  CustomSpec spec;
  for (int64_t id = 0; id < nodes; ++id)
    (ids.contains(id) ? spec.switches : spec.hosts).push_back(NodeName(id));
  std::map<std::string, int> links_of;
  for (const std::string& host : spec.hosts) links_of[host] = 0;
  for (int64_t i = 0; i < links; ++i) {
    spec.links.push_back(ReadLink(lines, lines.Next("src dst rate delay error_rate", 5), nodes));
    CountLinks(lines, spec.links.back(), links_of);
  }
  for (const std::string& host : spec.hosts)
    if (links_of[host] == 0) throw ScenarioError(counts, fmt::format("host \"{}\" has no link", host));
  return spec;
}

std::vector<HpccFlow> ReadHpccFlows(const std::filesystem::path& file, const Position& where) {
  constexpr int64_t kMostFlows = 100'000'000;
  LineReader lines(file, where);
  const int64_t count = lines.Integer(lines.Next("the number of flows", 1)[0], 1, kMostFlows);
  std::vector<HpccFlow> flows;
  for (int64_t i = 0; i < count; ++i) {
    const auto words = lines.Next("src dst priority_group dst_port size_bytes start_s", 6);
    HpccFlow flow;
    flow.where = lines.where();
    flow.src = NodeName(lines.Integer(words[0], 0, INT32_MAX));
    flow.dst = NodeName(lines.Integer(words[1], 0, INT32_MAX));
    flow.priority = static_cast<int>(lines.Integer(words[2], 0, 7));
    lines.Integer(words[3], 0, 65535);
    flow.size = Bytes(lines.Integer(words[4], 1, kLargestSize.v));
    flow.start = ParseTime(lines.Word(words[5] + "s"));
    flows.push_back(std::move(flow));
  }
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
