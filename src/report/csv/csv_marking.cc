// Part of csv_tables.h: marking.csv.
#include "dcqcn/red_marker.h"
#include "report/csv/csv_tables.h"

namespace headroom {

void WriteMarkingCsv(TextFile& file, const Scenario& scenario, const RunRecord& /*record*/) {
  file.Write("node,port,queue,kmin_bytes,kmax_bytes,pmax\n");
  const Topology& t = scenario.topology;
  std::vector<std::vector<std::pair<const LinkEnd*, Rate>>> ports(scenario.switches.size());
  for (const TopologyLink& link : t.links) {
    for (const LinkEnd* end : {&link.a, &link.b})
      if (end->node >= t.hosts) ports[end->node - t.hosts].emplace_back(end, link.spec.rate);
  }
  for (size_t n = 0; n < ports.size(); ++n) {
    const SwitchParameters& of = scenario.switches[n];
    for (const auto& [end, rate] : ports[n]) {
      const auto& curves = of.qos.empty() ? of.ecn : of.qos[end->port_index].ecn;
      for (size_t queue = 0; queue < curves.size(); ++queue) {
        if (!curves[queue]) continue;
        const EcnParameters ecn = AtRate(*curves[queue], rate);
        file.Print("{},{},{},{},{},{}\n", t.nodes[end->node].name, end->port, queue, ecn.kmin.v, ecn.kmax.v,
                   ecn.pmax);
      }
    }
  }
}

}  // namespace headroom
