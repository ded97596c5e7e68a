// A Requester's handling of answers: ACKs, which reach only to the first READ with missing responses, NAKs,
// and READ responses (InfiniBand Architecture Specification 9.7.5).
#include <algorithm>

#include "nic/transport/requester.h"
#include "nic/transport/responder.h"
#include "nic/transport/syndrome.h"

namespace headroom {
namespace {

WcStatus StatusOf(uint8_t syndrome) {
  switch (syndrome) {
    case kInvalidRequest:
      return WcStatus::rem_inv_req_err;
    case kRemoteAccess:
      return WcStatus::rem_access_err;
    default:
      return WcStatus::rem_op_err;
  }
}

}  // namespace

/// The first READ in the send queue, whether fully sent or not; null if there is none.
const SendRequest* Requester::FirstRead(uint32_t* index) const {
  if (posted_reads_ == 0) return nullptr;
  for (uint32_t i = 0; i < requests.Size(); ++i) {
    if (requests[i].IsRead()) {
      *index = i;
      return &requests[i];
    }
  }
  return nullptr;
}

/// Shows an ACK to the control, before it takes effect. Returns false if the ACK is for READ responses, and
/// concerns only the control.
bool Requester::Show(const Frame& ack) {
  const bool of_responses = ack.opcode == kResponseAckOpcode;
  if (balances_) HearOfPath(ack);
  if (recovers_ && !of_responses) recovery_->OnAck(*this, ack);
  if (controlled) nic_->OnControlledAck(*this, ack, WholePsn(ack.psn + 1, una_psn));
  return !of_responses;
}

/// An answer has the source port of the packet that caused it.
void Requester::HearOfPath(const Frame& answer) {
  if (answer.generation != generation) return;
  using News = Balancing::News;
  balancing_->Hear(answer.source_port ^ source_port, answer.ack.path_marked ? News::marked : News::good);
}

/// The responder has executed all packets below `una`.
void Requester::OnAnswer(uint64_t una) {
  if (phase == Phase::stopped) return;
  uint32_t index = 0;
  const SendRequest* read = FirstRead(&index);
  if (read != nullptr && una > read->first_psn) {
    AcknowledgeBefore(*read, una);
  } else {
    Acknowledge(una);
  }
  Resume();
}

/// The responder has executed the READ and all requests before it, but the READ's responses have not arrived.
void Requester::AcknowledgeBefore(const SendRequest& read, uint64_t una) {
  const uint64_t expected = std::max(read.first_psn, una_psn);
  acknowledged_to_ = std::max(acknowledged_to_, una);
  Acknowledge(expected);
  if (recovers_) recovery_->OnExecuted(*this);
  // In the same class the responses would have arrived first, so they are lost; in another class the ACK may
  // have overtaken them.
  const bool same = nic_->constants().transport.ack_priority == TransportParameters::AckPriority::same;
  if (same && !recovers_ && next_psn > expected) Recover(expected);
}

/// Responses from `psn` on are lost: after the new request, later responses do not report this loss again.
void Requester::Recover(uint64_t psn) {
  if (recovering_) return;
  recovering_ = true;
  GoBack(psn, nic_->now() + nic_->constants().transport.recovery_delay);
}

/// All packets below `una` have arrived.
void Requester::Acknowledge(uint64_t una) {
  if (una <= una_psn || una > high_psn) return;
  una_psn = una;
  bool answered = una == high_psn;
  if (recovers_) [[unlikely]] {
    recovery_->extended = false;
    recovery_->OnAcknowledged(*this);
    answered = answered && !recovery_->Awaits();
  }
  const bool running = rto_deadline != kNever;  // else a second try is due, and will start the timer
  rto_deadline = answered || !running ? kNever : nic_->now() + rto;
  if (next_psn < una) next_psn = una;
  if (shut_) NoteWindow();
  while (!requests.Empty() && una - requests.Front().first_psn >= requests.Front().packets) {
    if (!CompleteFront()) break;
  }
}

void Requester::NoteWindow() {
  if (!shut_ || next_psn - una_psn >= window) return;
  shut_ = false;
  opened_at = nic_->now();
}

bool Requester::CompleteFront() {
  const SendRequest request = requests.Front();
  if (request.IsStep() && !request.done) return false;
  if (request.IsRead()) {
    --posted_reads_;
    if (cursor > 0) --reads_;
    recovering_ = false;
  }
  rnr_retries_ = 0;
  requests.PopFront();
  if (cursor > 0) --cursor;
  owner_->Completed(*this, request);
  return true;
}

void Requester::OnNak(const Frame& frame) {
  if (phase == Phase::stopped) return;
  const uint64_t psn = WholePsn(frame.psn, una_psn);
  const uint8_t syndrome = frame.syndrome;
  if (balances_) HearOfPath(frame);
  if (controlled) nic_->OnControlledAck(*this, frame, psn);
  OnAnswer(psn);
  if (recovers_ && syndrome == kSequenceError && phase != Phase::stopped) {
    recovery_->OnNak(*this, frame);
    return Resume();
  }
  // Behind a READ with missing responses, a refusal concerns the responder's next request.
  if (psn != (recovers_ ? executed_to() : una_psn) || next_psn <= psn) return;  // an old NAK
  if (syndrome > kSequenceError) {
    return owner_->Failed(*this, StatusOf(syndrome), WcStatusName(StatusOf(syndrome)));
  }
  if (syndrome == kSequenceError) {
    if (controlled) nic_->OnLoss(*this, Loss::refused);
    return GoBack(psn, nic_->now() + nic_->constants().transport.recovery_delay);
  }
  if (!MayRetryRnr()) return;
  rto_deadline = kNever;  // the timer restarts with the next try
  const Time earliest = nic_->now() + RnrTimer(syndrome & 0x1F);
  if (!recovers_) return GoBack(psn, earliest);
  recovery_->RepeatOldest(*this);
  hold_until_ = std::max(hold_until_, earliest);
  nic_->Arm(NicTimer::resume, number_, earliest);
}

bool Requester::MayRetryRnr() {
  constexpr uint8_t kForEver = 7;
  if (rnr_limit != kForEver && rnr_retries_ >= rnr_limit) {
    owner_->Failed(*this, WcStatus::rnr_retry_exc_err, "RNR retries exhausted");
    return false;
  }
  ++rnr_retries_;
  return true;
}

/// Sends again from `psn` on, not before `earliest`. Responses, if any, do not wait for `earliest`.
void Requester::GoBack(uint64_t psn, Time earliest) {
  next_psn = psn;
  cursor = 0;
  reads_ = 0;  // they will be requested again
  shut_ = false;
  if (responder_ != nullptr && earliest > nic_->now()) {
    hold_until_ = std::max(hold_until_, earliest);
    return nic_->Arm(NicTimer::resume, number_, earliest);
  }
  // A queue pair in the round or waiting checks `eligible` at its turn.
  if (state == State::idle) return nic_->Activate(*this, earliest);
  limiter.eligible = std::max(limiter.eligible, earliest);
}

void Requester::OnReadResponse(const Frame& frame) {
  if (recovers_) return recovery_->OnReadResponse(*this, frame);
  uint32_t index = 0;
  const SendRequest* read = FirstRead(&index);
  if (read == nullptr) return;
  const uint64_t expected = std::max(read->first_psn, una_psn);
  const uint64_t psn = WholePsn(frame.psn, expected);
  if (psn < expected || psn >= high_psn) return;
  if (psn > expected) {  // an earlier response is lost; requests before the READ have been executed
    Acknowledge(expected);
    return Recover(expected);
  }
  recovering_ = false;
  const uint64_t offset = expected - read->first_psn;
  const bool last = offset + 1 == read->packets;
  const uint32_t message = read->message;
  if (!IsBulk(message)) {
    owner_->TakeResponse(frame, index, static_cast<uint64_t>(nic_->constants().mtu) * offset);
  } else {
    MessageSink& sink = nic_->sink();
    if (sink.HearsPackets()) sink.OnPacket(message, last);
    if (last) sink.OnDelivered(message, nic_->Landed());
  }
  Acknowledge(expected + 1);
  if (last && acknowledged_to_ > una_psn) {
    OnAnswer(acknowledged_to_);
  } else {
    Resume();
  }
}

}  // namespace headroom
