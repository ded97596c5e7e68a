// Part of csv_tables.h: message_waits.csv and operation_waits.csv.
#include <algorithm>

#include "report/csv/csv_tables.h"
#include "report/csv/port_directory.h"

namespace headroom {
namespace {

/// A message or an operation.
struct Waiter {
  Time took;
  NodeId from;
  uint32_t number;
  std::span<const WaitRecord> waits;
};

/// Writes the waits of the fifty slowest of each workload. `of`: by workload.
void WriteSlowest(TextFile& file, const Scenario& scenario, std::vector<std::vector<Waiter>> of) {
  constexpr size_t kSlowest = 50;
  const PortDirectory ports(scenario.topology);
  const auto& nodes = scenario.topology.nodes;
  for (size_t w = 0; w < of.size(); ++w) {
    std::ranges::stable_sort(of[w], std::greater(), &Waiter::took);
    if (of[w].size() > kSlowest) of[w].erase(of[w].begin() + kSlowest, of[w].end());
    for (const Waiter& one : of[w]) {
      for (const WaitRecord& wait : one.waits) {
        file.Print("{}/{}/{},{},{},{},{},{},{},{}\n", scenario.workloads[w].name, nodes[one.from].name,
                   one.number, wait.back ? "ack" : "data", nodes[wait.node].name,
                   ports.At(wait.node, wait.port).name, wait.queue, ExactNanoseconds{wait.since},
                   ExactNanoseconds{wait.queued}, ExactNanoseconds{wait.paused});
      }
    }
  }
}

constexpr const char* kHeader = "id,way,node,port,queue,since_ns,queued_ns,paused_ns\n";

}  // namespace

void WriteMessageWaitsCsv(TextFile& file, const Scenario& scenario, const RunRecord& record) {
  file.Write(kHeader);
  if (record.message_parts.empty()) return;
  std::vector<std::vector<Waiter>> of(scenario.workloads.size());
  for (const MessageRecord& m : record.messages) {
    if (m.Finished()) of[m.workload].push_back({m.completed - m.start, m.src, m.number, record.WaitsOf(m)});
  }
  WriteSlowest(file, scenario, std::move(of));
}

void WriteOperationWaitsCsv(TextFile& file, const Scenario& scenario, const RunRecord& record) {
  file.Write(kHeader);
  std::vector<std::vector<Waiter>> of(scenario.workloads.size());
  for (const OperationRecord& o : record.operations) {
    if (o.Finished())
      of[o.workload].push_back({o.completed - o.start, o.client, o.number, record.WaitsOf(o)});
  }
  WriteSlowest(file, scenario, std::move(of));
}

}  // namespace headroom
