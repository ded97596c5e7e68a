// A service of connections at work: it takes transfers that threads of applications begin, and completes
// them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "protocol/connections/connection_parameters.h"
#include "protocol/connections/connection_record.h"
#include "protocol/operations.h"
#include "protocol/service_host.h"

namespace headroom {

/// What is asked of a service, all workloads together.
struct ConnectionLoad {
  Bytes largest{1};   ///< payload
  uint32_t open = 1;  ///< payloads of a connection at once; others wait for one of them to end
};

/// All that a service stands on; it outlives the service.
struct ConnectionGround {
  const std::vector<ServiceHost>& hosts;  ///< by NodeId
  const Topology& topology;
  Operations& operations;
  ConnectionLoad load;
  Time warmup;
  uint8_t tag = 0;  ///< of its queue pairs' frames
};

class ConnectionService {
 public:
  virtual ~ConnectionService() = default;
  /// `attached` once all connections of a client are there.
  virtual void Start(const std::function<void(NodeId client)>& attached) = 0;
  /// One that a client has begun, on its connection `request.stream`.
  virtual void Submit(const OperationRequest& request) = 0;
  /// Nothing more will be asked for: what cores did is noted for the record.
  virtual void NoteCores() = 0;
  virtual ConnectionRecord Record() = 0;
  /// `use` hears of each queue pair: the host and its number there.
  virtual void ForEachQueuePair(const std::function<void(NodeId host, uint32_t qp)>& use) const = 0;
};

std::unique_ptr<ConnectionService> MakeConnectionService(const ConnectionParameters& parameters,
                                                         const ConnectionGround& ground);

}  // namespace headroom
