// A port as ns-3 sees it: a net device of a point-to-point link, which carries packets only if its host has
// an IP stack (ip/ip_port.h).
#pragma once

#include <ns3/net-device.h>
#include <ns3/node.h>

#include "sim/lazy.h"

namespace headroom {

struct Frame;

/// Packets of ns-3 at a port; present if a host has an IP stack (ip/ip_port.h).
class ForeignTraffic {
 public:
  /// ns-3's NetDevice::Send, for a packet with its IP header. Returns false if this packet is not sent.
  virtual bool Send(ns3::Ptr<ns3::Packet> packet, uint16_t protocol) = 0;
  /// A frame with a packet took effect. The caller keeps ownership of the frame.
  virtual void Receive(const Frame& frame) = 0;
  /// A frame that Send put into a queue has left it.
  virtual void Left(const Frame& frame) = 0;

 protected:
  ~ForeignTraffic() = default;
};

class PortDevice : public ns3::NetDevice {
 public:
  /// Null if packets of ns-3 do not use this port.
  void SetForeign(ForeignTraffic* foreign) { foreign_ = foreign; }
  ForeignTraffic* foreign() const { return foreign_; }
  /// Passes a packet up to the node's protocols.
  void HandUp(const ns3::Ptr<const ns3::Packet>& packet, uint16_t protocol) {
    if (!hand_up_.IsNull()) hand_up_(this, packet, protocol, ns3::Address());
  }

  void SetIfIndex(const uint32_t index) override { if_index_ = index; }
  uint32_t GetIfIndex() const override { return if_index_; }
  void SetAddress(ns3::Address address) override { address_.Make() = address; }
  ns3::Address GetAddress() const override { return *address_; }
  /// The MTU of IP packets; 0 if the port carries none.
  bool SetMtu(const uint16_t mtu) override {
    mtu_ = mtu;
    return true;
  }
  uint16_t GetMtu() const override { return mtu_; }
  void AddLinkChangeCallback(ns3::Callback<void>) override {}
  bool IsBroadcast() const override { return false; }
  ns3::Address GetBroadcast() const override { return {}; }
  bool IsMulticast() const override { return false; }
  ns3::Address GetMulticast(ns3::Ipv4Address) const override { return {}; }
  ns3::Address GetMulticast(ns3::Ipv6Address) const override { return {}; }
  bool IsBridge() const override { return false; }
  bool IsPointToPoint() const override { return true; }
  /// Sends to the address in the IP header. Returns false without an IP stack, like a device that is down.
  bool Send(ns3::Ptr<ns3::Packet> packet, const ns3::Address&, uint16_t protocol) override {
    return foreign_ != nullptr && foreign_->Send(packet, protocol);
  }
  bool SendFrom(ns3::Ptr<ns3::Packet>, const ns3::Address&, const ns3::Address&, uint16_t) override {
    return false;
  }
  ns3::Ptr<ns3::Node> GetNode() const override { return node_; }
  void SetNode(ns3::Ptr<ns3::Node> node) override { node_ = ns3::PeekPointer(node); }
  bool NeedsArp() const override { return false; }
  void SetReceiveCallback(ReceiveCallback hand_up) override { hand_up_ = hand_up; }
  void SetPromiscReceiveCallback(PromiscReceiveCallback) override {}
  bool SupportsSendFrom() const override { return false; }

 private:
  ForeignTraffic* foreign_ = nullptr;
  ns3::Node* node_ = nullptr;
  Lazy<ns3::Address> address_;
  ReceiveCallback hand_up_;
  uint32_t if_index_ = 0;
  uint16_t mtu_ = 0;
};

}  // namespace headroom
