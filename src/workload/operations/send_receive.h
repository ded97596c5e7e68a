// Messages between ranks of a service of type nccl: each rank sends to the rank `distance` places behind it,
// around the ring, and starts the next message when the previous one has ended. The receiver requests each
// message at the same time, or `late`.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "workload/arrivals.h"
#include "workload/operations/client_generator.h"

namespace headroom {

/// The workload as plain data.
struct SendReceiveArrivals {
  uint32_t service = 0;       ///< index into the scenario's own services
  std::vector<NodeId> ranks;  ///< ranks of the service
  std::vector<NodeId> from;   ///< ranks that send
  Bytes size;
  Time late;
  int distance = 1;
  Time start;
  std::optional<Time> stop;
  bool operator==(const SendReceiveArrivals&) const = default;

  /// The rank to which this rank sends.
  NodeId To(NodeId from) const;
};

class SendReceiveGenerator final : public ClientGenerator {
 public:
  SendReceiveGenerator(const SendReceiveArrivals& arrivals, const WorkloadParameters& workload,
                       uint32_t index, const OperationGround& ground);
  void OnEnded(const OperationRecord& ended) override;

 private:
  void Begin(Client& client, uint32_t) override { Send(client); }
  void Offer(Client& client, uint32_t) override { Send(client); }
  void Send(const Client& client);

  const SendReceiveArrivals arrivals_;
};

}  // namespace headroom
