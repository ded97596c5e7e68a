// Conditions between the QoS tables, within WRED profiles, and on the watchdog.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sonic/tables/tables.h"

namespace headroom {

namespace {

template <class Map>
void CheckReference(const SonicValue<std::string>& name, const Map& rows, const char* what,
                    SonicFindings& findings) {
  if (!name || rows.contains(*name)) return;
  std::vector<std::string> names;
  for (const auto& [known, row] : rows) names.push_back(known);
  findings.Error(
      name.place, fmt::format("there is no {} \"{}\"", what, *name),
      names.empty() ? "the table is empty or missing" : fmt::format("there are: {}", fmt::join(names, ", ")));
}

void CheckColour(const SonicWred& wred, const SonicWredColour& colour, SonicFindings& findings) {
  if (colour.min_threshold && colour.max_threshold && *colour.min_threshold > *colour.max_threshold)
    findings.Error(colour.min_threshold.place,
                   fmt::format("{} bytes are above the maximum, {} bytes", colour.min_threshold->v,
                               colour.max_threshold->v),
                   "give a minimum up to the maximum; SONiC refuses others");
  if (!colour.enabled.value_or(false)) return;
  for (const SonicValue<Bytes>* threshold : {&colour.min_threshold, &colour.max_threshold})
    if (!*threshold)
      findings.Error(threshold->place,
                     fmt::format("is missing, although \"{}\" enables this colour", wred.name),
                     "give the threshold in bytes");
  if (!colour.drop_probability)
    findings.Note(colour.drop_probability.place, "is missing, so SONiC uses 100 %");
}

/// The profile that another port has for this queue; none if no port has one.
const std::string* ProfileOfOthers(const SonicConfig& config, int queue) {
  for (const SonicQueueRow& row : config.queues)
    if (row.wred_profile && config.Own(row) && row.first <= queue && queue <= row.last)
      return &*row.wred_profile;
  return nullptr;
}

/// Warns of a lossless queue without a WRED profile where other ports have one. REQUIRES: the row is of this
/// switch and has no profile.
void CheckMarked(const SonicConfig& config, const SonicQueueRow& row, SonicFindings& findings) {
  for (int queue = row.first; queue <= row.last; ++queue) {
    const bool lossless = std::ranges::any_of(
        row.ports, [&](const std::string& port) { return config.PfcEnable(port) >> queue & 1; });
    const std::string* profile = lossless ? ProfileOfOthers(config, queue) : nullptr;
    if (!profile) continue;
    const SonicPlace field = {row.place.table, row.place.key, "wred_profile"};
    findings.Warning(
        field,
        fmt::format("is missing, so this lossless queue marks no packet; other ports have {}", *profile),
        SonicFieldEdit{field, *profile});
    return;
  }
}

void CheckWatchdogs(const SonicConfig& config, SonicFindings& findings) {
  const SonicValue<Time>& poll = config.watchdog_global.poll_interval;
  for (const SonicWatchdog& w : config.watchdogs) {
    if (!config.ports.empty())
      for (const std::string& port : w.ports)
        if (!config.FindPort(port))
          findings.Error(w.place, fmt::format("PORT has no port \"{}\"", port),
                         "remove the row, or add the port");
    for (const SonicValue<Time>* time : {&w.detection_time, &w.restoration_time})
      if (poll && *time && *poll > **time)
        findings.Error(time->place,
                       fmt::format("{} ms are less than the poll interval of {} ms", **time / Milliseconds(1),
                                   *poll / Milliseconds(1)),
                       "lower POLL_INTERVAL of PFC_WD|GLOBAL, or raise this time");
    if (!w.restoration_time)
      findings.Note(w.restoration_time.place, "is missing, so a stormed queue is never restored");
  }
}

}  // namespace

void CheckSonicQos(const SonicConfig& config, SonicFindings& findings) {
  for (const auto& [name, wred] : config.wred) {
    for (const SonicWredColour* colour : {&wred.green, &wred.yellow, &wred.red})
      CheckColour(wred, *colour, findings);
    if (wred.MarksGreen() && !wred.green.enabled.value_or(false))
      findings.Warning(
          wred.ecn.place, "names green, but wred_green_enable is off, so no packet is marked",
          SonicFieldEdit{{wred.ecn.place.table, wred.ecn.place.key, "wred_green_enable"}, "true"});
  }
  for (const SonicQueueRow& row : config.queues) {
    CheckReference(row.scheduler, config.schedulers, "scheduler", findings);
    CheckReference(row.wred_profile, config.wred, "WRED profile", findings);
    if (config.Own(row) && !row.wred_profile) CheckMarked(config, row, findings);
    if (config.ports.empty() || !config.Own(row)) continue;
    for (const std::string& port : row.ports)
      if (!config.FindPort(port))
        findings.Error(row.place, fmt::format("PORT has no port \"{}\"", port),
                       "remove the row, or add the port");
  }
  for (const SonicPortQos& qos : config.port_qos) {
    CheckReference(qos.dscp_to_tc_map, config.dscp_to_tc, "map", findings);
    CheckReference(qos.dot1p_to_tc_map, config.dot1p_to_tc, "map", findings);
    CheckReference(qos.tc_to_queue_map, config.tc_to_queue, "map", findings);
    CheckReference(qos.tc_to_pg_map, config.tc_to_pg, "map", findings);
    CheckReference(qos.pfc_to_queue_map, config.pfc_to_queue, "map", findings);
    CheckReference(qos.pfc_to_pg_map, config.pfc_to_pg, "map", findings);
    CheckReference(qos.scheduler, config.schedulers, "scheduler", findings);
    if (config.ports.empty()) continue;
    for (const std::string& port : qos.ports)
      if (port != "global" && !config.FindPort(port))
        findings.Error(qos.place, fmt::format("PORT has no port \"{}\"", port),
                       "remove the row, or add the port");
  }
  CheckWatchdogs(config, findings);
}

}  // namespace headroom
