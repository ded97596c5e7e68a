#include "nic/transport/responder.h"

#include "nic/transport/requester.h"
#include "nic/transport/syndrome.h"

namespace headroom {

/// Which requests are taken, which are answered and how.
void Responder::OnRequest(const Frame& frame) {
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

void Responder::OnReliable(const Frame& frame) {
  const bool read = IsReadRequest(frame.opcode);
  const FrameExtension* e = read ? nic_->pool().ExtensionOf(frame) : nullptr;
  const uint64_t psn = read ? e->psn : WholePsn(frame.psn, expected_psn);
  if (psn < expected_psn) return OnDuplicate(frame);
  if (psn > expected_psn) {
    if (nak_sent) return;
    nak_sent = true;
    ++nic_->count().naks;
    return Reply(FrameKind::nak, expected_psn, kSequenceError);
  }
  const bool numbered = IsBulk(frame.message);
  if (const uint8_t refused = numbered ? 0 : read ? owner_->CheckRead(frame) : owner_->Take(frame)) {
    nak_sent = true;  // what follows it will come again
    ++(refused < kSequenceError ? nic_->count().rnr_naks : nic_->count().naks);
    Reply(FrameKind::nak, expected_psn, refused);
    if (refused >= kSequenceError) owner_->Failed(*requester_, WcStatus::wr_flush_err, "refused a request");
    return;
  }
  nak_sent = false;
  if (read) {
    expected_psn += PacketsOf(static_cast<int64_t>(e->length), nic_->constants().mtu);
    unacknowledged = 0;  // the response acknowledges all before it
    ++executed;
    return AnswerRead(frame);
  }
  ++expected_psn;
  ++unacknowledged;
  executed += frame.last;
  if (numbered) {
    MessageSink& sink = nic_->sink();
    if (sink.HearsPackets()) sink.OnPacket(frame.message, frame.last);
    if (frame.last) sink.OnDelivered(frame.message, nic_->Landed());
  }
  if (!frame.last && unacknowledged < static_cast<uint32_t>(nic_->constants().transport.ack_every)) return;
  Acknowledge();
}

/// What was taken before is acknowledged again: whatever ACK was lost, this one stands for it. Or, being a
/// READ, it is answered again.
void Responder::OnDuplicate(const Frame& frame) {
  if (!IsReadRequest(frame.opcode)) return Acknowledge();
  // Where the key is gone since, the timer will tell.
  if (!IsBulk(frame.message) && owner_->CheckRead(frame) != 0) return;
  DropAnswersFrom(nic_->pool().ExtensionOf(frame)->psn);
  AnswerRead(frame);
}

/// A gap costs the message in which it falls, in silence.
void Responder::OnUnreliable(const Frame& frame) {
  const uint64_t psn = WholePsn(frame.psn, expected_psn);
  if (psn != expected_psn) whole = false;
  expected_psn = psn + 1;
  if (frame.first) whole = true;
  const uint8_t refused = whole ? owner_->Take(frame) : 0;
  if (!whole || refused != 0) ++nic_->count().discarded_packets;
  if (frame.last || refused != 0) whole = false;
  if (refused == kInvalidRequest || refused == kRemoteOperation) {
    owner_->Failed(*requester_, WcStatus::wr_flush_err, "a message does not fit its RECV");
  }
}

void Responder::Reset() {
  peer_qp = kNoPeer;
  expected_psn = response_high_ = 0;
  unacknowledged = executed = 0;
  receives = nak_sent = echo = whole = false;
  np = {};
  answers.Clear();
}

}  // namespace headroom
