// A host's NIC: queue pairs, their rate limiters and reliable transport, above one port, or two (bond.h).
//
// Sending is pulled: when a port is free, the next requester in its round that may send makes a frame.
// Queue pairs that wait for their limiter are in a heap with one pending event for the earliest. A received
// frame passes DCQCN's notification point, and then goes to a responder, or, as an answer, to a requester.
//
// A NIC with resources has stations in both directions (nic_stages.h): frames are made ahead of the port, and
// take effect when the receive pipeline has taken them in.
//
// Identity: sent bytes = bytes of frames made; delivered bytes = bytes of frames that took effect.
#pragma once

#include <ns3/object.h>
#include <ns3/traced-callback.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "congestion/control.h"
#include "net/optional_trace.h"
#include "net/port.h"
#include "net/stopped_spans.h"
#include "nic/bond.h"
#include "nic/credit_scheduler.h"
#include "nic/nic_stages.h"
#include "nic/parameters.h"
#include "nic/transport/bulk_owner.h"
#include "nic/transport/connection_table.h"
#include "nic/transport/message_sink.h"
#include "nic/transport/message_times.h"
#include "nic/transport/recovery/context_table.h"
#include "nic/transport/recovery/sender_window.h"
#include "nic/transport/requester.h"
#include "nic/transport/responder.h"
#include "nic/verbs/verbs.h"
#include "nic/verbs/verbs_nic.h"
#include "pfc/pause_receiver.h"
#include "pfc/pause_sender.h"
#include "sim/deque.h"

namespace headroom {

struct NicConfig {
  NodeId host = 0;
  NodeId hosts = 0;     ///< number of hosts in the network; higher addresses belong to switches
  std::string name;     ///< name of the host, and of its random streams
  EntityId entity = 0;  ///< entity of its own events
  SharedValue<NicParameters> parameters;  ///< not null
  FrameFormat frames;
  int64_t mtu = 1024;
  uint8_t cnp_priority = 6;
  uint8_t lossless = 0;  ///< a mask of the priorities that a full receive buffer pauses
  std::array<PfcParameters, Bond::kPorts> pfc;  ///< how each port obeys pauses, and sends its own
  /// What a NIC with two ports must know.
  struct Ports {
    RouteTable routes;  ///< of the host
    uint32_t seed = 0;  ///< of its hash
    Time detection;     ///< how long a link keeps its state until the NIC believes it
  };
  std::optional<Ports> ports{};  ///< none: the NIC has one port
  /// What its queue pairs must know about their paths.
  struct Paths {
    /// Packets that a queue pair to this host may have in flight, from this source port; none: kPsnWindow.
    std::function<uint64_t(NodeId peer, uint16_t source_port)> window;
    /// The number of packets of a request that leave before its sender learns of congestion, for buffer
    /// policies that treat them differently; none: no policy does.
    std::function<uint64_t(NodeId peer, uint16_t source_port)> first_window;
    /// A control's data about such a queue pair; needed if the NIC has controls.
    std::function<ControlPath(NodeId peer, uint16_t source_port)> path;
  };
  std::shared_ptr<const Paths> paths;  ///< null: no queue pair needs any of these
};

class Nic final : public ns3::Object, public PortOwner, public FrameSource, public VerbsNic {
 public:
  using Counters = NicCounters;
  using RateTrace = void (*)(uint32_t qp, Time now, Rate rate);
  using NotificationTrace = void (*)(const Nic& nic, uint32_t qp, bool cut);
  using CompletionTrace = void (*)(const Nic& nic, NodeId peer, const Wc& wc);

  static ns3::TypeId GetTypeId();

  /// REQUIRES: called once, before any queue pair. Two ports, with the same rate, if the config has `ports`.
  void Setup(const NicConfig& config, const std::vector<Port*>& ports);
  /// REQUIRES: called before the first message.
  void SetSink(MessageSink* sink) { sink_ = sink; }
  /// The same, if the parts of messages' times are recorded; `times` must outlive the NIC's traffic.
  void SetTimes(MessageTimes* times) { times_ = times; }

  /// Adds the posting end of a bulk connection. The other end is made when its NIC receives the first frame.
  /// `source_port` varies the path; frames carry `tag`. Returns the queue pair's number here.
  uint32_t AddRequester(NodeId peer, uint8_t priority, uint16_t source_port, uint8_t tag = 0);
  /// The same with a responder at this end, which bulk READs and registrations need.
  uint32_t AddQueuePair(NodeId peer, uint8_t priority, uint16_t source_port, uint8_t tag = 0);

  /// Posts bulk: `bytes` (0 sends one empty packet) without content or address, which always finds a RECV.
  /// The sink gets `message` with each event. REQUIRES: a READ has a queue pair with both halves.
  void Post(uint32_t requester, uint32_t message, int64_t bytes, Operation operation = Operation::write);
  /// Posts a bulk memory registration; later requests wait for it.
  void PostRegistration(uint32_t requester) {
    requesters_[requester].Post({.message = kNoMessage, .registers = true});
  }
  /// The host's verbs.
  Verbs& verbs() {
    if (verbs_ == nullptr) verbs_ = std::make_unique<Verbs>(*this);
    return *verbs_;
  }
  /// A bulk queue pair starts anew, at line rate, by another path, even after a restart. Later notifications
  /// to the old queue pair count as ignored; its peer follows with the first frame of the new generation.
  /// REQUIRES: Idle(requester).
  void Renew(uint32_t requester, uint16_t source_port);
  bool Idle(uint32_t requester) const { return requesters_[requester].requests.Empty(); }

  /// Its first port, which is the one that ns-3's stack knows.
  Port& port() { return *ports_[0]; }
  uint32_t port_count() const { return bond_ == nullptr ? 1 : Bond::kPorts; }
  /// Puts a frame with a packet of ns-3 into its priority's queue at a port, without a queue pair.
  void SendForeign(Frame* frame);
  PauseReceiver& pause_receiver(uint32_t port = 0) {
    return port == 0 ? pause_receiver_ : bond_->pause_receiver;
  }
  PauseSender& pause_sender(uint32_t port = 0) { return port == 0 ? pause_sender_ : bond_->pause_sender; }
  std::vector<PauseSender*> pause_senders() {
    if (bond_ == nullptr) return {&pause_sender_};
    return {&pause_sender_, &bond_->pause_sender};
  }
  /// The link at a port went down or came up. With two ports, queue pairs move once the NIC has detected it.
  void NoteLink(uint32_t port);
  /// The routes of the host changed. `left_out`: a bit for each of its ports whose link they leave out, which
  /// the NIC finds out by itself. REQUIRES: two ports.
  void SetRoutes(const RouteTable& routes, uint8_t left_out);
  const Counters& counters() const { return counters_; }
  const ClockParameters& clock() const { return parameters_->clock; }
  uint32_t requester_count() const { return static_cast<uint32_t>(requesters_.size()); }
  /// If its rate has no line rate, there is no queue pair with this number.
  const Requester& requester(uint32_t i) const { return requesters_[i]; }
  /// The rate that its reaction point allows, or, for another control, that its rate and window allow.
  Rate AllowedRate(const Requester& r) const;
  const Responder& responder(uint32_t i) const { return responders_[i]; }
  ReactionPoint& reaction_point() { return *reaction_point_; }
  /// Null if messages arrive without contexts.
  const ContextTable* contexts() const { return contexts_; }

  /// From now on its packets have the costs of this set (its index in ResourceSetNames). REQUIRES: no queue
  /// pairs yet; throws std::logic_error otherwise.
  void SetResources(int set);
  int GetResources() const;
  const LimiterParameters& limiter() const { return parameters_->dcqcn.limiter; }
  void SetLimiter(const LimiterParameters& limiter) {
    Change([&](NicParameters& own) { own.dcqcn.limiter = limiter; });
  }

  /// The NIC's driver restarts. All queue pairs fail, and their unsent frames are dropped. The object between
  /// the NIC and its port handles the rest. Afterwards its programs are notified, and start anew.
  void BeginRestart();
  void EndRestart() {
    if (verbs_ != nullptr) verbs_->Restarted();
  }

  /// Null: the NIC is ideal, and its traffic to itself uses the wire.
  const NicResources* resources() const { return stages_ == nullptr ? nullptr : &stages_->costs; }
  /// From now on it receives at most at this rate from the wire. REQUIRES: the NIC has resources.
  void SlowDown(Rate rate);
  void Recover();

  void Receive(Port& port, Frame* frame) override;
  void Prepare(const Port& port, Frame& frame) const override;
  void ReceivePfc(Port& port, const Frame& frame) override;
  void Dequeued(Port&, Frame& frame, int64_t) override { NoteLeft(frame); }
  void Discarded(Port&, Frame& frame) override { NoteLeft(frame); }
  Frame* Pull(Port& port, int priority) override;
  void OnEvent(uint64_t arg) override;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Round {
    uint32_t head = kNone, tail = kNone;
  };
  struct Waiting {
    Time at;
    uint32_t qp;
    bool operator>(const Waiting& o) const { return at != o.at ? at > o.at : qp > o.qp; }
  };

  static constexpr int kLoopback = kLoopbackRound, kRounds = kNicRounds;
  static constexpr int RoundAt(uint32_t port, int priority) {
    return port == 0 ? priority : kLoopback + 1 + priority;
  }
  /// The port of a round that is not the loopback's.
  Port& PortOf(int round) const { return *ports_[round > kLoopback ? 1 : 0]; }
  Port& PortOf(const Requester& r) const { return PortOf(r.round); }
  /// The port of a frame without a queue pair.
  Port& PortOf(const Frame& frame) const {
    return *ports_[bond_ == nullptr ? 0 : bond_->PortTo(frame.dst, frame.flow_hash)];
  }

  // Set-up.
  /// The NIC's parameters no longer equal those of other NICs.
  template <class F>
  void Change(F change) {
    const auto own = std::make_shared<NicParameters>(*parameters_);
    change(*own);
    parameters_ = own;
  }
  void UseStream(NicTimer timer);
  void BuildStages();

  // Turns.
  void Activate(Requester& r, Time earliest) override;
  void StandAside(Requester& r, Time until) override;
  void MoveUp(const Requester& r);
  void JoinRound(Requester& r);
  void LeaveRound(int which, const Requester& r);
  void KeepTurn(Requester& r);
  void HoldUp(Requester& r);
  Requester* NextTurn(int which);
  Requester* NextOfScan(int which, Requester& first);
  void PlanScan();
  void Scan();
  void EndTurn(Requester& r);
  void EndTurn(Requester& r, Time next);
  void OnPace();
  void Announce(uint32_t rounds);

  // With two ports:
  void OnLinkKept(uint32_t port);
  void ChoosePorts();
  void LoseLaunched(int round);

  // Sending.
  Frame* MakeForPort(Port& port, int priority);
  bool MakeForPipeline(int round);
  MessageTimes::Made HowMade(const Requester& r, const NextFrame& next, Time eligible) const;
  void NoteMadeForPort(const Requester& r, const NextFrame& next, Time eligible, Time end);
  void SendNow(Frame* frame) override;
  void NoteLeft(const Frame& frame) {
    if (frame.kind == FrameKind::foreign) [[unlikely]]
      ports_[0]->foreign()->Left(frame);
  }

  // With resources:
  /// Size of a data frame without its feedback.
  int64_t UsualBytes(const Frame& frame) const {
    const Feedback* const feedback = pool_->FeedbackOf(frame);
    return frame.bytes - (feedback != nullptr ? feedback->bytes : 0);
  }
  uint8_t RoundOf(const Requester& r) const;
  bool HasRoom(int round) const;
  void Pump();
  void OnPump();
  void Launch(const NextFrame& next, const Requester& r);
  void WakePort(int round, Time at);
  void OnLaunched(int round);
  Frame* TakeLaunched(Port& port, int priority);
  bool StandsBehindResponses(Frame* frame);
  void NoteSent(uint32_t qp, const Frame& frame);
  void Accept(Port& port, Frame* frame);
  void OnLooped(Frame* frame);
  void TakeIn();
  void OnTaken(bool loop);
  void NoteEffect(const Frame& frame);
  Time Landed() const override { return stages_ == nullptr ? now() : stages_->landed; }
  Time ArrivalTime() const override {
    return stages_ == nullptr ? now() - parameters_->rx_latency : stages_->came;
  }
  Time EndOfTransmission(const Requester& r, uint32_t bytes) const override {
    return PortOf(r).EndOfTransmission(bytes);
  }

  // Receiving.
  void Effect(Frame* frame);
  void Process(Frame* frame);
  void OnData(Frame& frame);
  void OnAsk(const Frame& frame);
  void OnReadResponse(Frame& frame);

  // Arriving bulk connections.
  void Resolve(Frame& frame);
  Responder& AcceptConnection(const Frame& first);
  void Follow(Responder& s, const Frame& frame);

  // Congestion control.
  void StartRate(Requester& r);
  void CountSent(Requester& r, Frame& frame);
  void OnFlagged(Responder& s, Frame& frame);
  void OnMarked(Responder& s, const Frame& frame);
  void CountMarked(const Frame& frame);
  [[gnu::cold]] void OnFlaggedResponse(Requester& r, Frame& frame);
  void OnNotification(uint32_t qp, uint16_t generation);
  void OnRateTimer(Requester& r);
  void ArmRate(Requester& r);

  // Other controls than DCQCN.
  struct Controlled {
    std::unique_ptr<Control> control;
    ControlPath path;
    int64_t last_bytes = 0;  ///< bytes of the last frame on the wire
    Time last_start;         ///< start of its transmission
    uint64_t counted = 0;    ///< packets below this PSN count as acknowledged
    /// READ responses with consecutive PSNs, and the number of responses made before them.
    struct Run {
      uint32_t psn = 0;
      uint64_t made = 0;
    };
    uint64_t made = 0, acknowledged = 0;
    uint32_t next_psn = 0;   ///< the PSN behind the last response
    Ring<Run> runs;          ///< runs that are not acknowledged
    Time quiet_at;           ///< time when the responses made so far are over, if nothing delays them
    Time held_at, freed_at;  ///< times when responses were last held up and released

    void NoteResponse(uint32_t psn);
    /// The number of responses that this ACK is the first to acknowledge.
    uint64_t Acknowledge(uint32_t psn);
  };
  /// READ responses that arrived and must be acknowledged, for their sender's control.
  struct ResponseAcks {
    uint32_t packets = 0, psn = 0;
    uint16_t generation = 0;
    bool marked = false;
  };
  void BeginControl(Requester& r);
  [[gnu::cold]] void PrepareControlled(Requester& r, Frame& frame, int64_t wire_bytes);
  void OnControlledAck(Requester& r, const Frame& frame, uint64_t una) override;
  bool Notify(Requester& r, uint16_t generation);
  void OnLoss(Requester& r, Loss loss) override;
  void OnReadTaken(Requester& r, bool again) override;
  void AcknowledgeResponses(Responder& twin, ResponseAcks& acks, uint8_t echoes);
  void OnControlTimer(Requester& r);
  void Apply(Requester& r, bool resumes);
  void RescaleWait(Requester& r, Rate before);
  void PaceFromStart(Requester& r);
  void BringBack(Frame& ack) override;

  // Credits.
  void OnBacklog(Requester& r) override;
  [[gnu::cold]] void AskForCredits(Requester& r, Control::Ask ask);
  void OnCreditAsk(const Responder& s, const Frame& ask);
  void OnCredit(const Frame& frame);
  /// Arriving frames other than data use part of the line, which the credits then leave free.
  void NoteComing(const Frame& frame) {
    if (credit_scheduler_ != nullptr) credit_scheduler_->Defer(Bytes(frame.bytes + constants_->gap));
  }

  // Queue pairs.
  Requester& NewRequester(MessageOwner& owner, uint8_t priority, Transport transport = Transport::rc);
  Responder& NewResponder(MessageOwner& owner, uint8_t priority, Transport transport = Transport::rc);
  void BeginBulk(Requester& r, uint16_t source_port);
  void BeginBulk(Responder& s, uint16_t source_port);
  Pair AddPair(MessageOwner& owner, Transport transport, uint8_t priority) override;
  void Direct(Requester& r, NodeId peer, uint16_t source_port) override;
  void BeginAnew(Requester& r) override;
  bool FlagsAcks(uint8_t priority) const override { return parameters_->FlagsAcks(priority); }
  void OnPolled(NodeId peer, const Wc& wc) override { completion_trace_(*this, peer, wc); }
  /// Whether CNPs slow down the queue pair. A queue pair that does not react ignores max_rate.
  bool Reacts(const Requester& r) const {
    return dcqcn_ && reaction_point_->parameters().priorities.Has(r.priority);
  }

  std::unique_ptr<NicStages> stages_;  ///< null if the NIC is ideal
  std::unique_ptr<ContextTable> own_contexts_;
  PeerBuffers buffers_;  ///< buffers of sender_window
  SharedValue<NicParameters> parameters_ = std::make_shared<const NicParameters>();
  std::shared_ptr<const NicConfig::Paths> paths_;
  std::string name_;
  uint8_t lossless_ = 0;                            ///< like NicConfig::lossless
  std::array<ns3::Ptr<Port>, Bond::kPorts> ports_;  ///< the second: null without bond_
  std::unique_ptr<Bond> bond_;                      ///< null: the NIC has one port
  bool dcqcn_ = true;
  bool notifies_ = true;  ///< marks cause CNPs unless their sender reads ACKs
  bool leaks_ = false;    ///< congestion_leaking
  bool scans_ = false;    ///< schedules like the HPCC simulator's NIC (NextOfScan)
  bool stays_ = false;    ///< leaks_ or scans_: a requester that may not send yet stays in its round
  uint32_t held_up_ = 0;  ///< mask of the rounds that such a requester holds up until an event
  std::vector<StoppedSpans> holds_;  ///< for each round, its times of waiting; empty if times are not kept
  LaneId receive_lane_ = kNoLane;
  ns3::Ptr<ReactionPoint> reaction_point_;
  ns3::Ptr<NotificationPoint> notification_point_;
  std::vector<Controlled> controls_;         ///< indexed by queue pair; for controls other than DCQCN
  std::vector<ResponseAcks> response_acks_;  ///< indexed by requester
  std::unique_ptr<CreditScheduler> credit_scheduler_;  ///< present from the first request for credits on
  Frame* gathered_ = nullptr;     ///< the frame that takes effect, if its ACK returns its feedback
  PauseReceiver pause_receiver_;  ///< of the first port
  PauseSender pause_sender_;      ///< the same; sends pauses for a receive buffer that fills, and for faults

  BulkOwner bulk_{*this};
  Deque<Requester> requesters_;
  Deque<Responder> responders_;
  ConnectionTable connections_;   ///< bulk connections that other hosts opened
  std::unique_ptr<Verbs> verbs_;  ///< present once a program uses them
  std::array<Round, kRounds> rounds_;
  uint32_t waiting_rounds_ = 0;   ///< one bit for each round that is not empty
  std::vector<Waiting> waiting_;  ///< a heap, earliest first
  Time pace_at_ = kNever;         ///< time of the pending pace event, if any
  ns3::TracedCallback<uint32_t, Time, Rate> rate_trace_;
  OptionalTrace<const Nic&, uint32_t, bool> notification_trace_;
  OptionalTrace<const Nic&, NodeId, const Wc&> completion_trace_;
};

}  // namespace headroom
