// The origin of a switch's configuration, as in a scenario.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "net/traffic_class.h"

namespace headroom {

/// How ports of a scenario are matched with those of the file.
enum class SonicPortNaming {
  automatic,  ///< by name if the file has all of the names, by order if it has none
  name,
  order  ///< the n-th port is the file's n-th external port that is up, in the order of numbers
};

/// A field of the file with another value here.
struct SonicField {
  std::string table, key, field, value;
  bool operator==(const SonicField&) const = default;
};

/// The `buffer:` key {sonic, lookup, asic, ports, tables}.
struct SonicSource {
  std::filesystem::path config;
  std::filesystem::path lookup;  ///< path of pg_profile_lookup.ini; empty: none
  std::string asic;              ///< a name for FindSonicAsic; empty: taken from the file's DEVICE_METADATA
  SonicPortNaming ports = SonicPortNaming::automatic;
  std::vector<SonicField> tables;
  /// Parts for which the scenario has its own values instead of the file's:
  std::array<bool, kPriorities> own_ecn{};  ///< indexed by priority
  bool own_watchdogs = false;
  bool operator==(const SonicSource&) const = default;
};

}  // namespace headroom
