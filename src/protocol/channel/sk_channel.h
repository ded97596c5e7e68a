// A channel over sK-RDMA: each call is a separate request. For a write the server READs the data, for a read
// it WRITEs them.
#pragma once

#include <list>

#include "protocol/channel/leg.h"
#include "protocol/storage/wire/sk_server.h"

namespace headroom {

class SkChannel final : public RdmaChannel {
 public:
  SkChannel(Leg& leg, const ChannelCores& cores, HostCores& caller, HostCores& server,
            StorageServer& executes);

  void Open(std::function<void()> joined) override;
  void Call(StorageCall call, Done done) override;
  void Close() override;
  size_t open() const override;
  bool joined() const override;
  void Count(StorageRecord& record) const override;
  void ForEachQueuePair(const UseQueuePair& use) const override;
  CmParty* Accept(uint64_t session, NodeId from) override;

 private:
  /// The server executes the requests of an SK session on its disk.
  class ExecutingDisk final : public SkDisk {
   public:
    explicit ExecutingDisk(StorageServer& server) : server_(server) {}
    void Execute(const SkMessage& request, uint8_t* data, Done done) override;

   private:
    StorageServer& server_;
  };
  /// The ends from one Open to its Close. Closed ends stay, because late completions may still arrive for
  /// them.
  struct Ends {
    Ends(SkChannel& channel, const SkParameters& parameters, const std::string& name);
    SkClient client;
    SkServer server;
    bool closed = false;
  };
  void Renew();

  Leg& leg_;
  HostCores &caller_, &host_;
  const ChannelCores cores_;
  ExecutingDisk executing_disk_;
  const EntityId entity_;  ///< entity of all callers' ends
  std::list<Ends> ends_;   ///< the last one is in use; a deque would allocate two
};

}  // namespace headroom
