// A Redis or Valkey server, and at each client host a redis-benchmark: its threads share its connections, and
// each connection has `pipeline` operations open.
//
// A client's connections are opened one after the other by its first thread, as redis-benchmark does; it is
// attached once the last one can be used.
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
  /// Threads of a program at a host, and its connection manager, which is on the first.
  struct Program {
    NodeId host = 0;
    uint32_t context = 0;
    std::deque<Process> threads;
    std::unique_ptr<ConnectionManager> cm;
    std::vector<uint64_t> replies, counted;  ///< by thread: of a client
    std::vector<CoreUse> use;                ///< the same, after the last request
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
  RdmaCarrier* rdma_ = nullptr;  ///< the same, where it is
  std::unique_ptr<RedisServer> server_;
  std::deque<RedisConnection> connections_;  ///< by client, in the order in which they are opened
  Attached attached_;
  size_t attached_clients_ = 0;
  Time set_up_ = kNever;
  bool counts_ = true;
};

}  // namespace headroom
