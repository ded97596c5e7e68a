// Checks of the parts of an operation.
#pragma once

#include <gtest/gtest.h>

#include <numeric>

#include "run/recording/records.h"

namespace headroom {

inline Time Sum(const OperationRecord& o) { return std::accumulate(o.parts.begin(), o.parts.end(), Time{}); }
inline Time Part(const OperationRecord& o, OperationPart part) { return o.parts[static_cast<size_t>(part)]; }
inline Time Part(const OperationRecord& o, MessagePart part) { return Part(o, OperationPartOf(part)); }

/// Its waits in queues are listed for each place.
inline void ExpectWaitsOfParts(const RunRecord& record, const OperationRecord& o) {
  Time there, back;
  for (const WaitRecord& wait : record.WaitsOf(o)) (wait.back ? back : there) += wait.queued + wait.paused;
  EXPECT_EQ(back, Part(o, MessagePart::ack_queued) + Part(o, MessagePart::ack_paused));
  // A pause at its host does not belong to a switch's queue.
  EXPECT_LE(there, Part(o, MessagePart::queued) + Part(o, MessagePart::paused));
  EXPECT_GE(there, Part(o, MessagePart::queued));
}

}  // namespace headroom
