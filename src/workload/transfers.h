// Payloads on connections of a service: in a closed loop, each connection, or each thread that draws among
// its own, with as many open as its window; or at a rate.
//
// Which connection the next payload is on is drawn by random streams of the client and workload, so that
// another client changes nothing.
#pragma once

#include <vector>

#include "sim/random.h"
#include "workload/operation_generator.h"

namespace headroom {

class TransferGenerator final : public OperationGenerator {
 public:
  /// REQUIRES: workload.arrivals are TransferArrivals.
  TransferGenerator(const WorkloadParameters& workload, uint32_t index, const HostView& hosts,
                    OperationOffers& offers);
  void Start() override;
  void OnAttached(NodeId host) override;
  void OnEnded(const OperationRecord& ended) override;
  void OnEvent(uint64_t arg) override;

 private:
  struct Client {
    NodeId id = 0;
    EntityId entity = 0;
    RandomStream gaps, picks;
    uint64_t events = 0;
  };
  enum What : uint64_t { kEnd, kBegin, kNext };
  void Schedule(Client& client, Time at, What what);
  void ScheduleArrival(Client& client);
  void Offer(Client& client, uint32_t connection);
  uint32_t Pick(Client& client, uint32_t thread);

  const TransferArrivals arrivals_;
  const uint32_t index_;
  const Time stop_;
  OperationOffers& offers_;
  EntityId entity_;
  std::vector<Client> clients_;
  std::vector<uint32_t> client_of_;  ///< by node: place in clients_, plus one
};

}  // namespace headroom
