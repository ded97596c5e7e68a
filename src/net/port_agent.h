// The part of a congestion control that runs at a port.
#pragma once

namespace headroom {

class Port;
struct Feedback;
struct Frame;

/// An object for each port. It may also listen to the port's traces and have events of its own.
class PortAgent {
 public:
  virtual ~PortAgent() = default;
  /// The transmission of a data frame that collects feedback starts at the port.
  virtual void OnSent(const Port& port, const Frame& frame, Feedback& feedback) = 0;
};

}  // namespace headroom
