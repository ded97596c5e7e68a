// Files of time series, without rows if the scenario does not observe them: queues.csv, groups.csv,
// rates.csv, goodput.csv, cnps.csv, drops.csv.
#include <algorithm>
#include <optional>
#include <tuple>

#include "report/csv/result_file.h"

namespace headroom {

const Table<QueueSample> kQueues{
    "queues",
    "bytes in egress queues over time",
    Sorted(&RunRecord::queues, [](auto& s) { return std::tuple(s.time, s.node, s.port, s.queue); }),
    {{"time_ns", kinds::kNs, "time of the sample", &QueueSample::time},
     {"node", kinds::kName, "node of the queue", kNodeOf},
     {"port", kinds::kName, "port of the queue", kPortOf},
     {"queue", kinds::kIndex, "number of the queue at its port", &QueueSample::queue},
     {"bytes", kinds::kBytes, "bytes in the queue", &QueueSample::bytes}}};

const Table<GroupSample> kGroups{
    "groups",
    "bytes in priority groups over time",
    Sorted(&RunRecord::groups, [](auto& s) { return std::tuple(s.time, s.node, s.port, s.group); }),
    {{"time_ns", kinds::kNs, "time of the sample", &GroupSample::time},
     {"node", kinds::kName, "switch", kNodeOf},
     {"port", kinds::kName, "ingress port", kPortOf},
     {"group", kinds::kIndex, "number of the priority group", &GroupSample::group},
     {"shared_bytes", kinds::kBytes, "bytes in the shared pool", &GroupSample::shared},
     {"headroom_bytes", kinds::kBytes, "bytes in the headroom", &GroupSample::headroom},
     {"xoff_at_bytes", kinds::kBytes.MayBeEmpty().Since(2),
      "shared bytes at which the group would now pause its sender; empty for a lossy group",
      [](auto& s) { return s.xoff_at.v >= 0 ? std::optional(s.xoff_at) : std::nullopt; }}}};

const Table<RateSample> kRates{
    "rates",
    "rates of queue pairs over time",
    Sorted(&RunRecord::rates, [](auto& s) { return std::tuple(s.time, s.host, s.qp); }),
    {{"time_ns", kinds::kNs, "time of the sample", &RateSample::time},
     {"host", kinds::kName, "sender", kHostOf},
     {"qp", kinds::kIndex, "number of the queue pair at its host, in the order of creation", &RateSample::qp},
     {"rate_bps", kinds::kBitRate, "rate that congestion control permits", &RateSample::rate},
     {"sent_bytes", kinds::kBytes.MayBeEmpty().Since(2), "bytes on the wire since the previous sample",
      &RateSample::sent},
     {"peer", kinds::kName.MayBeEmpty().Since(2), "host at the other end at that time",
      [](auto& run, auto& s) {
        return s.peer < run.scenario.topology.nodes.size() ? run.Node(s.peer) : std::string_view();
      }}}};

const Table<GoodputSample> kGoodput{
    "goodput",
    "delivered bytes of workloads over time",
    Sorted(&RunRecord::goodput, [](auto& s) { return std::tuple(s.time, s.workload); }),
    {{"time_ns", kinds::kNs, "end of the interval", &GoodputSample::time},
     {"workload", kinds::kName, "workload", [](auto& run, auto& s) { return run.Workload(s.workload); }},
     {"bytes", kinds::kBytes, "bytes delivered in the interval", &GoodputSample::delivered}}};

const Table<CnpRecord> kCnps{
    "cnps",
    "a line for each congestion notification that reached an observed host",
    Sorted(&RunRecord::cnps, [](auto& c) { return std::tuple(c.time, c.host, c.qp); }),
    {{"time_ns", kinds::kNs, "arrival", &CnpRecord::time},
     {"host", kinds::kName, "host that received it", kHostOf},
     {"qp", kinds::kIndex, "its queue pair", &CnpRecord::qp},
     {"effect", kinds::kName.OneOf({"cut", "none"}), "cut if it reduced the rate",
      [](auto& c) { return c.cut ? "cut" : "none"; }}}};

/// The hosts are compared because programs on verbs use numbers of messages, too.
std::optional<RowName> MessageOf(const ResultRun& run, const DropRecord& d) {
  if (d.message == kNoMessage) return std::nullopt;
  const MessageRecord& m = run.record.messages[d.message];
  if (std::minmax(m.src, m.dst) != std::minmax(d.src, d.dst)) return std::nullopt;
  return RowName{run.Workload(m.workload), run.Node(m.src), m.number};
}

const Table<DropRecord> kDrops{
    "drops",
    "a line for each frame that an observed node dropped",
    Sorted(&RunRecord::drops, [](auto& d) { return std::tuple(d.time, d.node, d.port, d.priority); }),
    {{"time_ns", kinds::kNs, "time of the drop", &DropRecord::time},
     {"node", kinds::kName, "node that dropped it", kNodeOf},
     {"port", kinds::kName, "port at which it arrived, or would have left", kPortOf},
     {"priority", kinds::kIndex, "its priority", &DropRecord::priority},
     {"reason", kinds::kName.OneOf(kDropReasons, DropReasonName), "reason of the drop",
      [](auto& d) { return DropReasonName(d.reason); }},
     {"bytes", kinds::kBytes, "size of the frame with FCS", &DropRecord::bytes},
     {"kind", kinds::kName.Since(2).OneOf(kFrameKinds, FrameKindName),
      "kind of the frame; ip: a packet of TCP/IP", [](auto& d) { return FrameKindName(d.kind); }},
     {"src", kinds::kName.Since(2), "host that sent it", [](auto& run, auto& d) { return run.Node(d.src); }},
     {"dst", kinds::kName.Since(2), "host to which it was sent",
      [](auto& run, auto& d) { return run.Node(d.dst); }},
     {"message", kinds::kName.MayBeEmpty().Since(2),
      "its message, as in messages.csv; empty: it is of a service, or of no message",
      [](auto& run, auto& d) { return MessageOf(run, d); }},
     {"psn", kinds::kIndex.MayBeEmpty().Since(2),
      "low 32 bits of its PSN; of an ACK the last one received, of a NAK the one expected", &DropRecord::psn},
     {"queue", kinds::kIndex.MayBeEmpty().Since(2),
      "what was full or closed: the queue (egress_limit) or the priority group (ingress_limit, group_cap, "
      "headroom_full); empty: neither",
      [](auto& d) { return d.queue >= 0 ? std::optional(int{d.queue}) : std::nullopt; }},
     {"limit_bytes", kinds::kBytes.MayBeEmpty().Since(2),
      "bytes that fit into what was full at that time; empty: nothing was full",
      [](auto& d) { return d.limit.v >= 0 ? std::optional(d.limit) : std::nullopt; }},
     {"fill_bytes", kinds::kBytes.MayBeEmpty().Since(2), "bytes that it held",
      [](auto& d) { return d.fill.v >= 0 ? std::optional(d.fill) : std::nullopt; }}}};

}  // namespace headroom
