// Operations on keys from processes of clients: in a closed loop, each process as many open as its window, or at
// a rate.
//
// What an operation is and which key it is of is drawn by random streams of the client and workload, so that
// another client changes nothing.
#pragma once

#include <vector>

#include "sim/random.h"
#include "workload/operation_generator.h"

namespace headroom {

class KeyValueGenerator final : public OperationGenerator {
 public:
  /// REQUIRES: workload.arrivals are KeyValueArrivals.
  KeyValueGenerator(const WorkloadParameters& workload, uint32_t index, const HostView& hosts,
                    OperationOffers& offers);
  void Start() override;
  void OnAttached(NodeId host) override;
  void OnEnded(const OperationRecord& ended) override;
  void OnEvent(uint64_t arg) override;

 private:
  struct Client {
    NodeId id = 0;
    EntityId entity = 0;
    RandomStream gaps, kinds, keys;
    uint64_t events = 0;
  };
  enum What : uint64_t { kEnd, kBegin, kNext };
  void Schedule(Client& client, Time at, What what, uint32_t process);
  void ScheduleArrival(Client& client, uint32_t process);
  void Offer(Client& client, uint32_t process);
  OperationKind Kind(Client& client);
  uint64_t Key(Client& client, OperationKind kind);

  const KeyValueArrivals arrivals_;
  const uint32_t index_;
  const Time stop_;
  OperationOffers& offers_;
  EntityId entity_;
  std::vector<Client> clients_;
  std::vector<uint32_t> client_of_;  ///< by node: place in clients_, plus one
  int64_t offered_ = 0;
};

}  // namespace headroom
