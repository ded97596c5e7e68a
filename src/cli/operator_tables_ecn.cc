// The table that comes from resolved.yaml: `ecnconfig -l`.
#include <fmt/format.h>

#include <algorithm>

#include "cli/operator_tables.h"
#include "scenario/quantity.h"

namespace headroom {

std::vector<OperatorTable> EcnProfiles(const RunFiles& run, const std::string& node) {
  const Scenario& scenario = run.scenario();
  const auto& nodes = scenario.topology.nodes;
  const auto at = std::find_if(nodes.begin(), nodes.end(), [&](const auto& n) { return n.name == node; });
  const auto index = static_cast<size_t>(at - nodes.begin()) - scenario.topology.hosts;
  std::vector<OperatorTable> tables;
  for (int p = 0; p < kPriorities; ++p) {
    const auto& ecn = scenario.switches[index].ecn[p];
    if (!ecn) continue;
    OperatorTable table{fmt::format("Profile: {}, queue {}", scenario.classes[p].name, p),
                        {"field", "value"},
                        {{"ecn", "ecn_green"},
                         {"green_min_threshold", ecn->kmin.v},
                         {"green_max_threshold", ecn->kmax.v},
                         {"green_drop_probability", FormatNumber(ecn->pmax * 100)}}};
    if (ecn->per_rate) table.rows.push_back({"thresholds are for", FormatRate(*ecn->per_rate)});
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace headroom
