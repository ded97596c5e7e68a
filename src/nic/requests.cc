// What a whole queue pair's requester sends: its work requests in order, each when it may start.
#include <algorithm>

#include "net/topology/routing.h"
#include "nic/nic.h"
#include "nic/whole_queue_pair.h"

namespace headroom {

/// The next frame of a whole queue pair; null: nothing may go now. Requests and answers take turns.
Frame* Nic::MakeNext(uint32_t qp, Requester& r) {
  QueuePair& pair = *r.pair;
  const bool answers = !pair.answers.Empty();
  if (answers && !pair.answered_last) {
    pair.answered_last = true;
    return MakeResponse(r);
  }
  pair.answered_last = false;
  Frame* frame = MakeRequest(qp, r);
  if (frame == nullptr) return pair.answers.Empty() ? nullptr : MakeResponse(r);
  if (r.transport != Transport::rc) {
    if (frame->last && stages_ == nullptr) Arm(Timer::sent, qp, pair.work[r.cursor - 1].done_at);
  } else if (r.rto_deadline == kNever) {
    r.rto_deadline = now() + r.rto;
    ArmRetransmit(qp);
  }
  return frame;
}

Frame* Nic::MakeRequest(uint32_t qp, Requester& r) {
  QueuePair& pair = *r.pair;
  if (r.transport == Transport::rc && r.next_psn - r.una_psn >= kPsnWindow) return nullptr;
  while (r.cursor < r.requests.Size()) {
    if ((pair.state != QpState::rts && pair.state != QpState::sqd) || pair.hold_until > now()) return nullptr;
    SendRequest& request = r.requests[r.cursor];
    if (request.available > now()) {
      if (pair.resume_at != request.available) Arm(Timer::resume, qp, request.available);
      pair.resume_at = request.available;
      return nullptr;
    }
    if (request.packets == 0) {
      if (!request.done && !(MayStart(qp, r, request) && RunLocally(qp, r, request))) return nullptr;
      // Now and then it is not only done but gone, and with it the requests before it.
      if (r.cursor < r.requests.Size() && &r.requests[r.cursor] == &request && request.done) ++r.cursor;
      continue;
    }
    if (r.next_psn == request.first_psn && !MayStart(qp, r, request)) return nullptr;
    if (request.operation == Operation::read_request) return MakeReadRequest(r, request);
    Frame* frame = MakeData(r);
    if (!pair.bulk) Dress(*frame, r, request);
    if (frame->last) ++r.cursor;
    return frame;
  }
  return nullptr;
}

/// Whether the request at the cursor may begin, or begin again. It fails here where its buffer is not its
/// owner's.
bool Nic::MayStart(uint32_t qp, Requester& r, const SendRequest& request) {
  QueuePair& pair = *r.pair;
  const bool read = request.operation == Operation::read_request && request.packets > 0;
  const bool begun = request.packets > 0 && request.first_psn < r.high_psn;
  if (pair.state == QpState::sqd && !begun) return false;
  if (request.fence && pair.reads > 0) return false;
  if (read && pair.reads >= pair.max_reads) return false;
  // Some NICs start a registration only when all before it is complete (Bai et al., NSDI 2023).
  if (config_.parameters.hidden_fence && request.packets == 0 && r.una_psn != request.first_psn) return false;
  if (pair.bulk || request.packets == 0) return true;
  const SendWr& wr = pair.work[r.cursor].wr;
  if (wr.inline_data || verbs_->memory_.FindLocal(wr.sge, read ? kLocalWrite : 0u).ok) return true;
  FailWork(qp, WcStatus::loc_prot_err, "a local key does not cover the buffer");
  return false;
}

/// REG_MR and LOCAL_INV. False: it goes on until the queue pair resumes, or the queue pair has failed over
/// it.
bool Nic::RunLocally(uint32_t qp, Requester& r, SendRequest& request) {
  QueuePair& pair = *r.pair;
  SendWork* work = pair.bulk ? nullptr : &pair.work[r.cursor];
  const bool registers = work == nullptr || work->wr.opcode == WrOpcode::reg_mr;
  if (work != nullptr && !request.begun) work->times.first_sent = now();
  if (registers && !request.begun && config_.parameters.registration_latency > Time{}) {
    request.begun = true;
    pair.hold_until = now() + config_.parameters.registration_latency;
    Arm(Timer::resume, qp, pair.hold_until);
    return false;
  }
  if (work != nullptr) {
    Memory& memory = verbs_->memory_;
    if (!(registers ? memory.Bind(work->wr) : memory.Invalidate(work->wr.rkey))) {
      FailWork(qp, WcStatus::mw_bind_err, "a memory registration does not fit its region");
      return false;
    }
    work->times.last_sent = now();
  }
  request.done = true;
  if (r.cursor == 0) CompleteFront(qp, r);
  return true;
}

/// Asks for what is not in yet.
Frame* Nic::MakeReadRequest(Requester& r, const SendRequest& request) {
  QueuePair& pair = *r.pair;
  Frame* f = DataFrame(r);
  f->psn = static_cast<uint32_t>(r.next_psn);
  f->message = request.message;
  f->first = f->last = true;
  f->opcode = OpcodeOf(Transport::rc, Operation::read_request, true, true);
  f->bytes = static_cast<uint32_t>(config_.frames.ReadRequest().v);
  counters_.sent_bytes += f->bytes;

  const uint64_t offset = (r.next_psn - request.first_psn) * static_cast<uint64_t>(config_.mtu);
  FrameExtension& e = port_->pool().Attach(*f);
  e.length = static_cast<uint64_t>(request.bytes) - offset;
  e.psn = r.next_psn;
  if (!pair.bulk) {
    SendWork& work = pair.work[r.cursor];
    e.address = work.wr.remote_addr + offset;
    e.key = work.wr.rkey;
    if (stages_ == nullptr) work.times.NoteSent(true, true, now());
  }
  if (r.next_psn < r.high_psn) {
    ++counters_.retransmitted_packets;
    if (request.message != kNoMessage) sink_->OnRetransmittedPacket(request.message);
  }
  r.next_psn = request.first_psn + request.packets;
  r.high_psn = std::max(r.high_psn, r.next_psn);
  ++r.cursor;
  ++pair.reads;
  return f;
}

/// Gives a frame of a work request its addresses, and its payload where it has content.
void Nic::Dress(Frame& frame, const Requester& r, const SendRequest& request) {
  SendWork& work = r.pair->work[r.cursor];
  const SendWr& wr = work.wr;
  const auto mtu = static_cast<uint64_t>(config_.mtu);
  const uint64_t offset = uint64_t{frame.psn - static_cast<uint32_t>(request.first_psn)} * mtu;
  const uint64_t payload = frame.last ? wr.sge.length - offset : mtu;
  if (stages_ == nullptr) work.times.NoteSent(frame.first, frame.last, now());
  const uint8_t* content = wr.inline_data ? work.inline_bytes.empty() ? nullptr : work.inline_bytes.data()
                                          : verbs_->memory_.FindLocal(wr.sge, 0).content;
  if (!frame.first && !frame.last && content == nullptr) return;

  FrameExtension& e = port_->pool().Attach(frame);
  e.address = wr.remote_addr;
  e.key = wr.rkey;
  e.length = wr.sge.length;
  e.immediate = wr.imm_data;
  if (content != nullptr) e.payload.assign(content + offset, content + offset + payload);
  frame.solicited = frame.last && wr.solicited;
  if (r.transport == Transport::ud) {
    frame.dst = wr.ah.host;
    frame.qp = wr.remote_qpn;
    frame.flow_hash = FlowHash(config_.host, wr.ah.host, wr.ah.source_port);
    e.queue_key = wr.remote_qkey;
    e.source_qp = r.pair->requester;
    const uint32_t without = frame.bytes;
    const FrameFormat& frames = config_.frames;
    frame.bytes =
        static_cast<uint32_t>(frames
                                  .Packet(static_cast<int64_t>(payload),
                                          frames.deth + frames.Extended(request.operation, true, true))
                                  .v);
    counters_.sent_bytes += frame.bytes - without;
  }
  if (frame.last && r.transport != Transport::rc && stages_ == nullptr)
    work.done_at = port_->EndOfTransmission(frame.bytes);
}

/// Something that held a queue pair up is over.
void Nic::ResumeAt(uint32_t qp, Time earliest) {
  Requester& r = requesters_[qp];
  if (r.state != Requester::State::idle) return;
  if (r.cursor == r.requests.Size() && r.pair->answers.Empty()) return;
  Activate(qp, earliest);
}

/// UC and UD are done with a message when its last frame is out.
void Nic::OnSent(uint32_t qp) {
  Requester& r = requesters_[qp];
  QueuePair& pair = *r.pair;
  while (!pair.work.Empty() && (pair.work.Front().done_at <= now() || r.requests.Front().done)) {
    r.una_psn = r.requests.Front().first_psn + r.requests.Front().packets;
    CompleteFront(qp, r);
  }
}

}  // namespace headroom
