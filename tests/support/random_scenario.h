// Valid scenarios of every kind, as the text of their files, drawn from a seed. A run of one takes some
// milliseconds to some tenths of a second.
//
// The property tests share this one. A text that the program refuses is a fault of the generator.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "scenario/read/load.h"

namespace headroom {

/// What a random scenario may have. A feature that is false occurs in none.
struct RandomScenarioKinds {
  bool messages = true;      ///< workloads without a service, posting loops included
  bool services = true;      ///< storage, keys, connections, and the workloads that ask them
  bool faults = true;        ///< losses and random delays of links included
  bool splits = true;        ///< routing by which packets of one flow take several paths
  bool sonic = true;         ///< switches by configuration files of SONiC
  bool files = true;         ///< workloads from files: fio, YCSB, block traces, the HPCC simulator's
  bool hosts = true;         ///< software that costs the hosts' cores time
  bool overload = true;      ///< offered loads above what links and cores carry
  bool observations = true;  ///< `observe`: else its defaults
};

/// Sections `priorities`, `topology`, `switches`, `nics`, `hosts`, `services`, `workloads`, `faults` and
/// `observe`, each with several entries where it takes a list. The same text for the same seed and kinds.
std::string RandomScenarioText(uint64_t seed, const RandomScenarioKinds& kinds = {});

/// Where the paths in these texts begin.
std::filesystem::path RandomScenarioFolder();

/// The text, read.
ScenarioFile LoadRandomScenario(uint64_t seed, const RandomScenarioKinds& kinds = {});

}  // namespace headroom
