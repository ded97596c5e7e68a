#include "analysis/check/check_fluid.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <utility>

#include "analysis/check/check_fluid_words.h"
#include "report/text/text_table.h"
#include "scenario/packet_headers.h"

namespace headroom {
namespace {

using Severity = Finding::Severity;

/// Duration of the flows' bytes at their fair rates; a stream lasts as long as arrivals do.
double LastsFor(const Scenario& s, const SharedFlows& shared, const Bottleneck& at) {
  const double payload_share = PayloadShareOf(s, shared.flows[at.flows.front()].flow.from);
  double bits = 0;
  for (const size_t f : at.flows) {
    if (shared.flows[f].flow.bytes == 0) return InSeconds(s.duration);
    bits += shared.flows[f].flow.bytes * 8;
  }
  return std::min(bits / (at.share_bps * payload_share), InSeconds(s.deadline));
}

bool Alike(const FluidCheck& a, const FluidCheck& b) {
  return a.traffic_class == b.traffic_class && a.workloads == b.workloads && a.port_rate == b.port_rate &&
         a.flows == b.flows && std::abs(a.share_bps - b.share_bps) < 1 &&
         a.model.refusal == b.model.refusal && a.model.settings == b.model.settings &&
         a.model.queued_bytes == b.model.queued_bytes && a.model.ecn == b.model.ecn;
}

FluidCheck Describe(const Fabric& fabric, const SharedFlows& shared, const Bottleneck& at) {
  const Scenario& s = fabric.scenario();
  FluidCheck check;
  check.at = fabric.node(at.hop.from.node).name + ":" + at.hop.from.port;
  check.ports = 1;
  check.traffic_class = s.classes[at.priority].name;
  for (const size_t f : at.flows) {
    const std::string& name = s.workloads[shared.flows[f].workload].name;
    if (std::ranges::find(check.workloads, name) == check.workloads.end()) check.workloads.push_back(name);
  }
  check.port_rate = fabric.LinkOf(at.hop).spec.rate;
  check.flows = at.flows.size();
  check.share_bps = at.share_bps;
  check.lasts = LastsFor(s, shared, at);
  check.model = FluidBottleneckOf(fabric, shared, at);
  return check;
}

/// The port that represents all has the longest of the longest delays.
void Join(FluidCheck& known, FluidCheck other) {
  const size_t ports = known.ports + 1;
  const double lasts = std::max(known.lasts, other.lasts);
  if (other.model.delays.rbegin()->first > known.model.delays.rbegin()->first) known = std::move(other);
  known.ports = ports;
  known.lasts = lasts;
}

/// Orders checks by importance.
std::pair<int, double> RankOf(const FluidCheck& check) {
  if (!check.Applies()) return {3, 0};
  if (!check.stability.Margin()) return {2, 0};
  return {check.Lasting() ? 0 : 1, *check.stability.Margin()};
}

void Judge(const FluidCheck& check, Findings& findings) {
  if (!check.Applies() || !check.Lasting()) return;
  const double margin = check.stability.crossover->margin;
  if (check.stability.stable && margin >= kLowMargin) return;
  findings.push_back(
      {check.stability.stable ? Severity::note : Severity::warning,
       fmt::format("{}, class {}{}", check.at, check.traffic_class,
                   check.ports > 1 ? fmt::format(" ({} ports)", check.ports) : ""),
       fmt::format("{}: {} flows with a loop delay of {} µs have a phase margin of {}; the queue "
                   "oscillates with a period of {} ms about {} (fluid model)",
                   check.stability.stable ? "DCQCN is close to oscillating" : "DCQCN oscillates", check.flows,
                   DelaysText(check.model.delays), DegreesText(margin), FormatReadable(check.Period() * 1e3),
                   FormatBytes(check.QueueBytes())),
       ChangesOf(check)});
}

}  // namespace

double FluidCheck::Period() const {
  return stability.crossover ? 2 * std::numbers::pi / stability.crossover->omega : 0;
}

FluidChecks CheckFluid(const Fabric& fabric, Findings& findings) {
  FluidChecks checks;
  checks.shared = ShareOut(fabric);
  for (const Bottleneck& at : checks.shared.bottlenecks) {
    FluidCheck check = Describe(fabric, checks.shared, at);
    const auto known = std::ranges::find_if(checks.bottlenecks,
                                            [&](const FluidCheck& other) { return Alike(check, other); });
    if (known == checks.bottlenecks.end()) {
      checks.bottlenecks.push_back(std::move(check));
    } else {
      Join(*known, std::move(check));
    }
  }
  for (FluidCheck& check : checks.bottlenecks) {
    if (!check.Applies()) continue;
    check.stability = StabilityOf(check.model.parameters);
    if (check.Lasting() && (!check.stability.stable || *check.stability.Margin() < kLowMargin))
      check.remedies = RemediesOf(check.model.parameters);
  }
  std::ranges::stable_sort(checks.bottlenecks, {}, RankOf);
  for (const FluidCheck& check : checks.bottlenecks) Judge(check, findings);
  return checks;
}

std::optional<double> LeastMargin(const FluidChecks& checks) {
  std::optional<double> least;
  for (const FluidCheck& check : checks.bottlenecks) {
    const auto margin = check.stability.Margin();
    if (margin && check.Lasting()) least = std::min(least.value_or(*margin), *margin);
  }
  return least;
}

}  // namespace headroom
