// Finds the responder of a bulk connection by what its frames carry: the sender, and the number of the queue
// pair there. The first frame of a connection makes its responder; nobody at the sender knows its number.
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

  /// The responder's number; kNone: no frame of this connection has come yet.
  uint32_t Find(NodeId sender, uint32_t qp) const {
    if (slots_.empty()) return kNone;
    for (size_t i = First(KeyOf(sender, qp));; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].responder == kNone || slots_[i].key == KeyOf(sender, qp)) return slots_[i].responder;
    }
  }
  /// REQUIRES: it is not there.
  void Add(NodeId sender, uint32_t qp, uint32_t responder) {
    if (2 * (count_ + 1) > slots_.size()) Grow();
    Place({KeyOf(sender, qp), responder});
    ++count_;
  }

 private:
  struct Slot {
    uint64_t key = 0;
    uint32_t responder = kNone;
  };
  static uint64_t KeyOf(NodeId sender, uint32_t qp) { return uint64_t{sender} << 32 | qp; }
  /// Multiplicative hashing: the upper bits are the good ones.
  size_t First(uint64_t key) const { return (key * 0x9e3779b97f4a7c15u) >> shift_; }

  void Place(const Slot& slot) {
    size_t i = First(slot.key);
    while (slots_[i].responder != kNone) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = slot;
  }
  void Grow() {
    std::vector<Slot> before(slots_.empty() ? 4 : 2 * slots_.size());
    before.swap(slots_);
    shift_ = slots_.size() == 4 ? 62 : shift_ - 1;
    for (const Slot& slot : before) {
      if (slot.responder != kNone) Place(slot);
    }
  }

  std::vector<Slot> slots_;  ///< a power of two, at most half of them taken
  size_t count_ = 0;
  int shift_ = 64;
};

}  // namespace headroom
