// The tables of pools, from summary.json.
#include <fmt/format.h>

#include <algorithm>

#include "cli/show/operator_tables.h"
#include "files/staged_directory.h"

namespace headroom {

static const nlohmann::ordered_json& PoolsOf(const RunFiles& run, const std::string& node) {
  const nlohmann::ordered_json& buffer = run.Buffer(node);
  if (buffer.contains("pools")) return buffer["pools"];
  throw ResultError(fmt::format("{}: has no pools of {}; run the scenario again with this version",
                                (run.dir() / "summary.json").string(), node));
}

std::vector<OperatorTable> PoolWatermark(const RunFiles& run, const std::string& node) {
  OperatorTable table{"Shared pool maximum occupancy:", {"Pool", "Bytes"}, {}};
  for (const auto& [name, pool] : PoolsOf(run, node).items()) {
    // A pool of type both counts each direction separately; the larger count decides whether it is full.
    const uint64_t ingress = pool.value("peak_ingress_bytes", uint64_t{0});
    const uint64_t egress = pool.value("peak_egress_bytes", uint64_t{0});
    table.rows.push_back({name, std::max(ingress, egress)});
  }
  return {table};
}

std::vector<OperatorTable> HeadroomPoolWatermark(const RunFiles& run, const std::string& node) {
  OperatorTable table{"Headroom pool maximum occupancy:", {"Pool", "Bytes"}, {}};
  for (const auto& [name, pool] : PoolsOf(run, node).items()) {
    if (pool.contains("peak_headroom_bytes")) table.rows.push_back({name, pool["peak_headroom_bytes"]});
  }
  return {table};
}

}  // namespace headroom
