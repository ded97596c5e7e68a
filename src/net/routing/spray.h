// Packet spraying: each packet takes one of the equal next hops at random, regardless of its flow.
//
// The choice is drawn on arrival, not hashed from the packet's number, so a retransmitted packet draws again.
// With a hash, go-back-N would send the same packets over the same paths for ever, each time in the same
// wrong order.
#pragma once

#include "net/routing/hop_chooser.h"
#include "sim/random.h"

namespace headroom {

class Spray final : public HopChooser {
 public:
  explicit Spray(const std::string& name) : random_(name + "/spray") {}
  uint16_t Choose(const Frame&, std::span<const uint16_t> ports) override {
    return ports.size() == 1 ? ports[0] : ports[random_.Below(ports.size())];
  }

 private:
  RandomStream random_;
};

}  // namespace headroom
