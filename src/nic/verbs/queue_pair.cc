#include "nic/verbs/queue_pair.h"

#include "nic/transport/message_times.h"

namespace headroom {
namespace {

Transport TransportOf(QpType type) {
  constexpr Transport kTransports[] = {Transport::rc, Transport::uc, Transport::ud};
  return kTransports[static_cast<size_t>(type)];
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

QueuePair::QueuePair(Verbs& verbs, VerbsNic& nic, const QpInitAttr& attr)
    : QueuePair(verbs, nic, attr, nic.AddPair(*this, TransportOf(attr.type), attr.priority)) {}

QueuePair::QueuePair(Verbs& verbs, VerbsNic& nic, const QpInitAttr& attr, VerbsNic::Pair halves)
    : verbs_(verbs),
      nic_(nic),
      requester(*halves.requester),
      responder(*halves.responder),
      type(attr.type),
      sq_sig_all(attr.sq_sig_all),
      cap(attr.cap),
      srq(attr.srq),
      send_cq_(*attr.send_cq),
      recv_cq_(*attr.recv_cq) {
  requester.tag = responder.tag = attr.tag;
  Reset();
}

void QueuePair::SetState(QpState to) {
  state = to;
  requester.phase = to == QpState::rts   ? Requester::Phase::runs
                    : to == QpState::sqd ? Requester::Phase::drains
                                         : Requester::Phase::stopped;
  const bool up = to == QpState::rtr || to == QpState::rts || to == QpState::sqd || to == QpState::sqe;
  responder.receives = up && (type == QpType::ud || responder.peer_qp != kNoPeer);
}

void QueuePair::PostSend(const SendWr& wr) {
  ++sq_occupied;
  if (IsStep(wr.opcode) && steps_++ == 0) HearOfAll();
  SendWork& work = work_.Extend();
  work.wr = wr;
  work.times = {};
  work.times.posted = nic_.now();
  work.done_at = kNever;
  work.inline_bytes.clear();
  if (wr.inline_data) {
    const MemoryRange range = verbs_.memory_.FindLocal(wr.sge, 0);
    const uint8_t* const content = wr.content != nullptr ? wr.content : range.content;
    const uint64_t carried = wr.content != nullptr ? wr.sge.length : range.carried;
    if (content != nullptr) work.inline_bytes.assign(content, content + carried);
  }
  if (requester.phase == Requester::Phase::stopped) return FlushSends();
  SendRequest request;
  request.message = kNoMessage;
  const bool split = wr.cause != 0 && wr.timed && !IsStep(wr.opcode);
  if (split && nic_.times() != nullptr) request.message = nic_.times()->NewNumber(nic_.host(), nic_.now());
  request.registers = wr.opcode == WrOpcode::reg_mr;
  request.operation = OperationOf(wr.opcode);
  request.fence = wr.fence;
  request.inlined = wr.inline_data;
  request.bytes = wr.sge.length;
  request.packets = IsStep(wr.opcode) ? 0 : PacketsOf(request.bytes, nic_.constants().mtu);
  const bool receive = TakesReceive(OpcodeOf(Transport::rc, request.operation, true, true));
  if (receive && !request.IsStep()) work.receive = sends_numbered_++;
  requester.Post(request);
}

void QueuePair::PostReceive(const ReceiveWr& wr) {
  ++rq_occupied;
  receive_queue_.PushBack({wr, nic_.now()});
  if (state == QpState::err && TakeReceive()) CompleteReceive(nullptr, WcStatus::wr_flush_err);
}

/// The oldest work request ends with this status and stops the queue pair; for UC and UD it stops only the
/// send queue. A failure on the responder's side has status wr_flush_err, because no work request is at
/// fault.
void QueuePair::Failed(Requester& r, WcStatus status, const std::string& why) {
  if (state == QpState::err) return;
  if (MessageSink* sink = nic_.listener()) sink->OnQueuePairError(nic_.host(), number(), why);
  Settle();
  const bool own = status != WcStatus::wr_flush_err;
  if (own && !work_.Empty()) {
    // A local error concerns the request at the cursor; earlier requests are in flight and flushed with it.
    const bool local = status == WcStatus::loc_prot_err || status == WcStatus::mw_bind_err;
    for (uint32_t before = local ? r.cursor : 0; before > 0; --before) CompleteWork(WcStatus::wr_flush_err);
    CompleteWork(status);
  }
  if (own) responder.answers.Clear();  // otherwise a NAK may be among them
  if (!own || type == QpType::rc) return EnterError();
  FlushSends();
  if (state != QpState::err) SetState(QpState::sqe);
}

void QueuePair::EnterError() {
  if (state == QpState::err) return;
  Settle();
  SetState(QpState::err);
  FlushSends();
  if (inbound_.has_recv) CompleteReceive(nullptr, WcStatus::wr_flush_err);
  while ((srq == nullptr || !early_.Empty()) && TakeReceive())
    CompleteReceive(nullptr, WcStatus::wr_flush_err);
}

/// Every work request of the send queue ends unserved, in order.
void QueuePair::FlushSends() {
  while (!work_.Empty()) CompleteWork(WcStatus::wr_flush_err);
  requester.Forget(requester.end_psn);
}

void QueuePair::Reset() {
  requester.Reset();
  responder.Reset();
  work_.Clear();
  receive_queue_.Clear();
  early_.Clear();
  sends_numbered_ = receives_numbered_ = 0;
  inbound_ = {};
  unreleased_ = steps_ = sq_occupied = rq_occupied = 0;
  for (uint32_t i = 0; i < verbs_.written_.Size(); ++i) {
    if (verbs_.written_[i].pair == this) verbs_.written_[i].cq = nullptr;
  }
  send_cq_.Clean(number());
  recv_cq_.Clean(number());
  SetState(QpState::reset);
}

}  // namespace headroom
