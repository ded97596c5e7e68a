// The division of a message into chunks, which the channels of a pair of ranks carry in round-robin order.
// Chunk k is step k / channels of channel k mod channels. Both ranks derive this from the size of the
// message.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "protocol/nccl/nccl_parameters.h"

namespace headroom {

class MessageCut {
 public:
  MessageCut(uint64_t bytes, const NcclParameters& p, int connection)
      : bytes_(bytes),
        chunk_(static_cast<uint64_t>(p.chunk.v)),
        channels_(static_cast<uint64_t>(p.channels)),
        first_(static_cast<uint64_t>(connection) * static_cast<uint64_t>(p.group)),
        group_(std::min(static_cast<uint64_t>(p.group), channels_ - first_)) {}

  /// The number of steps in which some channel of the connection has a chunk.
  uint64_t Steps() const { return chunks() > first_ ? (chunks() - first_ + channels_ - 1) / channels_ : 0; }
  /// The sizes of a step's chunks, by channel. REQUIRES: step < Steps().
  std::vector<uint32_t> Sizes(uint64_t step) const {
    std::vector<uint32_t> sizes;
    for (uint64_t c = first_; c < first_ + group_; ++c) {
      const uint64_t chunk = step * channels_ + c;
      if (chunk >= chunks()) break;
      sizes.push_back(static_cast<uint32_t>(std::min(chunk_, bytes_ - chunk * chunk_)));
    }
    return sizes;
  }

 private:
  uint64_t chunks() const { return std::max<uint64_t>(1, (bytes_ + chunk_ - 1) / chunk_); }

  uint64_t bytes_, chunk_, channels_, first_, group_;
};

/// The part of a request for queue pair `part` of `parts`: equal parts, multiples of 128 B.
struct PartOfRequest {
  uint32_t offset = 0, bytes = 0;
};
constexpr PartOfRequest PartOf(uint32_t size, uint32_t part, uint32_t parts) {
  constexpr uint32_t kAlign = 128;
  const uint32_t each = ((size + parts - 1) / parts + kAlign - 1) / kAlign * kAlign;
  const uint32_t offset = std::min(size, part * each);
  return {offset, std::min(each, size - offset)};
}

/// Whether the data of a group of chunks precede its WRITE_WITH_IMM.
inline bool WritesFirst(const std::vector<uint32_t>& sizes, const NcclParameters& p) {
  constexpr uint32_t kAdaptiveAbove = 8192;
  return sizes.size() > 1 || (p.adaptive_routing && sizes[0] > kAdaptiveAbove);
}

}  // namespace headroom
