#include "analysis/check/services/check_failover.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/text/text_table.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

using Severity = Finding::Severity;

std::string OfService(const FailoverCheck& check) { return "service " + check.service; }

/// The service with all of its connections on the standby.
StorageParameters OnStandby(const StorageParameters& service) {
  StorageParameters on = service;
  on.front = service.failover->to;
  if (on.back) on.back = service.failover->to;
  return on;
}

/// The span, rounded up to whole periods.
Time Periods(Time span, Time every) { return every * ((span.v + every.v - 1) / every.v); }

/// For this many connections: the time from the end of the period in which the first ones are ordered to
/// move.
Time UntilAllAreTold(const FailoverCheck& check, size_t connections) {
  if (connections == 0) return Time();
  return check.every * static_cast<int64_t>((connections - 1) / check.at_a_time);
}

std::vector<FailoverCheck::Move> MovesOf(const FailoverCheck& check, const FailoverParameters& when,
                                         Time duration) {
  std::vector<FailoverCheck::Move> moves;
  const auto wanted = [&](double share) {
    return static_cast<size_t>(std::ceil(share * static_cast<double>(check.connections)));
  };
  size_t before = 0;
  for (size_t i = 0; i < when.schedule.size(); ++i) {
    const FailoverParameters::Step& step = when.schedule[i];
    const size_t on = wanted(step.share);
    const size_t moving = on > before ? on - before : before - on;
    // The first period ends after the beginning.
    const Time begins = std::max(Periods(step.at, check.every), check.every);
    const Time told = begins + UntilAllAreTold(check, moving);
    const Time next = i + 1 < when.schedule.size() ? when.schedule[i + 1].at : duration;
    moves.push_back({.at = step.at,
                     .share = step.share,
                     .connections = moving,
                     .first = moving > 0 ? begins - step.at : Time(),
                     .told = moving > 0 ? told - step.at : Time(),
                     .cut_off = moving > 0 && told >= next});
    before = on;
  }
  return moves;
}

bool AtWork(const IoArrivals& io, Time at, Time duration) {
  return io.rate > 0 && io.start <= at && at < io.stop.value_or(duration);
}

void JudgeMoves(const FailoverCheck& check, Findings& findings) {
  for (const FailoverCheck::Move& move : check.moves) {
    if (!move.cut_off) continue;
    const bool last = &move == &check.moves.back();
    findings.push_back({Severity::note, OfService(check),
                        fmt::format("the last of {1} connections of the schedule's step at {0} get their "
                                    "order to move {3}, after {2}: {4} move every {5}",
                                    FormatTime(move.at), move.connections, FormatTime(move.told),
                                    last ? "when the load is over" : "when the next step begins",
                                    check.at_a_time, FormatTime(check.every)),
                        "give failover a larger fraction, or a shorter period"});
  }
}

/// Calls that are late although nothing is broken.
void JudgeDetection(const FailoverCheck& check, const StorageParameters& service, const Fabric& fabric,
                    const std::vector<const IoWorkload*>& workloads, Findings& findings) {
  const Time detect = service.failover->when.detect;
  if (detect == kNever) return;
  for (const IoWorkload* workload : workloads) {
    Time least = kNever;
    const CoreCosts& costs = fabric.scenario().hosts[workload->io().from.front()].costs;
    for (const IoCheck::Alone& alone : workload->check().alone)
      least = std::min(least, alone.parts.all - costs.OfRequest());  // which the call has already passed
    if (least == kNever || least <= detect) continue;
    findings.push_back(
        {Severity::warning, OfService(check),
         fmt::format("detect: {0} is less than {2} µs, the time of a call of workload {1} without other "
                     "traffic, so working connections count as broken",
                     FormatTime(detect), workload->check().workload, FormatReadable(InMicroseconds(least))),
         "give a longer detect"});
  }
}

const char* ChangeFor(IoLoad::Of of) {
  switch (of) {
    case IoLoad::Of::cores:
    case IoLoad::Of::server_cores:
      return "give hosts more cores, or a lower rate";
    case IoLoad::Of::connection_cores:
      return "give failover: {to: {connections: …}} more connections, or a lower rate";
    case IoLoad::Of::disks:
      return "give more iops, more extent nodes, or a lower rate";
    case IoLoad::Of::line:
    case IoLoad::Of::server_lines:
      break;
  }
  return "give faster links, or a lower rate";
}

void JudgeStandby(const FailoverCheck& check, Findings& findings) {
  if (check.by_standby.empty() || FirstOf(check.by_standby).share <= 1) return;
  const IoLoad& first = FirstOf(check.by_standby);
  findings.push_back(
      {Severity::warning, OfService(check),
       fmt::format("workloads request {0} I/Os per second, which need {2} % of the {3}{4} if all "
                   "connections use {1}; at most {5} complete, and the backlog grows until the "
                   "connections return",
                   IopsText(check.asked), check.standby, FormatReadable(100 * first.share),
                   LoadName(first.of), first.at.empty() ? "" : " of " + first.at,
                   IopsText(check.Most(check.by_standby))),
       ChangeFor(first.of)});
}

/// Judges the workloads without a rate.
void JudgeClosedLoops(const FailoverCheck& check, const std::vector<const IoWorkload*>& workloads,
                      Findings& findings) {
  for (size_t i = 0; i < workloads.size(); ++i) {
    const IoCheck& main = workloads[i]->check();
    const IoCheck& standby = check.ios[i];
    if (main.rate > 0 || standby.Least().iops >= main.Least().iops) continue;
    findings.push_back(
        {Severity::note, "workload " + main.workload,
         fmt::format("with all connections over {} a disk reaches at most {} I/Os a second ({}), over {} {} "
                     "({})",
                     check.standby, IopsText(standby.Least().iops), LimitName(standby.Least().limit),
                     check.main, IopsText(main.Least().iops), LimitName(main.Least().limit)),
         ""});
  }
}

/// The time of the largest load on the standby.
void AddLoads(FailoverCheck& check, const Fabric& fabric, const StorageParameters& service,
              const StorageParameters& on_standby, const StorageRoutes& routes,
              const std::vector<const IoWorkload*>& over_main, const std::vector<IoWorkload>& over_standby) {
  const Time duration = fabric.scenario().duration;
  for (const IoWorkload* at : over_main) {
    if (at->io().rate == 0) {
      check.others = true;
      continue;
    }
    std::vector<const IoWorkload*> main, standby;
    double asked = 0;
    for (size_t i = 0; i < over_main.size(); ++i) {
      if (!AtWork(over_main[i]->io(), at->io().start, duration)) continue;
      main.push_back(over_main[i]);
      standby.push_back(&over_standby[i]);
      asked += over_main[i]->io().rate * static_cast<double>(over_main[i]->io().from.size());
    }
    const IoLoads loads = LoadsOf(fabric, on_standby, routes, standby);
    if (loads.empty() ||
        (!check.by_standby.empty() && FirstOf(loads).share <= FirstOf(check.by_standby).share))
      continue;
    check.asked = asked;
    check.by_standby = loads;
    check.by_main = LoadsOf(fabric, service, routes, main);
  }
}

}  // namespace

FailoverCheck CheckFailover(const Fabric& fabric, const StorageParameters& service,
                            const std::vector<const IoWorkload*>& workloads, Findings& findings) {
  const Scenario& s = fabric.scenario();
  const FailoverParameters& when = service.failover->when;
  const Placement placement(service.name, service.across, service.extent_nodes, s.topology);
  const StorageRoutes routes = RoutesOf(service, placement, s.topology);
  FailoverCheck check;
  check.service = service.name;
  check.main = ProtocolName(service.front.protocol);
  check.standby = ProtocolName(service.failover->to.protocol);
  check.connections = routes.connections();
  check.at_a_time = when.AtATime(check.connections);
  check.every = when.every;
  check.least_detect = when.detect;
  check.most_detect = when.detect == kNever ? kNever : when.detect + when.every;
  check.all_told = UntilAllAreTold(check, check.connections);
  check.least_back = Periods(when.back, when.every);
  check.moves = MovesOf(check, when, s.duration);
  const StorageParameters on_standby = OnStandby(service);
  std::vector<IoWorkload> over_standby;
  for (const IoWorkload* workload : workloads) {
    over_standby.emplace_back(fabric, workload->workload(), on_standby);
    check.ios.push_back(over_standby.back().check());
  }
  AddLoads(check, fabric, service, on_standby, routes, workloads, over_standby);
  JudgeMoves(check, findings);
  JudgeDetection(check, service, fabric, workloads, findings);
  JudgeStandby(check, findings);
  JudgeClosedLoops(check, workloads, findings);
  return check;
}

}  // namespace headroom
