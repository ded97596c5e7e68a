// Operations on keys from processes of clients: in a closed loop, each process as many open as its window, or
// at a rate.
//
// What an operation is and which key it is of is drawn by random streams of the client and workload. Without
// inserts, and except for sequential keys, another client changes nothing.
#pragma once

#include <vector>

#include "workload/operations/client_generator.h"
#include "workload/operations/key_distribution.h"

namespace headroom {

/// Open requests of each process of clients in a closed loop: all of its window, or its share of the threads.
/// Threads are dealt out in round-robin order, first to one process of each client.
int64_t ThreadsOf(const KeyValueArrivals& arrivals, size_t client, int process);

class KeyValueGenerator final : public ClientGenerator {
 public:
  KeyValueGenerator(const KeyValueArrivals& arrivals, const WorkloadParameters& workload, uint32_t index,
                    const OperationGround& ground);
  void OnEnded(const OperationRecord& ended) override;

 private:
  /// The pace of a target: operation i of a process starts no earlier than `from` plus i gaps.
  struct Pace {
    double gap = 0;  ///< ps
    Time from;
    uint64_t begun = 0;
  };
  struct Draws {
    RandomStream kinds, keys;
    std::vector<Pace> paces;  ///< by process; of a target alone
  };
  void Begin(Client& client, uint32_t process) override;
  void Offer(Client& client, uint32_t process) override;
  void Next(Client& client, uint32_t process);
  OperationKind Kind(Client& client);

  const KeyValueArrivals arrivals_;
  KeyDistribution keys_;
  std::vector<Draws> draws_;  ///< by client
  int64_t offered_ = 0;
};

}  // namespace headroom
