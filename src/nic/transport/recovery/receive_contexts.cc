// The responder's half of the receiver's window: contexts, and the packets of messages that have a context.
#include <algorithm>

#include "nic/transport/recovery/context_grants.h"
#include "nic/transport/recovery/receiver_window.h"
#include "nic/transport/syndrome.h"

namespace headroom {
namespace {

/// The operation of a message, given the opcode that it would have in one packet.
Operation OperationOf(uint8_t opcode) {
  for (const Operation operation :
       {Operation::send, Operation::send_imm, Operation::send_inv, Operation::write_imm}) {
    if (OpcodeOf(Transport::rc, operation, true, true) == opcode) return operation;
  }
  return Operation::write;
}

}  // namespace

void ReceiveContexts::OnRequest(Responder& s, Frame& frame, uint64_t psn) {
  if (!IsReadRequest(frame.opcode)) return TakeData(frame);
  if (psn < s.expected_psn) return s.OnDuplicate(frame);
  if (psn > s.expected_psn) {
    reads_.try_emplace(psn, HeldFrame(s.nic().pool(), frame));
  } else if (s.Take(frame, false) != Responder::Taken::refused) {
    Deliver(false);
  }
}

void ReceiveContexts::TakeData(Frame& frame) {
  NicInterface& nic = s_.nic();
  const FrameExtension& e = *nic.pool().ExtensionOf(frame);
  Incoming* const m = e.context == ContextTable::kNone ? nullptr : Of(e.context);
  const bool known = m != nullptr && (!p_.message_id || SameMessageId(m->number, e.transfer));
  if (!known || e.index >= m->packets) {  // a packet of an earlier message, or of another sender
    ++nic.count().discarded_packets;
    return;
  }
  m->heard = m->came = nic.now();
  using Arrival = ReceiveVector::Arrival;
  switch (m->vector.ArrivalOf(e.index)) {
    case Arrival::before:
    case Arrival::duplicate:
      return;
    case Arrival::beyond:
      return OnBeyond(*m, e.index);
    case Arrival::base:
    case Arrival::window:
      return Write(*m, frame, e.index);
  }
}

/// The window does not reach the packet until the base arrives, which is therefore requested without its
/// timer. The packet is requested when the window reaches it: earlier it would be dropped again.
void ReceiveContexts::OnBeyond(Incoming& m, uint64_t index) {
  m.vector.Drop(index);
  if (!m.expired && !m.vector.BaseIsRequested()) Expire(m);
}

void ReceiveContexts::Write(Incoming& m, Frame& frame, uint64_t index) {
  NicInterface& nic = s_.nic();
  Dress(m, frame, index);
  const bool in_turn = m.first_psn + index == s_.expected_psn;
  if (in_turn) {
    if (s_.Take(frame, false) == Responder::Taken::refused) return;
  } else {
    // A packet without a place (wrong key or length) is refused at its turn.
    if (!IsBulk(frame.message)) s_.owner().Place(frame);
    if (frame.data.last) m.last = HeldFrame(nic.pool(), frame);
  }
  const bool moves = index == m.vector.base();
  if (moves) m.expired = false;
  if (moves || !m.vector.any()) nic.contexts()->SetDeadline(m.context, nic.now() + p_.timer);
  m.vector.Add(index);
  if (const auto [from, end] = m.vector.TakeDropped(); from < end) {
    m.requested = nic.now();
    Resend(m, from, end, false);
  }
  if (m.AllIn()) {
    nic.contexts()->Give(m.context);
    m.context = ContextTable::kNone;
  }
  const bool completed = in_turn && frame.data.last;
  if (completed) incoming_.pop_front();
  Deliver(completed);
}

/// The context identifies the packet; only its message's number reveals an old packet.
void ReceiveContexts::Dress(const Incoming& m, Frame& frame, uint64_t index) const {
  frame.psn = static_cast<uint32_t>(m.first_psn + index);
  frame.message = m.message;
  frame.data.first = index == 0;
  frame.data.last = index + 1 == m.packets;
  frame.opcode = OpcodeOf(Transport::rc, m.operation, frame.data.first, frame.data.last);
  FrameExtension& e = s_.nic().pool().Extend(frame);
  e.address = m.address;
  e.key = m.key;
  e.length = m.length;
  e.receive = m.receive;
  e.offset = index * static_cast<uint64_t>(s_.nic().constants().mtu);
}

/// A message that has arrived takes effect at its turn.
void ReceiveContexts::Deliver(bool completed) {
  for (;;) {
    if (const auto read = TakeHeld(reads_, s_)) {
      if (*read == Responder::Taken::refused) return;
      continue;
    }
    if (incoming_.empty()) break;
    Incoming& m = incoming_.front();
    if (s_.expected_psn < m.first_psn || s_.expected_psn >= m.first_psn + m.vector.base()) break;
    if (TakeNext(m) == Responder::Taken::refused) return;
    if (s_.expected_psn < m.end_psn()) continue;
    incoming_.pop_front();
    completed = true;
  }
  if (completed) s_.Acknowledge();
}

Responder::Taken ReceiveContexts::TakeNext(Incoming& m) {
  const uint64_t index = s_.expected_psn - m.first_psn;
  if (index + 1 == m.packets && m.last) return m.last->Take(s_);
  FramePool& pool = s_.nic().pool();
  Frame* const frame = pool.Take();
  Dress(m, *frame, index);
  const Responder::Taken taken = s_.Take(*frame, true);
  pool.Give(frame);
  return taken;
}

/// Contexts are granted in the order of a queue pair's messages. A request for a later message is not
/// answered: the earlier request was lost or refused, and the later ones will be repeated with it.
void ReceiveContexts::OnAsk(Responder& s, const Frame& ask) {
  NicInterface& nic = s.nic();
  const FrameExtension& e = *nic.pool().ExtensionOf(ask);
  const uint64_t packets = PacketsOf(static_cast<int64_t>(e.length), nic.constants().mtu);
  if (e.psn + packets <= s.expected_psn) return s.Acknowledge();  // the answer to its last packet was lost
  const auto known =
      std::ranges::find_if(incoming_, [&](const Incoming& m) { return m.number == e.transfer; });
  if (known != incoming_.end()) return AnswerKnown(ask, *known);
  if (e.transfer != granted_) return;
  const bool receives = !IsBulk(ask.message) && TakesReceive(ask.opcode);
  const uint8_t refused = receives ? s.owner().Admits(e.receive) : 0;
  if (refused != 0) {
    ++nic.count().rnr_naks;
    return AnswerAsk(s_, ask, refused, ContextTable::kNone);
  }
  Incoming m;
  m.number = e.transfer;
  m.first_psn = e.psn;
  m.packets = packets;
  m.operation = OperationOf(ask.opcode);
  m.message = ask.message;
  m.address = e.address;
  m.length = e.length;
  m.key = e.key;
  m.receive = e.receive;
  m.vector =
      ReceiveVector(static_cast<uint32_t>(std::min<uint64_t>(packets, static_cast<uint64_t>(p_.packets))));
  if (!Grant(m)) return AnswerAsk(s_, ask, kNoContext, ContextTable::kNone);
  ++granted_;
  incoming_.push_back(std::move(m));
  AnswerAsk(s_, ask, kGranted, incoming_.back().context);
}

/// Answers the request of a message that has had a context.
void ReceiveContexts::AnswerKnown(const Frame& ask, Incoming& m) {
  m.heard = s_.nic().now();
  if (m.AllIn()) return AnswerAsk(s_, ask, kGranted, ContextTable::kNone);  // it waits for earlier messages
  if (m.context == ContextTable::kNone && !Grant(m))
    return AnswerAsk(s_, ask, kNoContext, ContextTable::kNone);
  const uint32_t has = s_.nic().pool().ExtensionOf(ask)->context;
  if (has != m.context) AnswerAsk(s_, ask, kGranted, m.context);
  if (has != ContextTable::kNone) Expire(m);
}

/// Returns false if no context is free.
bool ReceiveContexts::Grant(Incoming& m) {
  NicInterface& nic = s_.nic();
  m.context = nic.contexts()->Take(*this);
  if (m.context == ContextTable::kNone) return false;
  m.heard = nic.now();
  nic.contexts()->SetDeadline(
      m.context, nic.now() + (m.vector.any() ? p_.timer : PatienceOf(nic.constants().transport)));
  return true;
}

void ReceiveContexts::OnContextTimer(uint32_t context) {
  Incoming* const m = Of(context);
  if (m == nullptr) return;
  NicInterface& nic = s_.nic();
  if (Stopped() || nic.now() - m->heard >= PatienceOf(nic.constants().transport)) {
    nic.contexts()->Give(context);
    m->context = ContextTable::kNone;
    return;
  }
  ++nic.count().timeouts;
  nic.contexts()->SetDeadline(context, nic.now() + p_.timer);
  Expire(*m);
}

/// Requests the base, and, if no packet came since, all missing packets. While other packets come, those
/// behind the last of them may still be on their way. The timer and the sender's silence end within one round
/// trip of each other, so the second does not count.
void ReceiveContexts::Expire(Incoming& m) {
  NicInterface& nic = s_.nic();
  const Time now = nic.now();
  const bool waits = (m.expired || m.vector.BaseIsRequested()) && now - m.requested < p_.timer;
  if (!waits) m.requested = now;
  if (m.vector.any()) nic.contexts()->SetDeadline(m.context, m.requested + p_.timer);
  if (waits) return;
  const bool again = std::exchange(m.expired, true);
  if (!again || now - m.came < p_.timer) return Resend(m, m.vector.base(), m.vector.base() + 1, true);
  m.vector.ForMissing(m.packets, [&](uint64_t from, uint64_t end) { Resend(m, from, end, true); });
}

/// Each request has room for 7 bits of a number of packets. `lost`: the packets count as lost; else this
/// receiver has dropped them.
void ReceiveContexts::Resend(const Incoming& m, uint64_t from, uint64_t end, bool lost) const {
  NicInterface& nic = s_.nic();
  for (; from < end; from += kResendPackets) {
    ++nic.count().naks;
    Frame* const resend = s_.MakeControl(FrameKind::nak, s_.expected_psn, false, kSequenceError);
    FrameExtension& e = nic.pool().Attach(*resend);
    e.arrived = m.first_psn + from;
    e.length = std::min(end - from, kResendPackets);
    e.all = lost;
    e.transfer = m.number;
    e.context = m.context;
    e.index = from;
    nic.SendNow(resend);
  }
}

ReceiveContexts::Incoming* ReceiveContexts::Of(uint32_t context) {
  const auto found = std::ranges::find_if(incoming_, [&](const Incoming& m) { return m.context == context; });
  return found == incoming_.end() ? nullptr : &*found;
}

void ReceiveContexts::OnContextLost(uint32_t context) {
  if (Incoming* const m = Of(context)) m->context = ContextTable::kNone;
}

void ReceiveContexts::Forget() {
  for (const Incoming& m : incoming_) {
    if (m.context != ContextTable::kNone) s_.nic().contexts()->Give(m.context);
  }
  incoming_.clear();
  reads_.clear();
  granted_ = 0;
}

}  // namespace headroom
