// A request for a tensor: its parameters, its answer, its counts.
#pragma once

#include <cstdint>
#include <functional>

#include "protocol/tensorflow/control_message.h"

namespace headroom {

/// Counts of one end, or sums over several.
struct TensorCounts {
  uint64_t requests = 0, updates = 0, re_requests = 0;  ///< control messages
  uint64_t acks = 0;                                    ///< ACKs of control messages
  uint64_t tensors = 0, tensor_bytes = 0;
  uint64_t arrived = 0;        ///< tensors that arrived
  uint64_t unexpected = 0;     ///< messages that no request waited for, or with another length than expected
  uint64_t registrations = 0;  ///< registrations of memory for one tensor
  uint64_t most_queued = 0;    ///< the most control messages that waited at one end at the same time
};

struct TensorCall {
  struct Answer {
    bool well = false;
  };
  using Record = TensorCounts;

  TensorName name;
  TensorMetadata tensor;  ///< the tensor at the sender
};

/// The source of a process's tensors.
class TensorSource {
 public:
  virtual ~TensorSource() = default;
  /// Calls `ready` once, when the tensor exists: within this call or later.
  virtual void WhenReady(const TensorName& name, std::function<void()> ready) = 0;
};

}  // namespace headroom
