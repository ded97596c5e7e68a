#include "net/port.h"

#include <ns3/trace-source-accessor.h>
#include <ns3/uinteger.h>

#include <bit>

#include "net/queue_scheduling.h"

namespace headroom {

NS_OBJECT_ENSURE_REGISTERED(Port);

ns3::TypeId Port::GetTypeId() {
  static ns3::TypeId tid =
      ns3::TypeId("headroom::Port")
          .SetParent<ns3::NetDevice>()
          .SetGroupName("Headroom")
          .AddConstructor<Port>()
          .AddAttribute("Rate", "Bit rate of the transmitter, in bit/s.", ns3::TypeId::ATTR_GET,
                        ns3::UintegerValue(0), ns3::MakeUintegerAccessor(&Port::GetRateAttribute),
                        ns3::MakeUintegerChecker<uint64_t>())
          .AddTraceSource("Transmit", "The transmission of a frame starts (PFC frames too).",
                          ns3::MakeTraceSourceAccessor(&Port::transmit_), "headroom::Port::FrameTrace")
          .AddTraceSource("Receive", "The last bit of a frame has arrived (PFC frames too).",
                          ns3::MakeTraceSourceAccessor(&Port::receive_), "headroom::Port::FrameTrace")
          .AddTraceSource("Mark", "A frame leaves its queue, and this port has set CE in it.",
                          ns3::MakeTraceSourceAccessor(&Port::mark_), "headroom::Port::FrameTrace")
          .AddTraceSource("Drop", "This port drops a frame, for the given reason.",
                          ns3::MakeTraceSourceAccessor(&Port::drop_), "headroom::Port::DropTrace")
          .AddTraceSource("Pause", "A pause begins, is repeated or ends, at either end of the link.",
                          ns3::MakeTraceSourceAccessor(&Port::pause_), "headroom::Port::PauseTrace")
          .AddTraceSource("Block", "Queues are blocked, or released, for another reason than a pause.",
                          ns3::MakeTraceSourceAccessor(&Port::block_), "headroom::Port::BlockTrace");
  return tid;
}

void Port::InstallHandlers(EventQueue& queue, const Port& any) {
  // The line to prefetch is the hot one, behind the members of ns3::Object.
  const auto hot =
      static_cast<uint32_t>(reinterpret_cast<const char*>(&any.hot_) - reinterpret_cast<const char*>(&any));
  queue.SetHandler(
      EventClass::arrival,
      [](void* target, uint64_t arg) { static_cast<Port*>(target)->Arrive(reinterpret_cast<Frame*>(arg)); },
      hot);
  queue.SetPrepare(EventClass::arrival, [](void* target, uint64_t arg) {
    const auto* port = static_cast<const Port*>(target);
    port->hot_.owner->Prepare(*port, *reinterpret_cast<Frame*>(arg));
  });
  queue.SetPrepare(EventClass::transmit_end, [](void*, uint64_t arg) {
    __builtin_prefetch(reinterpret_cast<const Queue*>(arg)->fifo.head);
  });
  queue.SetHandler(
      EventClass::transmit_end, [](void* target, uint64_t) { static_cast<Port*>(target)->Wake(); }, hot);
}

void Port::Setup(PortOwner* owner, FramePool* pool, LinkTiming* timing, const FrameFormat& format,
                 const TrafficClasses& classes, uint16_t index, EntityId entity) {
  hot_.entity = entity;
  hot_.owner = owner;
  pool_ = pool;
  hot_.timing = built_ = timing;
  hot_.index = index;
  pfc_bytes_ = static_cast<uint32_t>(format.Pfc().v);
  std::array<QueueScheduling, kPriorities> queues;
  for (int p = 0; p < kPriorities; ++p) {
    queues[p].kind = classes[p].strict ? QueueScheduling::Kind::strict : QueueScheduling::Kind::dwrr;
    queues[p].weight = classes[p].weight;
  }
  SetScheduling(queues);
  transmit_.SetFlag(&hot_.flags, kTransmitHeard);
  receive_.SetFlag(&hot_.flags, kReceiveHeard);
}

void Port::Attach(Link* link, Link::Direction* out, EntityId to) {
  link_ = link;
  out_ = out;
  const bool plain = out->impairment == nullptr && out->delay == hot_.timing->delay();
  hot_.to = plain ? out->to : nullptr;
  hot_.to_entity = to;
}

namespace {
/// Bytes of a turn per unit of weight: more than a full frame, so that a turn has at least one frame. If
/// turns count packets, each packet counts this much.
constexpr int32_t kQuantum = 2048;
}  // namespace

void Port::SetScheduling(const std::array<QueueScheduling, kPriorities>& queues) {
  strict_ = by_packet_ = 0;
  for (int q = 0; q < kPriorities; ++q) {
    const auto bit = static_cast<uint8_t>(1u << q);
    if (queues[q].kind == QueueScheduling::Kind::strict) strict_ |= bit;
    if (queues[q].kind == QueueScheduling::Kind::wrr) by_packet_ |= bit;
    quantum_[q] = kQuantum * static_cast<int32_t>(queues[q].weight);
  }
}

int32_t Port::Cost(int queue, const Frame& frame) const {
  return ((by_packet_ >> queue) & 1) != 0 ? kQuantum : static_cast<int32_t>(frame.bytes);
}

void Port::Enqueue(Frame* frame, uint8_t queue) {
  frame->queue = queue & 7;
  const int p = queue;
  Queue& q = queues_[p];
  const auto bit = static_cast<uint8_t>(1u << p);
  // The port is idle and nothing else waits: the frame would leave immediately, so it need not enter the
  // queue.
  const Time now = EventQueue::Get().now();
  const int others = (hot_.nonempty | hot_.pullable) & ~hot_.stopped;
  if ((others | (hot_.stopped & bit) | (hot_.flags & kPfcWaits)) == 0 && frame->ready <= now &&
      hot_.busy_until <= now && now < hot_.wake_at) {
    if (frame->charge > q.peak) q.peak = frame->charge;
    if ((hot_.flags & kTookTurns) != 0 && deficit_[p] > 0) deficit_[p] = 0;
    hot_.owner->Dequeued(*this, *frame, 0);
    return Start(frame);
  }
  q.fifo.Append(frame);
  if (q.fifo.bytes > q.peak) q.peak = q.fifo.bytes;
  hot_.nonempty |= bit;
  if (hot_.ready_lane != kNoLane) return Announce(q, frame->ready);
  if ((hot_.stopped & bit) == 0) Kick(frame->ready);
}

void Port::SetPipeline(Time latency) {
  hot_.ready_lane = static_cast<uint8_t>(EventQueue::Get().LaneFor(EventClass::transmit_end, latency));
  busy_enough_ = BytesIn(latency, rate()).v / 2;
}

/// Ensures that the port checks a newly queued frame when the frame is ready. If many bytes wait before it,
/// the end of a transmission finds it: Start then arms a wake-up for a head that is not ready yet. A paused
/// port gets the wake-up too. When it resumes it checks its queues, and arms the next wake-up.
void Port::Announce(const Queue& queue, Time ready) {
  if (queue.fifo.bytes > busy_enough_ + queue.fifo.tail->charge) {
    unannounced_until_ = std::max(unannounced_until_, ready);
  } else if (hot_.busy_until > ready) {
    Kick(ready);
  } else {
    PushWake(ready, hot_.ready_lane);
  }
}

void Port::SetPullable(uint8_t mask) {
  hot_.pullable |= mask;
  if ((mask & ~hot_.stopped) != 0) Kick(EventQueue::Get().now());
}

void Port::SetPaused(int queue, bool paused) {
  const auto bit = static_cast<uint8_t>(1u << queue);
  paused_ = static_cast<uint8_t>(paused ? paused_ | bit : paused_ & ~bit);
  if (waits_) {
    const Time now = EventQueue::Get().now();
    if (paused) {
      waits_->paused.Make()[queue].Begin(now);
    } else if (waits_->paused.made()) {
      waits_->paused.Make()[queue].End(now);
    }
  }
  UpdateStopped();
}

void Port::SendPfc(uint8_t xoff, uint8_t xon, uint16_t quanta) {
  if (!link_up_ || silent_) return;
  Ring<PfcRequest>& requests = pfc_requests_.Make();
  const bool shares = !requests.Empty() && requests.Back().quanta == quanta &&
                      ((requests.Back().xoff | requests.Back().xon) & (xoff | xon)) == 0;
  if (shares) {
    requests.Back().xoff |= xoff;
    requests.Back().xon |= xon;
    requests.Back().number = pauses_begun_;
  } else {
    requests.PushBack({xoff, xon, quanta, pauses_begun_});
  }
  hot_.flags |= kPfcWaits;
  Kick(EventQueue::Get().now());
}

void Port::NotePause(PauseChange change) {
  if (change.sent) {
    if (change.kind == PauseChange::Kind::begin) ++pauses_begun_;
    change.number = pauses_begun_ & PauseChange::kNumbers;
  }
  pause_(*this, change);
}

/// A frame may be ready at `earliest`: ensures that the transmitter checks then, or as soon as it is free.
void Port::Kick(Time earliest) {
  const Time now = EventQueue::Get().now();
  const Time at = std::max(earliest, hot_.busy_until);
  if (at >= hot_.wake_at) return;
  if (at <= now) return Serve();
  ArmWake(at, kNoLane);
}

void Port::ArmWake(Time at, LaneId lane) {
  hot_.wake_at = at;
  PushWake(at, lane);
}

[[gnu::noinline]] void Port::PushWake(Time at, LaneId lane) {
  // The argument is the queue that will most likely be served; it is only a prefetch hint.
  const Queue& likely = queues_[std::countr_zero(hot_.nonempty | 0x80u)];
  EventQueue::Get().Push(lane, {at, TimedEvent::Order(EventClass::transmit_end, hot_.entity), this,
                                reinterpret_cast<uint64_t>(&likely)});
}

void Port::Wake() {
  // A wake-up may have no effect, if an earlier one has started a transmission.
  const Time now = EventQueue::Get().now();
  if (hot_.busy_until > now) return;
  if (hot_.wake_at <= now) hot_.wake_at = kNever;
  Serve();
}

/// REQUIRES: the transmitter is free.
void Port::Serve() {
  Time ready = kNever;
  Frame* frame = (hot_.flags & kPfcWaits) != 0 ? MakePfc() : Choose(EventQueue::Get().now(), &ready);
  if (frame != nullptr) {
    Start(frame);
  } else if (ready < hot_.wake_at && NeedsWake(ready)) {
    ArmWake(ready, kNoLane);
  }
}

/// Takes the next frame out of its queue or source. Returns null if no frame may go now; *ready is then the
/// time of the first that may.
Frame* Port::Choose(Time now, Time* ready) {
  auto candidates = static_cast<uint8_t>((hot_.nonempty | hot_.pullable) & ~hot_.stopped);
  while (candidates != 0) {
    const int p = Pick(candidates);
    const auto bit = static_cast<uint8_t>(1u << p);
    // A strict priority takes no turns of the round robin, so its bytes must not be charged to a deficit.
    const bool contended = (candidates & (candidates - 1)) != 0 && (strict_ & bit) == 0;
    if ((hot_.nonempty & bit) != 0) {
      Queue& q = queues_[p];
      if (q.fifo.head_ready <= now) {
        Frame* f = q.fifo.Pop();
        if (contended) deficit_[p] -= Cost(p, *f);
        if (q.fifo.Empty()) {
          hot_.nonempty &= static_cast<uint8_t>(~bit);
          if ((hot_.flags & kTookTurns) != 0 && deficit_[p] > 0) deficit_[p] = 0;
        }
        hot_.owner->Dequeued(*this, *f, q.fifo.bytes);
        return f;
      }
      *ready = std::min(*ready, q.fifo.head_ready);
    }
    if ((hot_.pullable & bit) != 0) {
      if (Frame* f = source_->Pull(*this, p); f != nullptr) {
        if (contended) deficit_[p] -= Cost(p, *f);
        f->queue = static_cast<uint8_t>(p & 7);
        return f;
      }
      hot_.pullable &= static_cast<uint8_t>(~bit);
    }
    candidates &= static_cast<uint8_t>(~bit);
  }
  return nullptr;
}

int Port::Pick(uint8_t candidates) {
  if ((candidates & (candidates - 1)) == 0) return std::countr_zero(candidates);
  const auto strict = static_cast<uint8_t>(candidates & strict_);
  if (strict != 0) return std::bit_width(strict) - 1;
  return TakeTurn(candidates);
}

int Port::TakeTurn(uint8_t candidates) {
  hot_.flags |= kTookTurns;
  round_ = headroom::TakeTurn(
      candidates, round_, [this](int p) { return deficit_[p]; },
      [this](int p) { deficit_[p] += quantum_[p]; });
  return round_;
}

Frame* Port::MakePfc() {
  Ring<PfcRequest>& requests = pfc_requests_.Make();
  const PfcRequest request = requests.Front();
  requests.PopFront();
  if (requests.Empty()) hot_.flags &= static_cast<uint8_t>(~kPfcWaits);
  Frame* f = pool_->Take();
  f->kind = FrameKind::pfc;
  f->bytes = pfc_bytes_;
  f->pfc = {request.xoff, request.xon, request.quanta};
  f->pauses_begun = request.number;
  statistics_.CountPfcSent(request.xoff, request.xon);
  return f;
}

namespace {
// Code for rare frames is in a separate function: within Start and Arrive, it would make every frame save
// registers.
template <class... Args>
[[gnu::noinline]] void Tell(const OptionalTrace<const Args&...>& trace, const Args&... args) {
  trace(args...);
}
[[gnu::noinline]] void Carry(Link::Direction& d, Frame* frame, Time end, LaneId lane) {
  Link::Carry(d, frame, end, lane);
}
}  // namespace

void Port::TellAgents(const Frame& frame) const {
  Feedback* const feedback = pool_->FeedbackOf(frame);
  if (feedback == nullptr || frame.kind != FrameKind::data) return;
  for (const auto& agent : agents_) agent->OnSent(*this, frame, *feedback);
}

/// The lag of a frame that starts now, at an instant at which lags are drawn, and the change by it of the
/// frame's time.
Port::Jumped Port::Jump(Time now, Time serialization) const {
  if (jitter_ == Time{}) return {0, {}};
  const uint16_t lag = Jitter::Drawn(now, hot_.entity, serialization, jitter_, hot_.lag);
  return {lag, Time((lag - hot_.lag) * Jitter::kUnit)};
}

void Port::Start(Frame* frame) {
  const LinkTiming::PerSize& timing = hot_.timing->ForSending(frame->bytes + hot_.timing->gap());
  const Time now = EventQueue::Get().now();
  LaneId arrival = timing.arrival, done = timing.done;
  Time end = now + hot_.skew.Stretch(timing.serialization);
  if (hot_.busy_until != now) {
    hot_.lag = 0;
  } else if (DrawsLag(now)) [[unlikely]] {
    hot_.flags &= static_cast<uint8_t>(~kDrawsLag);
    const Jumped jumped = Jump(now, timing.serialization);
    hot_.lag = jumped.lag;
    end += jumped.by;
    if (jumped.by != Time{}) arrival = done = kNoLane;  // lanes hold only events nearly in order
  }
  hot_.busy_until = end;
  hot_.last_kind = frame->kind;
  if (frame->kind != FrameKind::pfc) {
    Queue& q = queues_[frame->queue];
    q.tx_bytes += frame->bytes;
    ++q.tx_packets;
    q.data_tx_packets += frame->kind == FrameKind::data;
    hot_.last_message = frame->message;
  }
  if (frame->extension != ExtensionId::none || (hot_.flags & (kOwnWait | kTransmitHeard)) != 0) [[unlikely]] {
    const bool noted = frame->extension != ExtensionId::none || (hot_.flags & kOwnWait) != 0;
    if (noted && (hot_.flags & kItineraries) != 0) NoteLeaves(*frame);
    if ((hot_.flags & kAgents) != 0) TellAgents(*frame);
    if ((hot_.flags & kTransmitHeard) != 0) Tell(transmit_, *this, *frame);
  }
  hot_.wake_at = kNever;
  const Time next = EarliestReady();
  if (next <= end) {
    ArmWake(end, done);
  } else if (next != kNever && NeedsWake(next)) {
    ArmWake(next, kNoLane);
  }
  if (hot_.to == nullptr || frame->kind == FrameKind::pfc) [[unlikely]]
    return Carry(*out_, frame, end, arrival);
  EventQueue::Get().Push(
      arrival, {end + hot_.timing->delay(), TimedEvent::Order(EventClass::arrival, hot_.to_entity), hot_.to,
                reinterpret_cast<uint64_t>(frame)});
}

/// The earliest start of a waiting frame; kNever if there is none.
Time Port::EarliestReady() const {
  if ((hot_.flags & kPfcWaits) != 0 || (hot_.pullable & ~hot_.stopped) != 0) return Time{};
  Time first = kNever;
  for (auto c = static_cast<uint8_t>(hot_.nonempty & ~hot_.stopped); c != 0;
       c &= static_cast<uint8_t>(c - 1)) {
    first = std::min(first, queues_[std::countr_zero(c)].fifo.head_ready);
  }
  return first;
}

void Port::Arrive(Frame* frame) {
  if (frame->lost) {
    CountDrop({frame->discarded ? DropReason::watchdog : DropReason::link_loss}, *frame);
    return pool_->Give(frame);
  }
  Received& r = received_[frame->priority];
  r.bytes += frame->bytes;
  ++r.packets;
  if (frame->extension != ExtensionId::none || (hot_.flags & kReceiveHeard) != 0) [[unlikely]] {
    if (frame->extension != ExtensionId::none && (hot_.flags & kItineraries) != 0) NoteComes(*frame);
    if ((hot_.flags & kReceiveHeard) != 0) Tell(receive_, *this, *frame);
  }
  hot_.owner->Receive(*this, frame);
}

void Port::OnEvent(uint64_t arg) {
  auto* frame = reinterpret_cast<Frame*>(arg);
  if (!frame->lost) {
    statistics_.CountPfcReceived(frame->pfc.xoff | frame->pfc.xon);
    if (receive_.Connected()) receive_(*this, *frame);
    hot_.owner->ReceivePfc(*this, *frame);
  }
  pool_->Give(frame);
}

void Port::CountDrop(const DropCause& cause, const Frame& frame) {
  statistics_.CountDrop(cause.reason, frame.priority, frame.bytes);
  drop_(*this, frame, cause);
}

void Port::CountMark(const Frame& frame) {
  statistics_.CountMark(frame.queue);
  mark_(*this, frame);
}

PriorityCounters Port::counters(int priority) const {
  const Queue& q = queues_[priority];
  const Received& r = received_[priority];
  return {q.tx_bytes, q.tx_packets, r.bytes, r.packets, statistics_.marked(priority), q.data_tx_packets};
}

void Port::ResetPeaks() {
  for (Queue& q : queues_) q.peak = q.fifo.bytes;
}

}  // namespace headroom
