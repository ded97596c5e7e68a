// Switches with the same set-up, and their equal ports: one check covers all of them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"
#include "switch/buffer/shared_buffer.h"

namespace headroom {

/// A class of traffic at a port.
struct ClassAtPort {
  uint8_t group = 0, queue = 0;      ///< numbers of the group and the queue
  bool pfc = false;                  ///< pauses of the group are sent, and received ones are obeyed
  std::optional<EcnParameters> ecn;  ///< marking of the queue
  std::optional<BufferProfile>
      group_profile;  ///< the profile as it applies at this port; none: the group has no profile
  std::optional<BufferProfile> queue_profile;
  std::optional<SharedBuffer::Allowance> ingress;  ///< for the group; none if the buffer cannot be set up
  std::vector<SharedBuffer::Allowance> egress;     ///< for the queue, indexed by slice
  /// Headroom that the group may use; zero: the group is not lossless.
  Bytes Xoff() const { return group_profile ? group_profile->xoff.value_or(Bytes()) : Bytes(); }
  bool operator==(const ClassAtPort&) const = default;
};

/// Equal ports of a switch: the same kind of neighbour over the same kind of link, with the same profiles.
struct PortClass {
  std::string peer;  ///< tier of the neighbour
  LinkSpec link;
  bool peer_obeys = true;  ///< whether the neighbour acts on pauses; hosts do
  Time peer_response;
  uint32_t ports = 0;  ///< number of such ports in each switch
  uint32_t link_index = 0;
  std::string port;                              ///< name of one of them, at the example switch
  std::array<ClassAtPort, kPriorities> classes;  ///< indexed by priority; unused ones are empty
};

struct SwitchClass {
  std::string name;  ///< its tier; if the tier has several kinds of switches, t0#1, t0#2, …
  NodeId example = 0;
  uint32_t switches = 0;
  std::vector<NodeId> members;  ///< all switches of the kind
  const SwitchParameters* parameters = nullptr;
  std::vector<PortClass> ports;
  ns3::Ptr<SharedBuffer> buffer;  ///< buffer of the example; null if it cannot be set up
  std::string problem;            ///< the reason why it cannot be set up
};

/// In the order of their first switch. References point into the scenario.
std::vector<SwitchClass> ClassifySwitches(const Fabric& fabric);

/// Null if there is no such pool.
const BufferPool* FindPool(const BufferParameters& buffer, const std::string& name);

/// Whether limits of groups and queues follow from the buffer's present contents, so that closed forms know
/// them.
bool LimitsAreKnown(const SwitchClass& c);

/// For example "100Gbps, 15 ns".
std::string LinkText(const LinkSpec& link);

}  // namespace headroom
