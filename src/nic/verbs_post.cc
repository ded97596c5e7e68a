// Posting work requests: what is refused at once, and how the rest enters its queue.
#include "nic/nic.h"

namespace headroom {
namespace {

constexpr uint32_t kLongestMessage = uint32_t{1} << 31;

bool IsLocal(WrOpcode opcode) { return opcode == WrOpcode::local_inv || opcode == WrOpcode::reg_mr; }

bool Allows(QpType type, WrOpcode opcode) {
  switch (opcode) {
    case WrOpcode::send:
    case WrOpcode::send_with_imm:
      return true;
    case WrOpcode::rdma_write:
    case WrOpcode::rdma_write_with_imm:
    case WrOpcode::local_inv:
    case WrOpcode::reg_mr:
      return type != QpType::ud;
    case WrOpcode::rdma_read:
    case WrOpcode::send_with_inv:
      return type == QpType::rc;
  }
  return false;
}

Operation OperationOf(WrOpcode opcode) {
  switch (opcode) {
    case WrOpcode::rdma_write:
      return Operation::write;
    case WrOpcode::rdma_write_with_imm:
      return Operation::write_imm;
    case WrOpcode::send_with_imm:
      return Operation::send_imm;
    case WrOpcode::send_with_inv:
      return Operation::send_inv;
    case WrOpcode::rdma_read:
      return Operation::read_request;
    default:
      return Operation::send;
  }
}

}  // namespace

bool Verbs::IsHost(const AddressHandle& address) const { return address.host < nic_.config_.hosts; }

bool Verbs::CanSend(const QueuePair& qp, const SendWr& wr) const {
  if (!Allows(qp.type, wr.opcode) || wr.sge.length > kLongestMessage) return false;
  const uint8_t priority = nic_.requesters_[qp.requester].priority;
  if (wr.opcode == WrOpcode::rdma_read && nic_.config_.parameters.FlagsAcks(priority)) return false;
  if (qp.type == QpType::ud && (wr.sge.length > nic_.config_.mtu || !IsHost(wr.ah))) return false;
  if (wr.inline_data) {
    if (wr.opcode == WrOpcode::rdma_read || IsLocal(wr.opcode)) return false;
    if (wr.sge.length > qp.cap.max_inline_data) return false;
  }
  return true;
}

int Verbs::PostSend(QueuePair* qp, const SendWr& wr) {
  const bool failed = qp->state == QpState::err || qp->state == QpState::sqe;
  if (!failed && qp->state != QpState::rts && qp->state != QpState::sqd) return EINVAL;
  if (!CanSend(*qp, wr)) return EINVAL;
  if (qp->sq_occupied >= qp->cap.max_send_wr) return ENOMEM;
  ++qp->sq_occupied;

  SendWork& work = qp->work.Extend();
  work.wr = wr;
  work.times = {};
  work.times.posted = nic_.now();
  work.done_at = kNever;
  work.inline_bytes.clear();
  if (wr.inline_data) {
    const uint8_t* content = wr.content != nullptr ? wr.content : memory_.FindLocal(wr.sge, 0).content;
    if (content != nullptr) work.inline_bytes.assign(content, content + wr.sge.length);
  }
  if (failed) {
    nic_.FlushSends(*qp);
    return 0;
  }
  SendRequest request;
  request.message = kNoMessage;
  request.operation = OperationOf(wr.opcode);
  request.fence = wr.fence;
  request.inlined = wr.inline_data;
  request.bytes = wr.sge.length;
  request.packets = IsLocal(wr.opcode) ? 0 : PacketsOf(request.bytes, nic_.config_.mtu);
  nic_.Enqueue(qp->requester, request);
  return 0;
}

int Verbs::PostRecv(QueuePair* qp, const ReceiveWr& wr) {
  if (qp->state == QpState::reset || qp->srq != nullptr) return EINVAL;
  if (qp->rq_occupied >= qp->cap.max_recv_wr) return ENOMEM;
  ++qp->rq_occupied;
  qp->receive_queue.PushBack({wr, nic_.now()});
  if (qp->state == QpState::err && nic_.TakeReceive(*qp)) {
    nic_.CompleteReceive(*qp, nullptr, WcStatus::wr_flush_err);
  }
  return 0;
}

int Verbs::PostSrqRecv(SharedReceiveQueue* srq, const ReceiveWr& wr) {
  if (srq->occupied_ >= srq->max_wr_) return ENOMEM;
  ++srq->occupied_;
  srq->queue_.PushBack({wr, nic_.now()});
  return 0;
}

}  // namespace headroom
