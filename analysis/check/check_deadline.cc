#include "analysis/check/check_deadline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

/// The share of payload for the host with the smallest headers: no host is faster.
double LargestPayloadShare(const Scenario& s) {
  double share = 0;
  for (NodeId host = 0; host < s.topology.hosts; ++host) share = std::max(share, PayloadShareOf(s, host));
  return share;
}

double SecondsOf(const LoneMessage& m, double payload_share) {
  return static_cast<double>(m.size.v) * 8 / (static_cast<double>(m.rate.v) * payload_share);
}

/// A message of each size that the workload starts with. Of random sizes: one of the mean size, between the
/// fastest hosts.
std::vector<LoneMessage> FirstAlone(const WorkloadParameters& workload, const HostView& hosts) {
  std::vector<LoneMessage> all = workload.arrivals->LastAlone(hosts);
  if (all.empty() && workload.arrivals->AsLoad() != nullptr)
    return {{Bytes(static_cast<int64_t>(workload.arrivals->MeanBytes())), Time{}, hosts.FastestPort()}};
  if (all.empty()) return all;
  const Time first = std::ranges::min(all, {}, &LoneMessage::start).start;
  std::erase_if(all, [&](const LoneMessage& m) { return m.start > first; });
  return all;
}

LastToEnd LastOf(const WorkloadParameters& workload, const Fabric& fabric) {
  const double payload_share = LargestPayloadShare(fabric.scenario());
  LastToEnd last;
  for (const LoneMessage& m : workload.arrivals->LastAlone(fabric.hosts())) {
    const double seconds = SecondsOf(m, payload_share);
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
        {Finding::Severity::note,
         "workload " + workload.name,
         fmt::format("a message of {} takes {} ms at {} and cannot end before the deadline, {} ms",
                     FormatSize(last.message.size), FormatReadable(last.seconds * 1e3),
                     FormatRate(last.message.rate), FormatReadable(deadline * 1e3)),
         {Remedy{"deadline=" + FormatTime(Microseconds(std::llround(2e6 * last.end) + 1))}}});
  }
}

void JudgeWarmup(const Fabric& fabric, Findings& findings) {
  const Scenario& s = fabric.scenario();
  const double warmup = InSeconds(s.warmup);
  const double payload_share = LargestPayloadShare(s);
  for (const WorkloadParameters& workload : s.workloads) {
    for (const LoneMessage& m : FirstAlone(workload, fabric.hosts())) {
      const double seconds = SecondsOf(m, payload_share);
      if (m.start >= s.warmup || InSeconds(m.start) + seconds <= warmup) continue;
      findings.push_back(
          {Finding::Severity::warning,
           "workload " + workload.name,
           fmt::format(
               "the warm-up, {}, is over before a lone message of {} that starts at {} can end: it takes "
               "{} ms at {}. Messages and operations that begin in the warm-up do not count",
               FormatTime(s.warmup), FormatSize(m.size), FormatTime(m.start), FormatReadable(seconds * 1e3),
               FormatRate(m.rate)),
           {Remedy{"warmup=" +
                   FormatTime(Microseconds(std::llround(1e6 * (InSeconds(m.start) + seconds)) + 1))},
            Remedy{"warmup=0us"}}});
      break;
    }
  }
}

}  // namespace headroom
