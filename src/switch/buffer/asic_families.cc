#include "switch/buffer/asic_families.h"

#include <algorithm>

namespace headroom {
namespace {

constexpr const char* kThresholds = "inferred from sonic-mgmt's hardware test parameters";
constexpr const char* kAsTomahawk5 =
    "cell from sonic-mgmt's test parameters; the rest assumed to equal Tomahawk 5";
constexpr const char* kMellanox =
    "cell from SONiC's ASIC table; pools without their reserves (buffer_pool_mellanox.lua); alpha from "
    "Mellanox/SAI-Implementation";
constexpr const char* kJericho = "arithmetic of SAI; the published profiles reserve nothing";

/// Only used bytes count against a pool.
BufferRules UsedOnly() {
  BufferRules rules;
  rules.reserved_off_ingress = rules.reserved_off_egress = false;
  rules.zero_is_unlimited = true;
  return rules;
}

/// One slice. The groups' reserve and their own headroom, which is part of a profile's size, are subtracted
/// from the pool.
BufferRules Trident2() {
  BufferRules rules = UsedOnly();
  rules.reserved_off_ingress = true;
  rules.xoff_in_profile_size = true;
  return rules;
}

/// The headroom pool is part of the pool, and the groups' reserve is subtracted from it.
BufferRules Trident3() {
  BufferRules rules = UsedOnly();
  rules.reserved_off_ingress = true;
  rules.xoff_in_pool_size = true;
  return rules;
}

BufferRules Spectrum() {
  BufferRules rules = UsedOnly();
  rules.xoff_in_profile_size = true;
  rules.alpha = AlphaMap::mellanox;
  return rules;
}

const std::vector<AsicFamily>& Families() {
  static const std::vector<AsicFamily> families = {{"td2", Bytes(208), 1, Trident2(), kThresholds},
                                                   {"th", Bytes(208), 4, UsedOnly(), kThresholds},
                                                   {"th2", Bytes(208), 4, UsedOnly(), kThresholds},
                                                   {"td3", Bytes(256), 1, Trident3(), kThresholds},
                                                   {"th3", Bytes(254), 2, Trident3(), kAsTomahawk5},
                                                   {"th4", Bytes(254), 2, Trident3(), kAsTomahawk5},
                                                   {"th5", Bytes(254), 2, Trident3(), kThresholds},
                                                   {"spectrum1", Bytes(96), 1, Spectrum(), kMellanox},
                                                   {"spectrum2", Bytes(144), 1, Spectrum(), kMellanox},
                                                   {"spectrum3", Bytes(144), 1, Spectrum(), kMellanox},
                                                   {"spectrum4", Bytes(192), 1, Spectrum(), kMellanox},
                                                   {"spectrum5", Bytes(192), 1, Spectrum(), kMellanox},
                                                   {"jericho2", Bytes(1), 1, UsedOnly(), kJericho},
                                                   {"q3d", Bytes(1), 1, UsedOnly(), kJericho}};
  return families;
}

}  // namespace

const AsicFamily* FindAsicFamily(std::string_view name) {
  const auto found =
      std::find_if(Families().begin(), Families().end(), [&](const AsicFamily& f) { return f.name == name; });
  return found == Families().end() ? nullptr : &*found;
}

std::vector<std::string> AsicFamilyNames() {
  std::vector<std::string> names;
  for (const AsicFamily& f : Families()) names.push_back(f.name);
  return names;
}

}  // namespace headroom
