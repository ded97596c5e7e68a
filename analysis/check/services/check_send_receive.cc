#include "analysis/check/services/check_send_receive.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/bounds/path_range.h"
#include "protocol/nccl/clear_to_send.h"
#include "protocol/nccl/nccl_parameters.h"
#include "scenario/yaml/quantity.h"
#include "workload/operations/send_receive.h"

namespace headroom {

namespace {

/// A step of a channel begins with a clear-to-send and ends when its chunk has arrived.
void CheckSteps(const std::string& workload, const SendReceiveArrivals& a, const NcclParameters& p,
                const Fabric& fabric, Findings& findings) {
  constexpr double kAlmost = 0.9;
  for (const NodeId from : a.from) {
    const NodeId to = a.To(from);
    const int64_t chunk = std::min(p.chunk.v, a.size.v);
    const auto cleared = LeastArrival(fabric, to, from, Bytes(ClearToSend::kBytes), Operation::write);
    const auto there = LeastArrival(fabric, from, to, Bytes(chunk), Operation::write_imm);
    if (!cleared || !there) continue;
    const int64_t under_way = std::min(a.size.v, p.channels * p.steps * chunk);
    const double most = static_cast<double>(under_way) * 8 / InSeconds(*cleared + *there);
    const Rate line = std::min(fabric.LineRate(from), fabric.LineRate(to));
    if (most >= kAlmost * static_cast<double>(line.v)) continue;
    findings.push_back(
        {Severity::note, "workload " + workload,
         fmt::format(
             "{} has at most {} in flight to {}, and at least {} pass from clear-to-send to data, so it "
             "sends at most {} Gb/s of {}",
             fabric.node(from).name, FormatSize(Bytes(under_way)), fabric.node(to).name,
             FormatReadable(InMicroseconds(*cleared + *there)) + " µs", FormatReadable(most / 1e9),
             FormatRate(line)),
         under_way == a.size.v ? "larger messages" : "give a larger chunk, more steps or more channels"});
    return;
  }
}

}  // namespace

void CheckSendReceive(const Fabric& fabric, Findings& findings) {
  const Scenario& s = fabric.scenario();
  for (const WorkloadParameters& w : s.workloads) {
    if (w.type != "send_receive") continue;
    const auto& a = w.arrivals.As<SendReceiveArrivals>();
    CheckSteps(w.name, a, s.own_services[a.service].settings.As<NcclParameters>(), fabric, findings);
  }
}

}  // namespace headroom
