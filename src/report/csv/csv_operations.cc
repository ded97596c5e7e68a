// Part of csv_tables.h: operations.csv.
#include <tuple>

#include "report/csv/csv_tables.h"
#include "report/csv/in_order.h"
#include "report/csv/scope_name.h"
#include "report/csv/written_parts.h"
#include "run/ended_records.h"
#include "workload/operation.h"

namespace headroom {

static void WriteHeader(TextFile& file, const WrittenParts& written) {
  file.Write(
      "id,workload,service,kind,client,bytes,start_ns,completed_ns,status,retries,server,qp,ramp,t1_ns,t2_ns,"
      "t3_ns,t4_ns,t5_ns,t6_ns,scope");
  for (size_t i = 0; i < kOperationParts; ++i) {
    const auto part = static_cast<OperationPart>(i);
    if (written.Has(part)) file.Print(",{}_ns", OperationPartName(part));
  }
  file.Write("\n");
}

static void WriteLine(TextFile& file, const Scenario& scenario, const OperationRecord& o,
                      const WrittenParts& written) {
  const auto& nodes = scenario.topology.nodes;
  const WorkloadParameters& workload = scenario.workloads[o.workload];
  const std::string& client = nodes[o.client].name;
  const NodeId server = o.participants.Last(0);  // no request yet: the first host
  file.Print("{}/{}/{},{},{},{},{},{},{},{},{},{},{},", workload.name, client, o.number, workload.name,
             ServiceAt(scenario, ServiceOf(workload, scenario)).name, OperationKindName(o.kind), client,
             o.bytes.v, ExactNanoseconds{o.start}, ExactNanoseconds{o.completed},
             o.Finished() ? OperationStatusName(o.status) : "", o.retries, nodes[server].name);
  const OperationTimes& t = o.times;
  if (t.posted != kNever) file.Print("{}", o.qp);
  file.Print(",{:d}", o.ramp);
  for (const Time at : {t.posted, t.first_sent, t.last_sent, t.acknowledged, t.completed, t.polled})
    file.Print(",{}", ExactNanoseconds{at});
  file.Print(",{}", ScopeName(nodes[o.client].place, nodes[server].place));
  for (size_t i = 0; i < kOperationParts; ++i) {
    if (written.Has(static_cast<OperationPart>(i)))
      file.Print(",{}", ExactNanoseconds{o.Finished() ? o.parts[i] : kNever});
  }
  file.Write("\n");
}

void WriteOperationsCsv(TextFile& file, const Scenario& scenario, const RunRecord& record) {
  const WrittenParts written(scenario);
  WriteHeader(file, written);
  if (record.ended)
    return record.ended->ForEachOperation(
        [&](const OperationView& o) { WriteLine(file, scenario, o.record, written); });
  for (const OperationRecord* o : InOrder(record.operations, [](const auto& o) { return RowKeyOf(o); }))
    WriteLine(file, scenario, *o, written);
}

}  // namespace headroom
