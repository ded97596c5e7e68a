// Payloads on connections of a service: in a closed loop, each connection, or each thread that draws among
// its own, with as many open as its window; or at a rate.
//
// Which connection the next payload is on is drawn by random streams of the client and workload, so that
// another client changes nothing.
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
  std::vector<RandomStream> picks_;  ///< by client
};

}  // namespace headroom
