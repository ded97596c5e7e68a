// The members of their NIC that requesters and responders use: identity, clock, timers, frames, and
// turns.
//
// Packets read members. Calls are for rare needs, or for slow ones.
#pragma once

#include <array>
#include <cstdint>

#include "congestion/control.h"
#include "net/frame_format.h"
#include "net/port.h"
#include "nic/resources/nic_resources.h"
#include "nic/transport/message_sink.h"
#include "nic/transport/transport_parameters.h"

namespace headroom {

class ContextTable;
class MessageTimes;
class Requester;
class Responder;

/// What an event of a NIC is about.
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
  credit
};
inline constexpr int kNicTimers = 18;

struct NicCounters {
  uint64_t sent_bytes = 0, delivered_bytes = 0;
  uint64_t data_packets = 0, marked_packets = 0;  ///< received
  uint64_t cnp_sent = 0, cnp_handled = 0, cnp_ignored = 0;
  uint64_t retransmitted_packets = 0, naks = 0, timeouts = 0;
  uint64_t rnr_naks = 0;           ///< sent; not among `naks`
  uint64_t discarded_packets = 0;  ///< received and of no use: no RECV, a gap before, a wrong key,
                                   ///< no IP stack
  uint64_t corrupted_packets = 0;  ///< received, found right, and changed on their way to memory
};

class NicInterface : public EventTarget {
 public:
  /// What does not change once the NIC is set up.
  struct Constants {
    NodeId host = 0;
    NodeId hosts = 0;  ///< in the network: addresses from here on are no hosts
    int64_t mtu = 1024;
    uint32_t ack_bytes = 0;  ///< of an ACK or NAK
    int64_t gap = 0;         ///< between frames
    Time tx_latency;
    uint8_t cnp_priority = 6;
    bool hidden_fence = false;  ///< REG_MR and LOCAL_INV wait until all before them is complete
    TransportParameters transport;
    Time registration_latency;  ///< what a REG_MR takes in its turn in the send queue
    FrameFormat frames;
    FrameFormat plain_frames;  ///< of unreliable transports
  };
  const Constants& constants() const { return constants_; }
  FramePool& pool() const { return *pool_; }
  NicCounters& count() { return counters_; }
  MessageSink& sink() const { return *sink_; }
  /// Null: nobody listens yet.
  MessageSink* listener() const { return sink_; }
  /// Null: the NIC is ideal.
  NicResources* costs() const { return costs_; }
  /// Null: messages' times are not split.
  MessageTimes* times() const { return times_; }
  /// Null: messages come in without contexts.
  ContextTable* contexts() const { return contexts_; }
  Time now() const { return events_->now(); }

  /// An event of this kind; `number` has 56 bits.
  void Arm(NicTimer timer, uint64_t number, Time at) {
    events_->Push(timer_lanes_[static_cast<size_t>(timer)], {at, NextOrder(), static_cast<EventTarget*>(this),
                                                             (static_cast<uint64_t>(timer) << 56) | number});
  }

  /// A requester that was idle has something to send, not before `earliest`.
  virtual void Activate(Requester& r, Time earliest) = 0;
  /// A requester passes its turn, and takes none before `until`.
  virtual void StandAside(Requester& r, Time until) = 0;
  /// An ACK, NAK or CNP, a request for a context or the answer to it.
  virtual void SendNow(Frame* frame) = 0;
  /// A requester that has a control: an ACK, before it takes effect, of everything below `una`.
  virtual void OnControlledAck(Requester& r, const Frame& frame, uint64_t una) = 0;
  /// The same: something is lost.
  virtual void OnLoss(Requester& r, Loss loss) = 0;
  /// The same: it has more to send, or may not send what it has.
  virtual void OnBacklog(Requester& r) = 0;
  /// The same: it has a READ to answer. `again`: parts of that are lost.
  virtual void OnReadTaken(Requester& r, bool again) = 0;
  /// An ACK of the frame that takes effect: takes along what that has gathered.
  virtual void BringBack(Frame& ack) = 0;
  /// When the payload of the frame that takes effect is in memory.
  virtual Time Landed() const = 0;
  /// When the last bit of that frame arrived.
  virtual Time ArrivalTime() const = 0;
  virtual Time EndOfTransmission(uint32_t bytes) const = 0;

 protected:
  ~NicInterface() = default;
  uint64_t NextOrder() { return TimedEvent::Order(EventClass::nic_timer, entity_, event_count_++); }

  EventQueue* events_ = nullptr;
  std::array<LaneId, kNicTimers> timer_lanes_{};  ///< kNoLane, except for timers that come with packets
  uint64_t event_count_ = 0;
  EntityId entity_ = 0;
  FramePool* pool_ = nullptr;
  NicResources* costs_ = nullptr;
  MessageSink* sink_ = nullptr;
  MessageTimes* times_ = nullptr;
  ContextTable* contexts_ = nullptr;
  Constants constants_;
  NicCounters counters_;
};

}  // namespace headroom
