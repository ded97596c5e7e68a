// Part of summary_sections.h: the bytes of the NICs with each number.
#include <string>
#include <vector>

#include "report/summary/summary_sections.h"

namespace headroom {

using nlohmann::ordered_json;

ordered_json SummariseRails(const Scenario& scenario, const RunRecord& record) {
  struct Rail {
    uint64_t nics = 0, tx_bytes = 0, rx_bytes = 0;
  };
  std::vector<Rail> rails;
  for (const PortRecord& port : record.ports) {
    const TopologyNode& node = scenario.topology.nodes[port.node];
    if (!node.is_host || node.nics == 1) continue;
    if (rails.size() < node.nics) rails.resize(node.nics);
    Rail& rail = rails[node.nic];
    ++rail.nics;
    for (const PortPriorityCounters& c : port.priority) {
      rail.tx_bytes += c.tx_bytes;
      rail.rx_bytes += c.rx_bytes;
    }
  }
  ordered_json out;
  for (size_t i = 0; i < rails.size(); ++i)
    out["n" + std::to_string(i)] = {
        {"nics", rails[i].nics}, {"tx_bytes", rails[i].tx_bytes}, {"rx_bytes", rails[i].rx_bytes}};
  return out;
}

}  // namespace headroom
