// A port: eight egress queues, a pause mask and the transmitter of one direction of a link. Beside it stand
// the device that ns-3 sees (port_device.h), its rarer counters (port_statistics.h), and the agents of
// congestion controls (port_agent.h).
//
// A frame in transmission always finishes. A PFC frame goes before all queues. Then come the queues by strict
// priority and weighted round robin, by bytes (DWRR) or packets (WRR), in the form that overdraws by at most
// one frame (surplus round robin, Adiseshu et al., SIGCOMM 1996). A frame leaves only once it is `ready`: the
// latency of its node is not a separate station.
//
// Identity: bytes enqueued = bytes dequeued + bytes in the queues. The end of a transmission has an event
// only if something waits for it. A frame that becomes ready has an event only if it may find the transmitter
// free.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "net/frame.h"
#include "net/frame_format.h"
#include "net/link.h"
#include "net/optional_trace.h"
#include "net/oscillator.h"
#include "net/own_packets.h"
#include "net/port_agent.h"
#include "net/port_counters.h"
#include "net/port_device.h"
#include "net/port_statistics.h"
#include "net/queue_scheduling.h"
#include "net/stopped_spans.h"
#include "net/traffic_class.h"
#include "sim/lazy.h"
#include "sim/ring.h"

namespace headroom {

/// The interface of a node to its ports.
class PortOwner {
 public:
  /// A frame has arrived with its last bit. The owner takes ownership of it.
  virtual void Receive(Port& port, Frame* frame) = 0;
  /// The frame will arrive soon: the owner may compute its egress and prefetch data; nothing else changes.
  /// Values that depend on the instant of arrival are not computed here.
  virtual void Prepare(const Port& port, Frame& frame) const = 0;
  /// A frame has arrived without a computed egress: the owner computes it if it forwards the frame.
  virtual void FindPath(const Port& port, Frame& frame) { Prepare(port, frame); }
  /// A PFC frame has arrived; the owner reads it, and the port returns it to the pool.
  virtual void ReceivePfc(Port& port, const Frame& frame) = 0;
  /// A frame left its queue: its transmission starts now. `left` bytes remain in that queue.
  virtual void Dequeued(Port& port, Frame& frame, int64_t left) = 0;
  /// Bytes that wait for this port elsewhere than in its queues.
  virtual int64_t WaitsElsewhere(const Port&) const { return 0; }
  /// A frame left its queue and will be dropped: its transmission does not start.
  virtual void Discarded(Port&, Frame&) {}

 protected:
  ~PortOwner() = default;
};

/// Frames made on demand when the port is free: a NIC's queue pairs. A priority's queue goes before its
/// source.
class FrameSource {
 public:
  /// Returns the next frame of this priority for this port, or null: then the priority counts as empty until
  /// Port::SetPullable.
  virtual Frame* Pull(Port& port, int priority) = 0;

 protected:
  ~FrameSource() = default;
};

/// A pause of one priority began or ended at a port, or was repeated.
struct PauseChange {
  enum class Kind : uint8_t { begin, end, refresh };
  uint8_t priority = 0;
  bool sent = false;  ///< this port pauses its peer; otherwise its peer pauses it
  Kind kind = Kind::begin;
  int64_t group_bytes = 0;  ///< sent: bytes in the priority group
  bool storm = false;       ///< sent: the pause does not depend on the node's buffers
  /// The low 24 bits of the number of pauses that the sending port had begun: at `sent` including this one,
  /// else when it requested the frame.
  uint32_t number = 0;
  static constexpr uint32_t kNumbers = 0xffffff;
};

class Port final : public PortDevice, public EventTarget {
 public:
  using FrameTrace = void (*)(const Port&, const Frame&);
  using DropTrace = void (*)(const Port&, const Frame&, const DropCause&);
  using PauseTrace = void (*)(const Port&, const PauseChange&);
  using BlockTrace = void (*)(const Port&);

  static ns3::TypeId GetTypeId();
  /// Installs the handlers of the classes `arrival` and `transmit_end`; call it once per run, with any port.
  static void InstallHandlers(EventQueue& queue, const Port& any);

  /// REQUIRES: called once, before Link::Connect. `timing` must outlive the port.
  void Setup(PortOwner* owner, FramePool* pool, LinkTiming* timing, const FrameFormat& format,
             const TrafficClasses& classes, uint16_t index, EntityId entity);
  /// Every enqueued frame is ready `latency` later. It gets its own wake-up, on a lane, unless the queue
  /// before it keeps the transmitter busy for about as long.
  void SetPipeline(Time latency);
  /// From now on frames are sent at another rate. REQUIRES: the delay and gap are those of Setup.
  void SetTiming(LinkTiming* timing) { hot_.timing = timing; }
  /// Without this call the port's clock is exact. `jitter`: as in OscillatorParameters.
  void SetOscillator(Skew skew, Time jitter) {
    hot_.skew = skew;
    jitter_ = jitter;
  }
  Skew skew() const { return hot_.skew; }
  /// A frame for this port was lost in a full buffer: the next one draws its lag.
  void DrawLag() { hot_.flags |= kDrawsLag; }
  /// Sets how the queues share the wire. Without this call they follow the classes of their numbers.
  void SetScheduling(const std::array<QueueScheduling, kPriorities>& queues);
  void SetSource(FrameSource* source) { source_ = source; }
  bool has_source() const { return source_ != nullptr; }
  /// From now on frames go to this owner. So an object between a port and its node costs nothing when it is
  /// absent.
  void SetOwner(PortOwner* owner) { hot_.owner = owner; }
  /// `to`: the entity of the port at the far end.
  void Attach(Link* link, Link::Direction* out, EntityId to);
  /// The link may lose or delay frames: from now on it sees each frame.
  void ShowLinkFrames() { hot_.to = nullptr; }

  uint16_t index() const { return hot_.index; }
  EntityId entity() const { return hot_.entity; }
  Rate rate() const { return built_->rate(); }
  /// The rate of frames whose transmission starts now. A fault may have lowered it.
  Rate rate_now() const { return hot_.timing->rate(); }
  const LinkTiming& timing() const { return *hot_.timing; }
  Time busy_until() const { return hot_.busy_until; }
  FramePool& pool() { return *pool_; }

  /// Appends a frame to a queue; without a number, to its priority's queue. REQUIRES: frame->ready and
  /// frame->charge are set, and ready does not decrease within a queue.
  void Enqueue(Frame* frame, uint8_t queue);
  void Enqueue(Frame* frame) { Enqueue(frame, frame->priority); }
  /// The source now has frames of these priorities.
  void SetPullable(uint8_t mask);
  bool pullable(int priority) const { return ((hot_.pullable >> priority) & 1) != 0; }
  void ClearPullable(int priority) { hot_.pullable &= static_cast<uint8_t>(~(1u << priority)); }
  /// The time at which a frame of this size would have left if it started now.
  Time EndOfTransmission(uint32_t bytes) {
    const Time now = EventQueue::Get().now();
    const Time serialization = hot_.timing->For(bytes + hot_.timing->gap()).serialization;
    const Time end = now + hot_.skew.Stretch(serialization);
    return DrawsLag(now) ? end + Jump(now, serialization).by : end;
  }
  /// Applies a received pause: a paused queue may not start a frame.
  void SetPaused(int queue, bool paused);
  uint8_t paused() const { return paused_; }
  /// Queues that may not start a frame for a reason other than a pause.
  uint8_t blocked() const;
  /// Closes queues for another reason; each Block needs its own Unblock. PFC frames are still sent.
  void Block(uint8_t mask);
  void Unblock(uint8_t mask);
  /// While the link is down no transmission starts, PFC frames included, and no PFC frame is requested. With
  /// `drains`, frames still start, and are lost.
  void SetLinkUp(bool up, bool drains);
  /// The node sends nothing: no frame starts, PFC included, and its PFC requests are forgotten.
  void SetSilent(bool silent);
  /// Drops all frames that wait in this queue. Returns the number of dropped frames.
  uint64_t Flush(int queue, DropReason reason);
  /// For the watchdog: frames of these queues are dropped when they leave, if they cannot be dropped earlier.
  /// The number of frames of a queue dropped in this way.
  void SetDiscarding(uint8_t mask);
  uint64_t discarded(int queue) const;
  /// Prefetches the memory that Enqueue to this queue touches.
  void Prefetch(int queue) const {
    __builtin_prefetch(&hot_);
    __builtin_prefetch(&queues_[queue]);
  }
  /// Requests a PFC frame as soon as the transmitter is free. Waiting requests share a frame, except a second
  /// one for the same priority. So even a pause that is already over is sent, because each MA_CONTROL.request
  /// of IEEE 802.1Qbb causes a frame.
  void SendPfc(uint8_t xoff, uint8_t xon, uint16_t quanta);
  bool link_up() const { return link_up_; }
  bool PfcWaits() const { return (hot_.flags & kPfcWaits) != 0; }

  /// From now on, the port records waits of frames that have an itinerary. `transit`: the time that the node
  /// takes to bring a frame from another port to this one.
  void KeepItineraries(Time transit);
  /// From now on the agent hears of frames that collect feedback.
  void AddAgent(std::unique_ptr<PortAgent> agent) {
    hot_.flags |= kAgents;
    agents_.push_back(std::move(agent));
  }
  bool keeps_itineraries() const { return (hot_.flags & kItineraries) != 0; }
  /// In a switch: this frame, which has an extension, will leave by this port and waits for it from now on.
  /// REQUIRES: itineraries are kept.
  [[gnu::noinline]] void NoteWaits(const Frame& frame);
  /// The time between `from` and `to` during which the queue was paused. It is 0 if itineraries are not kept.
  Time PausedWithin(int queue, Time from, Time to) const;

  /// Counts a frame of this port that was lost or dropped, and reports it to the listeners of `Drop`.
  void CountDrop(const DropCause& cause, const Frame& frame);
  /// A PFC frame has arrived that this port cannot read: it counts as corrupt for each priority that it
  /// names.
  void CountCorruptPfc(const Frame& pfc) { statistics_.CountCorruptPfc(pfc.pfc.xoff | pfc.pfc.xon); }
  void CountMark(const Frame& frame);
  void NotePause(PauseChange change);

  const FrameFifo& queue(int queue) const { return queues_[queue].fifo; }
  /// Bytes that wait for this port elsewhere in its node.
  int64_t WaitsElsewhere() const { return hot_.owner->WaitsElsewhere(*this); }
  uint64_t sent_bytes(int queue) const { return queues_[queue].tx_bytes; }
  uint64_t sent_packets(int queue) const { return queues_[queue].tx_packets; }
  /// Sent and marked frames are counted by queue, received and lost ones by priority. Queue and priority
  /// differ only at switches with such maps.
  PriorityCounters counters(int priority) const;
  const PortStatistics& statistics() const { return statistics_; }
  int64_t peak_queue(int queue) const { return queues_[queue].peak; }
  void ResetPeaks();
  /// The kind of the frame on the wire, if there is one at `now`.
  const FrameKind* Transmitting(Time now) const { return hot_.busy_until > now ? &hot_.last_kind : nullptr; }

  void OnEvent(uint64_t arg) override;  ///< a PFC frame arrives

  ns3::Ptr<ns3::Channel> GetChannel() const override { return link_; }
  bool IsLinkUp() const override { return link_ != nullptr && link_up_; }

 private:
  void Arrive(Frame* frame);
  void Wake();
  void Kick(Time earliest);
  Time EarliestReady() const;
  /// Whether a head that is ready at `ready` may lack its own wake-up.
  bool NeedsWake(Time ready) const { return hot_.ready_lane == kNoLane || ready <= unannounced_until_; }
  struct Queue;
  void Announce(const Queue& queue, Time ready);
  void ArmWake(Time at, LaneId lane);
  void PushWake(Time at, LaneId lane);
  void Serve();
  Frame* Choose(Time now, Time* ready);
  int Pick(uint8_t candidates);
  int TakeTurn(uint8_t candidates);
  int32_t Cost(int queue, const Frame& frame) const;
  void Start(Frame* frame);
  struct Jumped {
    uint16_t lag = 0;
    Time by;
  };
  [[gnu::always_inline]] bool DrawsLag(Time now) const {
    return hot_.busy_until == now && (Jitter::Redraws(now, hot_.entity) || (hot_.flags & kDrawsLag) != 0);
  }
  [[gnu::noinline]] Jumped Jump(Time now, Time serialization) const;
  [[gnu::noinline]] void NoteLeaves(const Frame& frame);
  [[gnu::noinline]] void TellAgents(const Frame& frame) const;
  void NoteWait(const Frame& frame, Itinerary& itinerary, Time for_own);
  bool WaitsForOwn(const Frame& frame) const;
  void NoteWaitsNoMore(const Frame& frame);
  [[gnu::noinline]] void NoteComes(const Frame& frame);
  Frame* MakePfc();
  void UpdateStopped();
  void ForgetPfc();
  uint64_t GetRateAttribute() const { return static_cast<uint64_t>(rate().v); }

  static constexpr uint8_t kPfcWaits = 1, kTransmitHeard = 2, kReceiveHeard = 4, kItineraries = 8,
                           kTookTurns = 16, kOwnWait = 32, kAgents = 64, kDrawsLag = 128;
  /// The members that every arrival and every transmission touches, in one cache line.
  struct alignas(64) Hot {
    Time busy_until;
    Time wake_at = kNever;
    LinkTiming* timing = nullptr;
    PortOwner* owner = nullptr;
    Port* to = nullptr;  ///< the port at the other end; null: the link sees each frame
    EntityId entity = 0;
    EntityId to_entity = 0;
    uint16_t index = 0;
    uint8_t ready_lane = kNoLane;
    FrameKind last_kind = FrameKind::data;
    uint8_t nonempty = 0;
    uint8_t pullable = 0;
    uint8_t stopped = 0;        ///< queues that are paused or blocked
    uint8_t flags = 0;          ///< kPfcWaits, …: whether the port has any of these
    uint32_t last_message = 0;  ///< message of the last frame sent, if that was data
    Skew skew;
    uint16_t lag = 0;  ///< of the run of frames that ends at busy_until, in Jitter's units
  };
  static_assert(sizeof(Hot) == 64);
  /// One queue and the counters of its transmissions, in one cache line.
  struct alignas(64) Queue {
    FrameFifo fifo;
    int64_t peak = 0;
    uint64_t tx_bytes = 0, tx_packets = 0, data_tx_packets = 0;
  };
  static_assert(sizeof(Queue) == 64);
  struct Received {
    uint64_t bytes = 0, packets = 0;
  };
  Hot hot_;
  std::array<Queue, kPriorities> queues_;
  FlaggedTrace<const Port&, const Frame&> transmit_, receive_;
  struct Waits {
    Time transit;
    OwnPackets own;  ///< not empty: kOwnWait
    Lazy<std::array<StoppedSpans, kPriorities>> paused;
  };
  std::unique_ptr<Waits> waits_;                    ///< present while itineraries are kept: kItineraries
  std::vector<std::unique_ptr<PortAgent>> agents_;  ///< not empty: kAgents
  std::array<Received, kPriorities> received_;
  std::array<int32_t, kPriorities> deficit_{};
  std::array<int32_t, kPriorities> quantum_{};
  uint8_t round_ = 0;      ///< the next queue in weighted round robin
  uint8_t strict_ = 0;     ///< queues that take no turns
  uint8_t by_packet_ = 0;  ///< queues whose turns count packets, not bytes
  struct PfcRequest {
    uint8_t xoff = 0, xon = 0;
    uint16_t quanta = 0;
    uint32_t number = 0;
  };
  Lazy<Ring<PfcRequest>> pfc_requests_;
  uint32_t pauses_begun_ = 0;
  Time jitter_;              ///< as in OscillatorParameters; 0 with an exact clock
  int64_t busy_enough_ = 0;  ///< with this many bytes in the queue, the next frame needs no wake-up
  /// By this time, all frames without their own wake-up are ready.
  Time unannounced_until_{-1};
  uint32_t pfc_bytes_ = 64;
  LinkTiming* built_ = nullptr;  ///< hot_.timing without faults
  FrameSource* source_ = nullptr;
  FramePool* pool_ = nullptr;
  Link* link_ = nullptr;
  Link::Direction* out_ = nullptr;
  PortStatistics statistics_;
  uint8_t paused_ = 0;
  bool link_up_ = true;
  bool silent_ = false;
  std::array<uint8_t, kPriorities> blocks_{};  ///< number of blocks of each queue

  OptionalTrace<const Port&, const Frame&> mark_;
  OptionalTrace<const Port&, const Frame&, const DropCause&> drop_;
  OptionalTrace<const Port&, const PauseChange&> pause_;
  OptionalTrace<const Port&> block_;
};

}  // namespace headroom
