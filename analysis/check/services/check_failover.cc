#include "analysis/check/services/check_failover.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/check/services/check_services.h"
#include "protocol/storage/routes.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

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

void JudgeMoves(const FailoverCheck& check, Findings& findings) {
  for (const FailoverCheck::Move& move : check.moves) {
    if (!move.cut_off) continue;
    const bool last = &move == &check.moves.back();
    findings.push_back({Finding::Severity::note, "service " + check.service,
                        fmt::format("the last of {1} connections of the schedule's step at {0} get their "
                                    "order to move {3}, after {2}: {4} move every {5}",
                                    FormatTime(move.at), move.connections, FormatTime(move.told),
                                    last ? "when the load is over" : "when the next step begins",
                                    check.at_a_time, FormatTime(check.every))});
  }
}

}  // namespace

FailoverCheck CheckFailover(const Scenario& s, const StorageParameters& service, Findings& findings) {
  const FailoverParameters& when = service.failover->when;
  const Placement placement(service.name, service.across, service.extent_nodes, s.topology);
  const StorageRoutes routes = RoutesOf(service, placement, s.topology);
  FailoverCheck check;
  check.service = service.name;
  check.main = service.front.Name();
  check.standby = service.failover->to.Name();
  check.connections = routes.connections();
  check.at_a_time = when.AtATime(check.connections);
  check.every = when.every;
  check.least_detect = when.detect;
  check.most_detect = when.detect == kNever ? kNever : when.detect + when.every;
  check.all_told = UntilAllAreTold(check, check.connections);
  check.least_back = Periods(when.back, when.every);
  check.moves = MovesOf(check, when, s.duration);
  JudgeMoves(check, findings);
  return check;
}

}  // namespace headroom
