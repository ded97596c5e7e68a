// Part of summary_sections.h: the causes of paused time.
#include <algorithm>
#include <map>
#include <tuple>

#include "net/topology/far_ends.h"
#include "report/csv/port_directory.h"
#include "report/summary/summary_sections.h"
#include "scenario/senders.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

/// Indexed by pause: the time after the warm-up for which it stopped its peer. A stop belongs to the last
/// pause that the far end had begun.
std::vector<Time> StoppedTimes(const Scenario& scenario, const RunRecord& record) {
  const auto start = [&](uint32_t pause) { return record.pauses[pause].start; };
  const auto far_ends = FarEnds(scenario.topology);
  std::map<std::tuple<NodeId, uint16_t, uint8_t>, std::vector<uint32_t>> begun;
  for (uint32_t i = 0; i < record.pauses.size(); ++i) {
    const PauseRecord& p = record.pauses[i];
    if (p.direction == PauseRecord::Direction::tx) begun[{p.node, p.port, p.priority}].push_back(i);
  }
  for (auto& [port, pauses] : begun) std::ranges::stable_sort(pauses, {}, start);
  std::vector<Time> stopped(record.pauses.size());
  for (const PauseRecord& p : record.pauses) {
    if (p.direction != PauseRecord::Direction::rx) continue;
    const FarEnd far = far_ends[p.node][p.port];
    const std::vector<uint32_t>& pauses = begun[{far.node, far.port, p.priority}];
    auto next = std::ranges::upper_bound(pauses, p.start, {}, start);
    const Time end = std::min(p.end, record.end);
    for (Time from = p.start; from < end && next != pauses.begin();) {
      const Time to = next == pauses.end() ? end : std::min(end, start(*next));
      stopped[*std::prev(next)] += std::max(Time(), to - std::max(from, scenario.warmup));
      if (next == pauses.end()) break;
      from = to;
      ++next;
    }
  }
  return stopped;
}

}  // namespace

void SummariseRoots(const Scenario& scenario, const RunRecord& record, ordered_json& pfc) {
  constexpr size_t kMost = 20;
  std::map<PauseRoot, double> paused_us;
  double all = 0, listed = 0;
  const std::vector<Time> stopped = StoppedTimes(scenario, record);
  for (const PauseCause& c : record.pause_causes) {
    const double us = InMicroseconds(stopped[c.pause]) * c.share;
    if (us <= 0) continue;
    paused_us[c.root] += us;
    all += us;
  }
  PauseRoot rest;
  rest.kind = PauseRoot::Kind::rest;
  paused_us.erase(rest);
  std::vector<std::pair<PauseRoot, double>> roots(paused_us.begin(), paused_us.end());
  std::stable_sort(roots.begin(), roots.end(), [](auto& a, auto& b) { return a.second > b.second; });

  const PortDirectory ports(scenario.topology);
  auto& out = pfc["roots"] = ordered_json::array();
  for (size_t i = 0; i < std::min(kMost, roots.size()); ++i) {
    const auto& [root, us] = roots[i];
    listed += us;
    out.push_back({{"node", scenario.topology.nodes[root.node].name},
                   {"port", ports.At(root.node, root.port).name},
                   {"queue", root.queue},
                   {"kind", PauseRootName(root.kind)},
                   {"workload", SenderName(scenario, root.tag)},
                   {"paused_us", us},
                   {"share", us / all}});
  }
  const double others = std::max(0.0, all - listed);
  pfc["other_roots"] = {{"paused_us", others},
                        {"share", all > 0 ? ordered_json(others / all) : ordered_json()}};
}

}  // namespace headroom
