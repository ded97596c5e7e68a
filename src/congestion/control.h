// A congestion control other than DCQCN: it sets the rate and the window of a queue pair.
//
// Each sending queue pair has its own control if its NIC has one. The NIC reports events to it, and reads its
// rate and window after each call. A frame calls no control. DCQCN is not such a control: it is compiled into
// the NIC (dcqcn/reaction_point.h).
//
// A control registers itself, in the tree or in a program outside it (scenario/keys/hosts/control_keys.h).
#pragma once

#include <cstdint>
#include <utility>

#include "net/feedback.h"
#include "sim/units.h"

namespace headroom {

/// The largest values in the entire network, as in the HPCC simulator.
struct LargestTrip {
  Time round_trip;
  Bytes
      product;  ///< the largest bandwidth-delay product, possibly on another path than the largest round trip
  bool operator==(const LargestTrip&) const = default;
};

/// The facts about its queue pair that a control knows before the first packet.
struct ControlPath {
  Rate line;              ///< rate of the sender's port
  Time round_trip;        ///< round-trip time of a full packet and its ACK, alone on this path
  int64_t mtu = 0;        ///< payload of a full packet
  Bytes full;             ///< size of such a packet on the wire, with preamble and gap
  uint64_t window = 0;    ///< largest number of packets in flight that the transport permits
  uint64_t least = 1;     ///< minimum window in packets; with a smaller window the receiver would send no ACK
  LargestTrip largest{};  ///< set for parameters that request it (ControlParameters::of_network)
};

/// An ACK, before it opens the window.
struct Acknowledgement {
  Time now;
  uint64_t packets = 0;                ///< packets that this ACK is the first to acknowledge
  uint64_t marked = 0;                 ///< number of these that were marked: exact unless an ACK is lost
  uint64_t una = 0;                    ///< all packets below this number are acknowledged
  uint64_t next = 0;                   ///< the number of the packet that will be sent next
  Time in_host;                        ///< from the ACK's last bit at this host to its effect
  const Feedback* feedback = nullptr;  ///< present if the control wants round trips or telemetry
};

enum class Loss : uint8_t {
  refused,
  timeout
};  ///< refused: a NAK for a gap; timeout: no ACK came for too long

class Control {
 public:
  /// A bit for each event. A queue pair bears the cost only of the events that its control wants.
  enum Wants : uint8_t {
    kSent = 1,            ///< each start of a frame
    kAcks = 2,            ///< ACKs with the marks that they echo
    kRoundTrips = 4,      ///< ACKs with the times of the packet that they acknowledge
    kTelemetry = 8,       ///< ACKs with the records of switches
    kNotifications = 16,  ///< CNPs, which receivers send for marks if no ACK echoes them
    kLosses = 32,
    kCredits = 64  ///< the receiver's credits, packets that wait for credits, and packets that spend one
  };
  /// A control's request to its receiver: no request, a request for more credits, or a repeated request.
  enum class Ask : uint8_t { none, more, again };

  explicit Control(uint8_t wants) : wants_(wants) {}
  virtual ~Control() = default;
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

  /// Resets the control to its initial state, on this path.
  virtual void Begin(const ControlPath& path) = 0;
  virtual void OnSent(Time /*now*/, int64_t /*wire_bytes*/) {}
  virtual void OnAck(const Acknowledgement&) {}
  virtual void OnNotification(Time /*now*/) {}
  virtual void OnLoss(Time /*now*/, Loss) {}
  /// The number of packets that are left to send. `fresh`: nothing else is in flight.
  virtual void OnBacklog(Time /*now*/, uint64_t /*packets*/, bool /*fresh*/) {}
  /// The number of credits that the receiver has given since the queue pair began.
  virtual void OnCredit(Time /*now*/, uint64_t /*total*/) {}
  /// Called at the time that timer() returned.
  virtual void OnTimer(Time /*now*/) {}

  uint8_t wants() const { return wants_; }
  bool Wants(uint8_t events) const { return (wants_ & events) != 0; }
  /// Whether data frames state that the sender reads their ACKs.
  bool ReadsAcks() const { return Wants(kAcks | kRoundTrips | kTelemetry); }
  Rate rate() const { return rate_; }
  uint64_t window() const { return window_; }
  Time timer() const { return timer_; }
  bool rescales() const { return rescales_; }
  /// Credits since the queue pair began: asked() counts requested credits, credited() received ones.
  uint64_t asked() const { return asked_; }
  uint64_t credited() const { return credited_; }
  /// Whether the receiver must now learn of asked() and credited().
  Ask TakeAsk() { return std::exchange(ask_, Ask::none); }
  bool paces_from_start() const { return paces_from_start_; }

 protected:
  Rate rate_;                     ///< wire rate, preamble and gap included
  uint64_t window_ = UINT64_MAX;  ///< largest number of packets in flight; 0: no packet may go
  Time timer_ = kNever;           ///< time of the next call of OnTimer; kNever: no call
  bool rescales_ = false;         ///< a new rate also rescales a wait that has begun
  Ask ask_ = Ask::none;
  uint64_t asked_ = 0, credited_ = 0;
  /// After each call, the next frame waits its time at the new rate from the start of the last one. The time
  /// that a frame waited for the window earns it nothing.
  bool paces_from_start_ = false;

 private:
  uint8_t wants_;
};

}  // namespace headroom
