// The cores of a host on which services run, and its connection manager, which uses the first.
#pragma once

#include <climits>
#include <deque>
#include <optional>

#include "ip/ip_stack.h"
#include "protocol/connection_manager.h"
#include "protocol/core_costs.h"

namespace headroom {

class HostCores {
 public:
  /// `context`: the host's ns-3 node; `priority`: class of the connection manager's datagrams. `verbs` and
  /// `trail` must outlive this object. Use of cores leaves out what is before `warmup`.
  HostCores(Verbs& verbs, uint32_t context, const HostParameters& parameters, uint8_t priority, Trail* trail,
            Time warmup)
      : verbs_(verbs), context_(context) {
    for (int i = 0; i < parameters.cores; ++i)
      processes_.emplace_back(verbs, context, parameters.costs, trail, warmup);
    CmParameters cm;
    cm.priority = priority;
    cm.tries = INT_MAX;  // a disk waits for its node without limit
    cm_.emplace(processes_.front(), context, cm);
  }

  NodeId host() const { return verbs_.host(); }
  uint32_t context() const { return context_; }
  Verbs& verbs() { return verbs_; }
  ConnectionManager& cm() { return *cm_; }
  /// The host's ns-3 TCP/IP stack. REQUIRES: SetIp.
  IpStack& ip() {
    ip_->Install(host());
    return *ip_;
  }
  void SetIp(IpStack& ip) { ip_ = &ip; }
  size_t cores() const { return processes_.size(); }
  Process& process(size_t core) { return processes_[core]; }
  /// The core for the next connection, in round-robin order. The result is the first of `count` cores; the
  /// others follow it.
  size_t NextCore(size_t count = 1) {
    const size_t core = turn_ % processes_.size();
    turn_ += count;
    return core;
  }

 private:
  Verbs& verbs_;
  uint32_t context_;
  std::deque<Process> processes_;
  std::optional<ConnectionManager> cm_;
  IpStack* ip_ = nullptr;
  size_t turn_ = 0;
};

}  // namespace headroom
