// Switches with buffer, maps and watchdogs from a SONiC configuration file.
#pragma once

#include <list>
#include <optional>
#include <vector>

#include "scenario/scenario.h"
#include "scenario/yaml/reader.h"
#include "sonic/chip/sonic_switch.h"

namespace headroom {

/// Reads each file once, and computes each switch once for all that link the same ports.
class SonicBuffers {
 public:
  SonicBuffers(const Topology& topology, const TrafficClasses& classes);

  /// Fills buffer, qos, ecn and watchdogs of a switch (counted from 0) from the file that `parameters.sonic`
  /// names; values in the scenario itself stay. Throws a ScenarioError for an error of the file: at the field
  /// of `tables:` that causes it, else at the node `buffer` or in the file. `watchdog`: the scenario's own,
  /// or null. The switch provides the vendor and the priorities that it leaves open.
  void Apply(const Node& buffer, const Node* watchdog, size_t switch_index, SwitchParameters& parameters);

  /// The file's marking curves for a class, each once, in the order of the ports. Throws like Apply.
  std::vector<EcnParameters> CurvesOf(const Node& buffer, const SonicSource& source, size_t switch_index,
                                      const TrafficClass& c);

  /// Warnings and notes so far, those about the files first.
  Findings TakeFindings() { return std::move(findings_); }

 private:
  struct Loaded {
    std::filesystem::path config, lookup;
    std::vector<SonicField> fields;
    SonicConfig tables;
  };
  struct Worked {
    const Loaded* file = nullptr;
    SonicSwitchOptions options;
    std::vector<ChipPort> ports;
    SonicSwitchModel model;
  };
  const Loaded& Load(const Position& where, const SonicSource& source, size_t switch_index);
  /// Calls Model; errors are reported at the first field of `tables:` that causes one.
  const SonicSwitchModel& ModelOf(const Node& buffer, const SonicSource& source, size_t switch_index);
  const SonicSwitchModel& Model(const Position& where, const SonicSource& source, size_t switch_index);
  void SayChassis(size_t switch_index, const SonicSwitchModel& model, const SwitchParameters& parameters);
  /// Throws the first error; keeps the other findings.
  void Judge(const Position& where, const Findings& findings, const std::string& of_switch,
             size_t switch_index);

  const Topology& topology_;
  const TrafficClasses& classes_;
  std::vector<std::vector<ChipPort>> ports_;  ///< indexed by switch
  std::list<Loaded> files_;
  std::list<Worked> worked_;
  Findings findings_;
};

}  // namespace headroom
