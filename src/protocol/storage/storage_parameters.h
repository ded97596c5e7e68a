// A service of type storage: disks of compute hosts with blocks on extent nodes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "net/topology/topology.h"
#include "protocol/channel/failover_parameters.h"
#include "protocol/channel/leg_parameters.h"
#include "protocol/service_parameters.h"
#include "protocol/storage/background_parameters.h"
#include "protocol/storage/disk_parameters.h"
#include "protocol/storage/extents/erasure.h"
#include "protocol/storage/extents/placement.h"
#include "sim/units.h"

namespace headroom {

/// The handling of an extent with a node that refuses, or does not answer.
struct SealParameters {
  Time after;                     ///< time without an answer; 0: seals only if a node refuses
  int backoff = 2;                ///< each such seal multiplies `after` by this (seal_timeout.h)
  Time takes = Milliseconds(20);  ///< Calder et al., SOSP 2011, section 4.2: about 20 ms
  bool operator==(const SealParameters&) const = default;
};

/// Defects, to test the checks that must find them.
struct StorageBugs {
  bool early_answer = false;  ///< a write is answered before its last replica has answered
  bool repeats = false;       ///< repeated requests are executed again
  bool stale_reads = false;   ///< reads find a write later than its acknowledgement
  bool operator==(const StorageBugs&) const = default;
};

/// The standby of the legs, and the conditions for its use.
struct StorageFailover {
  StorageLeg to;
  FailoverParameters when;
  bool operator==(const StorageFailover&) const = default;
};

struct StorageParameters final : ServiceParametersOf<StorageParameters> {
  StorageParameters() { type = "storage"; }

  std::vector<NodeId> compute, extent_nodes;
  std::vector<NodeId> front_ends, partition_servers;  ///< with a back leg
  StorageLeg front;                ///< from compute hosts to front ends; without a back leg to extent nodes
  std::optional<StorageLeg> back;  ///< from front ends to partition servers, and from these to extent nodes
  std::optional<StorageFailover> failover;
  int replicas = 3;  ///< with a back leg: replicas of an extent
  FailureDomain across =
      FailureDomain::rack;  ///< replicas and fragments are in different domains of this kind
  std::optional<ErasureParameters> erasure;
  std::optional<BackgroundParameters> background;
  SealParameters seal;
  Time hedge;  ///< time until a read also asks another replica; 0: never
  StorageBugs bugs;
  DiskParameters disk;
  Bytes disk_size{int64_t{1} << 40};  ///< size of a compute host's disk: addresses are drawn below it
  Bytes extent{
      int64_t{1} << 30};  ///< without `back`, a disk's extents are assigned to the nodes in round-robin order
  Time timeout;           ///< from an operation's request to its repetition; 0: no repetition
  int retries = 3;        ///< with a timeout: repetitions before the operation fails
  bool operator==(const StorageParameters&) const = default;

  std::vector<NodeId> Hosts() const override;
  std::optional<uint8_t> TcpClass() const override;
  std::optional<uint8_t> CoreClass() const override { return front.priority; }
  bool OnQueuePairs() const override { return !front.OnTcp(); }
  bool HasQueuePairs(uint8_t of) const override;
  bool Acknowledged() const override { return !front.OnTcp() || (back && !back->OnTcp()); }
  ServiceDivision Division() const override;
  OperationSteps Steps() const override;
  std::optional<Forecast> Footprint(const Topology& topology, const ServiceLoad& load,
                                    const ServiceDemand& demand) const override;
  std::string LessMemory() const override {
    return "give fewer hosts, connections or credits, or a lower rate";
  }

  /// The legs that it has, with the standby.
  std::vector<const StorageLeg*> Legs() const;
  /// Whether some leg of this class uses TCP.
  bool HasTcp(uint8_t of) const;
  /// sK-RDMA and TCP run in the kernel, sU-RDMA in the program.
  bool InKernel() const { return front.protocol != StorageProtocol::su_rdma; }
  /// The largest I/O that its buffers permit, if they limit it.
  std::optional<Bytes> LargestInBuffers() const;
};

}  // namespace headroom
