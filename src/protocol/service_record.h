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

namespace headroom {

struct ServiceRecord {
  virtual ~ServiceRecord() = default;
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
