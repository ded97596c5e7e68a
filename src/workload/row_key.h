// The order of the rows of messages and operations in result files. Each key exists once, and is the same
// wherever the network is cut.
#pragma once

#include <compare>

#include "workload/message_record.h"
#include "workload/operation.h"

namespace headroom {

struct RowKey {
  Time start;
  uint32_t workload = 0;
  NodeId host = 0;  ///< source of the message; client of the operation
  uint32_t number = 0;
  auto operator<=>(const RowKey&) const = default;
};

inline RowKey RowKeyOf(const MessageRecord& m) { return {m.start, m.workload, m.src, m.number}; }
inline RowKey RowKeyOf(const OperationRecord& o) { return {o.start, o.workload, o.client, o.number}; }

}  // namespace headroom
