// The end of a QueuePair's work requests and RECVs: the completions that programs poll.
#include "nic/transport/message_times.h"
#include "nic/verbs/queue_pair.h"

namespace headroom {
namespace {

WcOpcode OpcodeOfWork(WrOpcode opcode) {
  switch (opcode) {
    case WrOpcode::rdma_write:
    case WrOpcode::rdma_write_with_imm:
      return WcOpcode::rdma_write;
    case WrOpcode::send:
    case WrOpcode::send_with_imm:
    case WrOpcode::send_with_inv:
      return WcOpcode::send;
    case WrOpcode::rdma_read:
      return WcOpcode::rdma_read;
    case WrOpcode::local_inv:
      return WcOpcode::local_inv;
    case WrOpcode::reg_mr:
      return WcOpcode::reg_mr;
  }
  return WcOpcode::send;
}

}  // namespace

void QueuePair::Completed(Requester&, const SendRequest& request) {
  // UC and UD have no answers: their messages end on arrival.
  const bool ends = request.message != kNoMessage && type == QpType::rc;
  if (ends) nic_.times()->OnEnded(request.message, nic_.now());
  CompleteWork(WcStatus::success, ends ? request.message : kNoMessage);
}

/// The oldest work request of the send queue leaves it.
void QueuePair::CompleteWork(WcStatus status, uint32_t message) {
  SendWork& work = work_.Front();
  const SendWr& wr = work.wr;
  const bool packets = !IsStep(wr.opcode);
  steps_ -= !packets;
  ++unreleased_;
  if (!Says(wr) && status == WcStatus::success) return work_.PopFront();
  CompletionQueue::Entry entry;
  entry.wc.wr_id = wr.wr_id;
  entry.wc.status = status;
  entry.wc.opcode = OpcodeOfWork(wr.opcode);
  entry.wc.byte_len = wr.sge.length;
  entry.wc.qp_num = number();
  entry.wc.cause = wr.cause;
  entry.wc.message = message;
  entry.wc.times = work.times;
  entry.wc.times.completed = nic_.now();
  if (status == WcStatus::success && packets && type == QpType::rc) {
    entry.wc.times.acknowledged = nic_.ArrivalTime();
  }
  entry.peer = type == QpType::ud ? wr.ah.host : requester.peer;
  work_.PopFront();
  entry.slots = &sq_occupied;
  entry.frees = unreleased_;
  unreleased_ = 0;
  Write(send_cq_, entry, false);
}

/// The RECV of the arriving message is complete. `frame`: the message's last frame, or null.
void QueuePair::CompleteReceive(const Frame* frame, WcStatus status) {
  Inbound& in = inbound_;
  in.has_recv = false;
  CompletionQueue::Entry entry;
  Wc& wc = entry.wc;
  wc.wr_id = in.recv.wr.wr_id;
  wc.status = status;
  wc.opcode = WcOpcode::recv;
  wc.qp_num = number();
  wc.times.posted = in.recv.posted;
  wc.times.completed = nic_.now();
  if (frame != nullptr) {
    const FrameExtension& e = *nic_.pool().ExtensionOf(*frame);
    if (IsWrite(frame->opcode)) wc.opcode = WcOpcode::recv_rdma_with_imm;
    wc.byte_len = static_cast<uint32_t>(in.offset);
    wc.with_imm = HasImmediate(frame->opcode);
    if (wc.with_imm) wc.imm_data = e.immediate;
    wc.with_inv = HasInvalidate(frame->opcode);
    if (wc.with_inv) wc.invalidated_rkey = e.key;
    wc.src = frame->src;
    wc.cause = e.cause;
    wc.message = frame->message;
    if (frame->message != kNoMessage) nic_.times()->OnDelivered(frame->message, nic_.now());
    if (type == QpType::ud) {
      wc.grh = true;
      wc.src_qp = e.source_qp;
    }
    wc.times.acknowledged = nic_.ArrivalTime();
  }
  entry.slots = srq != nullptr ? &srq->occupied_ : &rq_occupied;
  entry.frees = 1;
  entry.peer = type != QpType::ud ? responder.peer : frame != nullptr ? frame->src : kNoPeer;
  Write(recv_cq_, entry, frame != nullptr && frame->data.solicited);
}

/// The NIC has done its part: the completion is in its queue once it has been written to memory.
void QueuePair::Write(CompletionQueue& cq, const CompletionQueue::Entry& entry, bool solicited) {
  NicResources* costs = nic_.costs();
  if (costs == nullptr) return AddCompletion(cq, entry, solicited);
  Verbs::Written& written = verbs_.written_.Extend();
  written.pair = this;
  written.cq = &cq;
  written.entry = entry;
  written.solicited = solicited;
  const bool sent = &cq == &send_cq_ && !entry.wc.IsReceive();
  nic_.Arm(NicTimer::reported, 0, costs->Complete(nic_.now(), sent));
}

void QueuePair::AddCompletion(CompletionQueue& cq, const CompletionQueue::Entry& entry, bool solicited) {
  bool wake = false;
  if (!cq.Add(entry, solicited, &wake)) {
    if (state == QpState::err) return;
    if (MessageSink* sink = nic_.listener()) {
      sink->OnQueuePairError(nic_.host(), number(), "completion queue overrun");
    }
    return EnterError();
  }
  if (wake) nic_.Arm(NicTimer::notify, cq.number_, nic_.now());
}

}  // namespace headroom
