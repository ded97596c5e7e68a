// Operations on keys from processes of clients: in a closed loop, each process as many open as its window, or
// at a rate.
//
// What an operation is and which key it is of is drawn by random streams of the client and workload. Without
// inserts and but for sequential keys another client changes nothing.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/random.h"
#include "workload/io.h"
#include "workload/key_distribution.h"
#include "workload/operation_generator.h"

namespace headroom {

/// What operations a second are counted in.
inline IoSpan SpanOf(const KeyValueArrivals& keys, Time warmup, Time duration) {
  const Time until = std::min(keys.stop.value_or(duration), duration);
  return {std::max(warmup, keys.start), until, {}, keys.operations > 0};
}

/// What each process of clients has open in a closed loop: all of its window; or so many in all as there are
/// threads, which are dealt out in turn, to a process of each client first.
int64_t ThreadsOf(const KeyValueArrivals& arrivals, size_t client, int process);

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
  /// Of a target: number i of a process starts no earlier than `from` plus i gaps.
  struct Pace {
    double gap = 0;  ///< ps
    Time from;
    uint64_t begun = 0;
  };
  struct Client {
    NodeId id = 0;
    EntityId entity = 0;
    RandomStream gaps, kinds, keys;
    uint64_t events = 0;
    std::vector<Pace> paces;  ///< by process; of a target alone
  };
  enum What : uint64_t { kEnd, kBegin, kNext };
  void Schedule(Client& client, Time at, What what, uint32_t process);
  void ScheduleArrival(Client& client, uint32_t process);
  void Begin(Client& client, uint32_t process);
  void Next(Client& client, uint32_t process);
  void Offer(Client& client, uint32_t process);
  void Exhaust();
  OperationKind Kind(Client& client);

  const KeyValueArrivals arrivals_;
  const uint32_t index_;
  const Time stop_;
  OperationOffers& offers_;
  EntityId entity_;
  KeyDistribution keys_;
  std::vector<Client> clients_;
  std::vector<uint32_t> client_of_;  ///< by node: place in clients_, plus one
  int64_t offered_ = 0;
  bool exhausted_ = false;
};

}  // namespace headroom
