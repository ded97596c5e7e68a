#include "nic/transport/responder.h"

#include "net/topology/routing.h"
#include "nic/transport/requester.h"
#include "nic/transport/syndrome.h"

namespace headroom {

/// Accepts requests, and decides on their answers.
void Responder::OnRequest(Frame& frame) {
  if (!receives || (frame.src != peer && transport != Transport::ud)) {
    ++nic_->count().discarded_packets;
    return;
  }
  switch (transport) {
    case Transport::rc:
      return OnReliable(frame);
    case Transport::uc:
      return OnUnreliable(frame);
    case Transport::ud:
      return owner_->TakeDatagram(frame);
  }
}

void Responder::FollowPath(const Frame& frame) {
  source_port = frame.source_port;
  flow_hash = FlowHash(nic_->host(), peer, source_port);
  path_marked = frame.ce;
}

void Responder::OnAsk(const Frame& frame) {
  if (recovery_ == nullptr || !receives || frame.src != peer) {
    ++nic_->count().discarded_packets;
    return;
  }
  recovery_->OnAsk(*this, frame);
}

inline Responder::Taken Responder::TakeExpected(const Frame& frame, bool placed) {
  const bool read = IsReadRequest(frame.opcode);
  const bool numbered = IsBulk(frame.message);
  uint8_t refused = 0;
  if (!numbered) {
    refused = read ? owner_->CheckRead(frame) : placed ? owner_->TakePlaced(frame) : owner_->Take(frame);
  }
  if (refused != 0) {
    nak_sent = true;  // later packets will be sent again
    ++(refused < kSequenceError ? nic_->count().rnr_naks : nic_->count().naks);
    Reply(FrameKind::nak, expected_psn, refused);
    if (refused >= kSequenceError) owner_->Failed(*requester_, WcStatus::wr_flush_err, "refused a request");
    return Taken::refused;
  }
  nak_sent = false;
  if (read) {
    const FrameExtension& e = *nic_->pool().ExtensionOf(frame);
    expected_psn += PacketsOf(static_cast<int64_t>(e.length), nic_->constants().mtu);
    unacknowledged = 0;  // the response acknowledges all earlier packets
    ++executed;
    AnswerRead(frame);
    return Taken::answered;
  }
  ++expected_psn;
  ++unacknowledged;
  executed += frame.data.last;
  if (numbered) {
    MessageSink& sink = nic_->sink();
    if (sink.HearsPackets()) sink.OnPacket(frame.message, frame.data.last);
    if (frame.data.last) sink.OnDelivered(frame.message, nic_->Landed());
  }
  return Taken::acknowledges;
}

void Responder::OnReliable(Frame& frame) {
  const bool read = IsReadRequest(frame.opcode);
  const uint64_t psn = read ? nic_->pool().ExtensionOf(frame)->psn : WholePsn(frame.psn, expected_psn);
  if (recovery_ != nullptr) [[unlikely]]
    return recovery_->OnRequest(*this, frame, psn);
  if (psn < expected_psn) return OnDuplicate(frame);
  if (psn > expected_psn) {
    if (nak_sent) return;
    nak_sent = true;
    ++nic_->count().naks;
    return Reply(FrameKind::nak, expected_psn, kSequenceError);
  }
  if (TakeExpected(frame, false) == Taken::acknowledges) AcknowledgeIf(frame.data.last);
}

Responder::Taken Responder::Take(const Frame& frame, bool placed) { return TakeExpected(frame, placed); }

/// A duplicate is acknowledged again: this ACK replaces a lost one. A duplicate READ is answered again.
void Responder::OnDuplicate(const Frame& frame) {
  if (!IsReadRequest(frame.opcode)) return Acknowledge();
  // If the key has become invalid since, the requester's timer will notice.
  if (!IsBulk(frame.message) && owner_->CheckRead(frame) != 0) return;
  const FrameExtension& e = *nic_->pool().ExtensionOf(frame);
  if (recovery_ == nullptr) {
    DropAnswersFrom(e.psn);
  } else if (Answers(e.psn, static_cast<int64_t>(e.length), e.transfer)) {
    return;
  }
  AnswerRead(frame, true);
}

/// A gap loses the message that contains it, without a notification.
void Responder::OnUnreliable(const Frame& frame) {
  const uint64_t psn = WholePsn(frame.psn, expected_psn);
  if (psn != expected_psn) whole = false;
  expected_psn = psn + 1;
  if (frame.data.first) whole = true;
  const uint8_t refused = whole ? owner_->Take(frame) : 0;
  if (!whole || refused != 0) ++nic_->count().discarded_packets;
  if (frame.data.last || refused != 0) whole = false;
  if (refused == kInvalidRequest || refused == kRemoteOperation) {
    owner_->Failed(*requester_, WcStatus::wr_flush_err, "a message does not fit its RECV");
  }
}

void Responder::Reset() {
  peer_qp = kNoPeer;
  expected_psn = response_high_ = 0;
  unacknowledged = executed = 0;
  receives = nak_sent = whole = false;
  echo = 0;
  np = {};
  answers.Clear();
  if (recovery_ != nullptr) recovery_->Forget();
}

}  // namespace headroom
