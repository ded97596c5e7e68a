// Where a switch's configuration is from, as a scenario says it.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "net/traffic_class.h"

namespace headroom {

/// How ports of a scenario find theirs in the file.
enum class SonicPortNaming {
  automatic,  ///< by name if the file has all of the names, in order if it has none
  name,
  order  ///< the n-th port is the n-th of the file that is up and external, by number
};

/// A field of the file that has another value here.
struct SonicField {
  std::string table, key, field, value;
  bool operator==(const SonicField&) const = default;
};

/// The `buffer:` key {sonic, lookup, asic, ports, tables}.
struct SonicSource {
  std::filesystem::path config;
  std::filesystem::path lookup;  ///< pg_profile_lookup.ini; empty: none
  std::string asic;              ///< of FindSonicAsic; empty: by the file's DEVICE_METADATA
  SonicPortNaming ports = SonicPortNaming::automatic;
  std::vector<SonicField> tables;
  /// What the scenario gives itself in place of the file's.
  std::array<bool, kPriorities> own_ecn{};  ///< by priority
  bool own_watchdogs = false;
  bool operator==(const SonicSource&) const = default;
};

}  // namespace headroom
