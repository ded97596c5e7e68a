// Small storage services on a star, and figures of their records.
#pragma once

#include <string>

#include "protocol/storage/storage_parameters.h"
#include "support/operation_parts.h"
#include "support/scenarios.h"
#include "workload/io_arrivals.h"

namespace headroom {

/// I/Os of a disk, in blocks of one size.
inline IoArrivals Blocks(int64_t bytes, double reads, int depth) {
  IoArrivals io;
  io.blocks = {{Bytes(bytes), 1}};
  io.reads = reads;
  io.depth = depth;
  return io;
}

/// I/Os with blocks of two sizes, equally often.
inline IoArrivals Blocks(int64_t small, int64_t large, double reads, int depth) {
  IoArrivals io = Blocks(small, reads, depth);
  io.blocks = {{Bytes(small), 0.5}, {Bytes(large), 0.5}};
  return io;
}

inline constexpr LinkSpec kStorageLink{GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0};

/// Compute hosts h0 and on run the workload "disks"; after them come the extent nodes of their service
/// "store", whose devices take no time. 1 ms.
inline Scenario StorageStar(int compute, int servers, const IoArrivals& io,
                            const LinkSpec& link = kStorageLink) {
  Scenario s = StarScenario(compute + servers, link);
  StorageParameters store;
  store.name = "store";
  store.compute = Hosts(0, static_cast<NodeId>(compute));
  store.extent_nodes = Hosts(static_cast<NodeId>(compute), s.topology.hosts);
  s.services = {store};
  IoArrivals arrivals = io;
  arrivals.from = store.compute;
  arrivals.to = store.extent_nodes;
  s.workloads = {WorkloadOf("disks", arrivals)};
  s.workloads[0].type = "io";
  return s;
}

/// Its extent nodes are also front ends and partition servers.
inline void GiveBackLeg(StorageParameters& store, StorageProtocol protocol = StorageProtocol::su_rdma) {
  store.front_ends = store.partition_servers = store.extent_nodes;
  store.back.emplace().protocol = protocol;
}

}  // namespace headroom
