// A run of disks that is small enough to add up by hand. a (compute host) reads and writes blocks of b
// (extent node).
#pragma once

#include "protocol/storage/storage_parameters.h"
#include "protocol/storage_record.h"
#include "report/small_run.h"
#include "workload/io_arrivals.h"

namespace headroom {

inline Scenario SmallStorageScenario() {
  Scenario s = SmallScenario();
  StorageParameters store;
  store.name = "store";
  store.compute = {0};
  store.extent_nodes = {1};
  s.services = {store};
  s.hosts.resize(2);
  IoArrivals io;
  io.from = {0};
  io.to = {1};
  io.blocks = {{Bytes(4096), 1}};
  io.reads = 0.75;
  io.depth = 2;
  WorkloadParameters& w = s.workloads[0];
  w.name = "disks";
  w.type = "io";
  w.arrivals = io;
  return s;
}

/// Began at `start`, was posted 1 µs later, and ended after `took`, of which the disk took 2 µs.
inline OperationRecord SmallOperation(uint32_t number, OperationKind kind, Time start, Time took) {
  OperationRecord o;
  o.number = number;
  o.client = 0;
  o.participants.Add(1);
  o.kind = kind;
  o.bytes = Bytes(4096);
  o.qp = 5;
  o.start = start;
  o.times.posted = start + Microseconds(1);
  if (took == kNever) return o;
  o.completed = start + took;
  o.times.first_sent = o.times.posted + Nanoseconds(10);
  o.times.last_sent = o.times.posted + Nanoseconds(350);
  o.times.acknowledged = o.completed - Nanoseconds(20);
  o.times.completed = o.completed - Nanoseconds(20);
  o.times.polled = o.completed;
  o.parts[static_cast<size_t>(OperationPart::core)] = Microseconds(1);
  o.parts[static_cast<size_t>(OperationPart::device)] = Microseconds(2);
  o.parts[static_cast<size_t>(OperationPart::network)] = took - Microseconds(3);
  return o;
}

/// Reads took 10, 20 and (corrupt) 30 µs. One had not ended at 100 µs, one belongs to the ramp. There is one
/// write.
inline RunRecord SmallStorageRecord() {
  RunRecord r = SmallRecord();
  r.messages.clear();
  const auto read = OperationKind::read;
  r.operations = {SmallOperation(1, read, Microseconds(10), Microseconds(10)),
                  SmallOperation(3, read, Microseconds(30), Microseconds(30)),
                  SmallOperation(2, read, Microseconds(20), Microseconds(20)),
                  SmallOperation(5, read, Microseconds(60), kNever),
                  SmallOperation(0, read, Microseconds(1), Microseconds(5)),
                  SmallOperation(4, OperationKind::write, Microseconds(50), Microseconds(8))};
  r.operations[1].status = OperationStatus::corrupt;
  r.operations[1].retries = 1;
  r.operations[4].ramp = true;
  r.operation_totals.resize(1);
  for (const OperationRecord& o : r.operations) {
    OperationTotals& t = r.operation_totals[0][static_cast<size_t>(o.kind)];
    t.span = r.end - Microseconds(1);  // time since the first start
    if (o.Finished() && o.status == OperationStatus::ok) {
      ++t.steady;
      t.steady_bytes += o.bytes.v;
    }
    t.ramp += o.ramp;
    if (o.ramp) continue;
    ++t.offered;
    t.bytes += o.bytes.v;
    t.first_start = std::min(t.first_start, o.start);
    if (!o.Finished()) {
      t.unfinished.push_back(r.end - o.start);
      continue;
    }
    ++t.finished;
    t.corrupt += o.status == OperationStatus::corrupt;
    t.retries += o.retries;
    if (o.status == OperationStatus::ok) t.finished_bytes += o.bytes.v;
    t.last_completed = std::max(t.last_completed, o.completed);
    t.latencies.Add(o.completed - o.start);
    for (size_t i = 0; i < kOperationParts; ++i) t.parts_us[i] += InMicroseconds(o.parts[i]);
  }
  StorageRecord store;
  store.connections = 1;
  store.losses = 2;
  store.corrupt = 1;
  store.starved = 7;
  store.chunks[1] = 3;
  store.sends = 10;
  store.executed = 5;
  store.most_registered = Bytes(65'536);
  store.tcp = TcpRecord{4, 1, 80'000, 60, 3};
  r.services = {std::make_shared<StorageRecord>(store)};
  r.cores = {{{{Microseconds(25)}, r.end}, 0, 0},
             {{{Microseconds(1), Microseconds(4)}, r.end}, 0, 1},
             {{{Microseconds(10), Microseconds(25), Microseconds(15)}, r.end}, 1, 0}};
  return r;
}

}  // namespace headroom
