// A NIC with resources: how frames get from queue pairs to the port, and from the port to their effect, when
// that takes time. Without resources the port pulls frames where they are made (nic_send.cc), and they take
// effect where they come in (nic_receive.cc).
#include "nic/nic_stages.h"

#include <algorithm>
#include <bit>

#include "nic/nic.h"
#include "nic/transport/message_times.h"

namespace headroom {

/// Queue pairs of these priorities may send.
void Nic::Announce(uint8_t priorities) {
  if (stages_ == nullptr) {
    if (priorities != 0) port_->SetPullable(priorities);
  } else {
    Pump();
  }
}

bool Nic::HasRoom(int round) const {
  const int64_t bytes = round == kLoopback ? stages_->looped_bytes : stages_->outbound[round].bytes;
  return bytes < stages_->costs.parameters().tx_buffer.v;
}

/// Lets frames into the transmit pipeline while that takes them and there is room behind it. Each round is
/// asked once since the last that had a frame; from the one behind that on.
void Nic::Pump() {
  NicStages& s = *stages_;
  if (s.pumping) return;
  s.pumping = true;
  for (int asked = 0;;) {
    const uint32_t from_turn = waiting_rounds_ >> s.turn | waiting_rounds_ << (kRounds - s.turn);
    const uint32_t left = (from_turn & ((1u << kRounds) - 1)) >> asked << asked;
    if (left == 0) break;
    asked = std::countr_zero(left) + 1;
    const int round = (s.turn + asked - 1) % kRounds;
    if (!HasRoom(round)) continue;
    const Time entry = s.costs.TransmitEntry();
    if (entry > now()) {
      s.turn = round;
      if (entry < s.pump_at) {
        s.pump_at = entry;
        Arm(NicTimer::pump, 0, entry);
      }
      break;
    }
    if (Make(round) == nullptr) continue;
    s.turn = (round + 1) % kRounds;
    asked = 0;
  }
  s.pumping = false;
}

void Nic::OnPump() {
  if (stages_->pump_at != now()) return;
  stages_->pump_at = kNever;
  Pump();
}

/// A frame that was made enters the pipeline.
void Nic::Launch(Frame* frame, const Requester& r) {
  NicStages& s = *stages_;
  const bool response = IsReadResponse(frame->opcode);
  const int64_t payload = config_.frames.Payload(frame->opcode, frame->bytes);
  const Time ready = s.costs.Transmit(now(), *frame, response ? r.responder()->number() : r.number(), payload,
                                      frame->ingress == kInlined);
  if (frame->dst == config_.host) {
    s.looped_bytes += frame->bytes;
    // Of the frame nothing but its sender's number is lost on the way; it comes back to this NIC.
    frame->charge = r.number();
    s.looped_ready = std::max(s.looped_ready, ready);
    if (times_ != nullptr && frame->message != kNoMessage)
      times_->OnPiped(constants_.host, r.number(), s.looped_ready);
    return Arm(NicTimer::looped, reinterpret_cast<uint64_t>(frame), s.looped_ready);
  }
  NicStages::Outbound& out = s.outbound[frame->priority];
  out.bytes += frame->bytes;
  out.responses += response;
  // Responses and inlined frames take shorter ways; none overtakes another.
  const Time after = out.frames.Empty() ? ready : std::max(ready, out.frames.Back().ready);
  if (times_ != nullptr && frame->message != kNoMessage) times_->OnPiped(constants_.host, r.number(), after);
  out.frames.PushBack({frame, after, r.number()});
  if (out.frames.Size() == 1 && !port_->pullable(frame->priority)) WakePort(frame->priority, after);
}

/// An ACK or NAK that READ responses of its queue pair are still before: they are not overtaken, or their
/// requester would take them for lost (InfiniBand Architecture Specification 9.7.3). False: there are none.
bool Nic::StandsBehindResponses(Frame* frame) {
  NicStages::Outbound& out = stages_->outbound[frame->priority];
  uint32_t i = out.responses == 0 ? 0 : out.frames.Size();
  for (; i > 0; --i) {
    const Frame& before = *out.frames[i - 1].frame;
    const bool response = before.kind == FrameKind::data && IsReadResponse(before.opcode);
    if (response && before.qp == frame->qp && before.dst == frame->dst && !frame->named_by_sender) break;
  }
  if (i == 0) return false;
  out.frames.PushBack({frame, std::max(frame->ready, out.frames.Back().ready), kNone});
  out.bytes += frame->bytes;
  return true;
}

/// At `at` the port is told that there is a frame.
void Nic::WakePort(int priority, Time at) {
  NicStages::Outbound& out = stages_->outbound[priority];
  if (at >= out.wake_at) return;
  out.wake_at = at;
  Arm(NicTimer::launched, static_cast<uint64_t>(priority), at);
}

void Nic::OnLaunched(int priority) {
  NicStages::Outbound& out = stages_->outbound[priority];
  if (out.wake_at != now()) return;
  out.wake_at = kNever;
  if (!out.frames.Empty()) port_->SetPullable(static_cast<uint8_t>(1u << priority));
}

/// The port is free: the next frame that has passed the pipeline.
Frame* Nic::TakeLaunched(int priority) {
  NicStages::Outbound& out = stages_->outbound[priority];
  if (out.frames.Empty()) return nullptr;
  const NicStages::Launched next = out.frames.Front();
  if (next.ready > now()) {
    WakePort(priority, next.ready);
    return nullptr;
  }
  out.frames.PopFront();
  out.bytes -= next.frame->bytes;
  if (next.frame->kind == FrameKind::data) {
    out.responses -= IsReadResponse(next.frame->opcode);
    NoteSent(next.qp, *next.frame);
    if (times_ != nullptr && next.frame->message != kNoMessage)
      NoteTransmits(next.qp, *next.frame, port_->EndOfTransmission(next.frame->bytes));
  }
  Pump();
  const Time end = port_->EndOfTransmission(next.frame->bytes);
  if (out.frames.Empty() || out.frames.Front().ready > end) {
    port_->ClearPullable(priority);
    if (!out.frames.Empty()) WakePort(priority, out.frames.Front().ready);
  }
  return next.frame;
}

/// The transmission of a frame starts: work requests note when.
void Nic::NoteSent(uint32_t qp, const Frame& frame) {
  if (!IsBulk(frame.message) && !IsReadResponse(frame.opcode)) requesters_[qp].NoteStarted(frame);
}

/// A frame came by the wire.
void Nic::Accept(Frame* frame) {
  NicStages& s = *stages_;
  if (s.memory && !s.memory->Take(frame->bytes)) {
    port_->CountDrop(DropReason::buffer_full, *frame);
    return port_->pool().Give(frame);
  }
  frame->ready = now();
  s.arrived.PushBack(frame);
  if (!s.taking) TakeIn();
}

/// A frame that the host sent to itself has passed the transmit pipeline.
void Nic::OnLooped(Frame* frame) {
  if (frame->kind == FrameKind::data) {
    NoteSent(frame->charge, *frame);
    if (times_ != nullptr && frame->message != kNoMessage) NoteTransmits(frame->charge, *frame, now());
  }
  if (frame->named_by_sender) Resolve(*frame);
  frame->ready = now();
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
    read = std::min(config_.mtu, static_cast<int64_t>(port_->pool().ExtensionOf(frame)->length));
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
  } else if (s.memory) {
    s.memory->Give(frame->bytes);
  }
  // What lies behind the pipeline is taken up first: it decides when the next frame may come.
  const int64_t payload =
      frame->kind == FrameKind::data ? config_.frames.Payload(frame->opcode, frame->bytes) : 0;
  const Time landing = s.costs.Land(now(), *frame, payload) - now();
  frame->charge = static_cast<uint32_t>(std::min<int64_t>(landing.v, UINT32_MAX));
  if (!s.arrived.Empty() || !s.looped.Empty()) TakeIn();
  if (loop) Pump();
  Effect(frame);
}

/// `frame` takes effect now.
void Nic::NoteEffect(const Frame& frame) {
  stages_->came = frame.ready;
  stages_->landed = now() + Time(frame.charge);
}

void Nic::SlowDown(Rate rate) { stages_->slowed = rate; }
void Nic::Recover() { stages_->slowed.reset(); }

}  // namespace headroom
