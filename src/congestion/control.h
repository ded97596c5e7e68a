// A congestion control other than DCQCN: it sets the rate and the window of a queue pair.
//
// Each sending queue pair has its own control if its NIC has one. The NIC reports events to it, and
// reads its rate and window after each call. A frame calls no control. DCQCN is no such control: it is
// compiled into the NIC (dcqcn/reaction_point.h).
//
// A control registers itself, in the tree or in a program outside it (scenario/keys/hosts/control_keys.h).
#pragma once

#include <cstdint>
#include <utility>

#include "net/feedback.h"
#include "sim/units.h"

namespace headroom {

/// Of the whole network, as the HPCC simulator counts.
struct LargestTrip {
  Time round_trip;
  Bytes product;  ///< the largest bandwidth-delay product, which need not be of that round trip
  bool operator==(const LargestTrip&) const = default;
};

/// The facts about its queue pair that a control knows before the first packet.
struct ControlPath {
  Rate line;              ///< of the sender's port
  Time round_trip;        ///< of a full packet and its ACK, alone on this path
  int64_t mtu = 0;        ///< payload of a full packet
  Bytes full;             ///< such a packet on the wire, with preamble and gap
  uint64_t window = 0;    ///< largest number of packets in flight, whatever the control allows
  uint64_t least = 1;     ///< packets; with a smaller window the receiver would send no ACK
  LargestTrip largest{};  ///< for parameters that want it (ControlParameters::of_network)
};

/// An ACK, before it opens the window.
struct Acknowledgement {
  Time now;
  uint64_t packets = 0;                ///< that it acknowledges and none before it did
  uint64_t marked = 0;                 ///< of these: exact unless an ACK is lost
  uint64_t una = 0;                    ///< everything below this packet is acknowledged
  uint64_t next = 0;                   ///< the packet that will be sent next
  Time in_host;                        ///< from its last bit at this host to its effect
  const Feedback* feedback = nullptr;  ///< there if the control wants round trips or telemetry
};

enum class Loss : uint8_t { refused, timeout };  ///< a NAK for a gap; or nothing came for too long

class Control {
 public:
  /// A bit for each event. A queue pair pays for those that its control wants.
  enum Wants : uint8_t {
    kSent = 1,            ///< frames that start
    kAcks = 2,            ///< ACKs with the marks that they echo
    kRoundTrips = 4,      ///< ACKs with times of the packet that they answer
    kTelemetry = 8,       ///< ACKs with the records of switches
    kNotifications = 16,  ///< CNPs, which receivers send for marks where no ACK echoes them
    kLosses = 32,
    kCredits = 64  ///< credits of the receiver, packets that wait for them, and packets that spend one
  };
  /// What a control says to its receiver: how many credits it asks for, or the same again.
  enum class Ask : uint8_t { none, more, again };

  explicit Control(uint8_t wants) : wants_(wants) {}
  virtual ~Control() = default;
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

  /// As new, on this path.
  virtual void Begin(const ControlPath& path) = 0;
  virtual void OnSent(Time /*now*/, int64_t /*wire_bytes*/) {}
  virtual void OnAck(const Acknowledgement&) {}
  virtual void OnNotification(Time /*now*/) {}
  virtual void OnLoss(Time /*now*/, Loss) {}
  /// So many packets are left to send. `fresh`: and nothing else is on its way.
  virtual void OnBacklog(Time /*now*/, uint64_t /*packets*/, bool /*fresh*/) {}
  /// The receiver has given so many credits since the queue pair began.
  virtual void OnCredit(Time /*now*/, uint64_t /*total*/) {}
  /// At the time that timer() was.
  virtual void OnTimer(Time /*now*/) {}

  uint8_t wants() const { return wants_; }
  bool Wants(uint8_t events) const { return (wants_ & events) != 0; }
  /// Whether data say that their ACKs are read.
  bool ReadsAcks() const { return Wants(kAcks | kRoundTrips | kTelemetry); }
  Rate rate() const { return rate_; }
  uint64_t window() const { return window_; }
  Time timer() const { return timer_; }
  bool rescales() const { return rescales_; }
  /// Credits since the queue pair began: those that it has asked for, and those that have come.
  uint64_t asked() const { return asked_; }
  uint64_t credited() const { return credited_; }
  /// Whether its receiver is to hear of asked() and credited() now.
  Ask TakeAsk() { return std::exchange(ask_, Ask::none); }
  bool paces_from_start() const { return paces_from_start_; }

 protected:
  Rate rate_;                     ///< on the wire, preamble and gap included
  uint64_t window_ = UINT64_MAX;  ///< packets on their way; 0: no packet may go
  Time timer_ = kNever;           ///< when OnTimer is called; kNever: it is not
  bool rescales_ = false;         ///< a new rate also rescales the wait that has begun
  Ask ask_ = Ask::none;
  uint64_t asked_ = 0, credited_ = 0;
  /// After each call the next frame waits its time at the new rate from the start of the last one, and earns
  /// nothing by having waited for the window.
  bool paces_from_start_ = false;

 private:
  uint8_t wants_;
};

}  // namespace headroom
