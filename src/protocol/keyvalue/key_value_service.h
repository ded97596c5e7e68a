// A service of keys and values at work: it takes operations of clients' processes and completes them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "history/key_history.h"
#include "protocol/keyvalue/key_value_parameters.h"
#include "protocol/keyvalue/key_value_record.h"
#include "protocol/operations.h"
#include "protocol/service_host.h"
#include "workload/parameters.h"

namespace headroom {

/// What is asked of a service, all workloads together.
struct KeyValueLoad {
  int64_t keys = 0;      ///< that are there at the beginning
  Bytes key{16}, value;  ///< the longest
};

/// All that a service stands on; it outlives the service.
struct KeyValueGround {
  const std::vector<ServiceHost>& hosts;  ///< by NodeId
  const Topology& topology;
  Operations& operations;
  KeyValueLoad load;
  Time warmup;
  uint8_t tag = 0;                ///< of its queue pairs' frames
  KeyHistory* history = nullptr;  ///< keeps what it does; null: nobody does
};

class KeyValueService {
 public:
  virtual ~KeyValueService() = default;
  /// One that a client's process has begun.
  virtual void Submit(const OperationRequest& request) = 0;
  /// Nothing more will be asked for: what processes did is noted for KeyValueRecord.
  virtual void NoteProcesses() = 0;
  virtual KeyValueRecord Record() = 0;
  /// `use` hears of each queue pair: the host and its number there.
  virtual void ForEachQueuePair(const std::function<void(NodeId host, uint32_t qp)>& use) const = 0;
};

std::unique_ptr<KeyValueService> MakeKeyValueService(const KeyValueParameters& parameters,
                                                     const KeyValueGround& ground);

}  // namespace headroom
