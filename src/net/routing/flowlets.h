// Flowlet switching: packets of a flow that come within `timeout` of the one before keep its next hop. After
// a longer gap the flow draws a next hop again, perhaps the same.
//
// Source: Vanini et al., Let it flow: resilient asymmetric load balancing with flowlet switching, NSDI 2017
// (LetFlow). Departure: the table has a place for every flow (destination and hash of the five-tuple), where
// switches have a fixed table whose flows may collide.
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
    Time last;  ///< when its last packet came
    uint16_t port = 0;
  };
  static constexpr uint64_t kNobody = UINT64_MAX;
  /// The place of a flow, or the free one that it gets. REQUIRES: some place is free.
  Flowlet& PlaceOf(uint64_t flow);
  /// Forgets flowlets that are over, and makes room for as many again as are left.
  void MakeRoom(Time now);

  Time timeout_;
  RandomStream random_;
  std::vector<Flowlet> table_;  ///< its size is a power of two; probed from the flow's own place on
  size_t used_ = 0;
};

}  // namespace headroom
