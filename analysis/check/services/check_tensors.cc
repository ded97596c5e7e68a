#include "analysis/check/services/check_tensors.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/yaml/quantity.h"
#include "workload/operations/tensors.h"

namespace headroom {

namespace {

std::string InUs(Time time) { return FormatReadable(InMicroseconds(time)) + " µs"; }

/// The bytes of each parameter server's tensors.
std::vector<int64_t> KeptBy(const TensorArrivals& a) {
  std::vector<int64_t> kept(a.servers.size());
  size_t tensor = 0;
  for (const TensorArrivals::Tensor& t : a.tensors)
    for (int i = 0; i < t.count; ++i, ++tensor) kept[tensor % kept.size()] += t.size.v;
  return kept;
}

/// Only payload, of all workers that keep to their period.
void CheckLines(const std::string& workload, const TensorArrivals& a, const Fabric& fabric,
                Findings& findings) {
  NodeId fullest = a.workers[0];
  Bytes bytes;
  Time longest;
  const auto consider = [&](NodeId host, int64_t of_step) {
    const Time takes = SerializationTime(Bytes(of_step), fabric.Capacity(host));
    if (takes <= longest) return;
    longest = takes;
    fullest = host;
    bytes = Bytes(of_step);
  };
  const std::vector<int64_t> kept = KeptBy(a);
  for (const NodeId worker : a.workers) consider(worker, a.TotalBytes());
  for (size_t i = 0; i < kept.size(); ++i)
    consider(a.servers[i], kept[i] * static_cast<int64_t>(a.workers.size()));
  if (longest <= a.every) return;
  findings.push_back(
      {Severity::warning, "workload " + workload,
       fmt::format("in each step the line of {} carries {} of tensors, which takes at least {}, so steps "
                   "take longer than every: {}",
                   fabric.node(fullest).name, FormatSize(bytes), InUs(longest), FormatTime(a.every))});
}

}  // namespace

void CheckTensors(const Fabric& fabric, Findings& findings) {
  const Scenario& s = fabric.scenario();
  for (const WorkloadParameters& w : s.workloads) {
    if (w.type != "tensors") continue;
    const auto& a = w.arrivals.As<TensorArrivals>();
    if (a.every == Time(0)) continue;
    CheckLines(w.name, a, fabric, findings);
  }
}

}  // namespace headroom
