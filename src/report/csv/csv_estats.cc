// Part of csv_tables.h: estats.csv.
#include "report/csv/csv_tables.h"

namespace headroom {

void WriteEstatsCsv(TextFile& file, const Scenario& scenario, const RunRecord& record) {
  file.Write("time_ns,host,peer,qp,workload,operation,status,count");
  for (const char* span : {"t5_t1", "t6_t1"})
    file.Print(",{0}_p50_ns,{0}_p99_ns,{0}_p999_ns,{0}_max_ns", span);
  file.Write("\n");
  const auto& nodes = scenario.topology.nodes;
  const auto owner = [&](const EstatsRecord& r) -> std::string {
    if (r.workload != EstatsRecord::kNoWorkload)
      return scenario.workloads[static_cast<size_t>(r.workload)].name;
    return r.service == EstatsRecord::kNoService ? ""
                                                 : ServiceAt(scenario, static_cast<size_t>(r.service)).name;
  };
  for (const EstatsRecord& r : record.estats) {
    file.Print("{},{},{},{},{},{},{},{}", ExactNanoseconds{r.until}, nodes[r.host].name,
               r.peer < nodes.size() ? nodes[r.peer].name : "", r.qp, owner(r), r.OperationName(),
               r.StatusName(), r.count);
    for (const EstatsRecord::Spans& s : {r.t5_t1, r.t6_t1}) {
      file.Print(",{},{},{},{}", ExactNanoseconds{s.p50}, ExactNanoseconds{s.p99}, ExactNanoseconds{s.p999},
                 ExactNanoseconds{s.max});
    }
    file.Write("\n");
  }
}

}  // namespace headroom
