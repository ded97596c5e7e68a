// Parameters of a NIC: latencies, reliable transport, congestion control.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "congestion/parameters.h"
#include "dcqcn/parameters.h"
#include "net/oscillator.h"
#include "nic/clock.h"
#include "nic/resources/resource_parameters.h"
#include "nic/transport/transport_parameters.h"
#include "pfc/parameters.h"
#include "sim/own_values.h"
#include "sim/shared_value.h"
#include "sim/units.h"

namespace headroom {

struct NicParameters {
  enum class CongestionControl { dcqcn, none, other };
  std::string generation = "dcqcn-paper";
  Time tx_latency;  ///< from the NIC's decision to send to the frame at its port; overlaps with transmission
  Time rx_latency;  ///< from the last bit of a frame to its effect
  CongestionControl congestion_control = CongestionControl::dcqcn;
  SharedValue<ControlParameters> control;  ///< parameters of `other`
  TransportParameters transport;
  DcqcnParameters dcqcn;
  ResourceParameters resources;
  std::optional<RxBufferParameters> rx_buffer;  ///< none: the NIC never pauses
  std::vector<WatchdogParameters>
      watchdogs;  ///< of its port, or of the card before it; the last matching entry counts
  ClockParameters clock;
  OscillatorParameters oscillator;
  Time registration_latency;  ///< time of a REG_MR at its turn in the send queue

  // Bugs.
  bool congestion_leaking = false;  ///< a queue pair that waits for the limiter blocks those behind it
  bool hidden_fence = false;        ///< REG_MR and LOCAL_INV wait until all earlier requests are complete

  OwnValues own;  ///< values of keys that a program registers (scenario/keys/own_keys.h)
  bool operator==(const NicParameters&) const = default;

  /// Whether CNPs, which are separate frames, report congestion. CNPs need a traffic class.
  bool SendsCnps() const {
    return congestion_control == CongestionControl::dcqcn &&
           dcqcn.np.coalescing != NpParameters::Coalescing::ack_flag && dcqcn.np.priorities.mask != 0;
  }
  /// Whether queue pairs have a control that receives ACKs.
  bool HasControl() const { return congestion_control == CongestionControl::other; }
  /// Whether marks in this priority return on ACKs only.
  bool FlagsAcks(uint8_t priority) const {
    return Notifies(priority) && dcqcn.np.coalescing == NpParameters::Coalescing::ack_flag;
  }
  /// Reacts: whether DCQCN slows down queue pairs of this priority. Notifies: whether marks in this priority
  /// are reported, to senders with DCQCN or with another control.
  bool Reacts(uint8_t priority) const {
    return congestion_control == CongestionControl::dcqcn && dcqcn.rp.priorities.Has(priority);
  }
  bool Notifies(uint8_t priority) const {
    return congestion_control != CongestionControl::none && dcqcn.np.priorities.Has(priority);
  }
};

}  // namespace headroom
