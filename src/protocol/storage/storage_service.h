// A service of type storage: disks at compute hosts, whose extents lie on extent nodes in turn. Each compute
// host has a connection to each extent node.
//
// An I/O is a request of sK-RDMA, or a call over sU-RDMA: of a write the request carries the data, of a read
// the answer; what carries none is kCallBytes long, which is ours.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "protocol/host_cores.h"
#include "protocol/operations.h"
#include "protocol/service_record.h"
#include "protocol/storage/disk.h"
#include "protocol/storage/sk_server.h"
#include "protocol/storage/storage_parameters.h"
#include "protocol/storage/su_rpc.h"

namespace headroom {

class StorageService final {
 public:
  /// `number`: of the service, for the connection managers; `largest`: bytes of an I/O at most; `hosts` by
  /// host, null where no service is. All but `hosts` itself outlive this; `attached` hears of each compute
  /// host whose disk is there.
  StorageService(const StorageParameters& parameters, uint16_t number, uint32_t largest,
                 const std::vector<HostCores*>& hosts, const Topology& topology, Operations& operations,
                 std::function<void(NodeId)> attached);
  ~StorageService();

  /// Opens all connections.
  void Start();
  /// REQUIRES: the client's disk is there.
  void Submit(const OperationRequest& request);
  ServiceRecord Record() const;
  /// `use` hears of each queue pair that its connections have had: the host and its number there.
  using UseQueuePair = std::function<void(NodeId host, uint32_t qp)>;
  void ForEachQueuePair(const UseQueuePair& use) const;

 private:
  class SkConnection;
  class SuConnection;
  /// One end at a compute host and one at an extent node.
  class Connection {
   public:
    virtual ~Connection() = default;
    virtual void Open() = 0;
    virtual CmParty* Accept(uint64_t session, NodeId from) = 0;
    virtual void Submit(const OperationRequest& request) = 0;
    virtual void Count(ServiceRecord& record) const = 0;
    virtual void ForEachQueuePair(const UseQueuePair& use) const = 0;
  };
  /// Registered memory of a core.
  struct Memory {
    std::unique_ptr<RegisteredPool> messages, outgoing, incoming;
  };
  struct Node;
  Memory& MemoryOf(HostCores& host, size_t core);
  void Joined(NodeId client);
  CmParty* Accept(NodeId node, uint64_t session, NodeId from);
  const std::string& NameOf(NodeId host) const { return topology_.nodes[host].name; }

  const StorageParameters& parameters_;
  const uint16_t number_;
  const uint32_t largest_;
  const Topology& topology_;
  Operations& operations_;
  std::function<void(NodeId)> attached_;
  std::map<std::pair<NodeId, size_t>, Memory> memory_;
  std::map<NodeId, std::unique_ptr<Node>> nodes_;
  std::map<NodeId, size_t> place_of_;                     ///< of a compute host in parameters_.compute
  std::vector<size_t> joined_;                            ///< connections, by that
  std::vector<std::unique_ptr<Connection>> connections_;  ///< by compute host and extent node
};

}  // namespace headroom
