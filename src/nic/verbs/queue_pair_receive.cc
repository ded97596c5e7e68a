// A QueuePair's reception of a message: it uses a RECV, fills memory, and completes.
#include <algorithm>

#include "nic/transport/message_times.h"
#include "nic/transport/syndrome.h"
#include "nic/verbs/queue_pair.h"

namespace headroom {

/// Payload bytes of a frame that belongs to a message of `length` bytes and follows `offset` bytes.
uint64_t QueuePair::PayloadOf(const Frame& frame, uint64_t length, uint64_t offset) const {
  return frame.data.last ? length - std::min(length, offset) : static_cast<uint64_t>(nic_.constants().mtu);
}

uint8_t QueuePair::Take(const Frame& frame) { return TakeMessage(frame, false); }
uint8_t QueuePair::TakePlaced(const Frame& frame) { return TakeMessage(frame, true); }

uint8_t QueuePair::TakeMessage(const Frame& frame, bool placed) {
  const FrameExtension* extension = nic_.pool().ExtensionOf(frame);
  if (frame.data.first) inbound_.offset = 0;
  return IsWrite(frame.opcode) ? TakeWrite(frame, extension, placed) : TakeSend(frame, extension, placed);
}

/// Assigns the next RECV to the message. Returns false if there is no RECV.
bool QueuePair::TakeReceive() {
  if (inbound_.has_recv) return true;
  Ring<ReceiveWork>& posted = srq != nullptr ? srq->queue_ : receive_queue_;
  Ring<ReceiveWork>& queue = early_.Empty() ? posted : early_;
  if (queue.Empty()) return false;
  inbound_.recv = queue.Front();
  queue.PopFront();
  inbound_.has_recv = true;
  ++receives_numbered_;
  return true;
}

/// The RECV of the message with this number in its packets, even if the message arrives out of order. Returns
/// null if there is no such RECV yet.
const ReceiveWork* QueuePair::ReceiveOf(uint32_t number) {
  if (inbound_.has_recv && number + 1 == receives_numbered_) return &inbound_.recv;
  Ring<ReceiveWork>& posted = srq != nullptr ? srq->queue_ : receive_queue_;
  const uint32_t ahead = number - receives_numbered_;
  while (early_.Size() <= ahead) {
    if (posted.Empty()) return nullptr;
    early_.PushBack(posted.Front());
    posted.PopFront();
  }
  return &early_[ahead];
}

bool QueuePair::Place(const Frame& frame) {
  const FrameExtension& e = *nic_.pool().ExtensionOf(frame);
  const uint64_t payload = PayloadOf(frame, e.length, e.offset);
  MemoryRange range;
  if (IsWrite(frame.opcode)) {
    if (HasImmediate(frame.opcode) && ReceiveOf(e.receive) == nullptr) return false;
    range = verbs_.memory_.Find(e.key, e.address + e.offset, payload, kRemoteWrite);
    if (!range.ok) return false;
    Land(range, 0, payload, &e);
    return true;
  }
  const ReceiveWork* const recv = ReceiveOf(e.receive);
  if (recv == nullptr || e.offset + payload > recv->wr.sge.length) return false;
  range = verbs_.memory_.FindLocal(recv->wr.sge, kLocalWrite);
  if (range.ok) Land(range, e.offset, payload, &e);
  return range.ok;
}

void QueuePair::Land(const MemoryRange& range, uint64_t offset, uint64_t length, const FrameExtension* e) {
  nic_.count().corrupted_packets += verbs_.memory_.Land(range, offset, length, e);
}

uint8_t QueuePair::TakeSend(const Frame& frame, const FrameExtension* extension, bool placed) {
  Inbound& in = inbound_;
  if (frame.data.first && !TakeReceive()) return static_cast<uint8_t>(kRnr | rnr_timer);
  const Sge& sge = in.recv.wr.sge;
  const uint64_t payload = PayloadOf(frame, frame.data.last ? extension->length : 0, in.offset);
  if (in.offset + payload > sge.length) {
    CompleteReceive(nullptr, WcStatus::loc_len_err);
    return kInvalidRequest;
  }
  const MemoryRange range = verbs_.memory_.FindLocal(sge, kLocalWrite);
  if (!range.ok) {
    CompleteReceive(nullptr, WcStatus::loc_prot_err);
    return kRemoteOperation;
  }
  if (!placed) Land(range, in.offset, payload, extension);
  in.offset += payload;
  if (!frame.data.last) return 0;
  if (HasInvalidate(frame.opcode) && !verbs_.memory_.Invalidate(extension->key)) {
    CompleteReceive(nullptr, WcStatus::loc_prot_err);
    return kRemoteOperation;
  }
  CompleteReceive(&frame, WcStatus::success);
  return 0;
}

uint8_t QueuePair::TakeWrite(const Frame& frame, const FrameExtension* extension, bool placed) {
  Inbound& in = inbound_;
  const Memory& memory = verbs_.memory_;
  if (frame.data.first) {
    in.address = extension->address;
    in.key = extension->key;
    in.length = extension->length;
    if (!memory.Find(in.key, in.address, in.length, kRemoteWrite).ok) return kRemoteAccess;
  }
  const uint64_t payload = PayloadOf(frame, in.length, in.offset);
  if (in.offset + payload > in.length) return kInvalidRequest;
  const bool immediate = HasImmediate(frame.opcode);
  if (immediate && !TakeReceive()) return static_cast<uint8_t>(kRnr | rnr_timer);
  const MemoryRange range = memory.Find(in.key, in.address + in.offset, payload, kRemoteWrite);
  if (!range.ok) return kRemoteAccess;  // the region has been removed since
  if (!placed) Land(range, 0, payload, extension);
  in.offset += payload;
  if (MemoryWatch* const watch = frame.data.last && range.region != nullptr ? range.region->watch : nullptr) {
    watch->written.PushBack({in.address, in.length, frame.message, extension->cause});
    // The RECV's completion already reports the arrival.
    if (frame.message != kNoMessage && !immediate) nic_.times()->OnDelivered(frame.message, nic_.now());
    nic_.Arm(NicTimer::written, watch->number, nic_.Landed());
  }
  if (immediate) CompleteReceive(&frame, WcStatus::success);
  return 0;
}

uint8_t QueuePair::CheckRead(const Frame& frame) const {
  const FrameExtension& e = *nic_.pool().ExtensionOf(frame);
  if (!verbs_.memory_.Find(e.key, e.address, e.length, kRemoteRead).ok) return kRemoteAccess;
  uint32_t waiting = 0;
  for (uint32_t i = 0; i < responder.answers.Size(); ++i) {
    const Answer& a = responder.answers[i];
    waiting += a.kind == FrameKind::data && !a.again && a.first_psn < e.psn;
  }
  return waiting >= max_dest_reads ? kInvalidRequest : 0;
}

/// Binds the message to its RECV if it needs one. Its length is checked at its turn.
uint8_t QueuePair::Admits(uint32_t receive) {
  return ReceiveOf(receive) != nullptr ? 0 : static_cast<uint8_t>(kRnr | rnr_timer);
}

void QueuePair::TakeDatagram(const Frame& frame) {
  const FrameExtension* e = nic_.pool().ExtensionOf(frame);
  if (e == nullptr || e->queue_key != qkey || !TakeReceive()) {
    ++nic_.count().discarded_packets;
    return;
  }
  Inbound& in = inbound_;
  in.has_recv = false;
  const uint64_t whole = Verbs::kGrhBytes + e->length;
  const MemoryRange range = verbs_.memory_.FindLocal(in.recv.wr.sge, kLocalWrite);
  WcStatus status = WcStatus::success;
  if (!range.ok) status = WcStatus::loc_prot_err;
  if (whole > in.recv.wr.sge.length) status = WcStatus::loc_len_err;
  if (status == WcStatus::success) Land(range, Verbs::kGrhBytes, e->length, e);
  in.offset = whole;
  CompleteReceive(&frame, status);
  if (status != WcStatus::success) {
    Failed(requester, WcStatus::wr_flush_err, "a datagram does not fit its RECV");
  }
}

void QueuePair::DressResponse(Frame& frame, uint32_t key, uint64_t address, uint64_t bytes) const {
  const Memory& memory = verbs_.memory_;
  const MemoryRange range = memory.Find(key, address, bytes, kRemoteRead);
  const uint64_t damaged = memory.Broken(range, 0, bytes);
  if (range.carried == 0 && damaged == 0) return;
  FrameExtension& e = nic_.pool().Extend(frame);
  e.payload.assign(range.content, range.content + range.carried);
  e.damaged = static_cast<uint32_t>(damaged);
}

}  // namespace headroom
