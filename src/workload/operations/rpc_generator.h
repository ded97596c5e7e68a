// Remote procedure calls of clients (workload/rpc_arrivals.h), each to the next server in round-robin order.
#pragma once

#include <vector>

#include "workload/operations/client_generator.h"
#include "workload/rpc_arrivals.h"

namespace headroom {

class RpcGenerator final : public ClientGenerator {
 public:
  RpcGenerator(const RpcArrivals& arrivals, const WorkloadParameters& workload, uint32_t index,
               const OperationGround& ground);
  void OnEnded(const OperationRecord& ended) override;

 private:
  void Begin(Client& client, uint32_t) override;
  void Offer(Client& client, uint32_t) override;

  const RpcArrivals arrivals_;
  std::vector<size_t> next_;  ///< indexed by client: index of its next server
};

}  // namespace headroom
