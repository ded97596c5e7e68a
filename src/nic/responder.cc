// Requests that arrive at a whole queue pair, by transport: which are taken, which are answered and how.
//
// Source: InfiniBand Architecture Specification 9.7 (RC), 9.8.2 (UC), 9.8.3 (UD).
#include "nic/nic.h"
#include "nic/whole_queue_pair.h"

namespace headroom {

void Nic::OnRequest(const Frame& frame, Responder& s) {
  const QueuePair& pair = *s.pair;
  const bool receives = pair.state == QpState::rtr || pair.state == QpState::rts ||
                        pair.state == QpState::sqd || pair.state == QpState::sqe;
  const bool mine = pair.type == QpType::ud || (frame.src == s.peer && s.peer_qp != kNoPeer);
  if (!receives || !mine) {
    ++counters_.discarded_packets;
    return;
  }
  switch (pair.type) {
    case QpType::rc:
      return OnReliable(frame, s);
    case QpType::uc:
      return OnUnreliable(frame, s);
    case QpType::ud:
      return OnDatagram(frame, s);
  }
}

void Nic::OnReliable(const Frame& frame, Responder& s) {
  QueuePair& pair = *s.pair;
  const bool read = IsReadRequest(frame.opcode);
  const uint64_t psn = read ? port_->pool().ExtensionOf(frame)->psn : WholePsn(frame.psn, s.expected_psn);
  if (psn < s.expected_psn) return OnDuplicate(frame, s);
  if (psn > s.expected_psn) {
    if (s.nak_sent) return;
    s.nak_sent = true;
    ++counters_.naks;
    return Reply(s, FrameKind::nak, s.expected_psn, kSequenceError);
  }
  const uint8_t refused = pair.bulk ? 0 : Take(frame, pair);
  if (refused != 0) {
    s.nak_sent = true;  // what follows it will come again
    ++(refused < kSequenceError ? counters_.rnr_naks : counters_.naks);
    Reply(s, FrameKind::nak, s.expected_psn, refused);
    if (refused >= kSequenceError) FailWork(pair.requester, WcStatus::wr_flush_err, "refused a request");
    return;
  }
  s.nak_sent = false;
  if (read) {
    s.expected_psn += PacketsOf(static_cast<int64_t>(port_->pool().ExtensionOf(frame)->length), config_.mtu);
    s.unacknowledged = 0;  // the response acknowledges all before it
    ++s.executed;
    return AnswerRead(frame, s);
  }
  ++s.expected_psn;
  ++s.unacknowledged;
  s.executed += frame.last;
  if (frame.message != kNoMessage) {
    if (sink_->HearsPackets()) sink_->OnPacket(frame.message, frame.last);
    if (frame.last) sink_->OnDelivered(frame.message, Landed());
  }
  if (!frame.last && s.unacknowledged < static_cast<uint32_t>(config_.parameters.transport.ack_every)) return;
  s.unacknowledged = 0;
  Reply(s, FrameKind::ack, s.expected_psn - 1, kAckOpcode);
}

/// What was taken before is acknowledged again, or, being a READ, answered again.
void Nic::OnDuplicate(const Frame& frame, Responder& s) {
  if (IsReadRequest(frame.opcode)) {
    if (!s.pair->bulk && CheckRead(frame, *s.pair) != 0)
      return;  // the key is gone since; the timer will tell
    DropAnswersFrom(*s.pair, port_->pool().ExtensionOf(frame)->psn);
    return AnswerRead(frame, s);
  }
  s.unacknowledged = 0;
  Reply(s, FrameKind::ack, s.expected_psn - 1, kAckOpcode);
}

/// A gap costs the message in which it falls, in silence.
void Nic::OnUnreliable(const Frame& frame, Responder& s) {
  QueuePair& pair = *s.pair;
  const uint64_t psn = WholePsn(frame.psn, s.expected_psn);
  const bool gap = psn != s.expected_psn;
  s.expected_psn = psn + 1;
  if (gap || frame.first) pair.inbound.active = false;
  if (!frame.first && !pair.inbound.active) {
    ++counters_.discarded_packets;
    return;
  }
  const uint8_t refused = Take(frame, pair);
  if (refused == 0) return;
  pair.inbound.active = false;
  ++counters_.discarded_packets;
  if (refused == kInvalidRequest || refused == kRemoteOperation) {
    FailWork(pair.requester, WcStatus::wr_flush_err, "a message does not fit its RECV");
  }
}

void Nic::OnDatagram(const Frame& frame, Responder& s) {
  QueuePair& pair = *s.pair;
  const FrameExtension* e = port_->pool().ExtensionOf(frame);
  if (e == nullptr || e->queue_key != pair.qkey || !TakeReceive(pair)) {
    ++counters_.discarded_packets;
    return;
  }
  Inbound& in = pair.inbound;
  in.has_recv = false;
  const uint64_t whole = Verbs::kGrhBytes + e->length;
  const MemoryRange range = verbs_->memory_.FindLocal(in.recv.wr.sge, kLocalWrite);
  WcStatus status = WcStatus::success;
  if (!range.ok) status = WcStatus::loc_prot_err;
  if (whole > in.recv.wr.sge.length) status = WcStatus::loc_len_err;
  if (status == WcStatus::success && range.content != nullptr) {
    std::copy(e->payload.begin(), e->payload.end(), range.content + Verbs::kGrhBytes);
  }
  in.offset = whole;
  CompleteReceive(pair, &frame, status);
  if (status != WcStatus::success) {
    FailWork(pair.requester, WcStatus::wr_flush_err, "a datagram does not fit its RECV");
  }
}

}  // namespace headroom
