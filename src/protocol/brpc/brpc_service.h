// bRPC at work: remote procedure calls of clients to servers, with a connection for each pair.
//
// A host has worker threads. Each connection and its calls belong to one worker. The model omits that a
// bthread of a connection may run on another worker. An event loop wakes a sleeping worker; the connection of
// an event is charged its cost (ApplicationCosts::turn).
#pragma once

#include <deque>
#include <map>
#include <memory>

#include "protocol/brpc/brpc_carrier.h"
#include "protocol/brpc/brpc_parameters.h"
#include "protocol/brpc/rpc_channel.h"
#include "protocol/service.h"
#include "protocol/tcp/tcp_carrier.h"

namespace headroom {

class BrpcService final : public Service {
 public:
  BrpcService(const BrpcParameters& parameters, const ServiceGround& ground);

  void Start(const Attached& attached) override;
  /// The request's target is an RpcTarget.
  void Submit(const OperationRequest& request) override;
  void Stop() override;
  std::shared_ptr<const ServiceRecord> Record() override;
  void ForEachQueuePair(const UseQueuePair& use) const override;

 private:
  struct Connection {
    StreamCarrier::Ends ends;
    std::unique_ptr<RpcChannel> channel;
    std::unique_ptr<RpcServer> server;
  };
  /// The threads of a host, made when connections are made.
  struct Workers {
    std::deque<Process> threads;
    size_t connections = 0;
  };
  BrpcEndParameters EndAt(NodeId host) const;
  Process& WorkerAt(std::map<NodeId, Workers>& of, NodeId host);
  void Join(NodeId client, NodeId server);
  static double BusyOf(const std::map<NodeId, Workers>& of);

  const BrpcParameters p_;
  const ServiceGround ground_;
  TcpCarrier tcp_;
  BrpcCarrier carrier_;
  std::map<NodeId, Workers> clients_, servers_;  ///< by host: workers for its own calls, and for calls to it
  std::map<std::pair<NodeId, NodeId>, Connection> connections_;  ///< keyed by client and server
  std::map<NodeId, size_t> unjoined_;                            ///< connections of a client
  Time set_up_;                                                  ///< time when the last client was attached
  double client_busy_ = 0, server_busy_ = 0;
  bool noted_ = false;
};

}  // namespace headroom
