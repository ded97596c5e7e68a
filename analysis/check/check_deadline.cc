#include "analysis/check/check_deadline.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/text/text_table.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

/// Of a workload's messages the one that would end last if each were alone.
struct LastToEnd {
  Bytes size;
  Rate rate;
  double seconds = 0;  ///< that it takes
  double end = 0;      ///< s
};

class EndsAlone {
 public:
  explicit EndsAlone(const Fabric& fabric) : fabric_(fabric) {
    const Scenario& s = fabric.scenario();
    payload_share_ =
        static_cast<double>(s.mtu) / static_cast<double>(s.frames.OnWire(s.frames.Data(s.mtu, false)).v);
  }

  LastToEnd operator()(const PoissonArrivals& a) const {
    return a.sizes ? LastToEnd{} : Message(a.size, Time{}, std::min(Fastest(a.from), Fastest(a.to)));
  }
  LastToEnd operator()(const IncastArrivals&) const { return {}; }
  LastToEnd operator()(const PermutationArrivals& a) const { return Message(a.size, a.at, Fastest(a.hosts)); }
  LastToEnd operator()(const StreamArrivals& a) const {
    if (a.Loopback()) return {};
    return Message(a.message, a.start, std::min(Fastest(a.from), Fastest(a.to)));
  }
  LastToEnd operator()(const PostingArrivals& a) const {
    return Message(a.message, a.start, std::min(Fastest(a.from), Fastest(a.to)));
  }
  LastToEnd operator()(const IoArrivals& a) const {
    return Message(LargestBlock(a), a.start, std::min(Fastest(a.from), Fastest(a.to)));
  }
  LastToEnd operator()(const KeyValueArrivals& a) const {
    return Message(a.key + a.value, a.start, std::min(Fastest(a.from), Fastest(a.to)));
  }
  LastToEnd operator()(const TransferArrivals& a) const {
    return Message(a.size, a.start, std::min(Fastest(a.from), Fastest(a.to)));
  }
  LastToEnd operator()(const ListArrivals& a) const {
    LastToEnd last;
    for (const ListArrivals::Message& m : a.messages) {
      if (m.from == m.to) continue;
      const LastToEnd message =
          Message(m.size, m.at, std::min(fabric_.LineRate(m.from), fabric_.LineRate(m.to)));
      if (message.end > last.end) last = message;
    }
    return last;
  }

 private:
  Rate Fastest(const std::vector<NodeId>& hosts) const {
    Rate fastest;
    for (const NodeId h : hosts) fastest = std::max(fastest, fabric_.LineRate(h));
    return fastest;
  }
  LastToEnd Message(Bytes size, Time start, Rate rate) const {
    const double seconds = static_cast<double>(size.v) * 8 / (static_cast<double>(rate.v) * payload_share_);
    return {size, rate, seconds, InSeconds(start) + seconds};
  }

  const Fabric& fabric_;
  double payload_share_ = 1;
};

}  // namespace

void JudgeDeadline(const Fabric& fabric, const FlowsChecks& flows, Findings& findings) {
  const Scenario& s = fabric.scenario();
  const double deadline = InSeconds(s.deadline);
  for (const WorkloadParameters& workload : s.workloads) {
    const auto flow = std::ranges::find(flows.workloads, workload.name, &FlowsCheck::workload);
    if (flow != flows.workloads.end() && flow->slowest_seconds > deadline) continue;
    const LastToEnd last = std::visit(EndsAlone(fabric), workload.arrivals);
    if (last.end <= deadline) continue;
    findings.push_back(
        {Finding::Severity::note, "workload " + workload.name,
         fmt::format("a message of {} takes {} ms at {} and cannot end before the deadline, {} ms",
                     FormatSize(last.size), FormatReadable(last.seconds * 1e3), FormatRate(last.rate),
                     FormatReadable(deadline * 1e3)),
         "a later deadline, or smaller messages"});
  }
}

}  // namespace headroom
