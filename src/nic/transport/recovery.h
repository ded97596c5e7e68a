// The interface between a queue pair and schemes other than go-back-N. Null means go-back-N, which the
// requester and the responder do themselves.
//
// A recovery is made with its queue pair, and only for reliable connections. All calls come in events of the
// run; none fails. Schemes are in nic/transport/recovery, one file each.
#pragma once

#include <cstdint>
#include <optional>

#include "net/frame.h"
#include "sim/units.h"

namespace headroom {

class Requester;
class Responder;
struct SendRequest;

/// The requester's part: decides which packets are sent again.
class RequesterRecovery {
 public:
  virtual ~RequesterRecovery() = default;

  /// The packets to send again now, as they were sent before. There are several only for a READ, which
  /// requests all of them in one request.
  struct Repeat {
    uint64_t psn;
    uint64_t packets;
  };
  /// REQUIRES: the requester has its turn. Returns none if a packet that was never sent may go.
  virtual std::optional<Repeat> Next(Requester& r) = 0;
  /// Whether Next has a packet.
  virtual bool HasNext(const Requester& r) = 0;
  /// The responder refuses a packet that arrived out of turn; packets in turn are acknowledged already.
  virtual void OnNak(Requester& r, const Frame& nak) = 0;
  /// A response to a READ arrived.
  virtual void OnReadResponse(Requester& r, const Frame& frame) = 0;
  /// The timeout is over, or the responder had no RECV: the oldest unacknowledged packet must be sent again,
  /// whatever its state.
  virtual void RepeatOldest(Requester& r) = 0;
  /// Further packets have been acknowledged; finished requests are still in the send queue.
  virtual void OnAcknowledged(Requester& r) = 0;
  /// The time to add to Requester::rto, with this many packets in flight.
  virtual Time MoreTime(uint64_t /*on_their_way*/) const { return {}; }
  /// Resets everything.
  virtual void Forget() = 0;
  /// The requester sends nothing more: others may use its buffers and contexts.
  virtual void OnStopped() {}

  // For schemes that ask before they send, or number their packets:
  /// A request entered the send queue.
  virtual void OnPosted(Requester&) {}
  /// Whether a request may begin. If false, the recovery wakes the requester once it may.
  virtual bool MayBegin(Requester&, const SendRequest&) { return true; }
  /// Whether a packet that was never sent may go; if false, the recovery wakes the requester as for MayBegin.
  virtual bool MayGo(Requester&) { return true; }
  /// A packet or a READ request was made.
  virtual void OnMade(Requester&, const SendRequest&, uint64_t /*psn*/, Frame&) {}
  /// The responder has answered a request for a context.
  virtual void OnGrant(Requester&, const Frame&) {}
  /// An ACK arrived, before it takes effect.
  virtual void OnAck(Requester&, const Frame&) {}
  /// The responder has executed more requests behind a READ that is not complete.
  virtual void OnExecuted(Requester&) {}
  /// Whether the awaited answer is overdue when the timeout ends; false: the requester continues to wait.
  virtual bool Overdue() const { return true; }
  /// Whether it expects answers other than those to packets.
  virtual bool Awaits() const { return false; }

  // State of the requester's timer.
  bool extended = false;  ///< the running timeout includes MoreTime
  Time spent;             ///< time in successive timeouts without progress
};

/// The responder's part: packets that arrive out of order.
class ResponderRecovery {
 public:
  virtual ~ResponderRecovery() = default;
  virtual void OnRequest(Responder& s, Frame& frame, uint64_t psn) = 0;
  /// The requester requests a context.
  virtual void OnAsk(Responder&, const Frame&) {}
  /// Resets everything.
  virtual void Forget() = 0;
};

}  // namespace headroom
