#include "analysis/check/check_deadline.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/text/text_table.h"
#include "scenario/packet_headers.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

/// The message of a workload that would end last if each were alone.
struct LastToEnd {
  LoneMessage message;
  double seconds = 0;  ///< duration of the message
  double end = 0;      ///< end of the message, in s
};

LastToEnd LastOf(const WorkloadParameters& workload, const Fabric& fabric) {
  const Scenario& s = fabric.scenario();
  // Share of payload for the host with the smallest headers: no host is faster.
  double payload_share = 0;
  for (NodeId host = 0; host < s.topology.hosts; ++host)
    payload_share = std::max(payload_share, PayloadShareOf(s, host));
  LastToEnd last;
  for (const LoneMessage& m : workload.arrivals->LastAlone(fabric.hosts())) {
    const double seconds =
        static_cast<double>(m.size.v) * 8 / (static_cast<double>(m.rate.v) * payload_share);
    const double end = InSeconds(m.start) + seconds;
    if (end > last.end) last = {m, seconds, end};
  }
  return last;
}

}  // namespace

void JudgeDeadline(const Fabric& fabric, const FlowsChecks& flows, Findings& findings) {
  const Scenario& s = fabric.scenario();
  const double deadline = InSeconds(s.deadline);
  for (const WorkloadParameters& workload : s.workloads) {
    const auto flow = std::ranges::find(flows.workloads, workload.name, &FlowsCheck::workload);
    if (flow != flows.workloads.end() && flow->slowest_seconds > deadline) continue;
    const LastToEnd last = LastOf(workload, fabric);
    if (last.end <= deadline) continue;
    findings.push_back(
        {Finding::Severity::note, "workload " + workload.name,
         fmt::format("a message of {} takes {} ms at {} and cannot end before the deadline, {} ms",
                     FormatSize(last.message.size), FormatReadable(last.seconds * 1e3),
                     FormatRate(last.message.rate), FormatReadable(deadline * 1e3)),
         "give a later deadline, or smaller messages"});
  }
}

}  // namespace headroom
