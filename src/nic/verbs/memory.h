// Memory regions of a host: ranges of virtual addresses under a key, with content where somebody reads it.
//
// A key is the region's place and, in its low eight bits, a variant that its user changes from registration
// to registration, so that old keys stop working.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>

#include "nic/verbs/work_request.h"
#include "sim/ring.h"

namespace headroom {

enum Access : unsigned { kLocalWrite = 1, kRemoteWrite = 2, kRemoteRead = 4 };

/// Stands for a program that looks at a region again and again until something has been written there.
struct MemoryWatch {
  using Handler = std::function<void(uint64_t addr, uint64_t length)>;
  struct Written {
    uint64_t addr = 0, length = 0;
  };
  uint32_t number = 0;
  Handler handler;
  Ring<Written> written;  ///< not handled yet
};

struct MemoryRegion {
  uint64_t addr = 0;
  uint64_t length = 0;
  uint32_t lkey = 0, rkey = 0;  ///< equal
  unsigned access = 0;
  bool valid = false;
  std::span<uint8_t> bytes;  ///< empty, or as long as the range
  MemoryWatch* watch = nullptr;

  bool Covers(uint64_t at, uint64_t size) const {
    return at >= addr && size <= length && at - addr <= length - size;
  }
};

/// A range that a key was found to cover. Null content: data are counted and not carried.
struct MemoryRange {
  bool ok = false;
  uint8_t* content = nullptr;
  MemoryWatch* watch = nullptr;
};

class Memory {
 public:
  /// Null where ibv_reg_mr refuses: unknown rights, kRemoteWrite without kLocalWrite, a range beyond 2^64; or
  /// content of another length.
  MemoryRegion* Register(uint64_t addr, uint64_t length, unsigned access, std::span<uint8_t> bytes);
  MemoryRegion* Allocate();

  /// Whether the region of this key is valid, covers the range and allows all of `access`. An empty range is
  /// always right.
  MemoryRange Find(uint32_t key, uint64_t addr, uint64_t size, unsigned access) const;
  /// As Find; key 0 is all memory, without content.
  MemoryRange FindLocal(const Sge& sge, unsigned access) const;

  /// REG_MR. False: the region is valid already, the key is not one of its own, or Register would refuse.
  bool Bind(const SendWr& wr);
  /// LOCAL_INV, or a SEND_WITH_INV that came in. False: no valid region has this key.
  bool Invalidate(uint32_t key);

 private:
  MemoryRegion* RegionOf(uint32_t key);
  const MemoryRegion* RegionOf(uint32_t key) const;
  std::deque<MemoryRegion> regions_;
};

}  // namespace headroom
