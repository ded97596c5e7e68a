// What switches write into the data frames of a congestion control, and how: one class for each kind of
// record, in a file of congestion/agents or in the control's own file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "net/feedback.h"
#include "net/port_agent.h"

namespace headroom {

class Telemetry {
 public:
  /// `kind`: a result of Feedback::NewKind, the same for all objects of a class. `records`: the number of
  /// switches for which a frame has room. REQUIRES: so many records fit into Feedback::Records.
  Telemetry(uint8_t kind, int records) : kind_(kind), records_(static_cast<uint8_t>(records)) {}
  virtual ~Telemetry() = default;
  uint8_t kind() const { return kind_; }
  int records() const { return records_; }

  /// The agent of a switch's port; `queues` are the queues in use. It serves all controls with this kind.
  virtual std::unique_ptr<PortAgent> MakeAgent(uint8_t queues) const = 0;
  /// Appends the records as a frame carries them.
  virtual void Write(const Feedback& feedback, std::vector<uint8_t>& bytes) const = 0;
  /// What a switch must be able to do, for `show`.
  virtual std::string Describe() const = 0;

 private:
  uint8_t kind_, records_;
};

}  // namespace headroom
