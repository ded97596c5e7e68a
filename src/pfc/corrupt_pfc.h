// Receives the PFC frames in one direction of a link if only one end's MACsec covers them, so that the
// receiver cannot read them. They count as corrupt at the receiver and have no effect.
#pragma once

#include "net/port.h"

namespace headroom {

class CorruptPfc final : public EventTarget {
 public:
  /// `port`: the port at the receiving end.
  explicit CorruptPfc(Port* port) : port_(port) {}

  void OnEvent(uint64_t arg) override {
    auto* frame = reinterpret_cast<Frame*>(arg);
    if (!frame->lost) port_->CountCorruptPfc(*frame);
    port_->pool().Give(frame);
  }

 private:
  Port* port_;
};

}  // namespace headroom
