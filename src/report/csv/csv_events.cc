// Part of csv_tables.h: events.csv.
#include <tuple>

#include "report/csv/csv_tables.h"
#include "report/csv/in_order.h"
#include "report/csv/port_directory.h"

namespace headroom {

void WriteEventsCsv(TextFile& file, const Scenario& scenario, const RunRecord& record) {
  file.Write("time_ns,event,node,port,priority,detail\n");
  const PortDirectory ports(scenario.topology);
  const auto key = [](const EventRecord& e) { return std::tie(e.time, e.node, e.port, e.priority, e.kind); };
  for (const EventRecord* e : InOrder(record.events_log, key)) {
    file.Print("{},{},{},", ExactNanoseconds{e->time}, CsvField(e->kind),
               scenario.topology.nodes[e->node].name);
    if (e->port != EventRecord::kNone) file.Write(ports.At(e->node, static_cast<uint32_t>(e->port)).name);
    file.Write(",");
    if (e->priority != EventRecord::kNone) file.Print("{}", e->priority);
    file.Print(",{}\n", CsvField(e->detail));
  }
}

}  // namespace headroom
