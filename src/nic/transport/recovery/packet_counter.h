// The receiver counts the packets of a message. Unless it gets all packets of one try, the whole message is
// sent again, under a new number that distinguishes old packets from new.
//
// Source: Wang et al., A fast RDMA method for unreliable networks, which compares its scheme with this one.
// Ours: the sender starts the next try if no answer arrives within the timer after the last packet of a try.
// The reader of a READ starts the next try if no response arrives for that time. Several messages of a queue
// pair may be in flight, each with its count.
//
// With contexts (`connects`) a message first requests one at its receiver, and holds it until all of its
// packets have arrived. The paper's existing methods set up a connection before the data (section 1.2), and
// its counters are in contexts (section 3.1). Request and grant are those of the receiver's window, as are
// the contexts of READs, which the reader takes from its own: this is ours.
#pragma once

#include <map>

#include "nic/transport/nic_interface.h"
#include "nic/transport/recovery.h"
#include "nic/transport/recovery/context_requests.h"
#include "nic/transport/recovery/held_frame.h"
#include "nic/transport/recovery/repeats.h"
#include "nic/transport/requester.h"
#include "nic/transport/responder.h"
#include "sim/deque.h"

namespace headroom {

/// The requester's half, which counts READ responses.
class CountedSender final : public RequesterRecovery, public ContextUser {
 public:
  explicit CountedSender(Requester& r)
      : r_(r),
        p_(r.nic().constants().transport.recovery),
        requests_(r, [this](uint64_t first_psn) { return Find(first_psn) != nullptr; }) {}

  std::optional<Repeat> Next(Requester& r) override;
  bool HasNext(const Requester& r) override;
  void OnNak(Requester&, const Frame&) override {}
  void OnReadResponse(Requester& r, const Frame& frame) override;
  void RepeatOldest(Requester& r) override;
  void OnAcknowledged(Requester& r) override;
  void OnExecuted(Requester& r) override { OnAcknowledged(r); }
  void Forget() override;
  void OnStopped() override;
  void OnPosted(Requester&) override;
  void OnGrant(Requester&, const Frame& grant) override { requests_.OnGrant(grant); }
  void OnAck(Requester& r, const Frame& ack) override;
  bool MayBegin(Requester& r, const SendRequest& request) override;
  void OnMade(Requester& r, const SendRequest& request, uint64_t psn, Frame& frame) override;

  void OnContextTimer(uint32_t) override {}  // a READ has its own deadline
  bool Stopped() const override { return r_.phase == Requester::Phase::stopped; }
  void OnContextLost(uint32_t context) override;

 private:
  /// A message in flight.
  struct Transfer {
    uint64_t first_psn = 0, packets = 0;
    bool read = false;
    uint32_t number = 0;                     ///< number of the try
    uint64_t counted = 0;                    ///< for a READ: number of responses to this try
    Time deadline = kNever;                  ///< time of the next try
    uint32_t context = ContextTable::kNone;  ///< for a READ: at this end
    uint64_t end_psn() const { return first_psn + packets; }
    bool AllIn() const { return counted == packets; }
  };
  void Await(Transfer& t, Time since);
  bool AskOverdue();
  bool Retry(Transfer& t);
  void Release(Transfer& t);
  void TryAgain(Transfer& t);
  Transfer* Find(uint64_t psn);

  Requester& r_;
  const RecoveryParameters& p_;
  ContextRequests requests_;   ///< unused without contexts
  Deque<Transfer> transfers_;  ///< in order; executed messages are removed
  Time heard_;                 ///< time of the last response to a READ
  Repeats repeats_;
};

/// The responder's half.
class CountingReceiver final : public ResponderRecovery, public ContextUser {
 public:
  explicit CountingReceiver(Responder& s) : s_(s), p_(s.nic().constants().transport) {}

  void OnRequest(Responder& s, Frame& frame, uint64_t psn) override;
  void OnAsk(Responder& s, const Frame& ask) override;
  void Forget() override;

  void OnContextTimer(uint32_t context) override;
  bool Stopped() const override { return !s_.receives; }
  void OnContextLost(uint32_t context) override;

 private:
  /// A message that has a context, or of which some packets arrived.
  struct Counted {
    uint64_t packets = 0;  ///< 0: no packet has arrived
    uint32_t number = 0;   ///< number of the try
    uint64_t counted = 0;  ///< packets of this try
    bool refused = false;  ///< the try was refused for want of a RECV
    bool write = false;
    uint32_t message = 0;
    FrameExtension of_first;  ///< the message's address, key and size
    HeldFrame last;
    uint32_t context = ContextTable::kNone;
    Time heard;  ///< time of the last frame of its sender
    bool AllIn() const { return packets > 0 && counted == packets; }
  };
  bool Grant(Counted& m);
  void Release(Counted& m);
  Counted* Of(uint32_t context);
  bool Begin(Counted& m, const Frame& frame, uint64_t first_psn);
  void Deliver();
  Responder::Taken TakeNext(Counted& m, uint64_t first_psn);

  Responder& s_;
  const TransportParameters& p_;
  std::map<uint64_t, Counted> messages_;  ///< keyed by first PSN
  uint32_t granted_ = 0;                  ///< number of the next grant
  HeldFrames reads_;                      ///< READ requests that arrived before their turn
};

}  // namespace headroom
