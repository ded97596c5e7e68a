// What refusals, missing answers and errors do to a whole queue pair.
#include "nic/nic.h"
#include "nic/whole_queue_pair.h"

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

void Nic::OnRefusal(const Frame& frame, Requester& r) {
  QueuePair& pair = *r.pair;
  const uint64_t psn = WholePsn(frame.psn, r.una_psn);
  if (!OnAnswerTo(frame.qp, r, psn)) return;
  if (psn != r.una_psn || r.next_psn <= psn) return;  // an old one
  if (frame.opcode > kSequenceError) {
    return FailWork(frame.qp, StatusOf(frame.opcode), WcStatusName(StatusOf(frame.opcode)));
  }
  if (frame.opcode == kSequenceError) {
    return GoBack(frame.qp, psn, now() + config_.parameters.transport.recovery_delay);
  }
  constexpr uint8_t kForEver = 7;
  if (pair.rnr_limit != kForEver && pair.rnr_retries >= pair.rnr_limit) {
    return FailWork(frame.qp, WcStatus::rnr_retry_exc_err, "RNR retries exhausted");
  }
  ++pair.rnr_retries;
  r.rto_deadline = kNever;  // runs again from the next try on
  GoBack(frame.qp, psn, now() + RnrTimer(frame.opcode & 0x1F));
}

/// The oldest work request ends so, and with it the queue pair; of UC and UD the send queue alone. What fails
/// on the responder's side has status wr_flush_err: no work request is at fault.
void Nic::FailWork(uint32_t qp, WcStatus status, const std::string& why) {
  Requester& r = requesters_[qp];
  QueuePair& pair = *r.pair;
  if (pair.state == QpState::err) return;
  if (sink_ != nullptr) sink_->OnQueuePairError(config_.host, qp, why);
  const bool own = status != WcStatus::wr_flush_err;
  if (own && !pair.work.Empty()) {
    // A local error is that of the request at the cursor; those before it are on their way and flushed with
    // it.
    const bool local = status == WcStatus::loc_prot_err || status == WcStatus::mw_bind_err;
    for (uint32_t before = local ? r.cursor : 0; before > 0; --before)
      CompleteWork(pair, WcStatus::wr_flush_err);
    CompleteWork(pair, status);
  }
  if (own) pair.answers.Clear();  // else a NAK may stand among them
  if (own && pair.type != QpType::rc) {
    FlushSends(pair);
    if (pair.state != QpState::err) pair.state = QpState::sqe;
  } else {
    EnterError(pair);
  }
}

void Nic::EnterError(QueuePair& pair) {
  if (pair.state == QpState::err) return;
  pair.state = QpState::err;
  if (pair.bulk) {
    requesters_[pair.requester].rto_deadline = kNever;
    return;
  }
  FlushSends(pair);
  if (pair.inbound.has_recv) CompleteReceive(pair, nullptr, WcStatus::wr_flush_err);
  while (pair.srq == nullptr && TakeReceive(pair)) CompleteReceive(pair, nullptr, WcStatus::wr_flush_err);
}

/// Every work request of the send queue ends unserved, in order.
void Nic::FlushSends(QueuePair& pair) {
  Requester& r = requesters_[pair.requester];
  r.rto_deadline = kNever;
  while (!pair.work.Empty()) CompleteWork(pair, WcStatus::wr_flush_err);
  r.requests.Clear();
  r.cursor = 0;
  r.next_psn = r.una_psn = r.high_psn = r.limit_psn = r.end_psn;
  pair.reads = 0;
  pair.posted_reads = 0;
}

/// As new, but for what is being sent.
void Nic::ResetPair(QueuePair& pair) {
  Requester& r = requesters_[pair.requester];
  Responder& s = responders_[pair.responder];
  r.rto_deadline = kNever;
  r.requests.Clear();
  r.cursor = 0;
  r.retries = 0;
  r.next_psn = r.una_psn = r.high_psn = r.limit_psn = r.end_psn = 0;
  r.peer_qp = s.peer_qp = kNoPeer;
  s.expected_psn = 0;
  s.unacknowledged = s.executed = 0;
  s.nak_sent = s.echo = false;
  s.np = {};
  pair.work.Clear();
  pair.answers.Clear();
  pair.receive_queue.Clear();
  pair.inbound = {};
  pair.reads = 0;
  pair.posted_reads = 0;
  pair.recovering = pair.answered_last = false;
  pair.rnr_retries = 0;
  pair.hold_until = Time{};
  pair.acknowledged_to = pair.response_high = 0;
  pair.unreleased = pair.sq_occupied = pair.rq_occupied = 0;
  if (stages_ != nullptr) {
    for (uint32_t i = 0; i < stages_->written.Size(); ++i) {
      if (stages_->written[i].pair == &pair) stages_->written[i].cq = nullptr;
    }
  }
  pair.send_cq->Clean(pair.requester);
  pair.recv_cq->Clean(pair.requester);
  pair.state = QpState::reset;
}

}  // namespace headroom
