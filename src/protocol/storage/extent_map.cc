#include "protocol/storage/extent_map.h"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace headroom {

namespace {

uint32_t PerDisk(const StorageParameters& p) {
  return static_cast<uint32_t>((p.disk_size.v + p.extent.v - 1) / p.extent.v);
}

}  // namespace

uint32_t FirstNewExtent(const StorageParameters& parameters) {
  return kFirstExtent + static_cast<uint32_t>(parameters.compute.size()) * PerDisk(parameters);
}

ExtentMap::ExtentMap(const StorageParameters& parameters, const Placement& placement, NodeId near,
                     uint32_t place, uint32_t servers)
    : parameters_(parameters),
      placement_(placement),
      near_(near),
      place_(place),
      servers_(servers),
      per_disk_(PerDisk(parameters)),
      first_new_(FirstNewExtent(parameters)) {}

uint32_t ExtentMap::New() {
  const uint64_t number = uint64_t{first_new_} + uint64_t{next_++} * servers_ + place_;
  if (number >> StoragePlace::kObjectBits != 0)
    throw std::invalid_argument("a partition server has no numbers left for extents; larger ones need fewer");
  return static_cast<uint32_t>(number);
}

/// Selects a share of the initial extents, spread evenly.
bool ExtentMap::CodedAtFirst(uint32_t extent) const {
  const auto& erasure = parameters_.erasure;
  if (!erasure || extent >= first_new_) return false;
  const double before = (extent - kFirstExtent) * erasure->coded;
  return std::floor(before + erasure->coded) > std::floor(before);
}

const ExtentMap::Known& ExtentMap::Find(uint32_t extent) const {
  const auto [at, added] = known_.try_emplace(extent);
  Known& known = at->second;
  if (!added) return known;
  known.coded = CodedAtFirst(extent);
  known.object = extent;
  known.length = parameters_.extent;
  known.nodes = known.coded ? FragmentNodesOf(extent)
                            : placement_.Of(extent, static_cast<size_t>(parameters_.replicas), near_);
  return known;
}

bool ExtentMap::coded(uint32_t extent) const {
  const auto known = known_.find(extent);
  return known == known_.end() ? CodedAtFirst(extent) : known->second.coded;
}

const std::vector<NodeId>& ExtentMap::NodesOf(uint32_t extent) const { return Find(extent).nodes; }

std::vector<NodeId> ExtentMap::FragmentNodesOf(uint32_t extent) const {
  return placement_.Of(extent, static_cast<size_t>(parameters_.erasure->fragments()), near_);
}

void ExtentMap::SetCoded(uint32_t extent, uint32_t object, std::vector<NodeId> nodes, Bytes length) {
  known_[extent] = {std::move(nodes), object, length, true};
}

}  // namespace headroom
