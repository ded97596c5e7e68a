// Maps, scheduling, ECN and watchdogs of a configuration, port by port.
//
// If a map is missing, SAI puts every frame in traffic class, group and queue 0 (saiport.h), and PFC
// priorities equal the numbers of queues and groups.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sonic/chip/sonic_switch_parts.h"
#include "sonic/tables/check_pfc.h"

namespace headroom {

namespace {

/// Copies the numbers of `map`, if it has them; numbers beyond 7 are not changed.
template <size_t N>
void Fill(const SonicMap* map, std::array<uint8_t, N>& to) {
  if (!map) return;
  for (const auto& [from, value] : map->to)
    if (from < static_cast<int>(N) && value && *value < kPriorities)
      to[static_cast<size_t>(from)] = static_cast<uint8_t>(*value);
}

QueueScheduling SchedulingOf(const SonicConfig& config, const SonicQueueRow* row, SonicFindings& findings) {
  QueueScheduling scheduling;
  if (!row || !row->scheduler) return scheduling;
  const SonicScheduler& scheduler = config.schedulers.at(*row->scheduler);
  switch (scheduler.type.value_or(SonicScheduler::Type::wrr)) {
    case SonicScheduler::Type::dwrr:
      scheduling.kind = QueueScheduling::Kind::dwrr;
      break;
    case SonicScheduler::Type::wrr:
      scheduling.kind = QueueScheduling::Kind::wrr;
      break;
    case SonicScheduler::Type::strict:
      scheduling.kind = QueueScheduling::Kind::strict;
      break;
  }
  scheduling.weight = static_cast<uint32_t>(scheduler.weight.value_or(1));
  for (const SonicValue<int64_t>* shaper : {&scheduler.cir, &scheduler.pir, &scheduler.cbs, &scheduler.pbs})
    if (shaper->value && **shaper > 0)
      findings.Warning(shaper->place,
                       "shapers are not supported, so the queue has no rate limit and may get "
                       "more bandwidth than on the switch");
  if (scheduler.priority)
    findings.Note(scheduler.priority.place,
                  "Headroom does not use this field: it serves strict queues "
                  "in the order of their numbers");
  return scheduling;
}

std::optional<EcnParameters> EcnOf(const SonicConfig& config, const SonicQueueRow* row,
                                   SonicFindings& findings) {
  if (!row || !row->wred_profile) return std::nullopt;
  const SonicWred& wred = config.wred.at(*row->wred_profile);
  if (!wred.green.enabled.value_or(false) || !wred.green.min_threshold || !wred.green.max_threshold)
    return std::nullopt;
  if (!wred.MarksGreen()) {
    findings.Warning(wred.ecn.place,
                     "drops green frames early instead of marking them, which Headroom does not support",
                     SonicFieldEdit{wred.ecn.place, "ecn_all"});
    return std::nullopt;
  }
  EcnParameters ecn;
  ecn.kmin = *wred.green.min_threshold;
  ecn.kmax = *wred.green.max_threshold;
  ecn.pmax = wred.green.drop_probability.value_or(100) / 100.0;
  return ecn;
}

WatchdogAction ActionOf(const SonicWatchdog& watchdog) {
  switch (watchdog.action.value_or(SonicWatchdog::Action::drop)) {
    case SonicWatchdog::Action::forward:
      return WatchdogAction::forward;
    case SonicWatchdog::Action::alert:
      return WatchdogAction::alert;
    case SonicWatchdog::Action::drop:
      break;
  }
  return WatchdogAction::drop;
}

/// SONiC watches the priorities of pfcwd_sw_enable, and starts no watchdog if the row names none
/// (pfcwdorch.cpp).
uint8_t WatchedPriorities(const SonicConfig& config, const std::string& port, const SonicPlace& row,
                          SonicFindings& findings) {
  const SonicPortQos* qos = config.FindPortQos(port);
  const uint8_t enabled = config.PfcEnable(port), watched = qos ? qos->pfcwd_sw_enable.value_or(0) : 0;
  const auto unwatched = static_cast<uint8_t>(enabled & ~watched);
  if (watched == 0) {
    findings.Warning(
        row, "has no effect: pfcwd_sw_enable of the port names no priority, so SONiC starts no watchdog");
  } else if (unwatched != 0) {
    findings.Note(qos->pfcwd_sw_enable.place,
                  fmt::format("priority {} has PFC but no watchdog", PrioritiesText(unwatched)));
  }
  return watched;
}

}  // namespace

const SonicMap* MapAtPort(const SonicConfig& config, const std::string& file_port, const SonicMaps& maps,
                          SonicValue<std::string> SonicPortQos::*name) {
  for (const std::string& port : {file_port, std::string("global")}) {
    const SonicPortQos* qos = config.FindPortQos(port);
    if (!qos || !(qos->*name)) continue;
    const auto found = maps.find(*(qos->*name));
    if (found != maps.end()) return &found->second;
  }
  return nullptr;
}

PortQos SonicPortMaps(const SonicConfig& config, const std::string& file_port, SonicFindings& findings) {
  PortQos qos;
  for (uint8_t p = 0; p < kPriorities; ++p) qos.pfc_to_queue[p] = qos.pfc_to_group[p] = p;
  const auto map = [&](const SonicMaps& maps, SonicValue<std::string> SonicPortQos::*name) {
    return MapAtPort(config, file_port, maps, name);
  };
  Fill(map(config.dscp_to_tc, &SonicPortQos::dscp_to_tc_map), qos.dscp_to_tc);
  Fill(map(config.tc_to_pg, &SonicPortQos::tc_to_pg_map), qos.tc_to_group);
  Fill(map(config.tc_to_queue, &SonicPortQos::tc_to_queue_map), qos.tc_to_queue);
  Fill(map(config.pfc_to_queue, &SonicPortQos::pfc_to_queue_map), qos.pfc_to_queue);
  Fill(map(config.pfc_to_pg, &SonicPortQos::pfc_to_pg_map), qos.pfc_to_group);
  qos.pfc_enable = config.PfcEnable(file_port);
  if (const SonicPortQos* row = config.FindPortQos(file_port)) {
    if (row->scheduler)
      findings.Warning(row->scheduler.place,
                       "shapers of a port are not supported, so the port sends at line rate");
    if (row->dot1p_to_tc_map && !row->dscp_to_tc_map)
      findings.Warning(row->dot1p_to_tc_map.place,
                       "frames in Headroom have a DSCP but no 802.1p tag, so "
                       "the map puts all into class 0");
  }
  for (int queue = 0; queue < kPriorities; ++queue) {
    const SonicQueueRow* row = config.FindQueue(file_port, queue);
    qos.scheduling[static_cast<size_t>(queue)] = SchedulingOf(config, row, findings);
    qos.ecn[static_cast<size_t>(queue)] = EcnOf(config, row, findings);
  }
  return qos;
}

std::vector<WatchdogParameters> SonicWatchdogs(const SonicConfig& config, const SonicAsic& asic,
                                               const std::vector<ChipPort>& ports,
                                               const SonicSwitchModel& model, SonicFindings& findings) {
  std::vector<WatchdogParameters> watchdogs;
  const SonicValue<bool>& polled = config.watchdog_global.polled;
  if (!polled.value_or(true)) {
    if (!config.watchdogs.empty())
      findings.Warning(polled.place,
                       "is disable, so the watchdogs of PFC_WD read no counters and detect nothing",
                       SonicFieldEdit{polled.place, "enable"});
    return watchdogs;
  }
  for (size_t i = 0; i < ports.size(); ++i) {
    const SonicWatchdog* row = config.FindWatchdog(model.file_ports[i]);
    if (!row || !row->detection_time) continue;
    const uint8_t watched = WatchedPriorities(config, model.file_ports[i], row->place, findings);
    if (watched == 0) continue;
    WatchdogParameters watchdog;
    watchdog.priorities = watched;
    watchdog.ports = Exactly(ports[i].name);
    watchdog.detection = *row->detection_time;
    watchdog.restoration = row->restoration_time.value;
    watchdog.poll = config.watchdog_global.poll_interval.value_or(Milliseconds(100));
    watchdog.action = ActionOf(*row);
    watchdog.vendor = asic.watchdog;
    watchdog.big_red_switch = config.watchdog_global.big_red_switch.value_or(false);
    watchdogs.push_back(watchdog);
  }
  // One watchdog for all priorities if all are alike.
  WatchdogParameters all = watchdogs.empty() ? WatchdogParameters() : watchdogs.front();
  all.ports = "*";
  const bool alike = std::ranges::all_of(watchdogs, [&](WatchdogParameters w) {
    w.ports = "*";
    return w == all;
  });
  if (!watchdogs.empty() && watchdogs.size() == ports.size() && alike) return {all};
  return watchdogs;
}

}  // namespace headroom
