// Where a switch's configuration is from, as a scenario says it.
#pragma once

#include <array>
#include <filesystem>
#include <string>

#include "net/traffic_class.h"

namespace headroom {

/// How ports of a scenario find theirs in the file.
enum class SonicPortNaming {
  automatic,  ///< by name if the file has all of the names, in order if it has none of them
  name,
  order  ///< the n-th port is the n-th of the file that is up and external, by number
};

/// The `buffer:` key {sonic, lookup, asic, ports}.
struct SonicSource {
  std::filesystem::path config;
  std::filesystem::path lookup;  ///< pg_profile_lookup.ini; empty: none
  std::string asic;              ///< of FindSonicAsic; empty: by the file's DEVICE_METADATA
  SonicPortNaming ports = SonicPortNaming::automatic;
  /// What the scenario gives itself in place of the file's.
  std::array<bool, kPriorities> own_ecn{};  ///< by priority
  bool own_watchdogs = false;
  bool operator==(const SonicSource&) const = default;
};

}  // namespace headroom
