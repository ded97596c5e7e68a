// Payloads on connections of a service. In a closed loop, each connection, or each thread that draws among
// its own, has as many open as its window; otherwise they start at a rate.
//
// Random streams of the client and workload draw the next payload's connection, so that another client
// changes nothing.
#pragma once

#include <vector>

#include "workload/operations/client_generator.h"
#include "workload/transfer_arrivals.h"

namespace headroom {

class TransferGenerator final : public ClientGenerator {
 public:
  TransferGenerator(const TransferArrivals& arrivals, const WorkloadParameters& workload, uint32_t index,
                    const OperationGround& ground);
  void OnEnded(const OperationRecord& ended) override;

 private:
  void Begin(Client& client, uint32_t) override;
  void Offer(Client& client, uint32_t) override;
  void OfferOn(Client& client, uint32_t connection);
  uint32_t Pick(Client& client, uint32_t thread);

  const TransferArrivals arrivals_;
  std::vector<RandomStream> picks_;  ///< indexed by client
};

}  // namespace headroom
