// ports.csv
#include <tuple>

#include "report/csv/result_file.h"

namespace headroom {

namespace {

struct PortRow {
  const PortRecord& port;
  int priority;
  const PortPriorityCounters& c;
};

bool AnythingCounted(const PortPriorityCounters& c) {
  uint64_t drops = 0;
  for (const uint64_t d : c.drops) drops += d;
  return c.tx_packets + c.rx_packets + c.marked_packets + drops + c.pause_frames_tx + c.pfc_frames_rx +
                 c.pauses_rx >
             0 ||
         c.peak_queue > Bytes() || c.peak_group > Bytes();
}

void ForEachPortRow(const ResultRun& run, const std::function<void(const PortRow&)>& use) {
  const auto key = [](const PortRecord& p) { return std::tuple(p.node, p.port); };
  for (const PortRecord* port : InOrder(run.record.ports, key)) {
    for (int p = 0; p < kPriorities; ++p) {
      const PortPriorityCounters& c = port->priority[static_cast<size_t>(p)];
      if (!run.scenario.classes[p].name.empty() || AnythingCounted(c)) use({*port, p, c});
    }
  }
}

std::optional<double> UtilisationOf(const ResultRun& run, const PortRow& r) {
  const double span_s = InSeconds(run.record.end - run.scenario.warmup);
  if (span_s <= 0) return {};
  return static_cast<double>(r.c.tx_wire_bytes) * 8 / static_cast<double>(r.port.rate.v) / span_s;
}

/// The version of the file that added the column of a reason.
int SinceOf(DropReason reason) {
  return reason == DropReason::restart ? 5 : reason == DropReason::on_chip_full ? 4 : 1;
}

template <class Value>
auto Counter(Value PortPriorityCounters::*member) {
  return [member](const PortRow& r) { return r.c.*member; };
}

std::vector<ColumnOf<PortRow>> PortColumns() {
  using C = PortPriorityCounters;
  std::vector<ColumnOf<PortRow>> columns = {
      {"node", kinds::kName, "host or switch", [](auto& run, auto& r) { return run.Node(r.port.node); }},
      {"port", kinds::kName, "port", [](auto& run, auto& r) { return run.Port(r.port.node, r.port.port); }},
      {"priority", kinds::kIndex,
       "priority; at a switch with maps of its own the queue or group of this number",
       [](auto& r) { return r.priority; }},
      {"tx_bytes", kinds::kBytes, "frames sent, with FCS", Counter(&C::tx_bytes)},
      {"tx_packets", kinds::kPackets, "frames sent", Counter(&C::tx_packets)},
      {"rx_bytes", kinds::kBytes, "frames received, with FCS", Counter(&C::rx_bytes)},
      {"rx_packets", kinds::kPackets, "frames received", Counter(&C::rx_packets)},
      {"utilisation", kinds::kNumber.MayBeEmpty(),
       "share of the time since the warm-up in which its frames were on the wire, with preamble and gap",
       UtilisationOf},
      {"marked_packets", kinds::kPackets, "frames marked with congestion experienced (ECN)",
       Counter(&C::marked_packets)}};
  for (size_t i = 0; i < kDropReasons; ++i) {
    const auto reason = static_cast<DropReason>(i);
    columns.emplace_back(fmt::format("drop_{}", DropReasonName(reason)), kinds::kCount.Since(SinceOf(reason)),
                         "frames dropped for this reason", [i](const PortRow& r) { return r.c.drops[i]; });
  }
  const Kind peak = kinds::kBytes.MayBeEmpty().Since(2);
  const ColumnOf<PortRow> rest[] = {
      {"pauses_tx", kinds::kCount, "pauses of the peer", Counter(&C::pauses_tx)},
      {"pauses_rx", kinds::kCount, "pauses by the peer", Counter(&C::pauses_rx)},
      {"paused_us_tx", kinds::kUs, "time for which it paused its peer",
       [](auto& r) { return InMicroseconds(r.c.paused_tx); }},
      {"paused_us_rx", kinds::kUs, "time for which its peer paused it",
       [](auto& r) { return InMicroseconds(r.c.paused_rx); }},
      {"peak_queue_bytes", kinds::kBytes, "largest egress queue", Counter(&C::peak_queue)},
      {"peak_group_bytes", peak, "most bytes in the ingress group", Counter(&C::peak_group)},
      {"peak_headroom_bytes", peak, "most bytes in the group's headroom", Counter(&C::peak_headroom)},
      {"pfc_frames_tx", kinds::kCount.Since(3), "PFC frames sent, refreshes and resumes included",
       [](auto& r) { return r.c.pause_frames_tx + r.c.resume_frames_tx; }},
      {"pfc_frames_rx", kinds::kCount.Since(3), "PFC frames received", Counter(&C::pfc_frames_rx)},
      {"headroom_configured_bytes", peak, "headroom of a lossless group; else 0",
       Counter(&C::headroom_configured)},
      {"peak_group_shared_bytes", kinds::kBytes.Since(4),
       "most bytes of the group beyond its reserve (SAI watermark)", Counter(&C::peak_group_shared)},
      {"peak_queue_shared_bytes", kinds::kBytes.Since(4),
       "most bytes of the queue beyond its reserve (SAI watermark)", Counter(&C::peak_queue_shared)}};
  columns.insert(columns.end(), std::begin(rest), std::end(rest));
  return columns;
}

const Table<PortRow> kPorts{
    "ports", "counters since the warm-up, by port and priority: with a named class, or with a count",
    ForEachPortRow, PortColumns()};

}  // namespace

}  // namespace headroom
