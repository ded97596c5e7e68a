// What a whole queue pair's responder sends: READ responses at the queue pair's rate, and behind them, in
// order, its ACKs and NAKs (InfiniBand Architecture Specification 9.7.3: responses return in the order of
// their requests).
#include <algorithm>

#include "nic/nic.h"
#include "nic/whole_queue_pair.h"

namespace headroom {

/// An ACK or NAK; it waits where READs before it are still being answered.
void Nic::Reply(Responder& s, FrameKind kind, uint64_t psn, uint8_t syndrome) {
  const bool echo = kind == FrameKind::ack && s.echo;
  if (kind == FrameKind::ack) s.echo = false;
  Ring<Answer>& answers = s.pair->answers;
  if (answers.Empty()) return SendControl(kind, s, psn, echo, syndrome);
  if (kind == FrameKind::ack && answers.Back().kind == FrameKind::ack) {
    answers.Back().psn = psn;
    answers.Back().echo |= echo;
    return;
  }
  Answer answer;
  answer.kind = kind;
  answer.syndrome = syndrome;
  answer.echo = echo;
  answer.psn = psn;
  answers.PushBack(answer);
}

void Nic::AnswerRead(const Frame& frame, Responder& s) {
  const FrameExtension& e = *port_->pool().ExtensionOf(frame);
  QueuePair& pair = *s.pair;
  Answer answer;
  answer.psn = answer.first_psn = e.psn;
  answer.end_psn = e.psn + PacketsOf(static_cast<int64_t>(e.length), config_.mtu);
  answer.message = frame.message;
  answer.executed = s.executed;
  answer.bytes = static_cast<int64_t>(e.length);
  answer.address = e.address;
  answer.key = e.key;
  pair.answers.PushBack(answer);
  Resume(pair.requester);
}

/// REQUIRES: an answer waits, the first of them a READ's.
Frame* Nic::MakeResponse(Requester& r) {
  QueuePair& pair = *r.pair;
  Responder& s = responders_[pair.responder];
  Answer& a = pair.answers.Front();
  const int64_t offset = config_.mtu * static_cast<int64_t>(a.psn - a.first_psn);
  const bool first = a.psn == a.first_psn;
  const bool last = a.psn + 1 == a.end_psn;
  const int64_t payload = last ? a.bytes - offset : config_.mtu;

  Frame* f = DataFrame(r);
  f->qp = s.peer_qp;
  f->psn = static_cast<uint32_t>(a.psn);
  f->message = a.message;
  f->first = first;
  f->last = last;
  f->opcode = OpcodeOf(Transport::rc, Operation::read_response, first, last);
  f->bytes = static_cast<uint32_t>(config_.frames.Data(Operation::read_response, payload, first, last).v);
  counters_.sent_bytes += f->bytes;
  FrameExtension* e = nullptr;
  if ((first || last) && port_->pool().captured()) {
    e = &port_->pool().Attach(*f);
    e->sequence = a.executed;
  }
  if (!pair.bulk) {
    const auto size = static_cast<uint64_t>(payload);
    const uint64_t at = a.address + static_cast<uint64_t>(offset);
    if (const uint8_t* content = verbs_->memory_.Find(a.key, at, size, kRemoteRead).content) {
      if (e == nullptr) e = &port_->pool().Attach(*f);
      e->payload.assign(content, content + size);
    }
  }
  if (a.psn < pair.response_high) {
    ++counters_.retransmitted_packets;
    if (a.message != kNoMessage) sink_->OnRetransmittedPacket(a.message);
  } else {
    pair.response_high = a.psn + 1;
  }
  if (++a.psn != a.end_psn) return f;

  pair.answers.PopFront();
  while (!pair.answers.Empty() && pair.answers.Front().kind != FrameKind::data) {
    // The port is about to send the response; what follows it is queued by an event of its own, right after.
    const Answer& reply = pair.answers.Front();
    Frame* control = MakeControl(reply.kind, s, reply.psn, reply.echo, reply.syndrome);
    Arm(Timer::control, reinterpret_cast<uint64_t>(control), now());
    pair.answers.PopFront();
  }
  return f;
}

/// The requester went back to `psn`: it will ask again for all that would answer what lies behind.
void Nic::DropAnswersFrom(QueuePair& pair, uint64_t psn) {
  Ring<Answer>& answers = pair.answers;
  while (!answers.Empty()) {
    Answer& a = answers.Back();
    const bool read = a.kind == FrameKind::data;
    if (read && a.psn < psn) {
      if (a.end_psn > psn) {
        a.bytes = config_.mtu * static_cast<int64_t>(psn - a.first_psn);
        a.end_psn = psn;
      }
      return;
    }
    if (!read && a.psn < psn) return;
    answers.PopBack();
  }
}

}  // namespace headroom
