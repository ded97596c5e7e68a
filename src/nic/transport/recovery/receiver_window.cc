#include "nic/transport/recovery/receiver_window.h"

#include <algorithm>
#include <utility>

#include "nic/transport/message_times.h"
#include "nic/transport/syndrome.h"

namespace headroom {

std::optional<RequesterRecovery::Repeat> ReceiverWindow::Next(Requester& r) {
  if (!asked_.empty() && asked_.back().state == Asked::State::refused) Ask();
  if (not_before_ > r.nic().now()) return std::nullopt;
  return repeats_.Next(r);
}

bool ReceiverWindow::HasNext(const Requester& r) {
  return not_before_ <= r.nic().now() && !repeats_.Empty(r);
}

/// Requests contexts for all messages that may have one. It stops at a step that is not taken, a fence, or a
/// READ that has no context here. Messages behind these would wait while they keep contexts from others,
/// which may be needed first.
void ReceiverWindow::Ask() {
  if (r_.phase != Requester::Phase::runs) return;
  uint32_t index = 0;
  if (!asked_.empty() && asked_.back().state == Asked::State::refused) {
    Asked& last = asked_.back();
    if (last.retry_at > r_.nic().now()) return;
    last.state = Asked::State::asked;
    if (const SendRequest* request = r_.Find(last.first_psn, &index)) SendAsk(last, *request, index);
  }
  while (asked_.size() < static_cast<size_t>(p_.ahead)) {
    const SendRequest* const request = r_.Find(asked_to_, &index);
    if (request == nullptr || !r_.Posted(index)) return;
    for (uint32_t i = index; i > 0 && r_.requests[i - 1].IsStep(); --i) {
      if (!r_.requests[i - 1].done) return;
    }
    uint32_t read = 0;
    if (request->fence && r_.FirstRead(&read) != nullptr && read < index) return;
    if (request->IsRead() && FindReading(request->first_psn) == nullptr) return;
    asked_to_ = request->first_psn + request->packets;
    if (request->IsRead()) continue;
    Asked& asked = asked_.emplace_back();
    asked.number = next_number_++;
    asked.first_psn = request->first_psn;
    asked.end_psn = asked_to_;
    SendAsk(asked, *request, index);
  }
}

void ReceiverWindow::SendAsk(Asked& asked, const SendRequest& request, uint32_t index) {
  NicInterface& nic = r_.nic();
  Frame* const f = r_.DataFrame();
  f->kind = FrameKind::ask;
  f->psn = static_cast<uint32_t>(asked.first_psn);
  f->message = request.message;
  f->opcode = OpcodeOf(Transport::rc, request.operation, true, true);
  f->bytes = static_cast<uint16_t>(nic.constants().frames.Ask().v);
  f->charge = f->bytes;
  nic.count().sent_bytes += f->bytes;
  FrameExtension& e = nic.pool().Attach(*f);
  e.psn = asked.first_psn;
  e.length = static_cast<uint64_t>(request.bytes);
  e.transfer = asked.number;
  e.context = asked.context;
  e.index = 0;
  e.all = false;
  if (!IsBulk(request.message)) r_.owner().DressAsk(e, index);
  // The queue pair may have its turn, in which the port waits for a frame. So an event queues this frame
  // immediately afterwards.
  nic.Arm(NicTimer::control, reinterpret_cast<uint64_t>(f), nic.now());
  r_.AwaitAnswer();
}

bool ReceiverWindow::MayBegin(Requester&, const SendRequest& request) {
  if (request.IsRead()) return BeginReading(request);
  Ask();
  const Asked* const asked = FindAsked(request.first_psn);
  return asked != nullptr && asked->state == Asked::State::granted;
}

/// A READ takes a context here.
bool ReceiverWindow::BeginReading(const SendRequest& request) {
  if (FindReading(request.first_psn) != nullptr) return true;
  NicInterface& nic = r_.nic();
  if (reading_retry_ > nic.now()) return false;
  MessageTimes* const times = request.message == kNoMessage ? nullptr : nic.times();
  const auto note = [&](MessagePart part) {
    if (times != nullptr) times->OnContext(nic.host(), r_.number(), request.message, nic.now(), part, false);
  };
  const uint32_t context = nic.contexts()->Take(*this);
  if (context == ContextTable::kNone) {
    if (!std::exchange(reading_refused_, true)) note(MessagePart::nic);
    reading_retry_ = nic.now() + p_.retry_delay;
    r_.WakeAt(reading_retry_);
    return false;
  }
  if (std::exchange(reading_refused_, false)) note(MessagePart::context);
  const uint64_t bits = std::min(static_cast<uint64_t>(p_.packets), request.packets);
  reading_.push_back({next_reading_++, request.first_psn, request.packets, context,
                      ReceiveVector(static_cast<uint32_t>(bits)), false, nic.now()});
  Ask();
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
  if (Asked* const asked = FindAsked(request.first_psn)) {
    e.context = asked->context;
    e.transfer = asked->number;
    asked->sent |= e.index + 1 == request.packets;
    asked->due = r.nic().now() + r.rto;
  }
  // If no packet is acknowledged, the timeout runs from the last packet on.
  if (r.rto_deadline != kNever && !Awaits()) r.rto_deadline = r.nic().now() + r.rto;
}

void ReceiverWindow::OnGrant(Requester& r, const Frame& grant) {
  const FrameExtension& e = *r.nic().pool().ExtensionOf(grant);
  const auto asked =
      std::ranges::find_if(asked_, [&](const Asked& a) { return SameMessageId(a.number, e.transfer); });
  if (asked == asked_.end()) return;
  r.Alive();
  if (grant.syndrome != kGranted) {
    if (asked->state == Asked::State::asked) Refused(*asked, grant.syndrome);
    return Probe();
  }
  if (e.context != ContextTable::kNone) asked->context = e.context;
  if (asked->state == Asked::State::granted) return Probe();
  Note(*asked, asked->waited);
  asked->state = Asked::State::granted;
  r.Resume();
  Ask();
  Probe();
}

/// Later messages were refused with it, without an answer.
void ReceiverWindow::Refused(Asked& asked, uint8_t syndrome) {
  while (&asked_.back() != &asked) asked_.pop_back();
  asked_to_ = asked.end_psn;
  next_number_ = asked.number + 1;
  Note(asked, asked.waited);
  const bool rnr = syndrome != kNoContext;
  asked.waited = rnr ? MessagePart::recovery : MessagePart::context;
  asked.state = Asked::State::refused;
  asked.retry_at = r_.nic().now() + (rnr ? RnrTimer(syndrome & 0x1F) : p_.retry_delay);
  r_.WakeAt(asked.retry_at);
  // Only its oldest message can make it fail.
  if (rnr && asked.first_psn == r_.una_psn) r_.MayRetryRnr();
}

/// An answer arrived. While its message is the first, it waits for nothing else.
void ReceiverWindow::Note(const Asked& asked, std::optional<MessagePart> waited) const {
  NicInterface& nic = r_.nic();
  if (nic.times() == nullptr || r_.next_psn != asked.first_psn) return;
  uint32_t index = 0;
  const SendRequest* const request = r_.Find(asked.first_psn, &index);
  if (request == nullptr || request->message == kNoMessage) return;
  nic.times()->OnContext(nic.host(), r_.number(), request->message, nic.now(), waited, asked.again);
}

bool ReceiverWindow::Awaits() const {
  return std::ranges::any_of(asked_, [](const Asked& a) { return a.state == Asked::State::asked; });
}

/// The answer is not overdue while a message is being sent: that may take long, and the answer follows it.
bool ReceiverWindow::Overdue() const {
  const Time now = r_.nic().now();
  return Awaits() || !reading_.empty() ||
         std::ranges::any_of(asked_, [&](const Asked& a) { return a.sent && a.due <= now; });
}

/// After a long silence, the request is repeated.
void ReceiverWindow::RepeatOldest(Requester& r) {
  for (Asked& asked : asked_) {
    if (asked.state == Asked::State::asked) AskAgain(asked);
  }
  Probe();
  if (!asked_.empty()) r.AwaitAnswer();
}

/// After a long silence, messages with a context report that they have it.
void ReceiverWindow::Probe() {
  for (Asked& asked : asked_) {
    const bool quiet = asked.state == Asked::State::granted && asked.sent && asked.due <= r_.nic().now();
    if (quiet) AskAgain(asked);
  }
}

void ReceiverWindow::AskAgain(Asked& asked) {
  uint32_t index = 0;
  const SendRequest* const request = r_.Find(asked.first_psn, &index);
  if (request == nullptr) return;
  asked.again = true;
  asked.due = r_.nic().now() + r_.rto;
  SendAsk(asked, *request, index);
}

void ReceiverWindow::OnNak(Requester& r, const Frame& nak) {
  const FrameExtension* const e = r.nic().pool().ExtensionOf(nak);
  if (e == nullptr) return;
  r.Alive();
  if (e->arrived < r.executed_to() || e->arrived >= r.high_psn) return;  // it has not been sent yet
  uint32_t index = 0;
  const SendRequest* const request = r.Find(e->arrived, &index);
  if (request == nullptr) return;
  if (Asked* const asked = FindAsked(request->first_psn)) asked->due = r.nic().now() + r.rto;
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

void ReceiverWindow::OnAcknowledged(Requester& r) {
  while (!asked_.empty() && asked_.front().end_psn <= r.executed_to()) asked_.pop_front();
  Ask();
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

ReceiverWindow::Asked* ReceiverWindow::FindAsked(uint64_t first_psn) {
  const auto found = std::ranges::find_if(asked_, [&](const Asked& a) { return a.first_psn == first_psn; });
  return found == asked_.end() ? nullptr : &*found;
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
  asked_.clear();
  reading_.clear();
  repeats_.Clear();
  asked_to_ = r_.end_psn;
  next_number_ = next_reading_ = 0;
  reading_refused_ = false;
  reading_retry_ = not_before_ = heard_ = Time{};
}

}  // namespace headroom
