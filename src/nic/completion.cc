// The end of work requests: what their owners poll.
#include "nic/nic.h"
#include "nic/whole_queue_pair.h"

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

const char* WcOpcodeCode(WcOpcode opcode) {
  constexpr const char* kCodes[] = {"rdma_write", "send", "rdma_read",         "local_inv",
                                    "reg_mr",     "recv", "recv_rdma_with_imm"};
  return kCodes[static_cast<size_t>(opcode)];
}

const char* WcStatusCode(WcStatus status) {
  constexpr const char* kCodes[] = {"success",       "loc_len_err",      "loc_prot_err",   "wr_flush_err",
                                    "mw_bind_err",   "rem_inv_req_err",  "rem_access_err", "rem_op_err",
                                    "retry_exc_err", "rnr_retry_exc_err"};
  return kCodes[static_cast<size_t>(status)];
}

const char* WcStatusName(WcStatus status) {
  constexpr const char* kNames[] = {"success",
                                    "local length error",
                                    "local protection error",
                                    "work request flushed",
                                    "memory binding error",
                                    "remote invalid request error",
                                    "remote access error",
                                    "remote operation error",
                                    "transport retries exceeded",
                                    "RNR retries exceeded"};
  return kNames[static_cast<size_t>(status)];
}

/// The oldest request is done, unless it is a step of the NIC's own that has not been taken. Then false.
bool Nic::CompleteFront(uint32_t, Requester& r) {
  QueuePair& pair = *r.pair;
  const SendRequest request = r.requests.Front();
  const bool local = request.packets == 0;
  if (local && !request.done) return false;
  if (request.operation == Operation::read_request && !local) {
    --pair.posted_reads;
    if (r.cursor > 0) --pair.reads;
    pair.recovering = false;
  }
  pair.rnr_retries = 0;
  r.requests.PopFront();
  if (r.cursor > 0) --r.cursor;
  if (pair.bulk) {
    if (local) return true;
    CompleteBulk(request.message);
  } else {
    CompleteWork(pair, WcStatus::success);
  }
  return true;
}

/// The oldest work request of the send queue leaves it.
void Nic::CompleteWork(QueuePair& pair, WcStatus status) {
  SendWork& work = pair.work.Front();
  const SendWr& wr = work.wr;
  CompletionQueue::Entry entry;
  entry.wc.wr_id = wr.wr_id;
  entry.wc.status = status;
  entry.wc.opcode = OpcodeOfWork(wr.opcode);
  entry.wc.byte_len = wr.sge.length;
  entry.wc.qp_num = pair.requester;
  entry.wc.times = work.times;
  entry.wc.times.completed = now();
  const bool packets = wr.opcode != WrOpcode::local_inv && wr.opcode != WrOpcode::reg_mr;
  if (status == WcStatus::success && packets && pair.type == QpType::rc) {
    entry.wc.times.acknowledged = Came();
  }
  const bool says = wr.signaled || pair.sq_sig_all || status != WcStatus::success;
  const NodeId peer = pair.type == QpType::ud ? wr.ah.host : requesters_[pair.requester].peer;
  pair.work.PopFront();
  ++pair.unreleased;
  if (!says) return;
  entry.slots = &pair.sq_occupied;
  entry.frees = pair.unreleased;
  entry.peer = peer;
  pair.unreleased = 0;
  WriteCompletion(pair, *pair.send_cq, entry, false);
}

/// The RECV of the message that comes in is done. `frame`: the message's last; null: none.
void Nic::CompleteReceive(QueuePair& pair, const Frame* frame, WcStatus status) {
  Inbound& in = pair.inbound;
  in.has_recv = false;
  in.active = false;
  CompletionQueue::Entry entry;
  Wc& wc = entry.wc;
  wc.wr_id = in.recv.wr.wr_id;
  wc.status = status;
  wc.opcode = WcOpcode::recv;
  wc.qp_num = pair.responder;
  wc.times.posted = in.recv.posted;
  wc.times.completed = now();
  if (frame != nullptr) {
    const FrameExtension& e = *port_->pool().ExtensionOf(*frame);
    if (IsWrite(frame->opcode)) wc.opcode = WcOpcode::recv_rdma_with_imm;
    wc.byte_len = static_cast<uint32_t>(in.offset);
    wc.with_imm = HasImmediate(frame->opcode);
    if (wc.with_imm) wc.imm_data = e.immediate;
    wc.with_inv = HasInvalidate(frame->opcode);
    if (wc.with_inv) wc.invalidated_rkey = e.key;
    wc.src = frame->src;
    if (pair.type == QpType::ud) {
      wc.grh = true;
      wc.src_qp = e.source_qp;
    }
    wc.times.acknowledged = Came();
  }
  entry.slots = pair.srq != nullptr ? &pair.srq->occupied_ : &pair.rq_occupied;
  entry.frees = 1;
  entry.peer = pair.type != QpType::ud ? responders_[pair.responder].peer
               : frame != nullptr      ? frame->src
                                       : kNoPeer;
  WriteCompletion(pair, *pair.recv_cq, entry, frame != nullptr && frame->solicited);
}

/// The NIC has done its part: the completion is in its queue once it is written to memory.
void Nic::WriteCompletion(QueuePair& pair, CompletionQueue& cq, const CompletionQueue::Entry& entry,
                          bool solicited) {
  if (stages_ == nullptr) return AddCompletion(pair, cq, entry, solicited);
  stages_->written.PushBack({&pair, &cq, entry, solicited});
  Arm(Timer::reported, 0, stages_->costs.Complete(now(), &cq == pair.send_cq && !entry.wc.IsReceive()));
}

void Nic::AddCompletion(QueuePair& pair, CompletionQueue& cq, const CompletionQueue::Entry& entry,
                        bool solicited) {
  bool wake = false;
  if (!cq.Add(entry, solicited, &wake)) {
    if (pair.state != QpState::err) {
      if (sink_ != nullptr) sink_->OnQueuePairError(config_.host, pair.requester, "completion queue overrun");
      EnterError(pair);
    }
    return;
  }
  if (wake) Arm(Timer::notify, cq.number_, now());
}

}  // namespace headroom
