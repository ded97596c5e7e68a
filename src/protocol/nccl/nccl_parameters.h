// A scenario's parameters of a service of type nccl.
//
// Source of the numbers: NVIDIA/nccl at v2.30.7-1, src/transport/net_ib: NCCL_IB_QPS_PER_CONNECTION,
// NCCL_IB_SPLIT_DATA_ON_QPS, NCCL_IB_TIMEOUT, NCCL_IB_RETRY_CNT; a buffer of 4 MiB for eight steps. Software
// costs are ours.
#pragma once

#include <vector>

#include "protocol/application_costs.h"
#include "protocol/service_parameters.h"

namespace headroom {

struct NcclParameters final : ServiceParametersOf<NcclParameters> {
  int channels = 2;              ///< per pair of ranks; they share a message's chunks
  Bytes chunk = Kibibytes(512);  ///< bytes of a message that a step of a channel carries
  int steps = 8;                 ///< steps of a channel in flight at the same time
  int group = 1;                 ///< channels that share a connection, and receive in groups; at most 8
  int queue_pairs = 1;           ///< per connection
  bool split =
      false;  ///< a request's data use all of them; otherwise whole requests use them in round-robin order
  bool adaptive_routing = false;     ///< large data use a separate WRITE, before an empty WRITE_WITH_IMM
  std::vector<int> distances = {1};  ///< each rank sends to the ranks at these distances behind it
  int timeout = 20;                  ///< of a queue pair: 4.096 us × 2^timeout
  int retries = 7;                   ///< of a queue pair
  ApplicationCosts costs;
  bool operator==(const NcclParameters&) const = default;

  /// The number of connections of each pair of ranks.
  int connections() const { return (channels + group - 1) / group; }

  bool Acknowledged() const override { return true; }
  bool IsApplication() const override { return true; }
  void ForEachPort(const Topology& topology, const UsePort& use) const override;
  std::optional<Forecast> Footprint(const Topology& topology, const ServiceLoad& load,
                                    const ServiceDemand& demand) const override;
};

}  // namespace headroom
