// A channel over sU-RDMA: a call is a write to the stream, and so is its answer. For a write the call carries
// the data, for a read the answer. A message without data has kCallBytes.
#pragma once

#include <list>

#include "protocol/channel/leg.h"
#include "protocol/storage/wire/su_rpc.h"

namespace headroom {

class SuChannel final : public RdmaChannel {
 public:
  SuChannel(Leg& leg, const ChannelCores& cores, HostCores& caller, HostCores& server,
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
  struct End {
    End(Leg& leg, HostCores& host, size_t core, EntityId entity, const std::string& name);
    SuRpc rpc;
    SuSocket socket;
  };
  /// The ends from one Open to its Close. Closed ends stay, because late completions may still arrive for
  /// them.
  struct Ends {
    Ends(SuChannel& channel, const std::string& name);
    End caller, server;
    bool closed = false;
  };
  void Renew();
  void Execute(Ends& ends, const SuCall& call);

  Leg& leg_;
  HostCores &caller_, &host_;
  StorageServer& executes_;
  const ChannelCores cores_;
  const EntityId caller_entity_, server_entity_;  ///< entities of all ends that ever existed
  std::list<Ends> ends_;                          ///< the last one is in use; a deque would allocate two
};

}  // namespace headroom
