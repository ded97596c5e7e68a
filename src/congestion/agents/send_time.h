// The start of a data frame's transmission at its host, for controls that measure round trips.
#pragma once

#include "net/feedback.h"
#include "net/port_agent.h"
#include "sim/event_queue.h"

namespace headroom {

/// At a host's port. A frame may wait between its making and its transmission.
class SendTime final : public PortAgent {
 public:
  void OnSent(const Port&, const Frame&, Feedback& feedback) override {
    feedback.sent = EventQueue::Get().now();
  }
};

}  // namespace headroom
