// Part of csv_tables.h: time series, one file each.
#include <tuple>

#include "report/csv/csv_tables.h"
#include "report/csv/in_order.h"
#include "report/csv/port_directory.h"

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
  file.Write("time_ns,node,port,group,shared_bytes,headroom_bytes,xoff_at_bytes\n");
  const PortDirectory ports(scenario.topology);
  const auto key = [](const GroupSample& s) { return std::tuple(s.time, s.node, s.port, s.group); };
  for (const GroupSample* s : InOrder(record.groups, key)) {
    file.Print("{},{},{},{},{},{},", ExactNanoseconds{s->time}, scenario.topology.nodes[s->node].name,
               ports.At(s->node, s->port).name, s->group, s->shared.v, s->headroom.v);
    if (s->xoff_at.v >= 0) file.Print("{}", s->xoff_at.v);
    file.Write("\n");
  }
}

void WriteRatesCsv(TextFile& file, const Scenario& scenario, const RunRecord& record) {
  file.Write("time_ns,host,qp,rate_bps,sent_bytes,peer\n");
  const auto& nodes = scenario.topology.nodes;
  const auto key = [](const RateSample& s) { return std::tuple(s.time, s.host, s.qp); };
  for (const RateSample* s : InOrder(record.rates, key)) {
    file.Print("{},{},{},{},{},{}\n", ExactNanoseconds{s->time}, nodes[s->host].name, s->qp, s->rate.v,
               s->sent.v, s->peer < nodes.size() ? nodes[s->peer].name : "");
  }
}

void WriteGoodputCsv(TextFile& file, const Scenario& scenario, const RunRecord& record) {
  file.Write("time_ns,workload,bytes\n");
  const auto key = [](const GoodputSample& s) { return std::tuple(s.time, s.workload); };
  for (const GoodputSample* s : InOrder(record.goodput, key)) {
    file.Print("{},{},{}\n", ExactNanoseconds{s->time}, scenario.workloads[s->workload].name, s->delivered.v);
  }
}

void WriteCnpsCsv(TextFile& file, const Scenario& scenario, const RunRecord& record) {
  file.Write("time_ns,host,qp,effect\n");
  const auto key = [](const CnpRecord& c) { return std::tuple(c.time, c.host, c.qp); };
  for (const CnpRecord* c : InOrder(record.cnps, key)) {
    file.Print("{},{},{},{}\n", ExactNanoseconds{c->time}, scenario.topology.nodes[c->host].name, c->qp,
               c->cut ? "cut" : "none");
  }
}

void WriteDropsCsv(TextFile& file, const Scenario& scenario, const RunRecord& record) {
  file.Write("time_ns,node,port,priority,reason,bytes\n");
  const PortDirectory ports(scenario.topology);
  const auto key = [](const DropRecord& d) { return std::tuple(d.time, d.node, d.port, d.priority); };
  for (const DropRecord* d : InOrder(record.drops, key)) {
    file.Print("{},{},{},{},{},{}\n", ExactNanoseconds{d->time}, scenario.topology.nodes[d->node].name,
               ports.At(d->node, d->port).name, d->priority, DropReasonName(d->reason), d->bytes);
  }
}

}  // namespace headroom
