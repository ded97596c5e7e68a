// Valid scenarios of every kind, as the text of their files, drawn from a seed. A run of one takes between
// some milliseconds and some tenths of a second.
//
// All property tests share this generator. If the program refuses a text, the generator has an error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "scenario/read/load.h"

namespace headroom {

/// Kinds of features that a random scenario may have. A feature that is false does not occur.
struct RandomScenarioKinds {
  bool messages = true;      ///< workloads without a service, posting loops included
  bool services = true;      ///< storage, keys, connections, and the workloads that use them
  bool faults = true;        ///< losses and random delays of links included
  bool splits = true;        ///< routing by which packets of one flow take several paths
  bool sonic = true;         ///< switches by configuration files of SONiC
  bool files = true;         ///< workloads from files: fio, YCSB, block traces, the HPCC simulator's
  bool hosts = true;         ///< software that costs the hosts' cores time
  bool overload = true;      ///< offered loads above what links and cores carry
  bool observations = true;  ///< `observe`; else its defaults
};

/// The text has sections `priorities`, `topology`, `switches`, `nics`, `hosts`, `services`, `workloads`,
/// `faults` and `observe`, each with several entries if it takes a list. Equal seeds and kinds give equal
/// texts.
std::string RandomScenarioText(uint64_t seed, const RandomScenarioKinds& kinds = {});

/// The folder to which the paths in these texts are relative.
std::filesystem::path RandomScenarioFolder();

/// Reads the text.
ScenarioFile LoadRandomScenario(uint64_t seed, const RandomScenarioKinds& kinds = {});

}  // namespace headroom
