// The parts of a time that a result has: waits for a window only where queue pairs have windows, and for a
// context only where messages need one.
#pragma once

#include "scenario/send_windows.h"
#include "workload/operation.h"

namespace headroom {

class WrittenParts {
 public:
  explicit WrittenParts(const Scenario& scenario)
      : windows_(HasWindows(scenario) || HasPeerBuffers(scenario)), contexts_(HasContexts(scenario)) {}
  bool Has(MessagePart part) const {
    return (windows_ || part != MessagePart::window) && (contexts_ || part != MessagePart::context);
  }
  bool Has(OperationPart part) const {
    return (windows_ || part != OperationPartOf(MessagePart::window)) &&
           (contexts_ || part != OperationPartOf(MessagePart::context));
  }

 private:
  bool windows_, contexts_;
};

}  // namespace headroom
