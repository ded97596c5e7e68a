// Adaptive routing: on arrival, each packet chooses the next hop with the fewest bytes in the queue that it
// would join. Among equal next hops one is drawn at random. The frame that a port is sending counts in no
// queue.
//
// A port with its link down is left out if there is another.
#pragma once

#include <utility>

#include "net/routing/hop_chooser.h"
#include "sim/random.h"

namespace headroom {

class Adaptive final : public HopChooser {
 public:
  Adaptive(const std::string& name, BytesAhead bytes_ahead)
      : bytes_ahead_(std::move(bytes_ahead)), random_(name + "/adaptive") {}
  uint16_t Choose(const Frame& frame, std::span<const uint16_t> ports) override;

 private:
  BytesAhead bytes_ahead_;
  RandomStream random_;
};

}  // namespace headroom
