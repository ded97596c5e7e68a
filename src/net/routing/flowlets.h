// Flowlet switching: a packet of a flow that arrives within `timeout` of the previous one keeps its next hop.
// After a longer gap the flow draws a next hop again, possibly the same.
//
// Source: Vanini et al., Let it flow: resilient asymmetric load balancing with flowlet switching, NSDI 2017
// (LetFlow). Departure: the table has a place for every flow (destination and hash of the five-tuple),
// whereas switches have a fixed table in which flows may collide.
#pragma once

#include <vector>

#include "net/routing/hop_chooser.h"
#include "sim/random.h"

namespace headroom {

class Flowlets final : public HopChooser {
 public:
  Flowlets(const std::string& name, Time timeout) : timeout_(timeout), random_(name + "/flowlet") {}
  uint16_t Choose(const Frame& frame, std::span<const uint16_t> ports) override;

 private:
  struct Flowlet {
    uint64_t flow = kNobody;
    Time last;  ///< arrival of its last packet
    uint16_t port = 0;
  };
  static constexpr uint64_t kNobody = UINT64_MAX;
  /// The place of a flow, or a free place for it. REQUIRES: some place is free.
  Flowlet& PlaceOf(uint64_t flow);
  /// Forgets flowlets that are over, and makes room for as many new ones as remain.
  void MakeRoom(Time now);

  Time timeout_;
  RandomStream random_;
  std::vector<Flowlet> table_;  ///< its size is a power of two; probing starts at the flow's own place
  size_t used_ = 0;
};

}  // namespace headroom
