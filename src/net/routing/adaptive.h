// Adaptive routing: each packet takes the next hop with the fewest bytes in the queue that it would join, as
// it arrives. Equal ones are drawn from. The frame that a port is sending is in no queue.
//
// Left out: a port with its link down, as long as there is another.
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
