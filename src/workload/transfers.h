// Payloads on connections of a service: in a closed loop, each connection, or each thread that draws among
// its own, with as many open as its window; or at a rate.
//
// Which connection the next payload is on is drawn by random streams of the client and workload, so that
// another client changes nothing.
#pragma once

#include <algorithm>
#include <vector>

#include "workload/client_generator.h"
#include "workload/io.h"

namespace headroom {

/// What operations a second are counted in.
inline IoSpan SpanOf(const TransferArrivals& transfers, Time warmup, Time duration) {
  const Time until = std::min(transfers.stop.value_or(duration), duration);
  return {std::max(warmup, transfers.start), until, {}, false};
}

class TransferGenerator final : public ClientGenerator {
 public:
  /// REQUIRES: workload.arrivals are TransferArrivals.
  TransferGenerator(const WorkloadParameters& workload, uint32_t index, const HostView& hosts,
                    OperationOffers& offers);
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
