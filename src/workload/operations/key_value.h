// Operations on keys from processes of clients: in a closed loop, in which each process has as many open
// operations as its window, or at a rate.
//
// Random streams of the client and workload draw the kind and the key of an operation. Without inserts, and
// except for sequential keys, another client changes nothing.
#pragma once

#include <vector>

#include "workload/operations/client_generator.h"
#include "workload/operations/key_distribution.h"

namespace headroom {

/// Open requests of each client process in a closed loop: its whole window, or its share of the threads.
/// Threads are assigned in round-robin order, first to one process of each client.
int64_t ThreadsOf(const KeyValueArrivals& arrivals, size_t client, int process);

class KeyValueGenerator final : public ClientGenerator {
 public:
  KeyValueGenerator(const KeyValueArrivals& arrivals, const WorkloadParameters& workload, uint32_t index,
                    const OperationGround& ground);
  void OnEnded(const OperationRecord& ended) override;

 private:
  /// The pace for a target rate: operation i of a process starts at the earliest at `from` plus i gaps.
  struct Pace {
    double gap = 0;  ///< in ps
    Time from;
    uint64_t begun = 0;
  };
  struct Draws {
    RandomStream kinds, keys;
    std::vector<Pace> paces;    ///< indexed by process; only with a target
    std::vector<int64_t> open;  ///< indexed by process: operations of its batch that have not ended
  };
  void Begin(Client& client, uint32_t process) override;
  void Offer(Client& client, uint32_t process) override;
  void Fill(Client& client, uint32_t process);
  void Next(Client& client, uint32_t process);
  OperationKind Kind(Client& client);

  const KeyValueArrivals arrivals_;
  KeyDistribution keys_;
  std::vector<Draws> draws_;  ///< indexed by client
  int64_t offered_ = 0;
};

}  // namespace headroom
