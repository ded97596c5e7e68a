// operations.csv
#include <algorithm>

#include "report/csv/part_columns.h"
#include "report/csv/result_file.h"
#include "report/csv/scope_name.h"
#include "workload/operation.h"

namespace headroom {

namespace {

void ForEachOperationRow(const ResultRun& run, const std::function<void(const OperationRecord&)>& use) {
  if (run.record.ended)
    return run.record.ended->ForEachOperation([&](const OperationView& o) { use(o.record); });
  Sorted(&RunRecord::operations, [](const auto& o) { return RowKeyOf(o); })(run, use);
}

/// The host that served it; the first host if there was no request yet.
NodeId ServerOf(const OperationRecord& o) { return o.participants.Last(0); }

std::vector<ColumnOf<OperationRecord>> OperationColumns() {
  using O = OperationRecord;
  using T = OperationTimes;
  const auto at = [](Time T::*moment) { return [moment](const O& o) { return o.times.*moment; }; };
  const Kind second = kinds::kNs.MayBeEmpty().Since(2);
  std::vector<ColumnOf<O>> columns = {
      {"id", kinds::kName.Since(2), "workload/client/number, the number counted by client",
       [](auto& run, auto& o) {
         return RowName{run.Workload(o.workload), run.Node(o.client), o.number};
       }},
      {"workload", kinds::kName, "workload", [](auto& run, auto& o) { return run.Workload(o.workload); }},
      {"service", kinds::kName.Since(2), "service",
       [](auto& run, auto& o) -> const std::string& {
         return run.scenario.services[ServiceOf(run.scenario.workloads[o.workload])]->name;
       }},
      {"kind", kinds::kName.OneOf(kOperationKinds, OperationKindName), "kind of operation",
       [](auto& o) { return OperationKindName(o.kind); }},
      {"client", kinds::kName, "host that asks", [](auto& run, auto& o) { return run.Node(o.client); }},
      {"bytes", kinds::kBytes, "payload", &O::bytes},
      {"start_ns", kinds::kNs, "start", &O::start},
      {"completed_ns", kinds::kNs.MayBeEmpty(), "end; empty if unfinished", &O::completed},
      {"status", kinds::kName.MayBeEmpty().OneOf(3, OperationStatusName), "result; empty if unfinished",
       [](auto& o) { return o.Finished() ? OperationStatusName(o.status) : ""; }},
      {"retries", kinds::kCount.Since(2), "requests that were repeated", &O::retries},
      {"server", kinds::kName.Since(2), "host of the last request; the first host before any request",
       [](auto& run, auto& o) { return run.Node(ServerOf(o)); }},
      {"qp", kinds::kIndex.MayBeEmpty().Since(2),
       "queue pair of the client's request; empty without a work request",
       [](auto& o) { return o.times.posted == kNever ? std::nullopt : std::optional(o.qp); }},
      {"ramp", kinds::kFlag, "1 if it began in the ramp or warm-up; percentiles leave it out", &O::ramp},
      {"t1_ns", second, "T1: its work request was posted", at(&T::posted)},
      {"t2_ns", second, "T2: its first packet was sent", at(&T::first_sent)},
      {"t3_ns", second, "T3: its last packet was sent", at(&T::last_sent)},
      {"t4_ns", second, "T4: it was acknowledged", at(&T::acknowledged)},
      {"t5_ns", second, "T5: the completion with the answer", at(&T::completed)},
      {"t6_ns", second, "T6: the program polled this completion", at(&T::polled)},
      {"scope", kinds::kName.Since(4).OneOf({"rack", "cluster", "datacenter", "region"}),
       "smallest scope that contains client and server", [](auto& run, auto& o) {
         const auto& nodes = run.scenario.topology.nodes;
         return ScopeName(nodes[o.client].place, nodes[ServerOf(o)].place);
       }}};
  for (size_t i = 0; i < kOperationParts; ++i) {
    const auto part = static_cast<OperationPart>(i);
    columns.emplace_back(fmt::format("{}_ns", OperationPartName(part)),
                         kinds::kNs.MayBeEmpty().Since(3).Part().When(ConditionOf(part)),
                         HelpOfPart(OperationPartName(part)),
                         [i](const O& o) { return o.Finished() ? o.parts[i] : kNever; });
  }
  return columns;
}

/// In the order of (start, workload in the scenario, client in the topology, number).
const Table<OperationRecord> kOperations{
    "operations", "a line for each operation of services, or for a sample (observe.operations)",
    ForEachOperationRow, OperationColumns(),
    [](const ResultRun& run) { return std::ranges::any_of(run.scenario.workloads, OffersOperations); }};

}  // namespace

}  // namespace headroom
