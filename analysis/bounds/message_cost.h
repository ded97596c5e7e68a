// The average cost of a workload's message on its path.
#pragma once

#include "net/frame_format.h"
#include "workload/parameters.h"

namespace headroom {

/// Averages over a workload's messages, without retransmissions and CNPs.
struct MessageCost {
  double payload = 0;    ///< bytes
  double packets = 0;    ///< data frames
  double acks = 0;       ///< for a READ: requests, which use the same path
  double data_wire = 0;  ///< bytes including headers, preamble and gap
  double ack_wire = 0;
};

MessageCost CostOfMessages(const WorkloadParameters& workload, int64_t mtu, int ack_every,
                           const FrameFormat& frames);

}  // namespace headroom
