// An entry of a sender's FIFO, written by the receiver: the destination of a message. A group of receives
// consists of as many consecutive entries in one slot.
//
//   addr 0 (8 B), size 8 (8 B), rkeys 16 (8 × 4 B), nreqs 48 (4 B), tag 52 (4 B), idx 56 (8 B)
//
// Source: NVIDIA/nccl at v2.30.7-1, src/transport/net_ib (n × 32 B up to 2.19). Numbers are in host order,
// little-endian here. The rkeys are one per device; only the first counts.
#pragma once

#include <cstdint>

#include "protocol/little_endian.h"

namespace headroom {

struct ClearToSend {
  static constexpr uint32_t kBytes = 64, kSlots = 256, kMostInGroup = 8;
  static constexpr uint32_t kMostSteps = 32;  ///< slots of 32 requests of groups of 8

  uint64_t address = 0, size = 0;
  uint32_t rkey = 0;
  uint32_t group = 0;  ///< number of entries in its slot
  uint32_t tag = 0;
  uint64_t index = 0;  ///< number of the slot's turn, from 1

  void Put(uint8_t* to) const {
    constexpr size_t kRequests = 48;
    PutNumber(PutNumber(PutNumber(to, address), size), rkey);
    PutNumber(PutNumber(PutNumber(to + kRequests, group), tag), index);
  }
  static ClearToSend At(const uint8_t* from) {
    constexpr size_t kRequests = 48;
    ClearToSend c;
    GetNumber(GetNumber(GetNumber(from, c.address), c.size), c.rkey);
    GetNumber(GetNumber(GetNumber(from + kRequests, c.group), c.tag), c.index);
    return c;
  }
};

}  // namespace headroom
