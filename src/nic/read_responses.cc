// What a whole queue pair's requester makes of answers: READ responses, and ACKs, which go no further than
// the first READ that still waits for its responses (InfiniBand Architecture Specification 9.7.5).
#include <algorithm>

#include "nic/nic.h"
#include "nic/whole_queue_pair.h"

namespace headroom {
namespace {

/// The first READ in the send queue, all of them being sent or not; null: none.
const SendRequest* FirstRead(const Requester& r, uint32_t* index) {
  if (r.pair->posted_reads == 0) return nullptr;
  for (uint32_t i = 0; i < r.requests.Size(); ++i) {
    if (r.requests[i].operation == Operation::read_request && r.requests[i].packets > 0) {
      *index = i;
      return &r.requests[i];
    }
  }
  return nullptr;
}

}  // namespace

/// Everything below `una` has been executed by the responder. False: the queue pair has failed before.
bool Nic::OnAnswerTo(uint32_t qp, Requester& r, uint64_t una) {
  QueuePair& pair = *r.pair;
  if (pair.state != QpState::rts && pair.state != QpState::sqd) return false;
  uint32_t index = 0;
  const SendRequest* read = FirstRead(r, &index);
  const bool passes = read != nullptr && una > read->first_psn;
  if (passes) {
    const uint64_t expected = std::max(read->first_psn, r.una_psn);
    pair.acknowledged_to = std::max(pair.acknowledged_to, una);
    Acknowledge(qp, r, expected);
    // In the same class the responses came before, so they are lost; another class may have overtaken them.
    const bool same = config_.parameters.transport.ack_priority == TransportParameters::AckPriority::same;
    if (same && !pair.recovering && r.next_psn > expected) {
      pair.recovering = true;
      GoBack(qp, expected, now() + config_.parameters.transport.recovery_delay);
    }
  } else {
    Acknowledge(qp, r, una);
  }
  Resume(qp);
  return true;
}

void Nic::OnReadResponse(const Frame& frame) {
  Requester& r = requesters_[frame.qp];
  ++counters_.data_packets;
  if (r.pair == nullptr || (r.pair->state != QpState::rts && r.pair->state != QpState::sqd)) return;
  QueuePair& pair = *r.pair;
  Responder& twin = responders_[pair.responder];
  twin.generation = frame.generation;
  if (frame.ce) OnMarked(twin, frame);

  uint32_t index = 0;
  const SendRequest* read = FirstRead(r, &index);
  if (read == nullptr) return;
  const uint64_t expected = std::max(read->first_psn, r.una_psn);
  const uint64_t psn = WholePsn(frame.psn, expected);
  if (psn < expected || psn >= r.high_psn) return;
  if (psn > expected) {  // one before it is lost; what lies before the READ has been executed
    Acknowledge(frame.qp, r, expected);
    if (pair.recovering) return;
    pair.recovering = true;
    return GoBack(frame.qp, expected, now() + config_.parameters.transport.recovery_delay);
  }
  pair.recovering = false;
  const uint64_t offset = expected - read->first_psn;
  const bool last = offset + 1 == read->packets;
  const uint32_t message = read->message;
  if (!pair.bulk) {
    const FrameExtension* e = port_->pool().ExtensionOf(frame);
    uint8_t* content = verbs_->memory_.FindLocal(pair.work[index].wr.sge, kLocalWrite).content;
    if (e != nullptr && content != nullptr) {
      std::copy(e->payload.begin(), e->payload.end(), content + static_cast<uint64_t>(config_.mtu) * offset);
    }
  }
  if (message != kNoMessage) {
    if (sink_->HearsPackets()) sink_->OnPacket(message, last);
    if (last) sink_->OnDelivered(message, Landed());
  }
  Acknowledge(frame.qp, r, expected + 1);
  if (last && pair.acknowledged_to > r.una_psn) {
    OnAnswerTo(frame.qp, r, pair.acknowledged_to);
  } else {
    Resume(frame.qp);
  }
}

}  // namespace headroom
