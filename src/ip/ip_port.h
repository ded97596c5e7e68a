// Connects ns-3's stack of a host with its port. It decides the class and flow of a packet, passes ECN in
// both directions, and limits the stack's bytes at the port.
//
// Each transmission queue of the device is one priority of the port. If more than a few packets of a class
// wait there, ns-3 keeps the rest in its queue disc, as Linux does with byte queue limits.
#pragma once

#include <ns3/net-device-queue-interface.h>

#include <array>

#include "nic/nic.h"

namespace headroom {

class IpPort final : public ForeignTraffic {
 public:
  /// The NIC must outlive this object. `default_priority` is for packets whose DSCP belongs to no class.
  /// `first_window`: bytes that a TCP connection may send before its first ACK.
  IpPort(Nic& nic, const TrafficClasses& classes, uint8_t default_priority, int64_t mtu,
         int64_t first_window);
  ~IpPort();

  bool Send(ns3::Ptr<ns3::Packet> packet, uint16_t protocol) override;
  void Receive(const Frame& frame) override;
  void Left(const Frame& frame) override;

  uint8_t PriorityOf(uint8_t tos) const { return priorities_[tos >> 2]; }
  /// If this many bytes wait in a priority, the stack waits.
  int64_t limit() const { return limit_; }

 private:
  Nic& nic_;
  std::array<uint8_t, 64> priorities_;          ///< the priority of each DSCP
  std::array<int64_t, kPriorities> waiting_{};  ///< bytes of packets at the port, by priority
  int64_t limit_, first_window_;
  ns3::Ptr<ns3::NetDeviceQueueInterface> queues_;
};

}  // namespace headroom
