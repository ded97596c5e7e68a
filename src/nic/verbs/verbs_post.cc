// Part of Verbs: posting, and immediate refusals.
#include "nic/verbs/queue_pair.h"

namespace headroom {
namespace {

constexpr uint32_t kLongestMessage = uint32_t{1} << 31;

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

}  // namespace

bool Verbs::IsHost(const AddressHandle& address) const { return address.host < nic_.constants().hosts; }

bool Verbs::CanSend(const QueuePair& qp, const SendWr& wr) const {
  if (!Allows(qp.type, wr.opcode) || wr.sge.length > kLongestMessage) return false;
  if (wr.opcode == WrOpcode::rdma_read && nic_.FlagsAcks(qp.requester.priority)) return false;
  if (qp.type == QpType::ud && (wr.sge.length > nic_.constants().mtu || !IsHost(wr.ah))) return false;
  if (wr.inline_data) {
    if (wr.opcode == WrOpcode::rdma_read || IsStep(wr.opcode)) return false;
    if (wr.sge.length > qp.cap.max_inline_data) return false;
  }
  return true;
}

bool Verbs::IsFull(const QueuePair* qp) { return qp->sq_occupied >= qp->cap.max_send_wr; }

int Verbs::PostSend(QueuePair* qp, const SendWr& wr) {
  const bool failed = qp->state == QpState::err || qp->state == QpState::sqe;
  if (!failed && qp->state != QpState::rts && qp->state != QpState::sqd) return EINVAL;
  if (!CanSend(*qp, wr)) return EINVAL;
  if (IsFull(qp)) return ENOMEM;
  qp->PostSend(wr);
  return 0;
}

int Verbs::PostRecv(QueuePair* qp, const ReceiveWr& wr) {
  if (qp->state == QpState::reset || qp->srq != nullptr) return EINVAL;
  if (qp->rq_occupied >= qp->cap.max_recv_wr) return ENOMEM;
  qp->PostReceive(wr);
  return 0;
}

int Verbs::PostSrqRecv(SharedReceiveQueue* srq, const ReceiveWr& wr) {
  if (srq->occupied_ >= srq->max_wr_) return ENOMEM;
  ++srq->occupied_;
  srq->queue_.PushBack({wr, nic_.now()});
  return 0;
}

}  // namespace headroom
