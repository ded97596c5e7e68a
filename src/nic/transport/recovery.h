// A queue pair's questions to schemes other than go-back-N. Null: go-back-N, which the requester and the
// responder do themselves.
//
// Made with the queue pair, of reliable connections alone. All calls come in events of the run; none fails.
// Schemes are in nic/transport/recovery, one file each.
#pragma once

#include <cstdint>
#include <optional>

#include "net/frame.h"
#include "sim/units.h"

namespace headroom {

class Requester;
class Responder;
struct SendRequest;

/// The requester's part: which packets it sends again.
class RequesterRecovery {
 public:
  virtual ~RequesterRecovery() = default;

  /// The packets that go again now, as they were sent before. More than one only for a READ, which asks for
  /// all of them in one request.
  struct Repeat {
    uint64_t psn;
    uint64_t packets;
  };
  /// REQUIRES: its turn. None: a packet that was never sent may go.
  virtual std::optional<Repeat> Next(Requester& r) = 0;
  /// Whether Next has something.
  virtual bool HasNext(const Requester& r) = 0;
  /// The responder refuses a packet that came out of turn; packets in turn are acknowledged already.
  virtual void OnNak(Requester& r, const Frame& nak) = 0;
  /// A response to a READ.
  virtual void OnReadResponse(Requester& r, const Frame& frame) = 0;
  /// The timeout is over, or the responder had no RECV: the oldest unacknowledged packet must be sent again,
  /// whatever its state.
  virtual void RepeatOldest(Requester& r) = 0;
  /// More has been acknowledged; what is done is still in the send queue.
  virtual void OnAcknowledged(Requester& r) = 0;
  /// The timeout in addition to Requester::rto, with so many packets in flight.
  virtual Time MoreTime(uint64_t /*on_their_way*/) const { return {}; }
  /// As new.
  virtual void Forget() = 0;
  /// It sends nothing more: its buffers and contexts are for others.
  virtual void OnStopped() {}

  // For schemes that ask before they send, or number their packets. A request is in the send
  /// queue.
  virtual void OnPosted(Requester&) {}
  /// Whether a request may begin; false: the recovery wakes the requester when it may.
  virtual bool MayBegin(Requester&, const SendRequest&) { return true; }
  /// Whether a packet that was never sent may go; false: the same.
  virtual bool MayGo(Requester&) { return true; }
  /// A packet or a READ request was made.
  virtual void OnMade(Requester&, const SendRequest&, uint64_t /*psn*/, Frame&) {}
  /// The responder has answered a request for a context.
  virtual void OnGrant(Requester&, const Frame&) {}
  /// An ACK, before it takes effect.
  virtual void OnAck(Requester&, const Frame&) {}
  /// More has been executed behind a READ that is not complete.
  virtual void OnExecuted(Requester&) {}
  /// Whether the awaited answer is overdue when the timeout is over; false: it continues to wait.
  virtual bool Overdue() const { return true; }
  /// Whether an answer is due beside those to packets.
  virtual bool Awaits() const { return false; }

  // Of the requester's timer.
  bool extended = false;  ///< the timeout that runs has MoreTime, too
  Time spent;             ///< in timeouts in a row, without progress
};

/// The responder's part: packets that arrive out of order.
class ResponderRecovery {
 public:
  virtual ~ResponderRecovery() = default;
  virtual void OnRequest(Responder& s, Frame& frame, uint64_t psn) = 0;
  /// The requester asks for a context.
  virtual void OnAsk(Responder&, const Frame&) {}
  /// As new.
  virtual void Forget() = 0;
};

}  // namespace headroom
