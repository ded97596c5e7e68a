#include <tuple>

#include "report/csv_tables.h"
#include "report/in_order.h"
#include "report/port_directory.h"

namespace headroom {

void WriteQueuesCsv(TextFile& file, const Scenario& scenario, const RunRecord& record) {
  file.Write("time_ns,node,port,queue,bytes\n");
  const PortDirectory ports(scenario.topology);
  const auto key = [](const QueueSample& s) { return std::tuple(s.time, s.node, s.port, s.queue); };
  for (const QueueSample* s : InOrder(record.queues, key)) {
    file.Print("{},{},{},{},{}\n", ExactNanoseconds{s->time}, scenario.topology.nodes[s->node].name,
               ports.At(s->node, s->port).name, s->queue, s->bytes.v);
  }
}

void WriteGroupsCsv(TextFile& file, const Scenario& scenario, const RunRecord& record) {
  file.Write("time_ns,node,port,group,shared_bytes,headroom_bytes\n");
  const PortDirectory ports(scenario.topology);
  const auto key = [](const GroupSample& s) { return std::tuple(s.time, s.node, s.port, s.group); };
  for (const GroupSample* s : InOrder(record.groups, key)) {
    file.Print("{},{},{},{},{},{}\n", ExactNanoseconds{s->time}, scenario.topology.nodes[s->node].name,
               ports.At(s->node, s->port).name, s->group, s->shared.v, s->headroom.v);
  }
}

void WriteRatesCsv(TextFile& file, const Scenario& scenario, const RunRecord& record) {
  file.Write("time_ns,host,qp,rate_bps\n");
  const auto key = [](const RateSample& s) { return std::tuple(s.time, s.host, s.qp); };
  for (const RateSample* s : InOrder(record.rates, key)) {
    file.Print("{},{},{},{}\n", ExactNanoseconds{s->time}, scenario.topology.nodes[s->host].name, s->qp,
               s->rate.v);
  }
}

void WriteGoodputCsv(TextFile& file, const Scenario& scenario, const RunRecord& record) {
  file.Write("time_ns,workload,bytes\n");
  const auto key = [](const GoodputSample& s) { return std::tuple(s.time, s.workload); };
  for (const GoodputSample* s : InOrder(record.goodput, key)) {
    file.Print("{},{},{}\n", ExactNanoseconds{s->time}, scenario.workloads[s->workload].name, s->delivered.v);
  }
}

}  // namespace headroom
