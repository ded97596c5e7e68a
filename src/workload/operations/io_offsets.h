// The place of a stream's next I/O, as fio finds it (io_u.c: get_next_block, mark_random_map).
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
  /// For a region of `region` bytes. `aligned`: alignment of offsets of reads, and of writes, unless they
  /// follow another. `wraps`: a sequential pass restarts at its end. `distribution` counts blocks of the
  /// smaller of both alignments. `name` is the name of the random streams.
  IoOffsets(const IoAddresses& addresses, Bytes region, std::array<Bytes, 2> aligned, bool wraps,
            std::shared_ptr<const AddressDistribution> distribution, const std::string& name);

  static uint64_t BlocksOf(Bytes region, std::array<Bytes, 2> aligned);

  /// Returns none if the pass is over.
  std::optional<int64_t> Next(bool writes);
  /// The I/O uses this place. Returns the number of `bytes`, from the beginning, that have not been visited
  /// in this pass.
  int64_t Take(bool writes, int64_t offset, int64_t bytes);
  /// Begins a new pass.
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
  std::array<int64_t, 2> position_{},
      last_{};          ///< the position behind the last I/O, and the last I/O's beginning
  int run_;             ///< number of I/Os until a place is drawn again
  bool again_ = false;  ///< the place may have been visited
};

}  // namespace headroom
