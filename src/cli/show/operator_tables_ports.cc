// The tables that come from ports.csv.
#include <fmt/format.h>

#include <functional>

#include "cli/show/operator_tables.h"
#include "net/traffic_class.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

using RowValue = std::function<uint64_t(const CsvTable&, size_t row)>;

RowValue Column(const char* name) {
  return [name](const CsvTable& ports, size_t row) { return ports.NumberAt(row, name); };
}

/// One line per port, one column per priority. Priorities that ports.csv leaves out have counts of 0.
OperatorTable ByPort(const RunFiles& run, const std::string& node, OperatorTable table, const char* prefix,
                     const RowValue& value) {
  for (int p = 0; p < kPriorities; ++p) table.header.push_back(fmt::format("{}{}", prefix, p));
  const CsvTable& ports = run.ports();
  for (const size_t row : run.PortRows(node)) {
    const std::string& port = ports.At(row, "port");
    if (table.rows.empty() || table.rows.back()[0] != port) {
      table.rows.emplace_back(1 + kPriorities, ordered_json(uint64_t{0}));
      table.rows.back()[0] = port;
    }
    table.rows.back()[1 + ports.NumberAt(row, "priority", kPriorities - 1)] = value(ports, row);
  }
  return table;
}

/// One line per used queue.
OperatorTable ByQueue(const RunFiles& run, const std::string& node, std::vector<std::string> header,
                      const std::function<std::vector<ordered_json>(const CsvTable&, size_t row)>& cells) {
  OperatorTable table{"", std::move(header), {}};
  for (const size_t row : run.PortRows(node)) {
    std::vector<ordered_json> line = {run.ports().At(row, "port"), "UC" + run.ports().At(row, "priority")};
    for (ordered_json& cell : cells(run.ports(), row)) line.push_back(std::move(cell));
    table.rows.push_back(std::move(line));
  }
  return table;
}

}  // namespace

std::vector<OperatorTable> PfcCounters(const RunFiles& run, const std::string& node) {
  return {ByPort(run, node, {"", {"Port Rx"}, {}}, "PFC", Column("pfc_frames_rx")),
          ByPort(run, node, {"", {"Port Tx"}, {}}, "PFC", Column("pfc_frames_tx"))};
}

std::vector<OperatorTable> GroupSharedWatermark(const RunFiles& run, const std::string& node) {
  return {ByPort(run, node, {"Ingress shared pool occupancy per PG:", {"Port"}, {}}, "PG",
                 Column("peak_group_shared_bytes"))};
}

std::vector<OperatorTable> GroupHeadroomWatermark(const RunFiles& run, const std::string& node) {
  return {ByPort(run, node, {"Ingress headroom per PG:", {"Port"}, {}}, "PG", Column("peak_headroom_bytes"))};
}

std::vector<OperatorTable> GroupDrops(const RunFiles& run, const std::string& node) {
  const RowValue drops = [](const CsvTable& ports, size_t row) {
    uint64_t sum = 0;
    for (const char* reason :
         {"headroom_full", "group_cap", "ingress_limit", "buffer_full", "on_chip_full"}) {
      sum += ports.NumberAt(row, std::string("drop_") + reason);
    }
    return sum;
  };
  return {ByPort(run, node, {"Ingress PG dropped packets:", {"Port"}, {}}, "PG", drops)};
}

std::vector<OperatorTable> QueueCounters(const RunFiles& run, const std::string& node) {
  return {ByQueue(run, node, {"Port", "TxQ", "Counter/pkts", "Counter/bytes", "Drop/pkts", "Drop/bytes"},
                  [](const CsvTable& ports, size_t row) -> std::vector<ordered_json> {
                    return {ports.NumberAt(row, "tx_packets"), ports.NumberAt(row, "tx_bytes"),
                            ports.NumberAt(row, "drop_egress_limit"), "N/A"};
                  })};
}

std::vector<OperatorTable> QueueWredCounters(const RunFiles& run, const std::string& node) {
  return {ByQueue(run, node,
                  {"Port", "TxQ", "WredDrp/pkts", "WredDrp/bytes", "EcnMarked/pkts", "EcnMarked/bytes"},
                  [](const CsvTable& ports, size_t row) -> std::vector<ordered_json> {
                    return {uint64_t{0}, uint64_t{0}, ports.NumberAt(row, "marked_packets"), "N/A"};
                  })};
}

std::vector<OperatorTable> QueueWatermark(const RunFiles& run, const std::string& node) {
  return {ByPort(run, node, {"Egress shared pool occupancy per unicast queue:", {"Port"}, {}}, "UC",
                 Column("peak_queue_shared_bytes"))};
}

}  // namespace headroom
