// The tables of pools: from summary.json.
#include <algorithm>

#include "cli/operator_tables.h"

namespace headroom {

std::vector<OperatorTable> PoolWatermark(const RunFiles& run, const std::string& node) {
  OperatorTable table{"Shared pool maximum occupancy:", {"Pool", "Bytes"}, {}};
  for (const auto& [name, pool] : run.Buffer(node).at("pools").items()) {
    // A pool of type both counts each direction by itself; what fills it is the larger.
    const uint64_t ingress = pool.value("peak_ingress_bytes", uint64_t{0});
    const uint64_t egress = pool.value("peak_egress_bytes", uint64_t{0});
    table.rows.push_back({name, std::max(ingress, egress)});
  }
  return {table};
}

std::vector<OperatorTable> HeadroomPoolWatermark(const RunFiles& run, const std::string& node) {
  OperatorTable table{"Headroom pool maximum occupancy:", {"Pool", "Bytes"}, {}};
  for (const auto& [name, pool] : run.Buffer(node).at("pools").items()) {
    if (pool.contains("peak_headroom_bytes")) table.rows.push_back({name, pool["peak_headroom_bytes"]});
  }
  return {table};
}

}  // namespace headroom
