// Memory regions of a host: ranges of virtual addresses with a key. A region has content for all bytes, for
// none, or for a prefix of each of its consecutive buffers: then headers are read, and the data behind them
// only counted.
//
// A key is the region's place and, in its low eight bits, a variant. Its user changes the variant with each
// registration, so that old keys stop working.
//
// Phase: programs call Register, Deregister and Allocate through Verbs, at any time. The NIC calls the rest
// in events of the run. A refusal is null, false or a MemoryRange without `ok`, and changes nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>

#include "net/frame_extension.h"
#include "net/identifiers.h"
#include "nic/verbs/buffer_contents.h"
#include "nic/verbs/damage.h"
#include "nic/verbs/work_request.h"
#include "sim/deque.h"
#include "sim/ring.h"

namespace headroom {

enum Access : unsigned { kLocalWrite = 1, kRemoteWrite = 2, kRemoteRead = 4 };

/// A program that polls a region for writes.
struct MemoryWatch {
  struct Written {
    uint64_t addr = 0, length = 0;
    uint32_t message = kNoMessage;  ///< the message, if its time is split (MessageTimes)
    uint64_t cause = 0;             ///< number from its work request, as in Wc
  };
  using Handler = std::function<void(const Written&)>;
  uint32_t number = 0;
  Handler handler;
  Ring<Written> written;  ///< writes that are not handled yet
};

/// The first `kept` of each `stride` bytes have content. If a work request or RECV crosses a stride, the
/// bytes beyond its first prefix are only counted.
struct MemoryPrefix {
  uint64_t stride = 0;  ///< 0: all bytes have content
  uint64_t kept = 0;
};

struct MemoryRegion {
  uint64_t addr = 0;
  uint64_t length = 0;
  uint32_t lkey = 0, rkey = 0;  ///< both are equal
  unsigned access = 0;
  bool valid = false;
  std::span<uint8_t> bytes;  ///< empty, or as long as the range, or all prefixes one after another
  MemoryPrefix prefix;
  BufferContents* contents = nullptr;  ///< null, or in place of `bytes`: the content of each stride
  MemoryWatch* watch = nullptr;

  bool Covers(uint64_t at, uint64_t size) const {
    return at >= addr && size <= length && at - addr <= length - size;
  }
};

/// The result of looking up a key. The first `carried` bytes of the region have content; the other bytes are
/// counted and not carried.
struct MemoryRange {
  bool ok = false;
  uint8_t* content = nullptr;
  uint64_t carried = 0;
  const MemoryRegion* region = nullptr;  ///< null: all memory, or an empty range
  uint64_t addr = 0;

  /// The content carried in a frame's payload, from `offset` on.
  uint64_t CarriedOf(uint64_t offset, uint64_t length) const {
    return offset >= carried ? 0 : std::min(length, carried - offset);
  }
};

class Memory {
 public:
  /// Null if ibv_reg_mr would refuse: unknown rights, kRemoteWrite without kLocalWrite, a range beyond 2^64.
  /// Also null for content of another length, or strides that do not divide the range.
  MemoryRegion* Register(uint64_t addr, uint64_t length, unsigned access, std::span<uint8_t> bytes,
                         const MemoryPrefix& prefix = {});
  /// The same with content for the first bytes of each of consecutive buffers of `stride` bytes. Null also if
  /// a content is longer than a stride.
  MemoryRegion* Register(uint64_t addr, uint64_t stride, unsigned access, BufferContents& contents);
  /// The region's keys become invalid. Calling it again has no effect.
  void Deregister(MemoryRegion& region);
  /// A region that is not valid until Bind. Never null.
  MemoryRegion* Allocate();

  /// `ok` if the region of this key is valid, covers the range and permits all of `access`. An empty range is
  /// always ok.
  MemoryRange Find(uint32_t key, uint64_t addr, uint64_t size, unsigned access) const;
  /// Like Find, but key 0 is all memory, without content.
  MemoryRange FindLocal(const Sge& sge, unsigned access) const;

  /// Executes REG_MR. Returns false if the region is already valid, if the key is not a key of the region, or
  /// if Register would refuse.
  bool Bind(const SendWr& wr);
  /// Executes LOCAL_INV, or a SEND_WITH_INV that arrived. Returns false if no valid region has this key.
  bool Invalidate(uint32_t key);

  /// Writes the payload of a frame to a range, `offset` bytes into it. Returns true if the payload was
  /// damaged.
  bool Land(const MemoryRange& range, uint64_t offset, uint64_t length, const FrameExtension* e) {
    if (const uint64_t n = e == nullptr ? 0 : range.CarriedOf(offset, e->payload.size()); n > 0)
      std::copy_n(e->payload.data(), n, range.content + offset);
    const bool sound = damage.None() && (e == nullptr || e->damaged == 0);
    return !sound && length > 0 && range.region != nullptr && Break(range, offset, length, e);
  }
  /// 0 if this part of a range is undamaged, otherwise 1 + the place of its first damaged byte.
  uint64_t Broken(const MemoryRange& range, uint64_t offset, uint64_t length) const {
    if (damage.empty() || range.region == nullptr) return 0;
    const auto first = damage.First(PlaceOf(range.region->rkey), range.addr + offset, length);
    return first ? *first + 1 : 0;
  }
  /// The region's number in a key, under which damage is recorded. It does not depend on the key's variant.
  static uint32_t PlaceOf(uint32_t key);

  Damage damage;

 private:
  MemoryRegion* RegionOf(uint32_t key);
  const MemoryRegion* RegionOf(uint32_t key) const;
  void Forget(const MemoryRegion& region);
  bool Break(const MemoryRange& range, uint64_t offset, uint64_t length, const FrameExtension* e);
  Deque<MemoryRegion> regions_;
};

}  // namespace headroom
