// Part of csv_tables.h: pfc.csv.
#include <tuple>

#include "report/csv/csv_tables.h"
#include "report/csv/in_order.h"
#include "report/csv/port_directory.h"
#include "run/ended_records.h"

namespace headroom {

void WritePfcCsv(TextFile& file, const Scenario& scenario, const RunRecord& record) {
  file.Write("time_ns,node,port,peer_node,peer_port,priority,direction,duration_ns,refreshes,group_bytes\n");
  const PortDirectory ports(scenario.topology);
  const auto& nodes = scenario.topology.nodes;
  const auto key = [](const PauseRecord& p) {
    return std::tuple(p.start, p.node, p.port, p.priority, p.direction);
  };
  const auto write = [&](const PauseRecord& p) {
    const PortDirectory::Port& port = ports.At(p.node, p.port);
    const bool tx = p.direction == PauseRecord::Direction::tx;
    file.Print("{},{},{},{},{},{},{},{},{},", ExactNanoseconds{p.start}, nodes[p.node].name, port.name,
               nodes[port.peer].name, port.peer_port, p.priority, tx ? "tx" : "rx",
               ExactNanoseconds{p.end == kNever ? kNever : p.end - p.start}, p.refreshes);
    if (tx) file.Print("{}", p.group_bytes.v);
    file.Write("\n");
  };
  if (record.ended) return record.ended->ForEachPause(write);
  for (const PauseRecord* p : InOrder(record.pauses, key)) write(*p);
}

}  // namespace headroom
