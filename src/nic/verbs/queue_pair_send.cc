// The effect of a QueuePair's work requests on its requester: whether they may begin, the contents of their
// frames, and the steps that have no frames.
#include "net/topology/routing.h"
#include "nic/verbs/queue_pair.h"

namespace headroom {

/// Fails if the buffer does not belong to its owner.
bool QueuePair::Begins(Requester& r, const SendRequest& request, uint32_t index) {
  const SendWr& wr = work_[index].wr;
  const unsigned access = request.IsRead() ? kLocalWrite : 0u;
  if (wr.inline_data || verbs_.memory_.FindLocal(wr.sge, access).ok) return true;
  Failed(r, WcStatus::loc_prot_err, "a local key does not cover the buffer");
  return false;
}

/// REG_MR takes time, LOCAL_INV none.
Time QueuePair::StepTakes(Requester&, uint32_t index) {
  work_[index].times.first_sent = nic_.now();
  return work_[index].wr.opcode == WrOpcode::reg_mr ? nic_.constants().registration_latency : Time{};
}

bool QueuePair::TakeStep(Requester& r, uint32_t index) {
  SendWork& work = work_[index];
  Memory& memory = verbs_.memory_;
  const bool registers = work.wr.opcode == WrOpcode::reg_mr;
  if (!(registers ? memory.Bind(work.wr) : memory.Invalidate(work.wr.rkey))) {
    Failed(r, WcStatus::mw_bind_err, "a memory registration does not fit its region");
    return false;
  }
  work.times.last_sent = nic_.now();
  return true;
}

void QueuePair::Dress(Requester&, Frame& frame, const SendRequest& request, uint32_t index) {
  SendWork& work = work_[index];
  const SendWr& wr = work.wr;
  const auto mtu = static_cast<uint64_t>(nic_.constants().mtu);
  const uint64_t offset = uint64_t{frame.psn - static_cast<uint32_t>(request.first_psn)} * mtu;
  const uint64_t payload = frame.data.last ? wr.sge.length - offset : mtu;
  const bool ideal = nic_.costs() == nullptr;
  if (ideal) work.times.NoteSent(frame.data.first, frame.data.last, nic_.now());
  const Memory& memory = verbs_.memory_;
  const MemoryRange range = wr.inline_data
                                ? MemoryRange{true, work.inline_bytes.data(), work.inline_bytes.size()}
                                : memory.FindLocal(wr.sge, 0);
  const uint64_t carried = range.CarriedOf(offset, payload);
  const uint64_t damaged = memory.Broken(range, offset, payload);
  const FrameFormat& frames = nic_.constants().frames;
  const bool places = type == QpType::rc && (frames.Places() || frames.Numbers());
  if (!frame.data.first && !frame.data.last && !places && carried == 0 && damaged == 0) return;

  FrameExtension& e = nic_.pool().Attach(frame);
  e.offset = offset;
  e.receive = work.receive;
  e.address = wr.remote_addr;
  e.key = wr.rkey;
  e.length = wr.sge.length;
  e.immediate = wr.imm_data;
  if (frame.data.last) e.cause = wr.cause;
  if (carried > 0) e.payload.assign(range.content + offset, range.content + offset + carried);
  e.damaged = static_cast<uint32_t>(damaged);
  frame.data.solicited = frame.data.last && wr.solicited;
  if (type == QpType::ud) DressDatagram(frame, e, wr, request.operation);
  if (frame.data.last && type != QpType::rc && ideal) {
    AwaitEnd(work, nic_.EndOfTransmission(requester, frame.bytes));
  }
}

void QueuePair::DressDatagram(Frame& frame, FrameExtension& e, const SendWr& wr, Operation operation) {
  frame.dst = wr.ah.host;
  frame.qp = wr.remote_qpn;
  frame.source_port = wr.ah.source_port;
  frame.flow_hash = FlowHash(nic_.host(), wr.ah.host, wr.ah.source_port);
  e.queue_key = wr.remote_qkey;
  e.source_qp = number();
  const uint32_t without = frame.bytes;
  const FrameFormat& frames = nic_.constants().plain_frames;
  const int64_t extended = frames.deth + frames.Extended(operation, true, true);
  frame.bytes = static_cast<uint32_t>(frames.Packet(wr.sge.length, extended).v);
  nic_.count().sent_bytes += frame.bytes - without;
}

void QueuePair::DressRead(FrameExtension& e, uint32_t index, uint64_t offset) {
  SendWork& work = work_[index];
  e.address = work.wr.remote_addr + offset;
  e.key = work.wr.rkey;
  if (nic_.costs() == nullptr) work.times.NoteSent(true, true, nic_.now());
}

void QueuePair::DressAsk(FrameExtension& e, uint32_t index) {
  const SendWork& work = work_[index];
  e.address = work.wr.remote_addr;
  e.key = work.wr.rkey;
  e.receive = work.receive;
}

/// If the NIC is ideal, the transmission started when the frame was made.
void QueuePair::Started(Requester&, const Frame& frame, uint32_t index) {
  SendWork& work = work_[index];
  work.times.NoteSent(frame.data.first, frame.data.last, nic_.now());
  if (!frame.data.last || type == QpType::rc) return;
  const bool own = frame.dst == nic_.host();
  AwaitEnd(work, own ? nic_.now() : nic_.EndOfTransmission(requester, frame.bytes));
}

/// UC, UD: a message's last frame is leaving. The end of the frame's transmission causes only a completion
/// and the steps behind the message. Without these, the next event handles the end.
void QueuePair::AwaitEnd(SendWork& work, Time end) {
  work.done_at = end;
  if (Says(work.wr) || steps_ > 0) nic_.Arm(NicTimer::sent, number(), end);
}

/// Removes sent requests from the send queue, whether noticed or not.
void QueuePair::Settle() {
  if (type != QpType::rc) MayBeOut(requester);
}

/// The step is queued behind the requests whose frames are leaving.
void QueuePair::HearOfAll() {
  Settle();
  for (uint32_t i = 0; i < work_.Size() && work_[i].done_at != kNever; ++i)
    nic_.Arm(NicTimer::sent, number(), work_[i].done_at);
}

/// UC and UD are done with a message when its last frame has left.
void QueuePair::MayBeOut(Requester& r) {
  while (!work_.Empty() && (work_.Front().done_at <= nic_.now() || r.requests.Front().done)) {
    r.una_psn = r.requests.Front().first_psn + r.requests.Front().packets;
    r.CompleteFront();
  }
}

void QueuePair::TakeResponse(const Frame& frame, uint32_t index, uint64_t offset) {
  const FrameExtension* e = nic_.pool().ExtensionOf(frame);
  const Sge& sge = work_[index].wr.sge;
  const auto mtu = static_cast<uint64_t>(nic_.constants().mtu);
  const MemoryRange range = verbs_.memory_.FindLocal(sge, kLocalWrite);
  Land(range, offset, std::min<uint64_t>(mtu, sge.length - offset), e);
}

}  // namespace headroom
