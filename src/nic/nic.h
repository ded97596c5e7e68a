// A host's NIC: queue pairs, their rate limiters and reliable transport, above one port.
//
// Sending is pulled: when the port is free, the next queue pair in the round that may send makes a frame.
// Queue pairs that wait for their limiter stand in a heap with one pending event for the earliest. Receiving:
// DCQCN's notification point and the responder's transport. One file per event: nic_send.cc, nic_receive.cc,
// nic_timers.cc.
//
// Identity: sent bytes = bytes of frames handed to the port; delivered bytes = bytes of frames received.
#pragma once

#include <ns3/object.h>
#include <ns3/traced-callback.h>

#include <array>
#include <deque>
#include <vector>

#include "net/optional_trace.h"
#include "net/port.h"
#include "nic/message_sink.h"
#include "nic/parameters.h"
#include "nic/queue_pair.h"
#include "pfc/pause_receiver.h"

namespace headroom {

struct NicConfig {
  NodeId host = 0;
  NicParameters parameters;
  FrameFormat frames;
  int64_t mtu = 1024;
  uint8_t cnp_priority = 6;
  Time pause_response;  ///< from a received pause to its effect
};

class Nic final : public ns3::Object, public PortOwner, public FrameSource, public EventTarget {
 public:
  struct Counters {
    uint64_t sent_bytes = 0, delivered_bytes = 0;
    uint64_t data_packets = 0, marked_packets = 0;  ///< received
    uint64_t cnp_sent = 0, cnp_handled = 0, cnp_ignored = 0;
    uint64_t retransmitted_packets = 0, naks = 0, timeouts = 0;
  };
  using RateTrace = void (*)(uint32_t qp, Time now, Rate rate);
  using NotificationTrace = void (*)(const Nic& nic, uint32_t qp, bool cut);

  static ns3::TypeId GetTypeId();

  /// REQUIRES: once, before any queue pair.
  void Setup(const NicConfig& config, ns3::Ptr<Port> port);
  /// REQUIRES: before the first message.
  void SetSink(MessageSink* sink) { sink_ = sink; }

  /// Half a connection each; the caller joins two NICs'. `source_port` varies the path. Returns the half's
  /// number.
  uint32_t AddRequester(NodeId peer, uint8_t priority, uint32_t source_port);
  uint32_t AddResponder(NodeId peer, uint32_t peer_qp, uint8_t priority, uint32_t source_port);
  void Join(uint32_t requester, uint32_t peer_responder) { requesters_[requester].peer_qp = peer_responder; }

  /// Posts a WRITE of `bytes` (0 sends one empty packet). `message` is what the sink hears of it.
  void Post(uint32_t requester, uint32_t message, int64_t bytes);
  /// A queue pair that starts anew, at line rate, by another path. What still comes of the notifications to
  /// the old one counts as ignored. REQUIRES: Idle(requester).
  void Renew(uint32_t requester, uint32_t source_port);
  /// The other half of the same: its ACKs take the new connection's path.
  void RenewResponder(uint32_t responder, uint32_t source_port);
  bool Idle(uint32_t requester) const { return requesters_[requester].requests.Empty(); }

  NodeId host() const { return config_.host; }
  Port& port() { return *port_; }
  const Counters& counters() const { return counters_; }
  uint32_t requester_count() const { return static_cast<uint32_t>(requesters_.size()); }
  const Requester& requester(uint32_t i) const { return requesters_[i]; }
  ReactionPoint& reaction_point() { return *reaction_point_; }

  void Receive(Port& port, Frame* frame) override;
  void Prepare(const Port& port, Frame& frame) const override;
  void ReceivePfc(Port& port, const Frame& frame) override;
  void Dequeued(Port&, Frame&, int64_t) override {}
  Frame* Pull(int priority) override;
  void OnEvent(uint64_t arg) override;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  /// What an event of this NIC is about; the argument is kind << 56 | number.
  enum class Timer : uint64_t { pace, retransmit, rate, received, control };
  struct Round {
    uint32_t head = kNone, tail = kNone;
  };
  struct Waiting {
    Time at;
    uint32_t qp;
    bool operator>(const Waiting& o) const { return at != o.at ? at > o.at : qp > o.qp; }
  };

  // Sending.
  void Activate(uint32_t qp, Time earliest);
  void Wait(uint32_t qp);
  void JoinRound(uint32_t qp);
  Frame* MakeData(Requester& r);
  void SendControl(FrameKind kind, const Responder& s, uint32_t psn, bool echo, uint8_t priority, Time delay);
  void OnControlDue(Frame* frame);
  void GoBack(uint32_t qp, uint32_t psn, Time earliest);

  // Receiving.
  void Process(Frame* frame);
  void OnData(const Frame& frame);
  void OnMarked(Responder& s, const Frame& frame);
  void OnAck(const Frame& frame);
  void OnNak(uint32_t qp, uint32_t psn);
  void OnNotification(uint32_t qp, uint16_t generation);
  bool Acknowledge(Requester& r, uint32_t una);

  // Timers.
  void Arm(Timer timer, uint64_t number, Time at);
  void OnPace();
  void OnRetransmitTimer(uint32_t qp);
  void OnRateTimer(uint32_t qp);
  void ArmRate(uint32_t qp);
  void ArmRetransmit(uint32_t qp);
  void Fail(uint32_t qp, const std::string& why);
  Time now() const { return events_->now(); }

  NicConfig config_;
  EventQueue* events_ = nullptr;
  EntityId entity_ = 0;
  uint64_t event_count_ = 0;
  ns3::Ptr<Port> port_;
  MessageSink* sink_ = nullptr;
  bool dcqcn_ = true;
  ns3::Ptr<ReactionPoint> reaction_point_;
  ns3::Ptr<NotificationPoint> notification_point_;
  PauseReceiver pause_receiver_;
  LaneId receive_lane_ = kHeap;

  std::deque<Requester> requesters_;
  std::deque<Responder> responders_;
  std::array<Round, kPriorities> rounds_;
  std::vector<Waiting> waiting_;  ///< heap, earliest first
  Time pace_at_ = kNever;         ///< the pending pace event, if any
  Counters counters_;
  ns3::TracedCallback<uint32_t, Time, Rate> rate_trace_;
  OptionalTrace<const Nic&, uint32_t, bool> notification_trace_;
};

}  // namespace headroom
