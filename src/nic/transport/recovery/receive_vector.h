// The arrived packets of a message, as far as a receiver's window reaches: WBASE and WVEC.
//
// Source: Wang et al., A fast RDMA method for unreliable networks. The base is the smallest missing index;
// the paper's "base + number of consecutive ones" is off by one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace headroom {

class ReceiveVector {
 public:
  enum class Arrival : uint8_t {
    before,     ///< below the base, so it has arrived
    base,       ///< the smallest missing packet
    window,     ///< a packet among the next `packets`
    duplicate,  ///< a packet among these `packets` that has already arrived
    beyond      ///< the window does not reach it
  };
  /// `packets`: number of bits, for the packets behind the base.
  explicit ReceiveVector(uint32_t packets) : bits_(packets) {}

  Arrival ArrivalOf(uint64_t index) const {
    if (index < base_) return Arrival::before;
    if (index == base_) return Arrival::base;
    if (index - base_ > bits_.size()) return Arrival::beyond;
    return bits_[index % bits_.size()] ? Arrival::duplicate : Arrival::window;
  }
  /// A packet arrived. REQUIRES: ArrivalOf returned base or window.
  void Add(uint64_t index) {
    any_ = true;
    if (index != base_) {
      bits_[index % bits_.size()] = true;
      return;
    }
    // The bit of base + size uses the base's place, because the base itself needs none.
    for (++base_; bits_[base_ % bits_.size()]; ++base_) bits_[base_ % bits_.size()] = false;
  }
  uint64_t base() const { return base_; }
  /// A packet beyond the window is dropped.
  void Drop(uint64_t index) {
    if (dropped_.first == dropped_.second) dropped_ = {index, index};
    dropped_ = {std::min(dropped_.first, index), std::max(dropped_.second, index + 1)};
  }
  /// The dropped packets that the window reaches by now, from the first to below the second. Returns each
  /// once.
  std::pair<uint64_t, uint64_t> TakeDropped() {
    const uint64_t from = std::max(dropped_.first, base_);
    const uint64_t end = std::min(dropped_.second, base_ + bits_.size() + 1);
    if (from >= end) return {0, 0};
    if (from != requested_.second) requested_.first = from;
    dropped_.first = requested_.second = end;
    return {from, end};
  }
  /// Whether the last results of TakeDropped and ForMissing contain the base.
  bool BaseIsRequested() const { return requested_.first <= base_ && base_ < requested_.second; }
  /// Calls take(from, end) for each run of missing packets from the base on, of `packets` in all.
  template <class Take>
  void ForMissing(uint64_t packets, const Take& take) {
    dropped_ = {0, 0};
    const uint64_t reach = std::min(packets, base_ + bits_.size() + 1);
    requested_ = {base_, reach};
    uint64_t from = base_;
    for (uint64_t i = base_ + 1; i < reach; ++i) {
      if (!bits_[i % bits_.size()]) continue;
      if (from < i) take(from, i);
      from = i + 1;
    }
    if (from < packets) take(from, packets);
  }
  /// Whether a packet of the window has arrived.
  bool any() const { return any_; }

 private:
  std::vector<bool> bits_;
  uint64_t base_ = 0;
  std::pair<uint64_t, uint64_t> dropped_;  ///< from the first to below the second; equal: none
  std::pair<uint64_t, uint64_t> requested_;
  bool any_ = false;
};

}  // namespace headroom
