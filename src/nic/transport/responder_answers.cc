// The answers of a Responder: ACKs and NAKs, and READ responses, in the order of their requests (InfiniBand
// Architecture Specification 9.7.3).
#include <utility>

#include "nic/transport/message_times.h"
#include "nic/transport/requester.h"
#include "nic/transport/responder.h"
#include "nic/transport/syndrome.h"

namespace headroom {

Frame* Responder::MakeControl(FrameKind kind, uint64_t psn, uint8_t contents, uint8_t code) const {
  const NicInterface::Constants& c = nic_->constants();
  const bool same = c.transport.ack_priority == TransportParameters::AckPriority::same;
  Frame* f = nic_->pool().Take();
  f->kind = kind;
  f->priority = same && kind != FrameKind::cnp ? priority : c.cnp_priority;
  f->tag = tag;
  f->src = nic_->host();
  f->dst = peer;
  f->source_port = source_port;
  f->flow_hash = flow_hash;
  f->qp = peer_qp;
  f->named_by_sender = named_by_sender;
  f->psn = static_cast<uint32_t>(psn);
  const bool credit = (contents & kCredit) != 0;
  if (kind == FrameKind::ack) f->ack.echoes_mark = (contents & kMark) != 0;
  if (kind == FrameKind::ack || kind == FrameKind::nak) f->ack.path_marked = path_marked;
  if (kind == FrameKind::grant) f->about.credits = credit;
  (kind == FrameKind::nak || kind == FrameKind::grant ? f->syndrome : f->opcode) = code;
  f->executed = executed;
  f->generation = generation;
  f->bytes = static_cast<uint16_t>(kind == FrameKind::cnp ? c.frames.Cnp().v : c.ack_bytes);
  if (kind == FrameKind::nak && code == kSequenceError)
    f->bytes = static_cast<uint16_t>(c.frames.SelectiveNak().v);
  if (kind == FrameKind::grant)
    f->bytes = static_cast<uint16_t>(credit ? c.frames.Cnp().v : c.frames.AckWith(c.frames.transfer).v);
  if ((contents & kFeedback) != 0) [[unlikely]]
    nic_->BringBack(*f);
  f->charge = f->bytes;
  nic_->count().sent_bytes += f->bytes;
  return f;
}

void Responder::Acknowledge() {
  unacknowledged = 0;
  Reply(FrameKind::ack, expected_psn - 1, kAckOpcode);
}

/// Sends an ACK or NAK; it waits while earlier READs are being answered.
void Responder::Reply(FrameKind kind, uint64_t psn, uint8_t syndrome) {
  const uint8_t echoes = kind == FrameKind::ack ? echo : 0;
  if (kind == FrameKind::ack) echo = 0;
  if (requester_ == nullptr || answers.Empty())
    return nic_->SendNow(MakeControl(kind, psn, echoes, syndrome));
  if (kind == FrameKind::ack && answers.Back().kind == FrameKind::ack) {
    answers.Back().psn = psn;
    answers.Back().echo |= (echoes & kMark) != 0;
    return;
  }
  Answer answer;
  answer.kind = kind;
  answer.syndrome = syndrome;
  answer.echo = (echoes & kMark) != 0;
  answer.psn = psn;
  answers.PushBack(answer);
}

void Responder::AnswerRead(const Frame& frame, bool again) {
  if (MessageTimes* times = nic_->times()) times->OnReadTaken();
  const FrameExtension& e = *nic_->pool().ExtensionOf(frame);
  Answer answer;
  answer.again = again && recovery_ != nullptr;
  answer.psn = answer.first_psn = e.psn;
  answer.end_psn = e.psn + PacketsOf(static_cast<int64_t>(e.length), nic_->constants().mtu);
  answer.message = frame.message;
  answer.executed = executed;
  answer.bytes = static_cast<int64_t>(e.length);
  answer.address = e.address;
  answer.key = e.key;
  answer.context = e.context;
  answer.transfer = e.transfer;
  answer.index = e.index;
  answers.PushBack(answer);
  // Lost packets precede new ones, oldest first.
  for (uint32_t i = answers.Size() - 1; answer.again && i > 0 && !answers[i - 1].again; --i)
    std::swap(answers[i], answers[i - 1]);
  if (requester_->controlled) nic_->OnReadTaken(*requester_, again);
  requester_->Resume();
}

uint64_t Responder::PacketsToAnswer() const {
  uint64_t packets = 0;
  for (uint32_t i = 0; i < answers.Size(); ++i) {
    if (answers[i].kind == FrameKind::data) packets += answers[i].end_psn - answers[i].psn;
  }
  return packets;
}

NextFrame Responder::NextResponse() {
  Answer& a = answers.Front();
  const int64_t mtu = nic_->constants().mtu;
  const int64_t offset = mtu * static_cast<int64_t>(a.psn - a.first_psn);
  const bool first = a.psn == a.first_psn;
  const bool last = a.psn + 1 == a.end_psn;
  const int64_t payload = last ? a.bytes - offset : mtu;

  FramePool& pool = nic_->pool();
  Frame* f = requester_->DataFrame();
  f->qp = peer_qp;
  f->named_by_sender = false;
  f->psn = static_cast<uint32_t>(a.psn);
  f->message = a.message;
  f->data.first = first;
  f->data.last = last;
  f->opcode = OpcodeOf(Transport::rc, Operation::read_response, first, last);
  const FrameFormat& frames = nic_->constants().frames;
  f->bytes = static_cast<uint32_t>(frames.Data(Operation::read_response, payload, first, last).v);
  nic_->count().sent_bytes += f->bytes;
  if ((first || last) && pool.captured()) pool.Attach(*f).sequence = a.executed;
  if (!IsBulk(a.message)) {
    owner_->DressResponse(*f, a.key, a.address + static_cast<uint64_t>(offset),
                          static_cast<uint64_t>(payload));
  }
  if (frames.Numbers()) {
    FrameExtension& e = pool.Extend(*f);
    e.context = a.context;
    e.transfer = a.transfer;
    e.index = a.index + (a.psn - a.first_psn);
    e.all = false;
  }
  const bool repeats = a.psn < response_high_;
  if (repeats) {
    ++nic_->count().retransmitted_packets;
    if (IsBulk(a.message)) nic_->sink().OnRetransmittedPacket(a.message);
  } else {
    response_high_ = a.psn + 1;
  }
  const NextFrame next{f, repeats, false};
  if (++a.psn != a.end_psn) return next;

  answers.PopFront();
  while (!answers.Empty() && answers.Front().kind != FrameKind::data) {
    // The port is about to send the response; an event queues the next one immediately afterwards.
    const Answer& reply = answers.Front();
    Frame* control = MakeControl(reply.kind, reply.psn, reply.echo, reply.syndrome);
    nic_->Arm(NicTimer::control, reinterpret_cast<uint64_t>(control), nic_->now());
    answers.PopFront();
  }
  return next;
}

/// Whether the waiting responses contain all these packets.
bool Responder::Answers(uint64_t psn, int64_t bytes, uint32_t transfer) {
  const uint64_t end = psn + PacketsOf(bytes, nic_->constants().mtu);
  for (uint32_t i = 0; i < answers.Size(); ++i) {
    Answer& a = answers[i];
    if (a.kind != FrameKind::data || a.psn > psn || end > a.end_psn) continue;
    if (a.psn == a.first_psn)
      a.transfer = transfer;  // the response has not begun, so it answers the newest request
    return true;
  }
  return false;
}

/// The requester went back to `psn`: it will repeat all later requests.
void Responder::DropAnswersFrom(uint64_t psn) {
  while (!answers.Empty()) {
    Answer& a = answers.Back();
    const bool read = a.kind == FrameKind::data;
    if (read && a.psn < psn) {
      if (a.end_psn > psn) {
        a.bytes = nic_->constants().mtu * static_cast<int64_t>(psn - a.first_psn);
        a.end_psn = psn;
      }
      return;
    }
    if (!read && a.psn < psn) return;
    answers.PopBack();
  }
}

}  // namespace headroom
