// A running workload of operations: it requests them from a service at their times.
#pragma once

#include <memory>

#include "workload/generator.h"
#include "workload/operation.h"

namespace headroom {

class OperationGenerator : public EventTarget {
 public:
  virtual ~OperationGenerator() = default;
  virtual void Start() = 0;
  /// The disk of this host is ready.
  virtual void OnAttached(NodeId host) = 0;
  /// An operation of the generator has ended.
  virtual void OnEnded(const OperationRecord& ended) = 0;
  /// Another workload is over at this host (OperationOffers::OnOver).
  virtual void OnOtherOver(uint32_t /*workload*/, NodeId /*host*/) {}
};

/// The environment of such a generator.
struct OperationGround {
  const HostView& hosts;
  Bytes disk;  ///< size of each host's disk, for I/Os
  OperationOffers& offers;
};

}  // namespace headroom
