// A Redis or Valkey server, and a redis-benchmark at each client host: its threads share its connections, and
// each connection has `pipeline` operations open.
//
// A client's first thread opens its connections one after the other, as redis-benchmark does. The client is
// attached once the last one is usable.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "protocol/keyvalue/key_service.h"
#include "protocol/redis/rdma_carrier.h"
#include "protocol/redis/redis_connection.h"
#include "protocol/redis/redis_server.h"

namespace headroom {

class RedisService final : public KeyService {
 public:
  RedisService(const KeyValueParameters& parameters, const ServiceGround& ground);

  void Start(const Attached& attached) override;
  void Stop() override;
  std::shared_ptr<const ServiceRecord> Record() override;
  void ForEachQueuePair(const UseQueuePair& use) const override;

 private:
  /// The threads of a program at a host, and its connection manager, which uses the first thread.
  struct Program {
    NodeId host = 0;
    uint32_t context = 0;
    std::deque<Process> threads;
    std::unique_ptr<ConnectionManager> cm;
    std::vector<uint64_t> replies, counted;  ///< indexed by thread of a client
    std::vector<CoreUse> use;                ///< the same, recorded after the last request
  };
  void MakeCarrier();
  void Make(Program& program, NodeId host, int threads);
  StreamSite SiteOf(Program& program, size_t thread) const;
  void Connect(Program& client);
  void OpenNext(size_t client, size_t connection);
  void Begin(uint32_t token) override;
  void Take(uint32_t token, const RedisAnswer& answer);
  NodeId HostOfServer(uint32_t) const override { return p_.servers.front(); }
  std::vector<ServerProcessRecord> ThreadsOf(const Program& program) const;
  /// The program of a connection, and its thread there.
  Program& ClientOf(uint32_t connection) { return clients_[connection / Connections()]; }
  size_t ThreadOf(uint32_t connection) const {
    return connection % Connections() % static_cast<uint32_t>(p_.redis.client_threads);
  }
  uint32_t Connections() const { return static_cast<uint32_t>(p_.client_processes); }

  Program server_program_;
  std::deque<Program> clients_;
  std::unique_ptr<StreamCarrier> carrier_;
  RdmaCarrier* rdma_ = nullptr;  ///< the same object, if it is an RdmaCarrier
  std::unique_ptr<RedisServer> server_;
  std::deque<RedisConnection> connections_;  ///< ordered by client, then in the order of opening
  Attached attached_;
  size_t attached_clients_ = 0;
  Time set_up_ = kNever;
  bool counts_ = true;
};

}  // namespace headroom
