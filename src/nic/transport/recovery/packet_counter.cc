#include "nic/transport/recovery/packet_counter.h"

#include <algorithm>
#include <utility>

#include "nic/transport/recovery/context_grants.h"
#include "nic/transport/recovery/early_ack.h"
#include "nic/transport/syndrome.h"

namespace headroom {

/// A try without an answer is followed by the next.
std::optional<RequesterRecovery::Repeat> CountedSender::Next(Requester& r) {
  const Time now = r.nic().now();
  if (p_.connects && !AskOverdue()) return std::nullopt;  // everything was reset
  for (Transfer& t : transfers_) {
    if (t.deadline <= now && !Retry(t)) return std::nullopt;  // everything was reset
  }
  return repeats_.Next(r);
}

void CountedSender::OnPosted(Requester&) {
  if (p_.connects) requests_.Ask();
}

/// Repeats requests that have no answer, and refused ones whose time has come. Returns false if the queue
/// pair has failed because of it.
bool CountedSender::AskOverdue() {
  requests_.AskRefused();
  bool late = false;
  for (ContextRequests::Asked& asked : requests_.asked()) {
    if (!requests_.Overdue(asked)) continue;
    if (!std::exchange(late, true) && !r_.MayTimeOut(p_.timer)) return false;
    requests_.AskAgain(asked);
  }
  return true;
}

bool CountedSender::HasNext(const Requester& r) {
  const Time now = r.nic().now();
  const auto overdue = [&](const ContextRequests::Asked& asked) { return requests_.Overdue(asked); };
  return !repeats_.Empty(r) || std::ranges::any_of(requests_.asked(), overdue) ||
         std::ranges::any_of(transfers_, [&](const Transfer& t) { return t.deadline <= now; });
}

/// Returns false if the queue pair has failed because of it.
bool CountedSender::Retry(Transfer& t) {
  if (t.read && t.counted == 0 && heard_ + p_.timer > r_.nic().now()) {
    Await(t, heard_);  // responses to earlier READs precede its own
    return true;
  }
  t.deadline = kNever;
  if (!r_.MayTimeOut(p_.timer)) return false;
  TryAgain(t);
  return true;
}

bool CountedSender::MayBegin(Requester&, const SendRequest& request) {
  if (Find(request.first_psn) != nullptr) return true;
  if (transfers_.size() >= static_cast<size_t>(p_.ahead)) return false;
  uint32_t context = ContextTable::kNone;
  if (p_.connects && request.IsRead()) {
    context = requests_.TakeForRead(*this, request);
    if (context == ContextTable::kNone) return false;
  } else if (p_.connects) {
    requests_.Ask();
    if (!requests_.Granted(request.first_psn)) return false;
  }
  Transfer& t = transfers_.emplace_back();
  t.context = context;
  t.first_psn = request.first_psn;
  t.packets = request.packets;
  t.read = request.IsRead();
  if (p_.connects) requests_.Ask();
  return true;
}

void CountedSender::OnMade(Requester& r, const SendRequest& request, uint64_t psn, Frame& frame) {
  FrameExtension& e = r.nic().pool().Extend(frame);
  e.context = FrameExtension::kNoContext;
  e.transfer = 0;
  e.index = psn - request.first_psn;
  e.all = false;
  Transfer* const t = Find(request.first_psn);
  if (t == nullptr) return;  // the message is executed
  e.transfer = t->number;
  e.context = t->context;
  if (const ContextRequests::Asked* const asked = requests_.Find(request.first_psn))
    e.context = asked->context;
  if (request.IsRead()) return Await(*t, r.nic().now());
  e.length = static_cast<uint64_t>(request.bytes);
  e.all = TakesReceive(OpcodeOf(Transport::rc, request.operation, true, true));
  if (frame.data.last) Await(*t, r.nic().now());
}

/// The ACK may name a message that was completed out of order.
void CountedSender::OnAck(Requester& r, const Frame& ack) {
  const FrameExtension* const e = r.nic().pool().ExtensionOf(ack);
  if (e == nullptr || e->arrived < WholePsn(ack.psn + 1, r.una_psn)) return;
  for (Transfer& t : transfers_) {
    if (t.end_psn() != e->arrived + 1) continue;
    t.deadline = kNever;
    repeats_.Remove(t.first_psn, t.end_psn());
  }
}

void CountedSender::Await(Transfer& t, Time since) {
  t.deadline = since + p_.timer;
  r_.WakeAt(t.deadline);
}

/// The message had no RECV, or no answer came for very long.
void CountedSender::RepeatOldest(Requester&) {
  if (transfers_.empty()) return;
  TryAgain(transfers_.front());
}

/// Sends each packet once under the new number; packets that were never sent go at their turn.
void CountedSender::TryAgain(Transfer& t) {
  t.deadline = kNever;
  ++t.number;
  t.counted = 0;
  repeats_.Remove(t.first_psn, t.end_psn());
  repeats_.Add(t.first_psn, std::min(t.end_psn(), r_.high_psn));
}

void CountedSender::OnAcknowledged(Requester& r) {
  while (!transfers_.empty()) {
    const Transfer& t = transfers_.front();
    if (t.end_psn() > (t.read ? r.una_psn : r.executed_to())) break;
    transfers_.pop_front();
  }
  if (p_.connects) requests_.OnExecuted();
}

void CountedSender::Release(Transfer& t) {
  if (t.context != ContextTable::kNone) r_.nic().contexts()->Give(t.context);
  t.context = ContextTable::kNone;
}

void CountedSender::OnContextLost(uint32_t context) {
  for (Transfer& t : transfers_) {
    if (t.context == context) t.context = ContextTable::kNone;
  }
}

void CountedSender::OnStopped() {
  for (Transfer& t : transfers_) Release(t);
}

void CountedSender::OnReadResponse(Requester& r, const Frame& frame) {
  const FrameExtension& e = *r.nic().pool().ExtensionOf(frame);
  const uint64_t psn = WholePsn(frame.psn, r.una_psn);
  Transfer* const t = psn < r.una_psn || psn < e.index ? nullptr : Find(psn - e.index);
  if (t == nullptr || !t->read || t->AllIn()) return;
  heard_ = r.nic().now();
  Await(*t, heard_);
  if (e.transfer != t->number) return;
  uint32_t index = 0;
  const SendRequest* const request = r.Find(psn, &index);
  if (!IsBulk(request->message))
    r.owner().TakeResponse(frame, index, static_cast<uint64_t>(r.nic().constants().mtu) * e.index);
  if (++t->counted < t->packets) return;
  t->deadline = kNever;
  Release(*t);
  r.OnAnswer(t->end_psn());  // the READ and all earlier messages have been executed
  // READs end in order.
  MessageSink& sink = r.nic().sink();
  while (const SendRequest* const read = r.FirstRead(&index)) {
    const Transfer* const done = Find(read->first_psn);
    if (done == nullptr || !done->AllIn() || r.una_psn != read->first_psn) break;
    const uint64_t end = done->end_psn();
    const uint32_t message = read->message;
    if (IsBulk(message)) {
      for (uint64_t i = read->first_psn + 1; i <= end && sink.HearsPackets(); ++i)
        sink.OnPacket(message, i == end);
      sink.OnDelivered(message, r.nic().Landed());
    }
    r.Acknowledge(end);
    r.AcknowledgeExecuted();
  }
  r.Resume();
}

CountedSender::Transfer* CountedSender::Find(uint64_t psn) {
  const auto found = std::ranges::find_if(transfers_, [&](const Transfer& t) { return t.first_psn == psn; });
  return found == transfers_.end() ? nullptr : &*found;
}

void CountedSender::Forget() {
  OnStopped();
  heard_ = Time{};
  transfers_.clear();
  requests_.Forget();
  repeats_.Clear();
}

void CountingReceiver::OnRequest(Responder& s, Frame& frame, uint64_t psn) {
  FramePool& pool = s.nic().pool();
  if (IsReadRequest(frame.opcode)) {
    if (psn < s.expected_psn) return s.OnDuplicate(frame);
    if (psn > s.expected_psn) {
      reads_.insert_or_assign(psn, HeldFrame(pool, frame));
    } else if (s.Take(frame, false) != Responder::Taken::refused) {
      Deliver();
    }
    return;
  }
  const FrameExtension& e = *pool.ExtensionOf(frame);
  const uint64_t first = psn - e.index;
  const uint64_t packets = PacketsOf(static_cast<int64_t>(e.length), s.nic().constants().mtu);
  if (first + packets <= s.expected_psn) {  // it is complete, and its answer was lost
    if (frame.data.last) s.Acknowledge();
    return;
  }
  if (p_.recovery.connects && !messages_.contains(first)) {
    ++s.nic().count().discarded_packets;
    return;
  }
  Counted& m = messages_[first];
  m.heard = s.nic().now();
  const bool stale = m.packets != 0 && static_cast<int32_t>(e.transfer - m.number) < 0;
  const bool complete = m.packets != 0 && m.AllIn();
  if (stale || complete) {
    ++s.nic().count().discarded_packets;
    if (complete && frame.data.last) AcknowledgeEarly(s, first + packets - 1);
    return;
  }
  if (p_.recovery.connects && m.context == ContextTable::kNone && !Grant(m)) return;  // it was given up
  if (m.packets == 0 || m.number != e.transfer) {
    m.packets = packets;
    m.number = e.transfer;
    m.counted = 0;
    m.refused = !Begin(m, frame, first);
  }
  if (m.refused) return;
  // A payload without a place, because of a wrong key or its length, is refused at its turn.
  if (!IsBulk(frame.message)) s.owner().Place(frame);
  if (frame.data.last) m.last = HeldFrame(pool, frame);
  if (++m.counted < m.packets) return;
  Release(m);
  if (first > s.expected_psn) AcknowledgeEarly(s, first + packets - 1);  // it waits for earlier messages
  Deliver();
}

/// A try begins. Returns false if it needs a RECV and none is posted; a NAK reports this at the message's
/// turn.
bool CountingReceiver::Begin(Counted& m, const Frame& frame, uint64_t first_psn) {
  NicInterface& nic = s_.nic();
  m.of_first = *nic.pool().ExtensionOf(frame);
  m.of_first.payload.clear();
  m.of_first.itinerary = nullptr;
  m.write = IsWrite(frame.opcode);
  m.message = frame.message;
  const uint8_t refused =
      IsBulk(frame.message) || !m.of_first.all ? 0 : s_.owner().Admits(m.of_first.receive);
  if (refused == 0) return true;
  if (first_psn == s_.expected_psn) {
    ++nic.count().rnr_naks;
    nic.SendNow(s_.MakeControl(FrameKind::nak, s_.expected_psn, false, refused));
  }
  return false;
}

/// Complete messages take effect in order.
void CountingReceiver::Deliver() {
  bool completed = false;
  for (;;) {
    if (const auto read = TakeHeld(reads_, s_)) {
      if (*read == Responder::Taken::refused) return;
      continue;
    }
    if (messages_.empty()) break;
    const uint64_t first = messages_.begin()->first;
    Counted& m = messages_.begin()->second;
    if (s_.expected_psn < first || !m.AllIn()) break;
    if (TakeNext(m, first) == Responder::Taken::refused) return;
    if (s_.expected_psn < first + m.packets) continue;
    messages_.erase(messages_.begin());
    completed = true;
  }
  if (completed) s_.Acknowledge();
}

Responder::Taken CountingReceiver::TakeNext(Counted& m, uint64_t first_psn) {
  const uint64_t index = s_.expected_psn - first_psn;
  if (index + 1 == m.packets) return m.last.Take(s_);
  FramePool& pool = s_.nic().pool();
  Frame* const frame = pool.Take();
  frame->psn = static_cast<uint32_t>(s_.expected_psn);
  frame->message = m.message;
  frame->data.first = index == 0;
  frame->opcode =
      OpcodeOf(Transport::rc, m.write ? Operation::write : Operation::send, frame->data.first, false);
  pool.Attach(*frame) = m.of_first;
  const Responder::Taken taken = s_.Take(*frame, true);
  pool.Give(frame);
  return taken;
}

/// Contexts are granted in the order of a queue pair's messages, as with the receiver's window.
void CountingReceiver::OnAsk(Responder& s, const Frame& ask) {
  if (!p_.recovery.connects) return;
  const FrameExtension& e = *s.nic().pool().ExtensionOf(ask);
  const uint64_t packets = PacketsOf(static_cast<int64_t>(e.length), s.nic().constants().mtu);
  if (e.psn + packets <= s.expected_psn) return s.Acknowledge();  // the answer to its last packet was lost
  const auto known = messages_.find(e.psn);
  if (known == messages_.end()) {
    if (e.transfer != granted_) return;
    const bool receives = !IsBulk(ask.message) && TakesReceive(ask.opcode);
    if (const uint8_t refused = receives ? s.owner().Admits(e.receive) : 0; refused != 0) {
      ++s.nic().count().rnr_naks;
      return AnswerAsk(s, ask, refused, ContextTable::kNone);
    }
  }
  Counted m;
  Counted& of = known == messages_.end() ? m : known->second;
  if (!of.AllIn() && of.context == ContextTable::kNone && !Grant(of))
    return AnswerAsk(s, ask, kNoContext, ContextTable::kNone);
  AnswerAsk(s, ask, kGranted, of.context);
  if (known != messages_.end()) return;
  ++granted_;
  messages_.emplace(e.psn, std::move(m));
}

/// Returns false if no context is free.
bool CountingReceiver::Grant(Counted& m) {
  NicInterface& nic = s_.nic();
  m.context = nic.contexts()->Take(*this);
  if (m.context == ContextTable::kNone) return false;
  m.heard = nic.now();
  nic.contexts()->SetDeadline(m.context, m.heard + PatienceOf(p_));
  return true;
}

void CountingReceiver::Release(Counted& m) {
  if (m.context != ContextTable::kNone) s_.nic().contexts()->Give(m.context);
  m.context = ContextTable::kNone;
}

CountingReceiver::Counted* CountingReceiver::Of(uint32_t context) {
  const auto found =
      std::ranges::find_if(messages_, [&](const auto& message) { return message.second.context == context; });
  return found == messages_.end() ? nullptr : &found->second;
}

/// A sender that was silent for too long loses its context.
void CountingReceiver::OnContextTimer(uint32_t context) {
  Counted* const m = Of(context);
  if (m == nullptr) return;
  const Time end = m->heard + PatienceOf(p_);
  if (!Stopped() && end > s_.nic().now()) return s_.nic().contexts()->SetDeadline(context, end);
  Release(*m);
}

void CountingReceiver::OnContextLost(uint32_t context) {
  if (Counted* const m = Of(context)) m->context = ContextTable::kNone;
}

void CountingReceiver::Forget() {
  for (auto& [first, m] : messages_) Release(m);
  granted_ = 0;
  messages_.clear();
  reads_.clear();
}

}  // namespace headroom
