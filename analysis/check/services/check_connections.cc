#include "analysis/check/services/check_connections.h"

#include <fmt/format.h>

#include "report/text/text_table.h"
#include "scenario/yaml/quantity.h"
#include "workload/io_span.h"

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
    const auto opening = w.arrivals->Opens(scenario);
    const Time end = w.arrivals->Span(scenario.warmup, scenario.duration).until;
    if (!opening || opening->least < end) continue;
    findings.push_back(
        {Finding::Severity::warning, "workload " + w.name,
         fmt::format("it sends no requests: a client's daemon takes at least {} to open the client's {} "
                     "connections, but arrivals end at {}",
                     AtLeast(opening->least), FormatGrouped(opening->count, 0), FormatTime(end))});
  }
}

}  // namespace headroom
