#include "nic/transport/recovery/receiver_window.h"

#include <algorithm>
#include <utility>

namespace headroom {

using State = ContextRequests::Asked::State;

std::optional<RequesterRecovery::Repeat> ReceiverWindow::Next(Requester& r) {
  requests_.AskRefused();
  if (not_before_ > r.nic().now()) return std::nullopt;
  return repeats_.Next(r);
}

bool ReceiverWindow::HasNext(const Requester& r) {
  return not_before_ <= r.nic().now() && !repeats_.Empty(r);
}

bool ReceiverWindow::MayBegin(Requester&, const SendRequest& request) {
  if (request.IsRead()) return BeginReading(request);
  requests_.Ask();
  return requests_.Granted(request.first_psn);
}

/// A READ takes a context here.
bool ReceiverWindow::BeginReading(const SendRequest& request) {
  if (FindReading(request.first_psn) != nullptr) return true;
  const uint32_t context = requests_.TakeForRead(*this, request);
  if (context == ContextTable::kNone) return false;
  const uint64_t bits = std::min(static_cast<uint64_t>(p_.packets), request.packets);
  reading_.push_back({next_reading_++, request.first_psn, request.packets, context,
                      ReceiveVector(static_cast<uint32_t>(bits)), false, r_.nic().now()});
  requests_.Ask();
  return true;
}

void ReceiverWindow::OnMade(Requester& r, const SendRequest& request, uint64_t psn, Frame& frame) {
  FrameExtension& e = r.nic().pool().Extend(frame);
  e.index = psn - request.first_psn;
  e.context = ContextTable::kNone;
  e.transfer = 0;
  e.all = false;
  if (request.IsRead()) {
    if (const Reading* const reading = FindReading(request.first_psn)) {
      e.context = reading->context;
      e.transfer = reading->number;
      if (e.context != ContextTable::kNone)
        r.nic().contexts()->SetDeadline(e.context, r.nic().now() + p_.timer);
    }
    return;
  }
  if (ContextRequests::Asked* const asked = requests_.Find(request.first_psn)) {
    e.context = asked->context;
    e.transfer = asked->number;
    asked->sent |= e.index + 1 == request.packets;
    asked->due = r.nic().now() + r.rto;
  }
  // If no packet is acknowledged, the timeout runs from the last packet on.
  if (r.rto_deadline != kNever && !Awaits()) r.rto_deadline = r.nic().now() + r.rto;
}

void ReceiverWindow::OnGrant(Requester&, const Frame& grant) {
  if (requests_.OnGrant(grant)) Probe();
}

/// The answer is not overdue while a message is being sent: that may take long, and the answer follows it.
bool ReceiverWindow::Overdue() const {
  const Time now = r_.nic().now();
  return Awaits() || !reading_.empty() ||
         std::ranges::any_of(requests_.asked(),
                             [&](const ContextRequests::Asked& a) { return a.sent && a.due <= now; });
}

/// After a long silence, the request is repeated.
void ReceiverWindow::RepeatOldest(Requester& r) {
  for (ContextRequests::Asked& asked : requests_.asked()) {
    if (asked.state == State::asked) requests_.AskAgain(asked);
  }
  Probe();
  if (!requests_.asked().empty()) r.AwaitAnswer();
}

/// After a long silence, messages with a context report that they have it.
void ReceiverWindow::Probe() {
  for (ContextRequests::Asked& asked : requests_.asked()) {
    const bool quiet = asked.state == State::granted && asked.sent && asked.due <= r_.nic().now();
    if (quiet) requests_.AskAgain(asked);
  }
}

void ReceiverWindow::OnNak(Requester& r, const Frame& nak) {
  const FrameExtension* const e = r.nic().pool().ExtensionOf(nak);
  if (e == nullptr) return;
  r.Alive();
  if (e->arrived < r.executed_to() || e->arrived >= r.high_psn) return;  // it has not been sent yet
  uint32_t index = 0;
  const SendRequest* const request = r.Find(e->arrived, &index);
  if (request == nullptr) return;
  if (ContextRequests::Asked* const asked = requests_.Find(request->first_psn))
    asked->due = r.nic().now() + r.rto;
  if (e->all && r.controlled) r.nic().OnLoss(r, Loss::refused);
  RepeatFrom(e->arrived,
             std::min({r.high_psn, request->first_psn + request->packets, e->arrived + e->length}));
}

void ReceiverWindow::RepeatFrom(uint64_t psn, uint64_t end) {
  const Time delay = r_.nic().constants().transport.recovery_delay;
  if (delay > Time{} && not_before_ <= r_.nic().now() && repeats_.Empty(r_)) {
    not_before_ = r_.nic().now() + delay;
    r_.WakeAt(not_before_);
  }
  repeats_.Add(psn, end);
  r_.Resume();
}

void ReceiverWindow::OnReadResponse(Requester& r, const Frame& frame) {
  const FrameExtension& e = *r.nic().pool().ExtensionOf(frame);
  const auto m = std::ranges::find_if(
      reading_, [&](const Reading& x) { return x.context == e.context && x.context != ContextTable::kNone; });
  uint32_t place = 0;
  const SendRequest* const request = m == reading_.end() ? nullptr : r.Find(m->first_psn, &place);
  if (request == nullptr || (p_.message_id && !SameMessageId(m->number, e.transfer)) ||
      e.index >= m->packets) {
    ++r.nic().count().discarded_packets;
    return;
  }
  using Arrival = ReceiveVector::Arrival;
  switch (m->vector.ArrivalOf(e.index)) {
    case Arrival::before:
    case Arrival::duplicate:
      return;
    case Arrival::beyond:
      m->vector.Drop(e.index);
      if (!m->vector.BaseIsRequested() && !std::exchange(m->expired, true)) {
        const uint64_t base = m->first_psn + m->vector.base();
        RepeatFrom(base, base + 1);
      }
      return;
    case Arrival::base:
      m->expired = false;
      r.nic().contexts()->SetDeadline(m->context, r.nic().now() + p_.timer);
      break;
    case Arrival::window:
      break;
  }
  if (!IsBulk(request->message))
    r.owner().TakeResponse(frame, place, static_cast<uint64_t>(r.nic().constants().mtu) * e.index);
  m->heard = heard_ = r.nic().now();
  m->vector.Add(e.index);
  RepeatDropped(*m);
  if (m->vector.base() == m->packets) {
    r.nic().contexts()->Give(m->context);
    m->context = ContextTable::kNone;
  }
  r.OnAnswer(m->first_psn + m->packets);  // the READ and all earlier messages have been executed
  TakeInTurn();
  r.Resume();
}

void ReceiverWindow::RepeatDropped(Reading& m) {
  const auto [from, end] = m.vector.TakeDropped();
  if (from < end) RepeatFrom(m.first_psn + from, m.first_psn + end);
}

/// READs end in order.
void ReceiverWindow::TakeInTurn() {
  MessageSink& sink = r_.nic().sink();
  while (!reading_.empty()) {
    const Reading& m = reading_.front();
    uint32_t index = 0;
    const SendRequest* const read = r_.FirstRead(&index);
    const uint64_t to = m.first_psn + m.vector.base();
    if (read == nullptr || read->first_psn != m.first_psn || r_.una_psn < m.first_psn || to <= r_.una_psn)
      return;
    const uint32_t message = read->message;
    const uint64_t end = m.first_psn + m.packets;
    if (IsBulk(message)) {
      for (uint64_t psn = r_.una_psn; psn < to && sink.HearsPackets(); ++psn)
        sink.OnPacket(message, psn + 1 == end);
      if (to == end) sink.OnDelivered(message, r_.nic().Landed());
    }
    if (to == end) reading_.pop_front();
    r_.Acknowledge(to);
    r_.AcknowledgeExecuted();
  }
}

/// Whether responses to earlier READs precede its own, because the responder answers in order.
bool ReceiverWindow::IsQueued(const Reading& m) const {
  bool earlier_unanswered = false;
  for (const Reading& other : reading_) {
    if (other.first_psn < m.first_psn) {
      earlier_unanswered |= !other.vector.any();
    } else if (other.vector.any()) {
      return false;
    }
  }
  return earlier_unanswered || r_.nic().now() - heard_ < p_.timer;
}

/// Requests the base, and, if no response came since, all missing packets, a READ for each run of them. If
/// none arrived, the READ covers all packets, because its request may be lost.
void ReceiverWindow::OnContextTimer(uint32_t context) {
  const auto m = std::ranges::find_if(reading_, [&](const Reading& x) { return x.context == context; });
  if (m == reading_.end()) return;
  r_.nic().contexts()->SetDeadline(context, r_.nic().now() + p_.timer);
  if (IsQueued(*m)) return;
  const bool again = std::exchange(m->expired, true) && r_.nic().now() - m->heard >= p_.timer;
  if (m->vector.any() && !again) {
    const uint64_t base = m->first_psn + m->vector.base();
    return RepeatFrom(base, base + 1);
  }
  m->vector.ForMissing(
      m->packets, [&](uint64_t from, uint64_t end) { RepeatFrom(m->first_psn + from, m->first_psn + end); });
}

void ReceiverWindow::OnContextLost(uint32_t context) {
  for (Reading& m : reading_) {
    if (m.context == context) m.context = ContextTable::kNone;
  }
}

ReceiverWindow::Reading* ReceiverWindow::FindReading(uint64_t first_psn) {
  const auto found =
      std::ranges::find_if(reading_, [&](const Reading& m) { return m.first_psn == first_psn; });
  return found == reading_.end() ? nullptr : &*found;
}

void ReceiverWindow::OnStopped() {
  for (Reading& m : reading_) {
    if (m.context != ContextTable::kNone) r_.nic().contexts()->Give(m.context);
    m.context = ContextTable::kNone;
  }
}

void ReceiverWindow::Forget() {
  OnStopped();
  requests_.Forget();
  reading_.clear();
  repeats_.Clear();
  next_reading_ = 0;
  not_before_ = heard_ = Time{};
}

}  // namespace headroom
