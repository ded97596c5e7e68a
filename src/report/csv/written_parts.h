// The parts of a time that a result has. Waits for a window exist only with windows, waits for a context only
// if messages need one, and times of applications only with applications.
#pragma once

#include "scenario/scenario.h"
#include "scenario/send_windows.h"
#include "workload/operation.h"

namespace headroom {

class WrittenParts {
 public:
  explicit WrittenParts(const Scenario& scenario)
      : windows_(HasWindows(scenario) || HasPeerBuffers(scenario) || HasControls(scenario)),
        contexts_(HasContexts(scenario)),
        applications_(HasApplications(scenario)) {}
  bool Has(MessagePart part) const {
    return (windows_ || part != MessagePart::window) && (contexts_ || part != MessagePart::context);
  }
  bool Has(OperationPart part) const {
    return (windows_ || part != OperationPartOf(MessagePart::window)) &&
           (contexts_ || part != OperationPartOf(MessagePart::context)) &&
           (applications_ || !OfApplications(part));
  }

 private:
  bool windows_, contexts_, applications_;
};

}  // namespace headroom
