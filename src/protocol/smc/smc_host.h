// A host kernel's state for SMC-R: its link groups, each a link to one peer in one role.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "protocol/smc/smc_link.h"
#include "sim/random.h"

namespace headroom {

/// Connections to one peer that share a link.
struct SmcGroup {
  std::unique_ptr<SmcLink> link;
  uint32_t peer_qp = 0;
  bool up = false;                            ///< the first contact succeeded
  bool abandoned = false;                     ///< the first contact failed
  int connections = 0;                        ///< number of assigned connections
  std::deque<std::function<void()>> waiting;  ///< callbacks that wait for the end of the first contact

  /// The first contact is over.
  void ContactOver(bool well) {
    (well ? up : abandoned) = true;
    for (const auto& go_on : std::exchange(waiting, {})) go_on();
  }
};

class SmcHost final {
 public:
  enum class Role : uint8_t { server, client };
  /// `context`: the host's ns-3 node; `name`: name of its random numbers. `verbs` and `trail` must outlive
  /// this object.
  SmcHost(Verbs& verbs, uint32_t context, Trail* trail, const SmcParameters& parameters,
          const std::string& name)
      : kernel_(verbs, context, CoreCosts{}, trail), parameters_(parameters), random_(name + "/psn") {}

  /// A group with room for a further connection from the peer to this host; null if a first contact is
  /// needed.
  SmcGroup* FindForServer(NodeId peer) {
    std::deque<SmcGroup>& groups = groups_[{peer, Role::server}];
    if (groups.empty()) return nullptr;
    SmcGroup& last = groups.back();
    const bool usable = !last.abandoned && !last.link->lost() && last.connections < smc::kMostConnections;
    return usable ? &last : nullptr;
  }
  /// This host's end of the group whose link has that queue pair of the peer; null if there is none.
  SmcGroup* FindForClient(NodeId peer, uint32_t peer_qp) {
    for (SmcGroup& group : groups_[{peer, Role::client}])
      if (group.peer_qp == peer_qp && !group.link->lost()) return &group;
    return nullptr;
  }
  SmcGroup& Add(NodeId peer, Role role) {
    SmcGroup& group = groups_[{peer, role}].emplace_back();
    group.link =
        std::make_unique<SmcLink>(kernel_, parameters_, static_cast<uint32_t>(random_.Below(1u << 24)));
    return group;
  }
  Process& kernel() { return kernel_; }

 private:
  Process kernel_;
  const SmcParameters parameters_;
  RandomStream random_;
  std::map<std::pair<NodeId, Role>, std::deque<SmcGroup>> groups_;
};

}  // namespace headroom
