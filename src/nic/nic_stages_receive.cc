// Part of Nic, with resources: brings frames from the port to their effect, which takes time. Without
// resources, frames take effect where they arrive (nic_receive.cc).
#include <algorithm>

#include "nic/nic.h"
#include "nic/nic_stages.h"
#include "nic/transport/message_times.h"

namespace headroom {

/// A frame arrived by the wire.
void Nic::Accept(Port& port, Frame* frame) {
  NicStages& s = *stages_;
  if (s.rx_buffer && !s.rx_buffer->Take(frame->bytes)) {
    port.CountDrop(s.rx_buffer->Full(), *frame);
    return pool_->Give(frame);
  }
  frame->came = now();
  s.arrived.PushBack(frame);
  if (!s.taking) TakeIn();
}

/// A frame that the host sent to itself has passed the transmit pipeline.
void Nic::OnLooped(Frame* frame) {
  if (frame->kind == FrameKind::data) {
    NoteSent(frame->looped_by, *frame);
    if (times_ != nullptr && frame->message != kNoMessage)
      times_->OnSent(host_, frame->looped_by, *frame, *ports_[0], now(), now());
  }
  if (frame->named_by_sender) Resolve(*frame);
  frame->came = now();
  stages_->looped.PushBack(frame);
  if (!stages_->taking) TakeIn();
}

/// The receive pipeline is free. REQUIRES: a frame waits.
void Nic::TakeIn() {
  NicStages& s = *stages_;
  const bool both = !s.arrived.Empty() && !s.looped.Empty();
  const bool loop = both ? s.wire_lead > 0 : s.arrived.Empty();
  const Frame& frame = *(loop ? s.looped : s.arrived).Front();
  s.wire_lead = both ? s.wire_lead + (loop ? -1 : 1) * static_cast<int64_t>(frame.bytes) : 0;
  int64_t read = 0;
  if (frame.kind == FrameKind::data && IsReadRequest(frame.opcode)) {
    read = std::min(constants_->mtu, static_cast<int64_t>(pool_->ExtensionOf(frame)->length));
  }
  Time cost = s.costs.Receive(frame, read);
  if (s.slowed && !loop) cost = std::max(cost, SerializationTime(Bytes(frame.bytes), *s.slowed));
  s.taking = true;
  Arm(NicTimer::taken, loop, s.costs.ReceiveEntry(now()) + cost);
}

void Nic::OnTaken(bool loop) {
  NicStages& s = *stages_;
  Ring<Frame*>& queue = loop ? s.looped : s.arrived;
  Frame* frame = queue.Front();
  queue.PopFront();
  s.taking = false;
  if (loop) {
    s.looped_bytes -= frame->kind == FrameKind::data ? frame->bytes : 0;
  } else if (s.rx_buffer) {
    s.rx_buffer->Give(frame->bytes);
  }
  // Land comes before TakeIn: the stations behind the pipeline decide when the next frame may enter it.
  const int64_t payload =
      frame->kind == FrameKind::data ? constants_->frames.Payload(frame->opcode, UsualBytes(*frame)) : 0;
  const Time landing = s.costs.Land(now(), *frame, payload) - now();
  frame->landing = static_cast<uint32_t>(std::min<int64_t>(landing.v, UINT32_MAX));
  if (!s.arrived.Empty() || !s.looped.Empty()) TakeIn();
  if (loop) Pump();
  Effect(frame);
}

/// `frame` takes effect now.
void Nic::NoteEffect(const Frame& frame) {
  stages_->came = frame.came;
  stages_->landed = now() + Time(frame.landing);
}

void Nic::SlowDown(Rate rate) { stages_->slowed = rate; }
void Nic::Recover() { stages_->slowed.reset(); }

}  // namespace headroom
