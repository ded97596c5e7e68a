// Part of csv_tables.h: pfc_causes.csv.
#include <cmath>
#include <tuple>

#include "report/csv/csv_tables.h"
#include "report/csv/in_order.h"
#include "report/csv/port_directory.h"
#include "scenario/senders.h"

namespace headroom {

void WritePfcCausesCsv(TextFile& file, const Scenario& scenario, const RunRecord& record) {
  file.Write(
      "start_ns,node,port,priority,duration_ns,root_node,root_port,root_queue,workload,share,root_kind\n");
  const PortDirectory ports(scenario.topology);
  const auto& nodes = scenario.topology.nodes;
  const auto key = [&](const PauseCause& c) {
    const PauseRecord& p = record.pauses[c.pause];
    return std::tuple(p.start, p.node, p.port, p.priority, c.pause);
  };
  // Rounds to millionths that sum to a million: each share gets the rounding error of the previous one.
  const PauseRecord* of = nullptr;
  double so_far = 0;
  for (const PauseCause* c : InOrder(record.pause_causes, key)) {
    const PauseRecord& p = record.pauses[c->pause];
    if (of != &p) so_far = 0;
    of = &p;
    const double before = std::round(so_far * 1e6);
    so_far += c->share;
    const double share = (std::round(so_far * 1e6) - before) / 1e6;
    if (share <= 0) continue;
    file.Print("{},{},{},{},{},", ExactNanoseconds{p.start}, nodes[p.node].name,
               ports.At(p.node, p.port).name, p.priority,
               ExactNanoseconds{p.end == kNever ? kNever : p.end - p.start});
    if (c->root.kind == PauseRoot::Kind::rest) {
      file.Write(",,,,");
    } else {
      file.Print("{},{},{},{},", nodes[c->root.node].name, ports.At(c->root.node, c->root.port).name,
                 c->root.queue, SenderName(scenario, c->root.tag));
    }
    file.Print("{:.6f},{}\n", share, PauseRootName(c->root.kind));
  }
}

}  // namespace headroom
