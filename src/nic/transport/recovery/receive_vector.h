// The arrived packets of a message, as far as a receiver's window reaches: WBASE and WVEC.
//
// Source: Wang et al., A fast RDMA method for unreliable networks. The base is the smallest missing index;
// the paper's "base + number of consecutive ones" is off by one.
#pragma once

#include <cstdint>
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
  /// Whether a packet of the window has arrived.
  bool any() const { return any_; }

 private:
  std::vector<bool> bits_;
  uint64_t base_ = 0;
  bool any_ = false;
};

}  // namespace headroom
