// The bytes in a NIC's receive buffer, which its ports share. The caller drops a frame that finds no room. At
// `xoff` the NIC pauses its peers, in all lossless priorities, until `xon` bytes are left.
#pragma once

#include <utility>
#include <vector>

#include "net/port_counters.h"
#include "nic/resources/resource_parameters.h"
#include "pfc/pause_sender.h"

namespace headroom {

class RxBuffer {
 public:
  /// `senders`: one for each port. `lossless` is a mask of priorities.
  RxBuffer(const RxBufferParameters& parameters, std::vector<PauseSender*> senders, uint8_t lossless)
      : parameters_(parameters), senders_(std::move(senders)), lossless_(lossless) {}

  /// A frame arrived. Returns false if there is no room for it.
  bool Take(int64_t bytes) {
    if (bytes_ + bytes > parameters_.size.v) return false;
    bytes_ += bytes;
    if (!xoff_ && bytes_ >= parameters_.xoff.v) {
      xoff_ = true;
      for (PauseSender* sender : senders_) sender->Xoff(lossless_, bytes_);
    }
    return true;
  }
  /// The cause of a drop when Take returned false.
  DropCause Full() const { return {DropReason::buffer_full, -1, parameters_.size.v, bytes_}; }
  /// A frame was taken out.
  void Give(int64_t bytes) {
    bytes_ -= bytes;
    if (!xoff_ || bytes_ > parameters_.xon.v) return;
    xoff_ = false;
    for (PauseSender* sender : senders_) sender->Xon(lossless_);
  }

 private:
  RxBufferParameters parameters_;
  std::vector<PauseSender*> senders_;
  uint8_t lossless_;
  bool xoff_ = false;
  int64_t bytes_ = 0;
};

}  // namespace headroom
