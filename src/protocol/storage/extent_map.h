// The extents of a partition server: their numbers, and the nodes of each, as replicas or fragments.
//
// Disks consist of initial extents, and a share of these is erasure coded. Extents for later writes have
// higher numbers and begin as replicas.
#pragma once

#include <unordered_map>
#include <vector>

#include "protocol/channel/storage_call.h"
#include "protocol/storage/extents/placement.h"
#include "protocol/storage/storage_parameters.h"

namespace headroom {

/// Extents are numbered from here on, disks below.
inline constexpr uint32_t kFirstExtent = 1u << 23;

/// The first number that is not an initial extent.
uint32_t FirstNewExtent(const StorageParameters& parameters);

class ExtentMap {
 public:
  /// `near`: the partition server, the `place`-th of `servers`. All must outlive this object.
  ExtentMap(const StorageParameters& parameters, const Placement& placement, NodeId near, uint32_t place,
            uint32_t servers);

  /// The first of a disk's initial extents.
  uint32_t FirstOf(uint32_t disk) const { return kFirstExtent + disk * per_disk_; }
  /// The number of a new extent. Throws std::invalid_argument if all numbers are used.
  uint32_t New();

  bool coded(uint32_t extent) const;
  /// The nodes of its replicas, or of its fragments in order.
  const std::vector<NodeId>& NodesOf(uint32_t extent) const;
  /// The number by which its nodes identify its replicas or fragments.
  uint32_t ObjectOf(uint32_t extent) const { return Find(extent).object; }
  /// The length of a coded extent, which determines its fragments.
  Bytes LengthOf(uint32_t extent) const { return Find(extent).length; }
  /// The nodes for the fragments of an extent with this number.
  std::vector<NodeId> FragmentNodesOf(uint32_t extent) const;
  /// From now on the extent is coded: its fragments are the extent `object` on these nodes.
  void SetCoded(uint32_t extent, uint32_t object, std::vector<NodeId> nodes, Bytes length);

 private:
  struct Known {
    std::vector<NodeId> nodes;
    uint32_t object = 0;
    Bytes length;
    bool coded = false;
  };
  const Known& Find(uint32_t extent) const;
  bool CodedAtFirst(uint32_t extent) const;

  const StorageParameters& parameters_;
  const Placement& placement_;
  const NodeId near_;
  const uint32_t place_, servers_, per_disk_, first_new_;
  uint32_t next_ = 0;
  mutable std::unordered_map<uint32_t, Known> known_;  ///< the extents used so far
};

}  // namespace headroom
