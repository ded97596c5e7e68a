// An output-queued switch with one shared buffer: route, admit, queue, mark, pause.
//
// The route table gives the next hop, chosen by ECMP's hash before the frame arrives. If `routing` requires
// it, the next hop is chosen on arrival, which may also change the frame's class.
//
// The switch sees only frames, their classes and ECN bits; its maps give the group and queue of a class at a
// port. A frame is charged when its last bit has arrived, may leave `latency` later, and is released when its
// transmission starts; ECN is decided at that time.
#pragma once

#include <ns3/node.h>

#include <memory>
#include <optional>

#include "dcqcn/red_marker.h"
#include "net/port.h"
#include "net/routing/dimension_order.h"
#include "net/routing/hop_chooser.h"
#include "net/topology/routing.h"
#include "pfc/nibbles.h"
#include "pfc/pause_receiver.h"
#include "pfc/pause_sender.h"
#include "switch/buffer/group_contents.h"
#include "switch/buffer/qos_maps.h"
#include "switch/buffer/shared_buffer.h"
#include "switch/voq_fabric.h"

namespace headroom {

/// A switch's parameters except its buffer.
struct SwitchConfig {
  std::string name;
  Time latency;
  PfcParameters pfc;
  std::array<std::optional<EcnParameters>, kPriorities> ecn;
  std::vector<PortQos> qos{};  ///< indexed by port; empty: derived from the classes and `ecn` at every port
  std::optional<ChassisParameters> chassis{};  ///< none: frames queue at their egress port
  EntityId entity = 0;                         ///< entity of the chassis's fabric
  RoutingParameters routing{};
  std::optional<uint32_t> ecmp_seed{};    ///< none: from the name
  std::vector<TorusPorts::Exit> torus{};  ///< indexed by port; needed if `routing` has a dateline
};

class Switch final : public ns3::Node, public PortOwner, public VoqFabric::Owner {
 public:
  static ns3::TypeId GetTypeId();

  /// REQUIRES: the ports have been added and know their links' rates.
  void Setup(const SwitchConfig& config, const BufferParameters& buffer,
             const std::vector<BufferPort>& buffer_ports, const TrafficClasses& classes,
             const RouteTable& routes);
  /// Allocates the memory of this many ports at once, and no more.
  void ReservePorts(size_t ports);
  /// Adds a port of this switch. REQUIRES: port->Setup was called with this as the owner.
  void AddPort(ns3::Ptr<Port> port);

  Port& port(uint32_t i) { return *ports_[i].port; }
  const Port& port(uint32_t i) const { return *ports_[i].port; }
  PauseSender& pause_sender(uint32_t i) { return ports_[i].sender; }
  PauseReceiver& pause_receiver(uint32_t i) { return ports_[i].receiver; }
  void SetRoutes(const RouteTable& routes) { routes_ = routes; }
  uint32_t port_count() const { return static_cast<uint32_t>(ports_.size()); }
  SharedBuffer& buffer() { return *buffer_; }
  const SharedBuffer& buffer() const { return *buffer_; }
  /// Maximum bytes of a queue since the set was last cleared: all bytes, or bytes beyond the queue's reserve.
  int64_t peak_queue(Watermark set, uint32_t port, int queue) const {
    return queue_watermarks_.Read(set, port * kPriorities + static_cast<uint32_t>(queue),
                                  PeakNow(port, queue));
  }
  int64_t queue_watermark(Watermark set, uint32_t port, int queue) const {
    return std::max<int64_t>(0, peak_queue(set, port, queue) - buffer_->queue_reserved(port, queue));
  }
  void ClearQueueWatermarks(Watermark set);
  /// Queues and groups that classes use at some port, one bit each.
  uint8_t queues_in_use() const { return queues_in_use_; }
  uint8_t groups_in_use() const { return groups_in_use_; }
  /// The maps of a port.
  const PortQos& qos(uint32_t port) const { return qos_.size() == 1 ? qos_[0] : qos_[port]; }
  /// The fabric between the ports of a chassis; null: frames queue at their egress port.
  const VoqFabric* fabric() const { return fabric_.get(); }
  VoqFabric* fabric() { return fabric_.get(); }
  /// Bytes that wait for a queue of a port, wherever they wait.
  int64_t QueuedBytes(uint32_t port, int queue) const {
    return ports_[port].port->queue(queue).bytes + (fabric_ ? fabric_->Waiting(port, queue) : 0);
  }
  /// From now on the contents of lossless classes' groups are counted, while spans are open. `tags`: one more
  /// than the largest tag of a frame. REQUIRES: the buffer is empty.
  void CountContents(const TrafficClasses& classes, int tags);
  /// Like GroupContents::Begin. REQUIRES: CountContents was called.
  void BeginSpan(uint32_t port, int group);
  /// The contents are complete while a span is open. REQUIRES: CountContents was called.
  GroupContents& contents() { return contents_; }
  /// The group at this port whose pause names the priority; among several, the one that is XOFF. −1 if there
  /// is none.
  int GroupThatPauses(uint32_t port, int priority) const;
  /// From now on every change of the buffer checks its identities; a violation throws std::logic_error.
  void CheckAlways() { check_ = true; }

  void Receive(Port& port, Frame* frame) override;
  void Prepare(const Port& port, Frame& frame) const override;
  void FindPath(const Port& port, Frame& frame) override;
  void ReceivePfc(Port& port, const Frame& frame) override;
  void Dequeued(Port& port, Frame& frame, int64_t left) override;
  void Discarded(Port& port, Frame& frame) override;
  int64_t WaitsElsewhere(const Port& port) const override;
  void LeftVirtualQueue(Port& out, Frame& frame, int64_t left) override;

 private:
  /// No path of a sensible topology is this long: a frame that has passed more switches is in a loop.
  static constexpr int kMaxHops = 64;
  struct PortState {
    ns3::Ptr<Port> port;
    std::array<std::unique_ptr<RedMarker>, kPriorities> red;  ///< indexed by queue
    std::array<uint8_t, kPriorities> priorities{};  ///< indexed by group: the priorities that its pause names
    PauseSender sender;
    PauseReceiver receiver;
  };
  /// Maps the class of a frame, which is its priority, to its place at this port.
  struct ClassMap {
    std::array<uint8_t, kPriorities> group{};  ///< at the ingress port
    std::array<uint8_t, kPriorities> tc{};     ///< at the ingress port
    std::array<uint8_t, kPriorities> queue{};  ///< indexed by traffic class, at the egress port
    bool operator==(const ClassMap&) const = default;
  };
  /// The port index towards the frame's destination; kNoEgress if there is none.
  uint16_t Route(const Frame& frame) const {
    static_assert(RouteTable::kNoPath == Frame::kNoEgress);
    return routes_.NextHop(frame.dst, frame.flow_hash, ecmp_seed_);
  }
  void FindPathByHash(Frame& frame) const;
  void PrepareUnusual(const Port& port, Frame& frame) const;
  uint8_t QueueOf(uint16_t in, uint16_t out, uint8_t priority) const;
  void SetUpRouting(const SwitchConfig& config);
  /// The present value of a queue's register.
  int64_t PeakNow(uint32_t port, int queue) const {
    return fabric_ ? fabric_->PeakWaiting(port, queue) : ports_[port].port->peak_queue(queue);
  }
  void Leave(Port& out, Frame& frame, int64_t left);
  void Release(const Port& port, const Frame& frame, int64_t left);
  void SetUpFabric(const ChassisParameters& chassis, EntityId entity);
  void SendXoff(uint32_t port, int group);
  void CountFromNow(const Frame* arriving, const SharedBuffer::Place& at);
  void Count(const SharedBuffer::Place& at, const Frame& frame);
  template <class Use>
  void ForEachQueued(Use use) const;
  void SetUpMaps(const SwitchConfig& config, const TrafficClasses& classes);
  void SetUpPort(uint32_t i, const SwitchConfig& config, const std::string& name);
  SharedBuffer::Place PlaceOf(uint32_t in, uint32_t out, const Frame& frame) const {
    return {in, out, frame.group, frame.queue};
  }
  [[gnu::noinline]] void Drop(Port& port, Frame* frame, const DropCause& cause);
  void DropArriving(Port& port, Frame* frame, const DropCause& cause);
  [[gnu::noinline]] void Refuse(const SharedBuffer::Place& at, Frame* frame, DropReason reason);
  void Check() const;

  // The members that every frame touches, in one cache line with the pointers at the beginning of routes_.
  alignas(64) Time latency_;
  SharedBuffer* hot_buffer_ = nullptr;  ///< the object of buffer_
  Port* const* hot_out_ = nullptr;      ///< the data of out_
  uint32_t ecmp_seed_ = 0;
  Nibbles group_, queue_;    ///< indexed by class, if all ports have the same maps
  bool uniform_ : 1 = true;  ///< all ports have the same maps
  bool usual_ : 1 = true;    ///< all ports have the same maps, and ECMP's hash selects the next hop
  bool pfc_ : 1 = true;
  bool check_ : 1 = false;
  bool counts_ : 1 =
      false;  ///< contents_ is being counted: from before a pause to some time after the last one
  bool may_count_ : 1 = false;    ///< contents_ was requested
  bool chassis_ : 1 = false;      ///< frames pass through fabric_
  bool ports_count_ : 1 = false;  ///< ports store the bytes charged to their queues
  uint16_t marks_above_ = 0;      ///< no queue marks at or below this many KiB
  RouteTable routes_;

  GroupContents contents_;
  uint32_t count_for_ = 0;  ///< remaining frames to count after the last pause, while counts_
  std::vector<Port*> out_;  ///< pointers to the ports of ports_
  std::vector<PortState> ports_;
  std::vector<ClassMap> maps_;  ///< indexed by port, if the maps differ
  std::vector<PortQos> qos_;    ///< indexed by port, or one entry for all
  uint8_t queues_in_use_ = 0, groups_in_use_ = 0;
  WatermarkSets queue_watermarks_;  ///< the registers belong to the ports
  ns3::Ptr<SharedBuffer> buffer_;
  std::unique_ptr<VoqFabric> fabric_;
  std::unique_ptr<HopChooser> chooser_;  ///< null: ECMP's hash selects
  std::optional<Dateline> dateline_;     ///< none: frames keep their priority
  uint8_t came_with_ = 0;                ///< priority of the frame for which FindPath was last called
  std::string name_;
};

}  // namespace headroom
