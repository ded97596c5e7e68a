#include "nic/credit_scheduler.h"

#include <algorithm>
#include <cmath>

#include "nic/transport/responder.h"

namespace headroom {

void CreditScheduler::OnAsk(const Responder& s, const Frame& ask, const FrameExtension& e) {
  if (senders_.size() <= s.number()) senders_.resize(s.number() + 1);
  Sender& a = senders_[s.number()];
  const int newer = static_cast<int16_t>(ask.generation - a.generation);
  if (a.responder != nullptr && newer < 0) return;
  if (a.responder == nullptr || newer > 0) {
    a.responder = &s;
    a.generation = ask.generation;
    a.asked = a.given = e.address;
  }
  a.priority = ask.priority;
  // The requested credits were given, but have not arrived at the sender yet.
  if (e.length != 0 && a.given == a.asked) a.given = std::min(a.given, e.address);
  a.asked = std::max(a.asked, e.psn);
  if (a.given >= a.asked || a.waits) return;
  a.waits = true;
  if (hosts_.size() <= s.peer) hosts_.resize(s.peer + 1);
  if (hosts_[s.peer].Empty()) round_.PushBack(s.peer);
  hosts_[s.peer].PushBack(s.number());
  Wake();
}

Time CreditScheduler::TimeOf(Bytes on_wire) const {
  const double rate = share_ * static_cast<double>(port_.rate().v);
  return SerializationTime(on_wire, std::max(Rate(1), Rate(std::llround(rate))));
}

void CreditScheduler::Defer(Bytes on_wire) { next_ = std::max(next_, nic_.now()) + TimeOf(on_wire); }

void CreditScheduler::Wake() {
  const Time at = std::max(next_, nic_.now());
  if (event_ != kNever || round_.Empty()) return;
  event_ = at;
  nic_.Arm(NicTimer::credit, 0, at);
}

void CreditScheduler::OnTimer() {
  if (event_ != nic_.now()) return;
  event_ = kNever;
  if (next_ <= nic_.now() && !round_.Empty()) {
    const NodeId host = round_.Front();
    round_.PopFront();
    Ring<uint32_t>& waiting = hosts_[host];
    Sender& a = senders_[waiting.Front()];
    waiting.PopFront();
    Give(a);
    a.waits = a.given < a.asked;
    if (a.waits) waiting.PushBack(a.responder->number());
    if (!waiting.Empty()) round_.PushBack(host);
  }
  Wake();
}

/// Gives the next credit, unless the queue pair may receive no further credits.
void CreditScheduler::Give(Sender& a) {
  if (!a.responder->receives) {
    a.given = a.asked;
    return;
  }
  const NicInterface::Constants& c = nic_.constants();
  ++a.given;
  Frame* const f = a.responder->MakeControl(FrameKind::grant, a.given, Responder::kCredit, 0);
  f->priority = a.priority;
  f->generation = a.generation;
  nic_.SendNow(f);
  next_ = nic_.now() + TimeOf(c.plain_frames.OnWire(c.plain_frames.Data(c.mtu, false)));
}

void CreditScheduler::Clear() {
  senders_.clear();
  hosts_.clear();
  round_.Clear();
}

}  // namespace headroom
