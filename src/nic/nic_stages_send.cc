// Part of Nic, with resources: brings frames from queue pairs to the port, which takes time. Without
// resources, the port pulls frames where they are made (nic_send.cc).
#include <algorithm>
#include <bit>

#include "nic/nic.h"
#include "nic/nic_stages.h"
#include "nic/transport/message_times.h"

namespace headroom {

/// READ responses take turns by packet.
bool NicStages::GoesOn(int round, uint32_t qp, const Frame& frame) {
  if (IsReadResponse(frame.opcode)) return false;
  Run& run = runs[static_cast<size_t>(round)];
  if (run.qp != qp) run = {qp, 0};
  run.bytes += frame.bytes;
  if (run.bytes < costs.parameters().turn.v) return true;
  run.bytes = 0;
  return false;
}

bool Nic::HasRoom(int round) const {
  const int64_t bytes = round == kLoopback ? stages_->looped_bytes : stages_->outbound[round].bytes;
  return bytes < stages_->costs.parameters().tx_buffer.v;
}

/// Lets frames into the transmit pipeline while it accepts them and there is room behind it. It tries the
/// rounds in order, beginning behind the last round that had a frame, and stops when none has a frame.
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
    if (!MakeForPipeline(round)) continue;
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

/// A new frame enters the pipeline.
void Nic::Launch(const NextFrame& next, const Requester& r) {
  NicStages& s = *stages_;
  Frame* const frame = next.frame;
  const bool response = IsReadResponse(frame->opcode);
  const int64_t payload = constants_->frames.Payload(frame->opcode, UsualBytes(*frame));
  const Time ready =
      s.costs.Transmit(now(), *frame, response ? r.responder()->number() : r.number(), payload, next.inlined);
  if (frame->dst == host_) {
    s.looped_bytes += frame->bytes;
    frame->looped_by = r.number();
    s.looped_ready = std::max(s.looped_ready, ready);
    if (times_ != nullptr && frame->message != kNoMessage) times_->OnPiped(host_, r.number(), s.looped_ready);
    return Arm(NicTimer::looped, reinterpret_cast<uint64_t>(frame), s.looped_ready);
  }
  NicStages::Outbound& out = s.outbound[r.round];
  out.bytes += frame->bytes;
  out.responses += response;
  // Responses and inlined frames take less time; no frame overtakes another.
  const Time after = out.frames.Empty() ? ready : std::max(ready, out.frames.Back().ready);
  if (times_ != nullptr && frame->message != kNoMessage) times_->OnPiped(host_, r.number(), after);
  out.frames.PushBack({frame, after, r.number()});
  if (out.frames.Size() == 1 && !PortOf(r).pullable(frame->priority)) WakePort(r.round, after);
}

/// Returns whether READ responses of its queue pair still precede an ACK or NAK. It may not overtake them, or
/// their requester would regard them as lost (InfiniBand Architecture Specification 9.7.3).
bool Nic::StandsBehindResponses(Frame* frame) {
  NicStages::Outbound& out = stages_->outbound[RoundAt(PortOf(*frame).index(), frame->priority)];
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

/// Wakes the round's port for a frame at `at`.
void Nic::WakePort(int round, Time at) {
  NicStages::Outbound& out = stages_->outbound[round];
  if (at >= out.wake_at) return;
  out.wake_at = at;
  Arm(NicTimer::launched, static_cast<uint64_t>(round), at);
}

void Nic::OnLaunched(int round) {
  NicStages::Outbound& out = stages_->outbound[round];
  if (out.wake_at != now()) return;
  out.wake_at = kNever;
  const int priority = round > kLoopback ? round - kLoopback - 1 : round;
  if (!out.frames.Empty()) PortOf(round).SetPullable(static_cast<uint8_t>(1u << priority));
}

/// The port is free: returns the next frame that has passed the pipeline.
Frame* Nic::TakeLaunched(Port& port, int priority) {
  const int round = RoundAt(port.index(), priority);
  NicStages::Outbound& out = stages_->outbound[round];
  if (out.frames.Empty()) return nullptr;
  const NicStages::Launched next = out.frames.Front();
  if (next.ready > now()) {
    WakePort(round, next.ready);
    return nullptr;
  }
  out.frames.PopFront();
  out.bytes -= next.frame->bytes;
  if (next.frame->kind == FrameKind::data) {
    out.responses -= IsReadResponse(next.frame->opcode);
    NoteSent(next.qp, *next.frame);
    if (times_ != nullptr && next.frame->message != kNoMessage)
      times_->OnSent(host_, next.qp, *next.frame, port, now(), port.EndOfTransmission(next.frame->bytes));
  }
  Pump();
  const Time end = port.EndOfTransmission(next.frame->bytes);
  if (out.frames.Empty() || out.frames.Front().ready > end) {
    port.ClearPullable(priority);
    if (!out.frames.Empty()) WakePort(round, out.frames.Front().ready);
  }
  return next.frame;
}

/// The transmission of a frame starts: work requests record the time.
void Nic::NoteSent(uint32_t qp, const Frame& frame) {
  if (!IsBulk(frame.message) && !IsReadResponse(frame.opcode)) requesters_[qp].NoteStarted(frame);
}

}  // namespace headroom
