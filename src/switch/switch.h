// An output-queued switch with one shared buffer: route, admit, queue, mark, pause.
//
// It sees frames, priorities and ECN bits only. A frame is charged when its last bit is in, may leave
// `latency` later, and is released when its transmission starts; ECN is decided then.
#pragma once

#include <ns3/node.h>

#include <memory>
#include <optional>

#include "dcqcn/red_marker.h"
#include "net/port.h"
#include "net/routing.h"
#include "pfc/pause_receiver.h"
#include "pfc/pause_sender.h"
#include "switch/qos_maps.h"
#include "switch/shared_buffer.h"

namespace headroom {

/// What a switch does apart from its buffer.
struct SwitchConfig {
  std::string name;
  Time latency;
  PfcParameters pfc;
  std::array<std::optional<EcnParameters>, kPriorities> ecn;
  std::vector<PortQos> qos{};  ///< by port; empty: of the classes, and of `ecn`, at every port
};

class Switch final : public ns3::Node, public PortOwner {
 public:
  static ns3::TypeId GetTypeId();

  /// REQUIRES: the ports are added and know their links' rates.
  void Setup(const SwitchConfig& config, const BufferParameters& buffer,
             const std::vector<BufferPort>& buffer_ports, const TrafficClasses& classes,
             const RouteTable& routes);
  /// Adds a port of this switch. REQUIRES: port->Setup was called with this as the owner.
  void AddPort(ns3::Ptr<Port> port);

  Port& port(uint32_t i) { return *ports_[i].port; }
  const Port& port(uint32_t i) const { return *ports_[i].port; }
  uint32_t port_count() const { return static_cast<uint32_t>(ports_.size()); }
  SharedBuffer& buffer() { return *buffer_; }
  const SharedBuffer& buffer() const { return *buffer_; }
  /// After every change of the buffer its identities are checked; a violation throws std::logic_error.
  void CheckAlways() { check_ = true; }

  void Receive(Port& port, Frame* frame) override;
  void Prepare(const Port& port, Frame& frame) const override;
  void ReceivePfc(Port& port, const Frame& frame) override;
  void Dequeued(Port& port, Frame& frame, int64_t left) override;

 private:
  /// No path of a sane topology is this long: a frame that passed more switches is in a loop.
  static constexpr int kMaxHops = 64;
  struct PortState {
    ns3::Ptr<Port> port;
    std::array<std::unique_ptr<RedMarker>, kPriorities> red;
    PauseSender sender;
    PauseReceiver receiver;
  };
  /// The port index towards the frame's destination; kNoEgress where there is none.
  uint16_t Route(const Frame& frame) const {
    const auto next = routes_.NextHops(frame.dst);
    if (next.empty()) return Frame::kNoEgress;
    if (next.size() == 1) return next[0];
    return next[EcmpChoice(frame.flow_hash, ecmp_seed_, static_cast<uint32_t>(next.size()))];
  }
  void Drop(Port& port, Frame* frame, DropReason reason);
  void Check() const;

  // What every frame touches, together.
  Time latency_;
  uint32_t ecmp_seed_ = 0;
  bool pfc_ = true;
  bool check_ = false;
  SharedBuffer* hot_buffer_ = nullptr;  ///< buffer_
  std::vector<Port*> out_;              ///< the ports of ports_
  RouteTable routes_;
  std::array<int64_t, kPriorities> red_floor_{};  ///< no queue of the priority marks at or below this

  std::vector<PortState> ports_;
  ns3::Ptr<SharedBuffer> buffer_;
  std::string name_;
};

}  // namespace headroom
