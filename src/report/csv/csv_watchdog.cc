// Part of csv_tables.h: watchdog.csv.
#include "report/csv/csv_tables.h"
#include "report/csv/port_directory.h"

namespace headroom {

void WriteWatchdogCsv(TextFile& file, const Scenario& scenario, const RunRecord& record) {
  file.Write(
      "node,port,priority,action,status,storms_detected,storms_restored,tx_ok,tx_drop,rx_ok,rx_drop,"
      "tx_ok_last,tx_drop_last,rx_ok_last,rx_drop_last\n");
  const PortDirectory ports(scenario.topology);
  for (const WatchdogRecord& w : record.watchdogs) {
    file.Print("{},{},{},{},{},{},{}", scenario.topology.nodes[w.node].name, ports.At(w.node, w.port).name,
               w.priority, w.action, w.stormed ? "stormed" : "operational", w.detected, w.restored);
    for (const WatchdogRecord::Packets* p : {&w.all, &w.last})
      file.Print(",{},{},{},{}", p->tx_ok, p->tx_drop, p->rx_ok, p->rx_drop);
    file.Write("\n");
  }
}

}  // namespace headroom
