// I/Os of hosts' disks: in a closed loop, in which each I/O starts when one has ended, or at a rate.
//
// Each host begins when its disk is ready. Random streams of host and workload draw an I/O's direction, size
// and place, so another host changes nothing. Blocks are aligned to their size; if addresses are not uniform,
// to the smallest size.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "workload/io_arrivals.h"
#include "workload/operations/client_generator.h"
#include "workload/operations/io_offsets.h"

namespace headroom {

class IoGenerator final : public ClientGenerator {
 public:
  IoGenerator(const IoArrivals& arrivals, const WorkloadParameters& workload, uint32_t index,
              const OperationGround& ground);
  void OnEnded(const OperationRecord& ended) override;

 private:
  struct Draws {
    RandomStream kinds, sizes, places;
    std::unique_ptr<IoOffsets> offsets;  ///< null: places are uniform
  };
  void Begin(Client& host, uint32_t) override;
  void Offer(Client& host, uint32_t) override;
  int64_t Address(Draws& draws, bool writes, int64_t bytes);

  const IoArrivals arrivals_;
  const Bytes disk_;
  std::vector<Draws> draws_;  ///< indexed by host
};

}  // namespace headroom
