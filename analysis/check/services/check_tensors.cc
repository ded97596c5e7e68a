#include "analysis/check/services/check_tensors.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/bounds/path_range.h"
#include "protocol/tensorflow/control_message.h"
#include "protocol/tensorflow/tensorflow_parameters.h"
#include "scenario/yaml/quantity.h"
#include "workload/operations/tensors.h"

namespace headroom {

namespace {

std::string InUs(Time time) { return FormatReadable(InMicroseconds(time)) + " µs"; }

/// For each parameter server: tensors, and their bytes.
struct Kept {
  int64_t tensors = 0, bytes = 0;
};
std::vector<Kept> KeptBy(const TensorArrivals& a) {
  std::vector<Kept> kept(a.servers.size());
  size_t tensor = 0;
  for (const TensorArrivals::Tensor& t : a.tensors) {
    for (int i = 0; i < t.count; ++i, ++tensor) {
      Kept& at = kept[tensor % kept.size()];
      ++at.tensors;
      at.bytes += t.size.v;
    }
  }
  return kept;
}

/// Only payload, of all workers that keep to their period.
void CheckLines(const std::string& workload, const TensorArrivals& a, const Fabric& fabric,
                Findings& findings) {
  NodeId fullest = a.workers[0];
  Bytes bytes;
  Time longest;
  const auto consider = [&](NodeId host, int64_t of_step) {
    const Time takes = SerializationTime(Bytes(of_step), fabric.LineRate(host));
    if (takes <= longest) return;
    longest = takes;
    fullest = host;
    bytes = Bytes(of_step);
  };
  const std::vector<Kept> kept = KeptBy(a);
  for (const NodeId worker : a.workers) consider(worker, a.TotalBytes());
  for (size_t i = 0; i < kept.size(); ++i)
    consider(a.servers[i], kept[i].bytes * static_cast<int64_t>(a.workers.size()));
  if (longest <= a.every) return;
  findings.push_back(
      {Severity::warning, "workload " + workload,
       fmt::format("in each step the line of {} carries {} of tensors, which takes at least {}, so steps "
                   "take longer than every: {}",
                   fabric.node(fullest).name, FormatSize(bytes), InUs(longest), FormatTime(a.every)),
       "give a longer every, faster links, or more parameter servers"});
}

/// A worker's requests to one parameter server follow each other at intervals of a round trip and both
/// threads' work.
void CheckRequests(const std::string& workload, const TensorArrivals& a, const TensorflowParameters& p,
                   const Fabric& fabric, Findings& findings) {
  const Time handling = (p.costs.completion + p.costs.post) * 2;
  const std::vector<Kept> kept = KeptBy(a);
  Time longest, between;
  std::string pair;
  int64_t tensors = 0;
  for (size_t i = 0; i < kept.size(); ++i) {
    for (const NodeId worker : a.workers) {
      const auto there =
          LeastArrival(fabric, worker, a.servers[i], Bytes(ControlMessage::kBytes), Operation::write_imm);
      const auto back = LeastArrival(fabric, a.servers[i], worker, Bytes(0), Operation::write_imm);
      if (!there || !back) continue;
      const Time gap = *there + *back + handling;
      if (gap * (kept[i].tensors - 1) <= longest) continue;
      longest = gap * (kept[i].tensors - 1);
      between = gap;
      tensors = kept[i].tensors;
      pair = fmt::format("{} to {}", fabric.node(worker).name, fabric.node(a.servers[i]).name);
    }
  }
  if (longest <= a.every) return;
  findings.push_back(
      {Severity::warning, "workload " + workload,
       fmt::format("each step has {} requests from {}, one at a time and at least {} apart, so it takes "
                   "at least {}, longer than every: {}",
                   tensors, pair, InUs(between), InUs(longest), FormatTime(a.every)),
       "give a longer every, fewer and larger tensors, or more parameter servers"});
}

}  // namespace

void CheckTensors(const Fabric& fabric, Findings& findings) {
  const Scenario& s = fabric.scenario();
  for (const WorkloadParameters& w : s.workloads) {
    if (w.type != "tensors") continue;
    const auto& a = w.arrivals.As<TensorArrivals>();
    if (a.every == Time(0)) continue;
    CheckLines(w.name, a, fabric, findings);
    CheckRequests(w.name, a, s.own_services[a.service].settings.As<TensorflowParameters>(), fabric, findings);
  }
}

}  // namespace headroom
