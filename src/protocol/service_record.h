// The results of a service over the whole run. Each kind of service has its own record.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "net/identifiers.h"
#include "sim/packing.h"
#include "sim/units.h"

namespace headroom {

/// How long a resource of a service was full, of the observed time: it worked, or had nothing left to give.
struct ResourceUse {
  enum class Kind : uint8_t {
    thread,  ///< a thread of the service worked, without polling for work
    disk,    ///< a disk's rate of I/Os, or its bandwidth, was in use
    credit   ///< a request of a connection waited because no credit was left
  };
  Kind kind = Kind::thread;
  NodeId host = 0;
  int number = 0;  ///< among those of this kind at the host
  Time busy, span;
};
constexpr const char* ResourceName(ResourceUse::Kind kind) {
  constexpr const char* names[] = {"thread", "disk", "credit"};
  return names[static_cast<size_t>(kind)];
}

struct ServiceRecord {
  virtual ~ServiceRecord() = default;
  /// The use of its resources, except the cores that services of a host share (CoreRecord).
  virtual std::vector<ResourceUse> Uses() const { return {}; }
  /// Several ranks (sim/parts.h) have the results of their own hosts each. Rank 0 adds the shares of the
  /// others; `there`: whether the rank of the share runs this host. Kinds whose hosts one rank runs have no
  /// shares.
  virtual void PackShare(Packer& /*to*/) const { throw std::logic_error("a service has no shares"); }
  virtual std::shared_ptr<const ServiceRecord> JoinedWith(
      Unpacker& /*share*/, const std::function<bool(NodeId)>& /*there*/) const {
    throw std::logic_error("a service has no shares");
  }
  /// For kinds without their own report: names and counts, which summary.json contains unchanged.
  std::vector<std::pair<std::string, std::variant<uint64_t, double>>> counts;
};

}  // namespace headroom
