// Finds the responder of a bulk connection by two fields of its frames: the sender, and the number of its
// queue pair. The first frame of a connection makes its responder, whose number the sender does not know.
//
// Open addressing with linear probing; nothing is ever removed, as queue pairs are not.
#pragma once

#include <cstdint>
#include <vector>

#include "net/identifiers.h"

namespace headroom {

class ConnectionTable {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  /// The responder's number; kNone if no frame of this connection has arrived yet.
  uint32_t Find(NodeId sender, uint32_t qp) const {
    const uint64_t key = KeyOf(sender, qp);
    const Slot* slots = slots_.data();
    size_t i = First(key);
    while (slots[i].key != key && slots[i].key != kFree) i = (i + 1) & mask_;
    return slots[i].responder;
  }
  /// REQUIRES: the connection is not in the table.
  void Add(NodeId sender, uint32_t qp, uint32_t responder) {
    if (2 * (count_ + 1) > slots_.size()) Grow();
    Place({KeyOf(sender, qp), responder});
    ++count_;
  }

 private:
  static constexpr uint64_t kFree = UINT64_MAX;  ///< no host has such a number
  struct Slot {
    uint64_t key = kFree;
    uint32_t responder = kNone;
  };
  static uint64_t KeyOf(NodeId sender, uint32_t qp) { return uint64_t{sender} << 32 | qp; }
  /// Multiplicative hashing of each half, because both count from 0: the golden ratio spreads such numbers
  /// evenly. The upper bits are the well-mixed ones.
  size_t First(uint64_t key) const {
    const uint64_t sender = (key >> 32) * 0x9e3779b97f4a7c15u;
    const uint64_t qp = static_cast<uint32_t>(key) * 0xd1342543de82ef95u;
    return (sender + qp) >> shift_;
  }

  void Place(const Slot& slot) {
    size_t i = First(slot.key);
    while (slots_[i].key != kFree) i = (i + 1) & mask_;
    slots_[i] = slot;
  }
  void Grow() {
    std::vector<Slot> before(2 * slots_.size());
    before.swap(slots_);
    mask_ = slots_.size() - 1;
    --shift_;
    for (const Slot& slot : before) {
      if (slot.key != kFree) Place(slot);
    }
  }

  std::vector<Slot> slots_ =
      std::vector<Slot>(2);  ///< the size is a power of two; at most half of the slots are used
  size_t mask_ = 1, count_ = 0;
  int shift_ = 63;
};

}  // namespace headroom
