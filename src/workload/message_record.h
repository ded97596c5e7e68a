// What became of one message.
#pragma once

#include <cstdint>

#include "net/topology/topology.h"
#include "nic/verbs/work_request.h"
#include "sim/units.h"

namespace headroom {

/// One message, from the moment it was offered. Times are kNever where it did not get that far.
struct MessageRecord {
  uint32_t workload = 0;  ///< index into the scenario's workloads
  NodeId src = 0, dst = 0;
  uint32_t number = 0;  ///< counts the messages of one workload at one source, from 0
  uint8_t priority = 0;
  uint16_t source_port = 0;  ///< UDP, of its queue pair: decides the path
  uint32_t qp = 0;  ///< its queue pair's number at the host that posted it: of a READ `dst`, else `src`
  Bytes size;
  Time start;
  Time delivered = kNever;  ///< last byte at the receiver
  Time completed = kNever;  ///< last ACK at the sender
  Time ideal;               ///< span from start to completion of the same message alone in the network
  uint32_t marked_packets = 0;
  uint32_t retransmitted_packets = 0;
  bool Finished() const { return completed != kNever; }
};

/// How a message ended whose queue pair gave up.
struct MessageFailure {
  uint32_t message = 0;
  Time at;
  WcStatus status = WcStatus::success;
};

}  // namespace headroom
