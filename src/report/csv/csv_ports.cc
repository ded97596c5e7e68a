// Part of csv_tables.h: ports.csv.
#include <tuple>

#include "report/csv/csv_tables.h"
#include "report/csv/in_order.h"
#include "report/csv/port_directory.h"

namespace headroom {

static bool AnythingCounted(const PortPriorityCounters& c) {
  uint64_t drops = 0;
  for (const uint64_t d : c.drops) drops += d;
  return c.tx_packets + c.rx_packets + c.marked_packets + drops + c.pause_frames_tx + c.pfc_frames_rx +
                 c.pauses_rx >
             0 ||
         c.peak_queue > Bytes() || c.peak_group > Bytes();
}

void WritePortsCsv(TextFile& file, const Scenario& scenario, const RunRecord& record) {
  file.Write("node,port,priority,tx_bytes,tx_packets,rx_bytes,rx_packets,utilisation,marked_packets");
  for (int r = 0; r < kDropReasons; ++r) file.Print(",drop_{}", DropReasonName(static_cast<DropReason>(r)));
  file.Write(
      ",pauses_tx,pauses_rx,paused_us_tx,paused_us_rx,peak_queue_bytes,peak_group_bytes,peak_headroom_bytes,"
      "pfc_frames_tx,pfc_frames_rx,headroom_configured_bytes,peak_group_shared_bytes,"
      "peak_queue_shared_bytes\n");
  const PortDirectory ports(scenario.topology);
  const double span_s = InSeconds(record.end - scenario.warmup);
  const auto key = [](const PortRecord& p) { return std::tuple(p.node, p.port); };
  for (const PortRecord* port : InOrder(record.ports, key)) {
    const std::string& node = scenario.topology.nodes[port->node].name;
    const std::string& name = ports.At(port->node, port->port).name;
    for (int p = 0; p < kPriorities; ++p) {
      const PortPriorityCounters& c = port->priority[p];
      if (scenario.classes[p].name.empty() && !AnythingCounted(c)) continue;
      file.Print("{},{},{},{},{},{},{},", node, name, p, c.tx_bytes, c.tx_packets, c.rx_bytes, c.rx_packets);
      if (span_s > 0) {
        file.Print("{:.6f}",
                   static_cast<double>(c.tx_wire_bytes) * 8 / static_cast<double>(port->rate.v) / span_s);
      }
      file.Print(",{}", c.marked_packets);
      for (const uint64_t drops : c.drops) file.Print(",{}", drops);
      file.Print(",{},{},{:.6f},{:.6f},{},{},{},{},{},{},{},{}\n", c.pauses_tx, c.pauses_rx,
                 InMicroseconds(c.paused_tx), InMicroseconds(c.paused_rx), c.peak_queue.v, c.peak_group.v,
                 c.peak_headroom.v, c.pause_frames_tx + c.resume_frames_tx, c.pfc_frames_rx,
                 c.headroom_configured.v, c.peak_group_shared.v, c.peak_queue_shared.v);
    }
  }
}

}  // namespace headroom
