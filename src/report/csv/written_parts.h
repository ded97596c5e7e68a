// The parts of a time that a result has: waits for a window only where queue pairs have windows.
#pragma once

#include "scenario/send_windows.h"
#include "workload/operation.h"

namespace headroom {

class WrittenParts {
 public:
  explicit WrittenParts(const Scenario& scenario) : windows_(HasWindows(scenario)) {}
  bool Has(MessagePart part) const { return windows_ || part != MessagePart::window; }
  bool Has(OperationPart part) const { return windows_ || part != OperationPartOf(MessagePart::window); }

 private:
  bool windows_;
};

}  // namespace headroom
