// The responder of a queue pair: takes what comes in order, and acknowledges it or refuses.
//
// Where it shares a queue pair with a requester, READ responses and, behind them, the ACKs and NAKs that may
// not overtake them, wait in `answers` for the requester's turns.
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

/// A READ to be answered, or an ACK or NAK that must not overtake one.
struct Answer {
  FrameKind kind = FrameKind::data;
  uint8_t syndrome = 0;
  bool echo = false;
  bool again = false;  ///< the READ has been answered before
  uint64_t psn = 0;    ///< of the next response; of an ACK or NAK its own
  uint64_t first_psn = 0;
  uint64_t end_psn = 0;
  uint32_t message = 0;
  uint32_t executed = 0;  ///< messages, up to this READ
  int64_t bytes = 0;
  uint64_t address = 0;
  uint32_t key = 0;
  // Where packets have contexts, or are counted: those of the READ.
  uint32_t context = 0, transfer = 0;
  uint64_t index = 0;  ///< in it, of the first response
};

class alignas(64) Responder {
 public:
  Responder(NicInterface& nic, MessageOwner& owner, uint32_t number)
      : nic_(&nic), owner_(&owner), number_(number) {}
  void SetRequester(Requester& requester) { requester_ = &requester; }
  /// REQUIRES: before the first frame; the transport is reliable.
  void SetRecovery(std::unique_ptr<ResponderRecovery> recovery) { recovery_ = std::move(recovery); }

  void OnRequest(Frame& frame);
  /// It is asked for a context.
  void OnAsk(const Frame& frame);
  /// A control frame to its peer. `code`: the syndrome of a NAK, the opcode of others.
  Frame* MakeControl(FrameKind kind, uint64_t psn, uint8_t echoes, uint8_t code) const;
  /// The next of a READ's responses. REQUIRES: answers wait.
  NextFrame NextResponse();
  /// Responses that wait.
  uint64_t PacketsToAnswer() const;
  /// As new, but for what it is connected to.
  void Reset();

  // For its recovery, too.
  /// The packet that is expected has its effect; `placed`: its payload is where it belongs. Refused: a NAK
  /// says so. Answered: it needs no ACK.
  enum class Taken : uint8_t { refused, answered, acknowledges };
  Taken Take(const Frame& frame, bool placed);
  /// An ACK, if so many packets or the end of a message call for one.
  void AcknowledgeIf(bool last) {
    if (last || unacknowledged >= static_cast<uint32_t>(nic_->constants().transport.ack_every)) Acknowledge();
  }
  void Acknowledge();
  void OnDuplicate(const Frame& frame);
  MessageOwner& owner() const { return *owner_; }
  NicInterface& nic() const { return *nic_; }

  uint32_t number() const { return number_; }
  /// Null: bulk that only comes in.
  Requester* requester() const { return requester_; }

  static constexpr uint8_t kMark = 1, kFeedback = 2;

 private:
  void OnReliable(Frame& frame);
  [[gnu::always_inline]] Taken TakeExpected(const Frame& frame, bool placed);
  void OnUnreliable(const Frame& frame);
  void Reply(FrameKind kind, uint64_t psn, uint8_t syndrome);
  void AnswerRead(const Frame& frame, bool again = false);
  void DropAnswersFrom(uint64_t psn);
  bool Answers(uint64_t psn, int64_t bytes, uint32_t transfer);

  // Line by line of the cache: bulk that goes one way touches the first alone.
  NicInterface* nic_;
  Requester* requester_ = nullptr;

 public:
  uint64_t expected_psn = 0;
  NodeId peer = 0;
  uint32_t peer_qp = 0;         ///< what its answers carry
  uint32_t flow_hash = 0;       ///< of the ACKs' way back
  uint32_t unacknowledged = 0;  ///< packets since the last ACK
  uint32_t executed = 0;        ///< messages, READs among them: the MSN
  uint16_t source_port = 0;     ///< of the ACKs
  uint16_t generation = 0;      ///< of the packet that came last
  uint16_t newest = 0;          ///< of the generations that came, where a connection of bulk begins anew
  uint8_t priority = 0;
  uint8_t tag = 0;  ///< of its frames
  Transport transport = Transport::rc;
  bool receives = false;
  bool nak_sent = false;  ///< one NAK per gap
  uint8_t echo = 0;       ///< what the next ACK brings back: kMark of packets since the last, kFeedback
  bool whole = false;     ///< UC: nothing of the message that comes in is lost so far
  /// It belongs to a requester of bulk: its CNPs carry the requester's number, as requests do.
  bool named_by_sender = false;
  NpState np;

  Ring<Answer> answers;

 private:
  MessageOwner* owner_;
  uint32_t number_;
  std::unique_ptr<ResponderRecovery> recovery_;  ///< null: go-back-N
  uint64_t response_high_ = 0;                   ///< one past the highest response ever sent
};

}  // namespace headroom
