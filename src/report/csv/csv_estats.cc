// estats.csv
#include "report/csv/result_file.h"

namespace headroom {

namespace {

std::string_view OwnerOf(const ResultRun& run, const EstatsRecord& r) {
  if (r.workload != EstatsRecord::kNoWorkload) return run.Workload(static_cast<size_t>(r.workload));
  if (r.service == EstatsRecord::kNoService) return "";
  return run.scenario.services[static_cast<size_t>(r.service)]->name;
}

std::vector<ColumnOf<EstatsRecord>> EstatsColumns() {
  using E = EstatsRecord;
  std::vector<ColumnOf<E>> columns = {
      {"time_ns", kinds::kNs, "end of the interval", &E::until},
      {"host", kinds::kName, "host", kHostOf},
      {"peer", kinds::kName.MayBeEmpty().Since(2), "host at the other end; empty if unknown",
       [](auto& run, auto& r) {
         return r.peer < run.scenario.topology.nodes.size() ? run.Node(r.peer) : std::string_view();
       }},
      {"qp", kinds::kIndex, "queue pair, as in rates.csv", &E::qp},
      {"workload", kinds::kName.MayBeEmpty().Since(2),
       "workload or service; empty for programs and answers of a workload verbs", OwnerOf},
      {"operation", kinds::kName, "operation", [](auto& r) { return r.OperationName(); }},
      {"status", kinds::kName, "status of its completion", [](auto& r) { return r.StatusName(); }},
      {"count", kinds::kCount, "operations polled in the interval", &E::count}};
  struct Span {
    const char *name, *words;
    E::Spans E::*spans;
  };
  struct Statistic {
    const char* name;
    Time E::Spans::*of;
  };
  for (const Span& span : {Span{"t5_t1", "T5 − T1, from posting to the completion at the NIC", &E::t5_t1},
                           Span{"t6_t1", "T6 − T1, from posting to the poll", &E::t6_t1}}) {
    for (const Statistic& s : {Statistic{"p50", &E::Spans::p50}, Statistic{"p99", &E::Spans::p99},
                               Statistic{"p999", &E::Spans::p999}, Statistic{"max", &E::Spans::max}})
      columns.emplace_back(fmt::format("{}_{}_ns", span.name, s.name), kinds::kNs.MayBeEmpty().Since(2),
                           fmt::format("{} of {}", s.name, span.words),
                           [spans = span.spans, of = s.of](const E& r) { return r.*spans.*of; });
  }
  return columns;
}

const Table<EstatsRecord> kEstats{
    "estats", "RDMA Estats: times of operations by interval, connection, operation and status",
    [](const ResultRun& run, const auto& use) {
      for (const EstatsRecord& r : run.record.estats) use(r);
    },
    EstatsColumns()};

}  // namespace

}  // namespace headroom
