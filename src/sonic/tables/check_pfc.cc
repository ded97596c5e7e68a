#include "sonic/tables/check_pfc.h"

#include <fmt/format.h>

#include "sonic/tables/findings.h"
#include "sonic/tables/missing_group.h"

namespace headroom {

namespace {

/// Whether a group has headroom: a profile with xoff, or one that the dynamic model computes.
bool Lossless(const SonicConfig& config, const std::string& port, int group) {
  const SonicGroupRow* row = config.FindGroup(port, group);
  if (!row) return false;
  if (row->computed) return true;
  const SonicProfile* profile = row->profile ? config.FindProfile(*row->profile) : nullptr;
  if (!profile) return false;
  return profile->lossless() || profile->headroom_type.value == SonicProfile::HeadroomType::dynamic;
}

void TellMissing(const SonicConfig& config, const SonicPort& port, uint8_t missing, SonicFindings& findings) {
  const MissingGroup reason = WhyNoLosslessGroup(config, port);
  findings.Error(config.FindPortQos(port.name)->pfc_enable.place,
                 fmt::format("PFC is enabled for priority {}, but the priority has no lossless group: {}",
                             PrioritiesText(missing), reason.why),
                 reason.change);
}

}  // namespace

std::string PrioritiesText(uint8_t mask) {
  std::string text;
  for (int p = 0; p < 8; ++p)
    if ((mask >> p & 1) != 0) text += (text.empty() ? "" : ", ") + std::to_string(p);
  return text;
}

int GroupOfPfcPriority(const SonicConfig& config, const std::string& port, int priority) {
  const SonicPortQos* qos = config.FindPortQos(port);
  if (!qos || !qos->pfc_to_pg_map) return priority;
  const auto map = config.pfc_to_pg.find(*qos->pfc_to_pg_map);
  if (map == config.pfc_to_pg.end()) return priority;
  const auto to = map->second.to.find(priority);
  return to == map->second.to.end() ? priority : to->second.value_or(priority);
}

Findings CheckPfcGroups(const SonicConfig& config) {
  SonicFindings findings(config.file);
  for (const SonicPort& port : config.ports) {
    if (!port.up()) continue;
    const uint8_t mask = config.PfcEnable(port.name);
    uint8_t missing = 0, lossless_groups = 0;
    for (int p = 0; p < 8; ++p) {
      const int group = GroupOfPfcPriority(config, port.name, p);
      if ((mask >> p & 1) == 0) continue;
      if (Lossless(config, port.name, group)) {
        lossless_groups |= static_cast<uint8_t>(1u << group);
      } else {
        missing |= static_cast<uint8_t>(1u << p);
      }
    }
    if (missing != 0) TellMissing(config, port, missing, findings);
    for (int group = 0; group < 8; ++group) {
      if (!Lossless(config, port.name, group) || (lossless_groups >> group & 1) != 0) continue;
      const SonicGroupRow* row = config.FindGroup(port.name, group);
      findings.Warning(
          row->place,
          fmt::format("group {} has headroom, but PFC is off for all priorities in it, so it never pauses",
                      group));
    }
  }
  return findings.Merged();
}

}  // namespace headroom
