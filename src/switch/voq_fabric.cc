#include "switch/voq_fabric.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "net/queue_scheduling.h"

namespace headroom {

VoqFabric::VoqFabric(const ChassisParameters& parameters, Owner* owner, const std::vector<EgressPort>& ports,
                     Time pipeline, EntityId entity)
    : credit_(parameters.credit.v),
      speedup_(1 + parameters.credit_speedup),
      latency_(parameters.fabric_latency),
      owner_(owner),
      egress_(ports.size()),
      voqs_(ports.size() * kPriorities * static_cast<size_t>(parameters.line_cards)),
      entity_(entity),
      request_latency_(pipeline + latency_),
      lane_(EventQueue::Get().LaneFor(EventClass::nic_timer, latency_)),
      request_lane_(EventQueue::Get().LaneFor(EventClass::nic_timer, request_latency_)) {
  const auto cards = static_cast<size_t>(parameters.line_cards);
  std::vector<Rate> rates(cards);
  for (size_t i = 0; i < ports.size(); ++i) {
    Egress& e = egress_[i];
    e.port = ports[i].port;
    e.card = static_cast<uint32_t>(i * cards / ports.size());
    rates[e.card] += e.port->rate();
    e.room = parameters.egress_queue.v;
    if (e.room == 0) e.room = BytesIn(latency_ * 2, e.port->rate()).v + 4 * credit_;
    for (int q = 0; q < kPriorities; ++q) {
      const QueueScheduling& s = ports[i].scheduling[q];
      if (s.kind != QueueScheduling::Kind::strict) e.queues[q].quantum = s.weight * credit_;
    }
  }
  for (const Rate rate : rates) {
    const auto bandwidth = std::llround(static_cast<double>(rate.v) * parameters.deep_bandwidth);
    memories_.emplace_back(parameters.on_chip, parameters.spill, Rate(std::max<int64_t>(1, bandwidth)));
  }
}

bool VoqFabric::HasRoom(uint32_t in, int64_t bytes) const {
  return memories_[CardOf(in)].HasRoom(bytes, EventQueue::Get().now());
}

DropCause VoqFabric::Full(uint32_t in) const {
  const DeepMemory& memory = memories_[CardOf(in)];
  return {DropReason::on_chip_full, -1, memory.on_chip_size(), memory.on_chip(EventQueue::Get().now())};
}

void VoqFabric::Accept(uint32_t in, uint32_t out, int queue, Frame* frame) {
  const uint32_t card = CardOf(in);
  const size_t index = At(out, queue, card);
  VirtualQueue& voq = voqs_[index];
  frame->ready =
      std::max(frame->ready, memories_[card].Write(voq.parts, frame->charge, EventQueue::Get().now()));
  voq.frames.Append(frame);
  voq.asked += frame->charge;
  EgressQueue& q = egress_[out].queues[queue];
  q.waiting += frame->charge;
  q.peak = std::max(q.peak, q.waiting);
  Send(What::request, index, frame->charge);
}

void VoqFabric::Send(What what, uint64_t voq, int64_t bytes) {
  EventQueue& events = EventQueue::Get();
  const bool request = what == What::request;
  events.Push(request ? request_lane_ : lane_,
              {events.now() + (request ? request_latency_ : latency_),
               TimedEvent::Order(EventClass::nic_timer, entity_, events_++), static_cast<EventTarget*>(this),
               (static_cast<uint64_t>(what) << 56) | (voq << 32) | static_cast<uint64_t>(bytes)});
}

void VoqFabric::OnEvent(uint64_t arg) {
  const auto number = static_cast<uint32_t>((arg >> 32) & 0xffffff);
  switch (static_cast<What>(arg >> 56)) {
    case What::request:
      return OnRequest(number, static_cast<int64_t>(arg & 0xffffffff));
    case What::grant:
      return OnGrant(number, static_cast<int64_t>(arg & 0xffffffff));
    case What::tick:
      return Grant(number);
  }
}

void VoqFabric::OnRequest(size_t index, int64_t bytes) {
  VirtualQueue& voq = voqs_[index];
  const auto out = static_cast<uint32_t>(index / memories_.size() / kPriorities);
  voq.asked -= bytes;
  voq.wanted += bytes;
  egress_[out].queues[index / memories_.size() % kPriorities].wanted += bytes;
  Kick(out);
}

void VoqFabric::Sent(uint32_t out, int queue) {
  if (egress_[out].queues[queue].wanted > 0) Kick(out);
}

void VoqFabric::Kick(uint32_t out) {
  Egress& e = egress_[out];
  if (e.ticking) return;
  const Time now = EventQueue::Get().now();
  if (e.next_grant <= now) return Grant(out);
  e.ticking = true;
  EventQueue::Get().PushTarget(e.next_grant, TimedEvent::Order(EventClass::nic_timer, entity_, events_++),
                               this, (static_cast<uint64_t>(What::tick) << 56) | (uint64_t{out} << 32));
}

/// Grants once, and continues as long as a queue needs a grant.
void VoqFabric::Grant(uint32_t out) {
  Egress& e = egress_[out];
  e.ticking = false;
  const int queue = PickQueue(e);
  if (queue < 0) return;
  EgressQueue& q = e.queues[queue];
  const auto cards = static_cast<uint32_t>(memories_.size());
  uint32_t card = q.last_card;
  do card = (card + 1) % cards;
  while (voqs_[At(out, queue, card)].wanted == 0);
  q.last_card = card;

  const size_t index = At(out, queue, card);
  VirtualQueue& voq = voqs_[index];
  const int64_t bytes = std::min(credit_, voq.wanted);
  voq.wanted -= bytes;
  voq.granted += bytes;
  q.wanted -= bytes;
  q.outstanding += bytes;
  q.deficit -= q.quantum > 0 ? bytes : 0;
  Send(What::grant, index, bytes);

  const Time span = SerializationTime(Bytes(bytes), e.port->rate_now());
  e.next_grant = EventQueue::Get().now() + Time(std::llround(static_cast<double>(span.v) / speedup_));
  Kick(out);
}

/// The next queue in order; −1 if no queue wants a grant and has room for it.
int VoqFabric::PickQueue(Egress& e) const {
  uint32_t weighted = 0, strict = 0;
  for (int i = 0; i < kPriorities; ++i) {
    const EgressQueue& q = e.queues[i];
    if (q.wanted == 0 || e.port->queue(i).bytes + q.outstanding >= e.room) continue;
    (q.quantum == 0 ? strict : weighted) |= 1u << i;
  }
  if (strict != 0) return std::bit_width(strict) - 1;
  if (weighted == 0) return -1;
  e.turn = TakeTurn(
      weighted, e.turn, [&](int i) { return e.queues[i].deficit; },
      [&](int i) {
        EgressQueue& q = e.queues[i];
        q.deficit = std::min(q.deficit + q.quantum, q.quantum);  // a queue saves no deficit while it is idle
      });
  return e.turn;
}

void VoqFabric::OnGrant(size_t index, int64_t bytes) {
  VirtualQueue& voq = voqs_[index];
  const auto out = static_cast<uint32_t>(index / memories_.size() / kPriorities);
  Egress& e = egress_[out];
  EgressQueue& q = e.queues[index / memories_.size() % kPriorities];
  DeepMemory& memory = memories_[index % memories_.size()];
  voq.granted -= bytes;
  voq.credit += bytes;
  q.outstanding -= bytes;
  while (!voq.frames.Empty() && voq.credit > 0) {
    const Time written = voq.frames.head_ready;
    Frame* frame = voq.frames.Pop();
    voq.credit -= frame->charge;
    q.waiting -= frame->charge;
    const Time out_of_memory = memory.Read(voq.parts, frame->charge, written, EventQueue::Get().now());
    q.last_ready = std::max(q.last_ready, out_of_memory + latency_);
    frame->ready = q.last_ready;
    owner_->LeftVirtualQueue(*e.port, *frame, q.waiting);
    e.port->Enqueue(frame, frame->queue);
  }
}

void VoqFabric::ResetPeaks() {
  for (DeepMemory& m : memories_) m.ResetPeak(EventQueue::Get().now());
  for (Egress& e : egress_) {
    for (EgressQueue& q : e.queues) q.peak = q.waiting;
  }
}

bool VoqFabric::Consistent() const {
  return std::all_of(voqs_.begin(), voqs_.end(), [](const VirtualQueue& v) {
    return v.frames.bytes == v.asked + v.wanted + v.granted + v.credit;
  });
}

}  // namespace headroom
