// marking.csv
#include "dcqcn/red_marker.h"
#include "report/csv/result_file.h"

namespace headroom {

namespace {

struct MarkingQueue {
  const LinkEnd& end;
  size_t queue;
  EcnParameters ecn;
};

void ForEachMarkingQueue(const ResultRun& run, const std::function<void(const MarkingQueue&)>& use) {
  const Topology& t = run.scenario.topology;
  std::vector<std::vector<std::pair<const LinkEnd*, Rate>>> ports(run.scenario.switches.size());
  for (const TopologyLink& link : t.links) {
    for (const LinkEnd* end : {&link.a, &link.b})
      if (end->node >= t.hosts) ports[end->node - t.hosts].emplace_back(end, link.spec.rate);
  }
  for (size_t n = 0; n < ports.size(); ++n) {
    const SwitchParameters& of = run.scenario.switches[n];
    for (const auto& [end, rate] : ports[n]) {
      const auto& curves = of.qos.empty() ? of.ecn : of.qos[end->port_index].ecn;
      for (size_t queue = 0; queue < curves.size(); ++queue)
        if (curves[queue]) use({*end, queue, AtRate(*curves[queue], rate)});
    }
  }
}

const Table<MarkingQueue> kMarking{
    "marking",
    "the marking thresholds of each queue of a switch's port, at the port's rate",
    ForEachMarkingQueue,
    {{"node", kinds::kName, "switch", [](auto& run, auto& q) { return run.Node(q.end.node); }},
     {"port", kinds::kName, "port of the queue", [](auto& q) -> std::string_view { return q.end.port; }},
     {"queue", kinds::kIndex, "number of the queue at its port", &MarkingQueue::queue},
     {"kmin_bytes", kinds::kBytes, "queue above which some packets are marked",
      [](auto& q) { return q.ecn.kmin; }},
     {"kmax_bytes", kinds::kBytes, "queue above which all packets are marked",
      [](auto& q) { return q.ecn.kmax; }},
     {"pmax", kinds::kNumber, "probability of a mark just below kmax_bytes",
      [](auto& q) { return fmt::format("{}", q.ecn.pmax); }}}};

}  // namespace

}  // namespace headroom
