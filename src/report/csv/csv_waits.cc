// Part of csv_tables.h: message_waits.csv and operation_waits.csv.
#include <algorithm>

#include "report/csv/csv_tables.h"
#include "report/csv/port_directory.h"
#include "run/ended_records.h"
#include "workload/operation.h"

namespace headroom {
namespace {

constexpr size_t kSlowest = 50;

/// A message or an operation.
struct Waiter {
  Time took;
  RowKey row;
  std::vector<WaitRecord> waits;
};

/// The fifty slowest of each workload; of equally slow ones the first.
class Slowest {
 public:
  explicit Slowest(size_t workloads) : of_(workloads) {}

  void Add(Time took, const RowKey& row, std::span<const WaitRecord> waits) {
    constexpr size_t kMost = 4 * kSlowest;
    std::vector<Waiter>& of = of_[row.workload];
    if (of.size() >= kMost) Shorten(of);
    of.push_back({took, row, {waits.begin(), waits.end()}});
  }

  void Write(TextFile& file, const Scenario& scenario) {
    const PortDirectory ports(scenario.topology);
    const auto& nodes = scenario.topology.nodes;
    for (size_t w = 0; w < of_.size(); ++w) {
      Shorten(of_[w]);
      for (const Waiter& one : of_[w]) {
        for (const WaitRecord& wait : one.waits) {
          file.Print("{}/{}/{},{},{},{},{},{},{},{}\n", scenario.workloads[w].name, nodes[one.row.host].name,
                     one.row.number, wait.back ? "ack" : "data", nodes[wait.node].name,
                     ports.At(wait.node, wait.port).name, wait.queue, ExactNanoseconds{wait.since},
                     ExactNanoseconds{wait.queued}, ExactNanoseconds{wait.paused});
        }
      }
    }
  }

 private:
  static void Shorten(std::vector<Waiter>& of) {
    std::ranges::sort(of, [](const Waiter& a, const Waiter& b) {
      return a.took != b.took ? a.took > b.took : a.row < b.row;
    });
    if (of.size() > kSlowest) of.erase(of.begin() + kSlowest, of.end());
  }

  std::vector<std::vector<Waiter>> of_;  ///< by workload
};

constexpr const char* kHeader = "id,way,node,port,queue,since_ns,queued_ns,paused_ns\n";

}  // namespace

void WriteMessageWaitsCsv(TextFile& file, const Scenario& scenario, const RunRecord& record) {
  file.Write(kHeader);
  if (!HasParts(record, scenario)) return;
  Slowest slowest(scenario.workloads.size());
  ForEachMessage(record, [&](const MessageView& v) {
    const MessageRecord& m = v.record;
    if (m.Finished()) slowest.Add(m.completed - m.start, RowKeyOf(m), v.waits);
  });
  slowest.Write(file, scenario);
}

void WriteOperationWaitsCsv(TextFile& file, const Scenario& scenario, const RunRecord& record) {
  file.Write(kHeader);
  Slowest slowest(scenario.workloads.size());
  ForEachOperation(record, [&](const OperationView& v) {
    const OperationRecord& o = v.record;
    if (o.Finished()) slowest.Add(o.completed - o.start, RowKeyOf(o), v.waits);
  });
  slowest.Write(file, scenario);
}

}  // namespace headroom
