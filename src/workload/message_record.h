// The result of one message, and the order of results in files.
#pragma once

#include <compare>
#include <cstdint>

#include "net/topology/topology.h"
#include "nic/verbs/work_request.h"
#include "sim/units.h"

namespace headroom {

/// One message, from the time at which it was offered. Times are kNever if the message did not get so far.
struct MessageRecord {
  uint32_t workload = 0;  ///< index into the scenario's workloads
  NodeId src = 0, dst = 0;
  uint32_t number = 0;  ///< number among the messages of one workload at one source, from 0
  uint8_t priority = 0;
  uint16_t source_port = 0;  ///< UDP port of its queue pair, which decides the path
  uint32_t qp = 0;           ///< its queue pair's number at the posting host: `dst` for a READ, else `src`
  Bytes size;
  Time start;
  Time delivered = kNever;  ///< time of the last byte at the receiver
  Time completed = kNever;  ///< time of the last ACK at the sender
  Time ideal;               ///< time from start to completion of the same message alone in the network
  uint32_t marked_packets = 0;
  uint32_t retransmitted_packets = 0;
  bool Finished() const { return completed != kNever; }
};

/// The order of the rows of messages and operations in result files. Each key exists once, and is the same
/// wherever the network is cut.
struct RowKey {
  Time start;
  uint32_t workload = 0;
  NodeId host = 0;  ///< source of the message; client of the operation
  uint32_t number = 0;
  auto operator<=>(const RowKey&) const = default;
};
inline RowKey RowKeyOf(const MessageRecord& m) { return {m.start, m.workload, m.src, m.number}; }

/// The end of a message whose queue pair failed.
struct MessageFailure {
  MessageRecord message;  ///< as it was then
  Time at;
  WcStatus status = WcStatus::success;
};

}  // namespace headroom
