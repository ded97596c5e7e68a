#include "net/port.h"

#include <ns3/trace-source-accessor.h>
#include <ns3/uinteger.h>

#include <bit>

namespace headroom {

NS_OBJECT_ENSURE_REGISTERED(Port);

ns3::TypeId Port::GetTypeId() {
  static ns3::TypeId tid =
      ns3::TypeId("headroom::Port")
          .SetParent<ns3::NetDevice>()
          .SetGroupName("Headroom")
          .AddConstructor<Port>()
          .AddAttribute("Rate", "Bit rate of the transmitter, in bit/s.", ns3::TypeId::ATTR_GET, ns3::UintegerValue(0),
                        ns3::MakeUintegerAccessor(&Port::GetRateAttribute), ns3::MakeUintegerChecker<uint64_t>())
          .AddTraceSource("Transmit", "The transmission of a frame starts (PFC frames too).",
                          ns3::MakeTraceSourceAccessor(&Port::transmit_), "headroom::Port::FrameTrace")
          .AddTraceSource("Receive", "A frame is in, with its last bit (not PFC).",
                          ns3::MakeTraceSourceAccessor(&Port::receive_), "headroom::Port::FrameTrace")
          .AddTraceSource("Mark", "A frame leaves its queue with CE set here.",
                          ns3::MakeTraceSourceAccessor(&Port::mark_), "headroom::Port::FrameTrace")
          .AddTraceSource("Drop", "A frame dies here, with the reason.", ns3::MakeTraceSourceAccessor(&Port::drop_),
                          "headroom::Port::DropTrace")
          .AddTraceSource("Pause", "A pause begins, is repeated or ends, at either end of the link.",
                          ns3::MakeTraceSourceAccessor(&Port::pause_), "headroom::Port::PauseTrace");
  return tid;
}

void Port::InstallHandlers(EventQueue& queue) {
  queue.SetHandler(EventClass::arrival, [](void* target, uint64_t arg) {
    static_cast<Port*>(target)->Arrive(reinterpret_cast<Frame*>(arg));
  });
  queue.SetHandler(EventClass::transmit_end, [](void* target, uint64_t) { static_cast<Port*>(target)->Wake(); });
}

void Port::Setup(PortOwner* owner, FramePool* pool, LinkTiming* timing, const FrameFormat& format,
                 const TrafficClasses& classes, uint16_t index, uint32_t context) {
  events_ = &EventQueue::Get();
  entity_ = events_->AddEntity(context);
  owner_ = owner;
  pool_ = pool;
  timing_ = timing;
  index_ = index;
  gap_ = static_cast<uint16_t>(format.gap);
  pfc_bytes_ = static_cast<uint16_t>(format.Pfc().v);
  first_mark_.fill(kNever);
  for (int p = 0; p < kPriorities; ++p) {
    if (classes[p].strict) strict_ |= static_cast<uint8_t>(1u << p);
    constexpr int32_t kQuantum = 2048;  // per unit of weight: above a full frame, so that a turn lasts one or more
    quantum_[p] = kQuantum * static_cast<int32_t>(classes[p].weight);
  }
}

void Port::Enqueue(Frame* frame) {
  const int p = frame->priority;
  FrameFifo& q = queues_[p];
  q.Append(frame);
  q.bytes += frame->charge;
  if (q.bytes > peaks_[p]) peaks_[p] = q.bytes;
  const auto bit = static_cast<uint8_t>(1u << p);
  nonempty_ |= bit;
  if ((paused_ & bit) == 0) Kick(frame->ready);
}

void Port::SetPullable(uint8_t mask) {
  pullable_ |= mask;
  if ((mask & ~paused_) != 0) Kick(events_->now());
}

void Port::SetPaused(int priority, bool paused) {
  const auto bit = static_cast<uint8_t>(1u << priority);
  if (paused) {
    paused_ |= bit;
  } else if ((paused_ & bit) != 0) {
    paused_ &= static_cast<uint8_t>(~bit);
    if (((nonempty_ | pullable_) & bit) != 0) Kick(events_->now());
  }
}

void Port::SendPfc(uint8_t xoff, uint8_t xon, uint16_t quanta) {
  pfc_xoff_ = static_cast<uint8_t>((pfc_xoff_ & ~xon) | xoff);
  pfc_xon_ = static_cast<uint8_t>((pfc_xon_ & ~xoff) | xon);
  pfc_quanta_ = quanta;
  Kick(events_->now());
}

/// Something may be sendable at `earliest`: sees to it that the transmitter looks then, or once it is free.
void Port::Kick(Time earliest) {
  const Time now = events_->now();
  const Time at = std::max(earliest, busy_until_);
  if (at >= wake_at_) return;
  if (at <= now) return Serve();
  ArmWake(at, kHeap);
}

void Port::ArmWake(Time at, LaneId lane) {
  wake_at_ = at;
  events_->Push(lane, {at, TimedEvent::Order(EventClass::transmit_end, entity_), this, 0});
}

void Port::Wake() {
  // An earlier wake-up may have taken this one's place: then it finds another time written down.
  if (wake_at_ != events_->now()) return;
  wake_at_ = kNever;
  Serve();
}

/// REQUIRES: the transmitter is free.
void Port::Serve() {
  if ((pfc_xoff_ | pfc_xon_) != 0) return Start(MakePfc());
  Time ready = kNever;
  Frame* frame = Choose(events_->now(), &ready);
  if (frame != nullptr) return Start(frame);
  if (ready < wake_at_) ArmWake(ready, kHeap);
}

/// Takes the next frame out of its queue or source. Null: none may go now; *ready is when the first one may.
Frame* Port::Choose(Time now, Time* ready) {
  auto candidates = static_cast<uint8_t>((nonempty_ | pullable_) & ~paused_);
  while (candidates != 0) {
    const int p = Pick(candidates);
    const auto bit = static_cast<uint8_t>(1u << p);
    const bool contended = (candidates & (candidates - 1)) != 0;
    if ((nonempty_ & bit) != 0) {
      FrameFifo& q = queues_[p];
      if (q.head->ready <= now) {
        Frame* f = q.Pop();
        q.bytes -= f->charge;
        if (contended) deficit_[p] -= static_cast<int32_t>(f->bytes);
        if (q.Empty()) {
          nonempty_ &= static_cast<uint8_t>(~bit);
          if (deficit_[p] > 0) deficit_[p] = 0;
        }
        owner_->Dequeued(*this, *f, q.bytes);
        return f;
      }
      *ready = std::min(*ready, q.head->ready);
    }
    if ((pullable_ & bit) != 0) {
      if (Frame* f = source_->Pull(p); f != nullptr) {
        if (contended) deficit_[p] -= static_cast<int32_t>(f->bytes);
        return f;
      }
      pullable_ &= static_cast<uint8_t>(~bit);
    }
    candidates &= static_cast<uint8_t>(~bit);
  }
  return nullptr;
}

int Port::Pick(uint8_t candidates) {
  const auto strict = static_cast<uint8_t>(candidates & strict_);
  if (strict != 0) return std::bit_width(strict) - 1;
  if ((candidates & (candidates - 1)) == 0) return std::countr_zero(candidates);
  return TakeTurn(candidates);
}

int Port::TakeTurn(uint8_t candidates) {
  while (((candidates >> round_) & 1) == 0 || deficit_[round_] <= 0) {
    const auto later = static_cast<uint8_t>(candidates & (0xfeu << round_));
    round_ = static_cast<uint8_t>(std::countr_zero(later != 0 ? later : candidates));
    deficit_[round_] += quantum_[round_];
  }
  return round_;
}

Frame* Port::MakePfc() {
  Frame* f = pool_->Take();
  f->kind = FrameKind::pfc;
  f->bytes = pfc_bytes_;
  f->pfc = {pfc_xoff_, pfc_xon_, pfc_quanta_};
  for (int p = 0; p < kPriorities; ++p) {
    pause_frames_[p] += (pfc_xoff_ >> p) & 1u;
    resume_frames_[p] += (pfc_xon_ >> p) & 1u;
  }
  // One frame may do both; it is counted as what weighs more.
  ++(pfc_xoff_ != 0 ? pause_frames_sent_ : resume_frames_sent_);
  pfc_xoff_ = pfc_xon_ = 0;
  return f;
}

void Port::Start(Frame* frame) {
  const LinkTiming::PerSize& timing = timing_->For(frame->bytes + gap_);
  busy_until_ = events_->now() + timing.serialization;
  last_kind_ = frame->kind;
  if (frame->kind != FrameKind::pfc) {
    PriorityCounters& c = counters_[frame->priority];
    c.tx_bytes += frame->bytes;
    ++c.tx_packets;
    c.data_tx_packets += frame->kind == FrameKind::data;
  }
  if (!transmit_.IsEmpty()) transmit_(*this, *frame);
  const bool more = (((nonempty_ | pullable_) & ~paused_) | pfc_xoff_ | pfc_xon_) != 0;
  wake_at_ = kNever;
  if (more) ArmWake(busy_until_, timing.done);
  link_->Carry(side_, frame, timing);
}

void Port::Arrive(Frame* frame) {
  if (frame->lost) {
    CountDrop(DropReason::link_loss, *frame);
    return pool_->Give(frame);
  }
  PriorityCounters& c = counters_[frame->priority];
  c.rx_bytes += frame->bytes;
  ++c.rx_packets;
  if (!receive_.IsEmpty()) receive_(*this, *frame);
  owner_->Receive(*this, frame);
}

void Port::OnEvent(uint64_t arg) {
  auto* frame = reinterpret_cast<Frame*>(arg);
  if (!frame->lost) owner_->ReceivePfc(*this, *frame);
  pool_->Give(frame);
}

void Port::CountDrop(DropReason reason, const Frame& frame) {
  PriorityDrops& d = drops_[frame.priority];
  ++d.packets[static_cast<int>(reason)];
  d.bytes[static_cast<int>(reason)] += frame.bytes;
  FirstDrop& first = first_drop_[frame.priority];
  if (first.at == kNever) first = {events_->now(), reason};
  drop_(*this, frame, reason);
}

void Port::CountMark(const Frame& frame) {
  if (counters_[frame.priority].marked_packets++ == 0) first_mark_[frame.priority] = events_->now();
  if (!mark_.IsEmpty()) mark_(*this, frame);
}

void Port::ResetPeaks() {
  for (int p = 0; p < kPriorities; ++p) peaks_[p] = queues_[p].bytes;
}

}  // namespace headroom
