// Switches that are set up alike, and their ports that are: what is checked once for all of them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "analysis/fabric.h"
#include "sim/finding.h"

namespace headroom {

/// Equal ports of a switch: the same kind of neighbour behind the same kind of link, the same profiles.
struct PortClass {
  std::string peer;  ///< tier
  LinkSpec link;
  bool peer_obeys = true;  ///< acts on pauses; hosts do
  Time peer_response;
  uint32_t ports = 0;  ///< in each switch
  uint32_t link_index = 0;
  std::string port;  ///< name of one of them, at the example switch
  /// By priority, as they apply at this port; none where the priority is not in use or has no profile.
  std::array<std::optional<BufferProfile>, kPriorities> groups, queues;
};

struct SwitchClass {
  std::string name;  ///< its tier; where that has several, t0#1, t0#2, …
  NodeId example = 0;
  uint32_t switches = 0;
  std::vector<NodeId> members;  ///< all of them
  const SwitchParameters* parameters = nullptr;
  std::vector<PortClass> ports;

  /// The pool's size less what is reserved in it: what thresholds share. Its headroom counts only where the
  /// rules take it from the pool. `egress`: of the queues.
  Bytes SharedBytes(const BufferPool& pool, bool egress) const;
};

/// In the order of their first switch. References point into the scenario.
std::vector<SwitchClass> ClassifySwitches(const Fabric& fabric);

/// Null where there is no such pool.
const BufferPool* FindPool(const BufferParameters& buffer, const std::string& name);

/// "100Gbps, 15 ns"
std::string LinkText(const LinkSpec& link);

}  // namespace headroom
