// In-band telemetry (INT) as HPCC uses it: each switch appends a record of its port when the packet leaves
// its queue, and the receiver copies all records into the ACK.
//
// Source: Li et al., HPCC, SIGCOMM 2019, section 4.1 and figure 7. On the wire: 4 bits for the number of
// records, 12 for the path, and 64 for each switch: rate, time, bytes sent and bytes queued.
#pragma once

#include "congestion/telemetry.h"
#include "sim/event.h"

namespace headroom {

/// The record of a switch port, taken when the frame's transmission starts there.
struct IntRecord {
  static constexpr int kMost = 15;  ///< in a frame: nHop has four bits
  EntityId port = 0;
  Time at;
  Rate rate;
  uint64_t sent = 0;   ///< bytes sent before this frame, with preambles and gaps
  int64_t queued = 0;  ///< bytes that remain for this port, in all queues
};
static_assert(IntRecord::kMost * sizeof(IntRecord) <= sizeof(Feedback::Records));

class IntTelemetry final : public Telemetry {
 public:
  /// `sent_unit`, `queue_unit`: bytes in a unit of these fields on the wire.
  IntTelemetry(int records, int64_t sent_unit, int64_t queue_unit)
      : Telemetry(kKind, records), sent_unit_(sent_unit), queue_unit_(queue_unit) {}
  std::unique_ptr<PortAgent> MakeAgent(uint8_t queues) const override;
  void Write(const Feedback& feedback, std::vector<uint8_t>& bytes) const override;
  std::string Describe() const override;

 private:
  static const uint8_t kKind;
  class Agent;

  int64_t sent_unit_, queue_unit_;
};

}  // namespace headroom
