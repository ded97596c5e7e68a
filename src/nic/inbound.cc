// What a message that comes in does to its receiver: takes a RECV, fills memory, completes. Each returns 0 or
// the syndrome of the NAK that RC answers with.
#include <algorithm>

#include "nic/nic.h"
#include "nic/whole_queue_pair.h"

namespace headroom {

/// Payload bytes of a frame, of a message of `length` of which `offset` came before.
uint64_t Nic::PayloadOf(const Frame& frame, uint64_t length, uint64_t offset) const {
  return frame.last ? length - std::min(length, offset) : static_cast<uint64_t>(config_.mtu);
}

uint8_t Nic::Take(const Frame& frame, QueuePair& pair) {
  const FrameExtension* extension = port_->pool().ExtensionOf(frame);
  if (IsReadRequest(frame.opcode)) return CheckRead(frame, pair);
  Inbound& in = pair.inbound;
  if (frame.first) {
    in.active = true;
    in.offset = 0;
  }
  return IsWrite(frame.opcode) ? TakeWrite(frame, extension, pair) : TakeSend(frame, extension, pair);
}

/// The next RECV becomes that of the message. False: there is none.
bool Nic::TakeReceive(QueuePair& pair) {
  Inbound& in = pair.inbound;
  if (in.has_recv) return true;
  Ring<ReceiveWork>& queue = pair.srq != nullptr ? pair.srq->queue_ : pair.receive_queue;
  if (queue.Empty()) return false;
  in.recv = queue.Front();
  queue.PopFront();
  in.has_recv = true;
  return true;
}

uint8_t Nic::TakeSend(const Frame& frame, const FrameExtension* extension, QueuePair& pair) {
  Inbound& in = pair.inbound;
  if (frame.first && !TakeReceive(pair)) return static_cast<uint8_t>(kRnr | pair.rnr_timer);
  const Sge& sge = in.recv.wr.sge;
  const uint64_t payload = PayloadOf(frame, frame.last ? extension->length : 0, in.offset);
  if (in.offset + payload > sge.length) {
    CompleteReceive(pair, nullptr, WcStatus::loc_len_err);
    return kInvalidRequest;
  }
  const MemoryRange range = verbs_->memory_.FindLocal(sge, kLocalWrite);
  if (!range.ok) {
    CompleteReceive(pair, nullptr, WcStatus::loc_prot_err);
    return kRemoteOperation;
  }
  if (range.content != nullptr && extension != nullptr) {
    std::copy(extension->payload.begin(), extension->payload.end(), range.content + in.offset);
  }
  in.offset += payload;
  if (!frame.last) return 0;
  in.active = false;
  if (HasInvalidate(frame.opcode) && !verbs_->memory_.Invalidate(extension->key)) {
    CompleteReceive(pair, nullptr, WcStatus::loc_prot_err);
    return kRemoteOperation;
  }
  CompleteReceive(pair, &frame, WcStatus::success);
  return 0;
}

uint8_t Nic::TakeWrite(const Frame& frame, const FrameExtension* extension, QueuePair& pair) {
  Inbound& in = pair.inbound;
  Memory& memory = verbs_->memory_;
  if (frame.first) {
    in.address = extension->address;
    in.key = extension->key;
    in.length = extension->length;
    if (!memory.Find(in.key, in.address, in.length, kRemoteWrite).ok) return kRemoteAccess;
  }
  const uint64_t payload = PayloadOf(frame, in.length, in.offset);
  if (in.offset + payload > in.length) return kInvalidRequest;
  const bool immediate = HasImmediate(frame.opcode);
  if (immediate && !TakeReceive(pair)) return static_cast<uint8_t>(kRnr | pair.rnr_timer);
  const MemoryRange range = memory.Find(in.key, in.address + in.offset, payload, kRemoteWrite);
  if (!range.ok) return kRemoteAccess;  // the region is gone since
  if (range.content != nullptr && extension != nullptr) {
    std::copy(extension->payload.begin(), extension->payload.end(), range.content);
  }
  in.offset += payload;
  if (frame.last) in.active = false;
  if (frame.last && range.watch != nullptr) {
    range.watch->written.PushBack({in.address, in.length});
    Arm(Timer::written, range.watch->number, Landed());
  }
  if (immediate) CompleteReceive(pair, &frame, WcStatus::success);
  return 0;
}

uint8_t Nic::CheckRead(const Frame& frame, const QueuePair& pair) const {
  const FrameExtension& e = *port_->pool().ExtensionOf(frame);
  if (!verbs_->memory_.Find(e.key, e.address, e.length, kRemoteRead).ok) return kRemoteAccess;
  uint32_t waiting = 0;
  for (uint32_t i = 0; i < pair.answers.Size(); ++i) {
    const Answer& a = pair.answers[i];
    waiting += a.kind == FrameKind::data && a.first_psn < e.psn;
  }
  return waiting >= pair.max_dest_reads ? kInvalidRequest : 0;
}

}  // namespace headroom
