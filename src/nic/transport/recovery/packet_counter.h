// The receiver counts the packets of a message. Unless it gets all packets of one try, the whole message is
// sent again, under a new number that distinguishes old packets from new.
//
// Source: Wang et al., A fast RDMA method for unreliable networks, which compares its scheme with this one.
// Ours: the sender starts the next try if no answer arrives within the timer after the last packet of a try.
// The reader of a READ starts the next try if no response arrives for that time. Several messages of a queue
// pair may be in flight, each with its count.
#pragma once

#include <map>

#include "nic/transport/nic_interface.h"
#include "nic/transport/recovery.h"
#include "nic/transport/recovery/held_frame.h"
#include "nic/transport/recovery/repeats.h"
#include "nic/transport/requester.h"
#include "nic/transport/responder.h"
#include "sim/deque.h"

namespace headroom {

/// The requester's half, which counts READ responses.
class CountedSender final : public RequesterRecovery {
 public:
  explicit CountedSender(Requester& r) : r_(r), p_(r.nic().constants().transport.recovery) {}

  std::optional<Repeat> Next(Requester& r) override;
  bool HasNext(const Requester& r) override;
  void OnNak(Requester&, const Frame&) override {}
  void OnReadResponse(Requester& r, const Frame& frame) override;
  void RepeatOldest(Requester& r) override;
  void OnAcknowledged(Requester& r) override;
  void OnExecuted(Requester& r) override { OnAcknowledged(r); }
  void Forget() override;
  void OnAck(Requester& r, const Frame& ack) override;
  bool MayBegin(Requester& r, const SendRequest& request) override;
  void OnMade(Requester& r, const SendRequest& request, uint64_t psn, Frame& frame) override;

 private:
  /// A message in flight.
  struct Transfer {
    uint64_t first_psn = 0, packets = 0;
    bool read = false;
    uint32_t number = 0;     ///< number of the try
    uint64_t counted = 0;    ///< for a READ: number of responses to this try
    Time deadline = kNever;  ///< time of the next try
    uint64_t end_psn() const { return first_psn + packets; }
    bool AllIn() const { return counted == packets; }
  };
  void Await(Transfer& t, Time since);
  bool Retry(Transfer& t);
  void TryAgain(Transfer& t);
  Transfer* Find(uint64_t psn);

  Requester& r_;
  const RecoveryParameters& p_;
  Deque<Transfer> transfers_;  ///< in order; executed messages are removed
  Time heard_;                 ///< time of the last response to a READ
  Repeats repeats_;
};

/// The responder's half.
class CountingReceiver final : public ResponderRecovery {
 public:
  explicit CountingReceiver(Responder& s) : s_(s) {}

  void OnRequest(Responder& s, Frame& frame, uint64_t psn) override;
  void Forget() override;

 private:
  /// A message of which some packets arrived.
  struct Counted {
    uint64_t packets = 0;
    uint32_t number = 0;   ///< number of the try
    uint64_t counted = 0;  ///< packets of this try
    bool refused = false;  ///< the try was refused for want of a RECV
    bool write = false;
    uint32_t message = 0;
    FrameExtension of_first;  ///< the message's address, key and size
    HeldFrame last;
    bool AllIn() const { return counted == packets; }
  };
  bool Begin(Counted& m, const Frame& frame, uint64_t first_psn);
  void Deliver();
  Responder::Taken TakeNext(Counted& m, uint64_t first_psn);

  Responder& s_;
  std::map<uint64_t, Counted> messages_;  ///< keyed by first PSN
  HeldFrames reads_;                      ///< READ requests that arrived before their turn
};

}  // namespace headroom
