#include "analysis/check/services/check_connections.h"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/connections/connecting.h"
#include "scenario/yaml/quantity.h"
#include "workload/transfer_arrivals.h"

namespace headroom {

namespace {

/// Rounds down to microseconds, for a lower bound.
std::string AtLeast(Time time) {
  const Time whole = Microseconds(time / Microseconds(1));
  return FormatTime(whole.v > 0 ? whole : time);
}

}  // namespace

void CheckConnections(const Scenario& scenario, Findings& findings) {
  for (const WorkloadParameters& w : scenario.workloads) {
    const TransferArrivals* const transfers = w.arrivals->AsTransfers();
    if (transfers == nullptr) continue;
    const Time end = std::min(transfers->stop.value_or(scenario.duration), scenario.duration);
    const Time connected = ConnectedAfter(scenario.connections[transfers->service]);
    if (connected < end) continue;
    findings.push_back(
        {Finding::Severity::warning, "workload " + w.name,
         fmt::format("it sends no requests: a client's daemon takes at least {} to open the client's {} "
                     "connections, but arrivals end at {}",
                     AtLeast(connected), FormatGrouped(transfers->connections, 0), FormatTime(end))});
  }
}

}  // namespace headroom
