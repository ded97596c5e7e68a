// The receiver's sliding window: a message requests a context from its receiver, its packets are written to
// memory in any order, and the receiver requests missing packets again.
//
// Source: Wang et al., A fast RDMA method for unreliable networks. Ours (context_requests.h: the order of
// grants): after a silence the requester repeats its request and reports whether
// it has a context. Then the receiver requests the missing packets, as when its timer fires, or completes the
// message once more. The receiver's timer runs from a message's first packet on. Complete messages are known
// by the PSN up to which a queue pair has received everything. A SEND is refused, until its RNR timer ends,
// if no RECV is posted. A READ is a WRITE to the reader, which uses one of its own contexts and requests
// missing packets in a READ.
#pragma once

#include <optional>

#include "nic/transport/nic_interface.h"
#include "nic/transport/recovery.h"
#include "nic/transport/recovery/context_requests.h"
#include "nic/transport/recovery/held_frame.h"
#include "nic/transport/recovery/receive_vector.h"
#include "nic/transport/recovery/repeats.h"
#include "nic/transport/requester.h"
#include "nic/transport/responder.h"
#include "sim/deque.h"

namespace headroom {

/// Maximum number of packets that one request for missing packets names.
inline constexpr uint64_t kResendPackets = 128;

/// The requester's half, which receives READs.
class ReceiverWindow final : public RequesterRecovery, public ContextUser {
 public:
  explicit ReceiverWindow(Requester& r)
      : r_(r),
        p_(r.nic().constants().transport.recovery),
        requests_(r, [this](uint64_t first_psn) { return FindReading(first_psn) != nullptr; }) {}

  std::optional<Repeat> Next(Requester& r) override;
  bool HasNext(const Requester& r) override;
  void OnNak(Requester& r, const Frame& nak) override;
  void OnReadResponse(Requester& r, const Frame& frame) override;
  void RepeatOldest(Requester& r) override;
  void OnAcknowledged(Requester&) override { requests_.OnExecuted(); }
  void OnExecuted(Requester& r) override { OnAcknowledged(r); }
  void Forget() override;
  void OnStopped() override;
  void OnPosted(Requester&) override { requests_.Ask(); }
  bool MayBegin(Requester& r, const SendRequest& request) override;
  void OnMade(Requester& r, const SendRequest& request, uint64_t psn, Frame& frame) override;
  void OnGrant(Requester& r, const Frame& grant) override;
  bool Awaits() const override { return requests_.Awaits(); }
  bool Overdue() const override;

  void OnContextTimer(uint32_t context) override;
  bool Stopped() const override { return r_.phase == Requester::Phase::stopped; }
  void OnContextLost(uint32_t context) override;

 private:
  /// A READ whose responses arrive.
  struct Reading {
    uint32_t number;
    uint64_t first_psn, packets;
    uint32_t context;
    ReceiveVector vector;
    bool expired = false;  ///< the base was requested since it last moved
    Time heard;            ///< time of the last response to it
  };
  void Probe();
  bool BeginReading(const SendRequest& request);
  void RepeatFrom(uint64_t psn, uint64_t end);
  void RepeatDropped(Reading& m);
  bool IsQueued(const Reading& m) const;
  Reading* FindReading(uint64_t first_psn);
  void TakeInTurn();

  Requester& r_;
  const RecoveryParameters& p_;
  ContextRequests requests_;
  Deque<Reading> reading_;  ///< READs that are not complete, in order
  uint32_t next_reading_ = 0;
  Time heard_;  ///< time of the last response to any READ
  Repeats repeats_;
  Time not_before_;  ///< end of recovery_delay
};

/// The responder's half.
class ReceiveContexts final : public ResponderRecovery, public ContextUser {
 public:
  explicit ReceiveContexts(Responder& s) : s_(s), p_(s.nic().constants().transport.recovery) {}

  void OnRequest(Responder& s, Frame& frame, uint64_t psn) override;
  void OnAsk(Responder& s, const Frame& ask) override;
  void Forget() override;

  void OnContextTimer(uint32_t context) override;
  bool Stopped() const override { return !s_.receives; }
  void OnContextLost(uint32_t context) override;

 private:
  /// A message that comes in.
  struct Incoming {
    uint32_t number = 0;
    uint64_t first_psn = 0, packets = 0;
    Operation operation = Operation::write;
    uint32_t message = 0;
    uint64_t address = 0, length = 0;
    uint32_t key = 0, receive = 0;
    uint32_t context =
        ContextTable::kNone;  ///< kNone: all packets have arrived, or its sender was silent for too long
    ReceiveVector vector{1};
    bool expired = false;  ///< the base was requested since it last moved
    Time requested;        ///< time of the last request for missing packets
    Time heard;            ///< time of the last frame of its sender
    Time came;             ///< time of the last packet
    std::optional<HeldFrame> last;

    uint64_t end_psn() const { return first_psn + packets; }
    bool AllIn() const { return vector.base() == packets; }
  };
  void TakeData(Frame& frame);
  void Write(Incoming& m, Frame& frame, uint64_t index);
  void Dress(const Incoming& m, Frame& frame, uint64_t index) const;
  void Deliver(bool completed);
  Responder::Taken TakeNext(Incoming& m);
  bool Grant(Incoming& m);
  void AnswerKnown(const Frame& ask, Incoming& m);
  void Expire(Incoming& m);
  void OnBeyond(Incoming& m, uint64_t index);
  void Resend(const Incoming& m, uint64_t from, uint64_t end, bool lost) const;
  Incoming* Of(uint32_t context);

  Responder& s_;
  const RecoveryParameters& p_;
  Deque<Incoming> incoming_;  ///< granted and not delivered, in order
  uint32_t granted_ = 0;      ///< number of the next grant
  HeldFrames reads_;          ///< READ requests that arrived before their turn
};

}  // namespace headroom
