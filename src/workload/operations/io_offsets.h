// Where the next I/O of a stream begins, as fio finds it (io_u.c: get_next_block, mark_random_map).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "workload/operations/address_distribution.h"
#include "workload/operations/visited_blocks.h"

namespace headroom {

class IoOffsets {
 public:
  /// Of `region` bytes. `aligned`: what offsets of reads, and of writes, are multiples of unless they follow
  /// another. `wraps`: a sequential pass begins again where it ends. `distribution` is of blocks of the
  /// smaller of both. `name` is the random streams'.
  IoOffsets(const IoAddresses& addresses, Bytes region, std::array<Bytes, 2> aligned, bool wraps,
            std::shared_ptr<const AddressDistribution> distribution, const std::string& name);

  static uint64_t BlocksOf(Bytes region, std::array<Bytes, 2> aligned);

  /// None: the pass is over.
  std::optional<int64_t> Next(bool writes);
  /// The I/O goes there. Returns how much of `bytes` has not been visited in this pass, from its beginning.
  int64_t Take(bool writes, int64_t offset, int64_t bytes);
  /// A new pass.
  void Restart();

 private:
  std::optional<int64_t> Drawn(bool writes);
  std::optional<int64_t> Following(bool writes);

  const IoAddresses& addresses_;
  const int64_t region_;
  const std::array<Bytes, 2> aligned_;
  const int64_t block_;
  const bool wraps_;
  std::shared_ptr<const AddressDistribution> distribution_;
  RandomStream places_, orders_;
  std::optional<uint64_t> first_;
  VisitedBlocks visited_;
  std::array<int64_t, 2> position_{}, last_{};  ///< behind the last one, and its beginning
  int run_;                                     ///< I/Os until a place is drawn again
  bool again_ = false;                          ///< it may have been visited
};

}  // namespace headroom
