// Part of summary_sections.h: the causes of paused time.
#include <algorithm>
#include <map>

#include "report/csv/port_directory.h"
#include "report/summary/summary_sections.h"
#include "scenario/senders.h"

namespace headroom {

using nlohmann::ordered_json;

void SummariseRoots(const Scenario& scenario, const RunRecord& record, ordered_json& pfc) {
  constexpr size_t kMost = 20;
  std::map<PauseRoot, double> paused_us;
  double all = 0, listed = 0;
  for (const PauseCause& c : record.pause_causes) {
    const PauseRecord& p = record.pauses[c.pause];
    const Time from = std::max(p.start, scenario.warmup), to = std::min(p.end, record.end);
    if (to <= from) continue;
    const double us = InMicroseconds(to - from) * c.share;
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
