// message_waits.csv and operation_waits.csv
#include <algorithm>

#include "report/csv/result_file.h"
#include "run/recording/ended_records.h"
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

struct WaitRow {
  const RowKey& of;
  const WaitRecord& wait;
};
using Use = std::function<void(const WaitRow&)>;

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

  void ForEachWait(const Use& use) {
    for (std::vector<Waiter>& of : of_) {
      Shorten(of);
      for (const Waiter& one : of)
        for (const WaitRecord& wait : one.waits) use({one.row, wait});
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

void ForEachMessageWait(const ResultRun& run, const Use& use) {
  if (!HasParts(run.record, run.scenario)) return;
  Slowest slowest(run.scenario.workloads.size());
  ForEachMessage(run.record, [&](const MessageView& v) {
    const MessageRecord& m = v.record;
    if (m.Finished()) slowest.Add(m.completed - m.start, RowKeyOf(m), v.waits);
  });
  slowest.ForEachWait(use);
}

void ForEachOperationWait(const ResultRun& run, const Use& use) {
  Slowest slowest(run.scenario.workloads.size());
  ForEachOperation(run.record, [&](const OperationView& v) {
    const OperationRecord& o = v.record;
    if (o.Finished()) slowest.Add(o.completed - o.start, RowKeyOf(o), v.waits);
  });
  slowest.ForEachWait(use);
}

std::vector<ColumnOf<WaitRow>> WaitColumns() {
  return {{"id", kinds::kName, "the message or operation, as in its own file",
           [](auto& run, auto& r) {
             return RowName{run.Workload(r.of.workload), run.Node(r.of.host), r.of.number};
           }},
          {"way", kinds::kName.OneOf({"ack", "data"}), "the waiting frame: the deciding packet, or its ACK",
           [](auto& r) { return r.wait.back ? "ack" : "data"; }},
          {"node", kinds::kName, "node where it waited",
           [](auto& run, auto& r) { return run.Node(r.wait.node); }},
          {"port", kinds::kName, "port by which it left",
           [](auto& run, auto& r) { return run.Port(r.wait.node, r.wait.port); }},
          {"queue", kinds::kIndex, "queue of that port", [](auto& r) { return r.wait.queue; }},
          {"since_ns", kinds::kNs, "start of the wait", [](auto& r) { return r.wait.since; }},
          {"queued_ns", kinds::kNs, "wait behind other frames", [](auto& r) { return r.wait.queued; }},
          {"paused_ns", kinds::kNs, "wait while PFC had paused the queue",
           [](auto& r) { return r.wait.paused; }}};
}

const Table<WaitRow> kMessageWaits{
    "message_waits", "where the fifty slowest messages of each workload waited, slowest first, in path order",
    ForEachMessageWait, WaitColumns()};
const Table<WaitRow> kOperationWaits{
    "operation_waits", "where the messages of the fifty slowest operations of each workload waited",
    ForEachOperationWait, WaitColumns(),
    [](const ResultRun& run) { return std::ranges::any_of(run.scenario.workloads, OffersOperations); }};

}  // namespace
}  // namespace headroom
