// RDMAvisor (Wang et al., 2017): applications' connections over the daemons of their hosts.
#pragma once

#include <deque>
#include <optional>

#include "protocol/connections/daemon.h"

namespace headroom {

class RdmavisorService final : public Service, DaemonUser {
 public:
  RdmavisorService(const ConnectionParameters& parameters, const ServiceGround& ground);

  void Start(const Attached& attached) override;
  void Submit(const OperationRequest& request) override;
  void Stop() override;
  std::shared_ptr<const ServiceRecord> Record() override;
  void ForEachQueuePair(const UseQueuePair& use) const override;

 private:
  /// A host with its daemon and its applications' threads.
  struct Host {
    std::optional<Daemon> daemon;
    std::deque<Core> threads;
    uint32_t connecting = 0;  ///< connections of this client that do not exist yet
  };
  void OnConnected(uint32_t connection, uint32_t vqpn) override;
  void OnResult(uint32_t operation) override;
  void OnMessage(NodeId host, uint32_t connection, const PayloadMark& mark, uint32_t bytes,
                 uint32_t buffer) override;
  uint32_t ThreadOf(uint32_t connection) const override;
  void Ask(uint32_t operation);
  Time WhenAwake(const Core& thread) const;

  const ConnectionParameters p_;
  const ServiceGround ground_;
  Transfers transfers_;
  std::deque<Host> hosts_;       ///< indexed by NodeId
  std::vector<uint32_t> vqpns_;  ///< for clients, indexed by connection
  std::function<void(NodeId)> attached_;
  bool noted_ = false;
};

}  // namespace headroom
