#include "analysis/check/check.h"

#include <fmt/format.h>
#include <ns3/rng-seed-manager.h>

#include <algorithm>
#include <iterator>

#include "analysis/check/check_controls.h"
#include "analysis/check/check_deadline.h"
#include "analysis/check/check_order.h"
#include "analysis/check/check_windows.h"
#include "report/text/text_table.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

using Severity = Finding::Severity;

/// A retransmission timeout below the round trip resends packets that were not lost.
void JudgeTimeouts(const Scenario& s, const TopologyCheck& topology, Findings& findings) {
  if (topology.distances.empty() || s.nics.empty()) return;
  using Type = RecoveryParameters::Type;
  const auto timeout = [](const NicParameters& n) {
    const RecoveryParameters& recovery = n.transport.recovery;
    return recovery.type == Type::counter ? recovery.timer : recovery.Timeout(n.transport.rto);
  };
  const Time shortest = timeout(std::ranges::min(s.nics, {}, timeout));
  const Distance& farthest = topology.distances.back();
  if (shortest > farthest.most_rtt) return;
  const Time longer = Microseconds(2 * (farthest.most_rtt / Microseconds(1) + 1));
  const std::string recovery = "nics.*.transport.recovery.";
  Remedy remedy;
  switch (s.nics.front().transport.recovery.type) {
    case Type::go_back_n:
      remedy = {"nics.*.transport.rto=" + FormatTime(longer)};
      break;
    case Type::selective_repeat:
      remedy = {recovery + "rto_low=" + FormatTime(longer), recovery + "rto_high=" + FormatTime(longer * 4)};
      break;
    default:
      remedy = {recovery + "timer=" + FormatTime(longer)};
  }
  findings.push_back({Severity::warning,
                      "nics",
                      fmt::format("the retransmission timeout, {}, is below the base RTT within the {}, {} "
                                  "µs: packets are sent again without loss",
                                  FormatTime(shortest), ScopeName(farthest.scope),
                                  FormatReadable(InMicroseconds(farthest.most_rtt))),
                      {remedy}});
}

/// If a buffer cannot be set up, a run stops with the same message.
void JudgeBuffers(const Fabric& fabric, const std::vector<SwitchClass>& switches, const MemoryChecks& memory,
                  Findings& findings) {
  for (size_t i = 0; i < switches.size(); ++i) {
    const SwitchClass& c = switches[i];
    if (c.buffer != nullptr || !memory.memory[i].lossless_groups) continue;  // or it has been reported
    findings.push_back({Severity::error, fmt::format("{} (as {})", c.name, fabric.node(c.example).name),
                        fmt::format("the buffer cannot be set up, so no run can start: {}", c.problem)});
  }
}

/// Two remedies at once, for two places.
void Join(Remedy& remedy, const Remedy& other) {
  for (const std::string& set : other)
    if (std::ranges::find(remedy, set) == remedy.end()) remedy.push_back(set);
}

/// A finding for several places is reported once.
void MergeEqual(Findings& findings) {
  Findings merged;
  std::vector<std::vector<std::string>> places;
  for (Finding& finding : findings) {
    const auto same = std::ranges::find_if(
        merged, [&](const Finding& f) { return f.severity == finding.severity && f.what == finding.what; });
    if (same == merged.end()) {
      places.push_back({finding.where});
      merged.push_back(std::move(finding));
      continue;
    }
    std::vector<std::string>& known = places[static_cast<size_t>(same - merged.begin())];
    if (std::ranges::find(known, finding.where) != known.end()) continue;
    same->where += "; " + finding.where;
    known.push_back(finding.where);
    same->remedies.resize(std::min(same->remedies.size(), finding.remedies.size()));
    for (size_t i = 0; i < same->remedies.size(); ++i) Join(same->remedies[i], finding.remedies[i]);
  }
  findings = std::move(merged);
}

}  // namespace

CheckReport CheckScenario(const Fabric& fabric) {
  const Scenario& s = fabric.scenario();
  ns3::RngSeedManager::SetRun(s.seed);
  CheckReport report;
  report.findings = s.switch_findings;
  report.switches = ClassifySwitches(fabric);
  const std::vector<SwitchClass>& switches = report.switches;
  report.topology = CheckTopology(fabric);
  report.configurations = CheckConfigurations(switches, report.findings);
  report.memory = CheckMemory(fabric, switches, report.findings);
  JudgeBuffers(fabric, switches, report.memory, report.findings);
  report.headroom = CheckHeadroom(fabric, switches, report.findings);
  report.thresholds = CheckThresholds(fabric, switches, report.findings);
  report.watchdogs = CheckWatchdogs(fabric, switches, report.findings);
  report.deadlock = CheckDeadlock(fabric, report.findings);
  report.nics = CheckNics(fabric, report.findings);
  report.nic_headroom = CheckNicHeadroom(fabric, report.findings);
  report.flows = CheckFlows(fabric, report.findings);
  report.fluid = CheckFluid(fabric, report.findings);
  report.services = CheckServices(fabric, report.findings);
  report.traffic = CheckTraffic(fabric, report.flows, report.findings);
  JudgeDeadline(fabric, report.flows, report.findings);
  JudgeTimeouts(s, report.topology, report.findings);
  Findings of_order;
  JudgeOrder(fabric, of_order);
  JudgeWindows(fabric, of_order.empty(), report.findings);
  JudgeControls(fabric, report.findings);
  std::ranges::move(of_order, std::back_inserter(report.findings));
  JudgeWarmup(fabric, report.findings);
  MergeEqual(report.findings);
  std::ranges::stable_sort(report.findings, {}, &Finding::severity);
  return report;
}

}  // namespace headroom
