// The responder of a queue pair: accepts packets that arrive in order, and acknowledges or refuses them.
//
// If it shares a queue pair with a requester, `answers` holds READ responses, and behind them ACKs and NAKs
// that may not overtake them, for the requester's turns.
//
// Source: InfiniBand Architecture Specification 9.7 (RC), 9.8.2 (UC), 9.8.3 (UD).
#pragma once

#include <memory>

#include "dcqcn/notification_point.h"
#include "nic/transport/message_owner.h"
#include "nic/transport/nic_interface.h"
#include "nic/transport/psn.h"
#include "nic/transport/recovery.h"
#include "sim/ring.h"

namespace headroom {

class Requester;

/// A READ to be answered, or an ACK or NAK that must not overtake an answer.
struct Answer {
  FrameKind kind = FrameKind::data;
  uint8_t syndrome = 0;
  bool echo = false;
  bool again = false;  ///< the READ has been answered before
  uint64_t psn = 0;    ///< PSN of the next response; for an ACK or NAK, its own
  uint64_t first_psn = 0;
  uint64_t end_psn = 0;
  uint32_t message = 0;
  uint32_t executed = 0;  ///< number of messages executed, up to this READ
  int64_t bytes = 0;
  uint64_t address = 0;
  uint32_t key = 0;
  // The context or the number of the READ, if packets have them.
  uint32_t context = 0, transfer = 0;
  uint64_t index = 0;  ///< index, within the READ, of the first response
};

class alignas(64) Responder {
 public:
  Responder(NicInterface& nic, MessageOwner& owner, uint32_t number)
      : nic_(&nic), owner_(&owner), number_(number) {}
  void SetRequester(Requester& requester) { requester_ = &requester; }
  /// REQUIRES: called before the first frame; the transport is reliable.
  void SetRecovery(std::unique_ptr<ResponderRecovery> recovery) { recovery_ = std::move(recovery); }

  void OnRequest(Frame& frame);
  /// Its answers now take the path of this frame, and tell whether it had a mark.
  void FollowPath(const Frame& frame);
  /// A peer requests a context.
  void OnAsk(const Frame& frame);
  /// Makes a control frame to its peer. `contents`: kMark, …. `code`: the syndrome of a NAK or a grant, the
  /// opcode of other frames.
  Frame* MakeControl(FrameKind kind, uint64_t psn, uint8_t contents, uint8_t code) const;
  /// The next response of a READ. REQUIRES: answers wait.
  NextFrame NextResponse();
  /// Number of waiting responses.
  uint64_t PacketsToAnswer() const;
  /// Resets everything except its connection.
  void Reset();

  // Also for its recovery:
  /// The expected packet takes effect; `placed`: its payload is already in place. Refused: a NAK reports it.
  /// Answered: it needs no ACK.
  enum class Taken : uint8_t { refused, answered, acknowledges };
  Taken Take(const Frame& frame, bool placed);
  /// Sends an ACK, if the number of packets or the end of a message requires one.
  void AcknowledgeIf(bool last) {
    if (last || unacknowledged >= static_cast<uint32_t>(nic_->constants().transport.ack_every)) Acknowledge();
  }
  void Acknowledge();
  void OnDuplicate(const Frame& frame);
  MessageOwner& owner() const { return *owner_; }
  NicInterface& nic() const { return *nic_; }

  uint32_t number() const { return number_; }
  /// Null if its bulk only arrives.
  Requester* requester() const { return requester_; }

  /// Contents of a control frame: an ACK's mark or feedback; a grant is a credit.
  static constexpr uint8_t kMark = 1, kFeedback = 2, kCredit = 4;

 private:
  void OnReliable(Frame& frame);
  [[gnu::always_inline]] Taken TakeExpected(const Frame& frame, bool placed);
  void OnUnreliable(const Frame& frame);
  void Reply(FrameKind kind, uint64_t psn, uint8_t syndrome);
  void AnswerRead(const Frame& frame, bool again = false);
  void DropAnswersFrom(uint64_t psn);
  bool Answers(uint64_t psn, int64_t bytes, uint32_t transfer);

  // The members are ordered by cache line: one-way bulk touches only the first.
  NicInterface* nic_;
  Requester* requester_ = nullptr;

 public:
  uint64_t expected_psn = 0;
  NodeId peer = 0;
  uint32_t peer_qp = 0;         ///< queue pair number in its answers
  uint32_t flow_hash = 0;       ///< for the ACKs' path
  uint32_t unacknowledged = 0;  ///< packets since the last ACK
  uint32_t executed = 0;        ///< number of messages, READs included: the MSN
  uint16_t source_port = 0;     ///< source port of the ACKs
  uint16_t generation = 0;      ///< generation of the last packet
  uint16_t newest = 0;          ///< newest generation so far, for a bulk connection that begins anew
  uint8_t priority = 0;
  uint8_t tag = 0;  ///< tag of its frames
  Transport transport = Transport::rc;
  bool receives = false;
  bool nak_sent = false;     ///< one NAK per gap
  bool path_marked = false;  ///< the last packet, if its sender balances, had a mark
  uint8_t echo = 0;          ///< contents of the next ACK: kMark for marks since the last ACK, kFeedback
  bool whole = false;        ///< UC: so far nothing of the arriving message is lost
  /// It belongs to a bulk requester: its CNPs carry the requester's number, as requests do.
  bool named_by_sender = false;
  NpState np;

  Ring<Answer> answers;

 private:
  MessageOwner* owner_;
  uint32_t number_;
  std::unique_ptr<ResponderRecovery> recovery_;  ///< null for go-back-N
  uint64_t response_high_ = 0;                   ///< one past the highest response ever sent
};

}  // namespace headroom
