#include "nic/transport/recovery/packet_counter.h"

#include <algorithm>
#include <utility>

#include "nic/transport/recovery/early_ack.h"
#include "nic/transport/syndrome.h"

namespace headroom {

/// A try without an answer is followed by the next.
std::optional<RequesterRecovery::Repeat> CountedSender::Next(Requester& r) {
  const Time now = r.nic().now();
  for (Transfer& t : transfers_) {
    if (t.deadline <= now && !Retry(t)) return std::nullopt;  // everything was reset
  }
  return repeats_.Next(r);
}

bool CountedSender::HasNext(const Requester& r) {
  const Time now = r.nic().now();
  return !repeats_.Empty(r) ||
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
  Transfer& t = transfers_.emplace_back();
  t.first_psn = request.first_psn;
  t.packets = request.packets;
  t.read = request.IsRead();
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
    if (t.end_psn() > (t.read ? r.una_psn : r.executed_to())) return;
    transfers_.pop_front();
  }
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
  heard_ = Time{};
  transfers_.clear();
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
  Counted& m = messages_[first];
  const bool stale = m.packets != 0 && static_cast<int32_t>(e.transfer - m.number) < 0;
  const bool complete = m.packets != 0 && m.AllIn();
  if (stale || complete) {
    ++s.nic().count().discarded_packets;
    if (complete && frame.data.last) AcknowledgeEarly(s, first + packets - 1);
    return;
  }
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

void CountingReceiver::Forget() {
  messages_.clear();
  reads_.clear();
}

}  // namespace headroom
