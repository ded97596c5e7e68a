// Which packets of a message are in, as far as a receiver's window reaches: WBASE and WVEC.
//
// Source: Wang et al., A fast RDMA method for unreliable networks. The base is the smallest index that is
// missing; the paper's "base + number of consecutive ones" is off by one.
#pragma once

#include <cstdint>
#include <vector>

namespace headroom {

class ReceiveVector {
 public:
  enum class Arrival : uint8_t {
    before,     ///< below the base: it is in
    base,       ///< the smallest that is missing
    window,     ///< one of the next
    duplicate,  ///< one of these, and in
    beyond      ///< the window does not reach it
  };
  /// `packets`: bits, for those behind the base.
  explicit ReceiveVector(uint32_t packets) : bits_(packets) {}

  Arrival ArrivalOf(uint64_t index) const {
    if (index < base_) return Arrival::before;
    if (index == base_) return Arrival::base;
    if (index - base_ > bits_.size()) return Arrival::beyond;
    return bits_[index % bits_.size()] ? Arrival::duplicate : Arrival::window;
  }
  /// It is in. REQUIRES: ArrivalOf says base or window.
  void Add(uint64_t index) {
    any_ = true;
    if (index != base_) {
      bits_[index % bits_.size()] = true;
      return;
    }
    // The bit of base + size has the base's place: the base itself has none.
    for (++base_; bits_[base_ % bits_.size()]; ++base_) bits_[base_ % bits_.size()] = false;
  }
  uint64_t base() const { return base_; }
  /// Whether something is in.
  bool any() const { return any_; }

 private:
  std::vector<bool> bits_;
  uint64_t base_ = 0;
  bool any_ = false;
};

}  // namespace headroom
