// The members of their NIC that requesters and responders use: identity, clock, timers, frames, and
// turns.
//
// Packets only read members. Calls are for rare or slow operations.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "congestion/control.h"
#include "net/frame_format.h"
#include "net/port.h"
#include "nic/resources/nic_resources.h"
#include "nic/transport/message_sink.h"
#include "nic/transport/transport_parameters.h"
#include "sim/shared_value.h"

namespace headroom {

class ContextTable;
class MessageTimes;
class Requester;
class Responder;

/// The purpose of a NIC's event.
enum class NicTimer : uint64_t {
  pace,
  retransmit,
  rate,
  received,
  control,
  resume,
  sent,
  notify,
  written,
  held,
  pump,
  launched,
  looped,
  taken,
  reported,
  completed,
  context,
  credit,
  link
};
inline constexpr int kNicTimers = 19;

struct NicCounters {
  uint64_t sent_bytes = 0, delivered_bytes = 0;
  uint64_t data_packets = 0, marked_packets = 0;  ///< received
  uint64_t cnp_sent = 0, cnp_handled = 0, cnp_ignored = 0;
  uint64_t retransmitted_packets = 0, naks = 0, timeouts = 0;
  uint64_t rnr_naks = 0;  ///< sent; not among `naks`
  uint64_t discarded_packets =
      0;  ///< received without use: no RECV, an earlier gap, a wrong key, no IP stack
  uint64_t corrupted_packets = 0;  ///< received, found correct, and changed on their way to memory
};

class NicInterface : public EventTarget {
 public:
  /// Values that are fixed once the NIC is set up. NICs with equal values share them.
  struct Constants {
    NodeId hosts = 0;  ///< number of hosts in the network: addresses from here on are not hosts
    int64_t mtu = 1024;
    uint32_t ack_bytes = 0;  ///< size of an ACK or NAK
    int64_t gap = 0;         ///< gap between frames
    Time tx_latency;
    uint8_t cnp_priority = 6;
    bool hidden_fence = false;  ///< REG_MR and LOCAL_INV wait until all earlier requests are complete
    TransportParameters transport;
    Time registration_latency;  ///< time of a REG_MR at its turn in the send queue
    FrameFormat frames;
    FrameFormat plain_frames;  ///< format for unreliable transports
    bool operator==(const Constants&) const = default;
  };
  const Constants& constants() const { return *constants_; }
  NodeId host() const { return host_; }
  FramePool& pool() const { return *pool_; }
  NicCounters& count() { return counters_; }
  MessageSink& sink() const { return *sink_; }
  /// Null if there is no listener yet.
  MessageSink* listener() const { return sink_; }
  /// Null if the NIC is ideal.
  NicResources* costs() const { return costs_; }
  /// Null if messages' times are not split.
  MessageTimes* times() const { return times_; }
  /// Null if messages arrive without contexts.
  ContextTable* contexts() const { return contexts_; }
  Time now() const { return events_->now(); }

  /// Schedules an event of this kind; `number` has 56 bits.
  void Arm(NicTimer timer, uint64_t number, Time at) {
    events_->Push(timer_lanes_[static_cast<size_t>(timer)], {at, NextOrder(), static_cast<EventTarget*>(this),
                                                             (static_cast<uint64_t>(timer) << 56) | number});
  }

  /// An idle requester has something to send, not before `earliest`.
  virtual void Activate(Requester& r, Time earliest) = 0;
  /// A requester passes its turn, and takes none before `until`.
  virtual void StandAside(Requester& r, Time until) = 0;
  /// Sends an ACK, NAK or CNP, a request for a context or the answer to it.
  virtual void SendNow(Frame* frame) = 0;
  /// For a requester that has a control: an ACK of all packets below `una` arrived, before it takes effect.
  virtual void OnControlledAck(Requester& r, const Frame& frame, uint64_t una) = 0;
  /// For a requester that has a control: a packet is lost.
  virtual void OnLoss(Requester& r, Loss loss) = 0;
  /// For a requester that has a control: it has more to send, or may not send its data.
  virtual void OnBacklog(Requester& r) = 0;
  /// For a requester that has a control: it must answer a READ. `again`: some responses are lost.
  virtual void OnReadTaken(Requester& r, bool again) = 0;
  /// The frame that takes effect is acknowledged: the ACK takes along that frame's feedback.
  virtual void BringBack(Frame& ack) = 0;
  /// The time when the payload of the frame that takes effect is in memory.
  virtual Time Landed() const = 0;
  /// The time when the last bit of that frame arrived.
  virtual Time ArrivalTime() const = 0;
  /// The end of a transmission at the requester's port, if it started now.
  virtual Time EndOfTransmission(const Requester& r, uint32_t bytes) const = 0;

 protected:
  ~NicInterface() = default;
  uint64_t NextOrder() { return TimedEvent::Order(EventClass::nic_timer, entity_, event_count_++); }

  EventQueue* events_ = nullptr;
  std::array<LaneId, kNicTimers> timer_lanes_{};  ///< kNoLane, except for timers that come with packets
  uint64_t event_count_ = 0;
  EntityId entity_ = 0;
  NodeId host_ = 0;
  FramePool* pool_ = nullptr;
  NicResources* costs_ = nullptr;
  MessageSink* sink_ = nullptr;
  MessageTimes* times_ = nullptr;
  ContextTable* contexts_ = nullptr;
  std::shared_ptr<const Constants> constants_;
  NicCounters counters_;
};

}  // namespace headroom
