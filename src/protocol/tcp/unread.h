// Bytes received by a socket, until the core reads them. Each byte is visited once, whatever the number of
// its packets.
#pragma once

#include <ns3/packet.h>

#include <algorithm>

#include "sim/deque.h"

namespace headroom {

class Unread final {
 public:
  void Add(ns3::Ptr<ns3::Packet> packet) {
    size_ += packet->GetSize();
    packets_.push_back(std::move(packet));
  }
  uint64_t size() const { return size_; }
  /// Takes `length` bytes from the front, into `to` if it is not null. REQUIRES: at least this many bytes are
  /// unread.
  void Take(uint32_t length, uint8_t* to) {
    size_ -= length;
    while (length > 0) {
      const ns3::Ptr<ns3::Packet>& packet = packets_.front();
      const uint32_t n = std::min(length, packet->GetSize());
      if (to != nullptr) to += packet->CopyData(to, n);
      length -= n;
      if (n == packet->GetSize()) {
        packets_.pop_front();
      } else {
        packet->RemoveAtStart(n);
      }
    }
  }

 private:
  Deque<ns3::Ptr<ns3::Packet>> packets_;
  uint64_t size_ = 0;
};

}  // namespace headroom
