#include "analysis/check/buffers/check_thresholds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <set>

#include "dcqcn/red_marker.h"
#include "report/text/text_table.h"
#include "scenario/senders.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

using Severity = Finding::Severity;

/// One traffic class at one kind of switch.
class ClassThresholds {
 public:
  /// `heeded`: some sender slows down for marks; otherwise the start of marking does not matter.
  ClassThresholds(const SwitchClass& c, const TrafficClass& traffic, bool heeded)
      : switch_(c), traffic_(traffic), known_(LimitsAreKnown(c)), heeded_(heeded) {
    std::map<uint16_t, uint32_t> sharing;
    for (const PortClass& port : c.ports) {
      if (const SharedBuffer::Allowance* group = GroupAt(port)) sharing[group->pool] += port.ports;
    }
    for (const auto& [pool, groups] : sharing) groups_ = std::max(groups_, groups);
  }

  /// Ordered by port, each port rate once.
  std::vector<ThresholdCheck> Check() const {
    std::vector<ThresholdCheck> checks;
    for (const PortClass& port : switch_.ports) {
      const SharedBuffer::Allowance* group = GroupAt(port);
      if (group == nullptr ||
          std::ranges::find(checks, port.link.rate, &ThresholdCheck::rate) != checks.end())
        continue;
      ThresholdCheck check{.at = switch_.name,
                           .rate = port.link.rate,
                           .traffic_class = traffic_.name,
                           .groups = groups_,
                           .shared = Bytes(group->shared),
                           .xoff_at = {},
                           .ecn = {},
                           .pfc_before_ecn = {}};
      for (size_t i = 0; i < check.xoff_at.size(); ++i) {
        const int k = ThresholdCheck::kGroups[i];
        if (known_ && static_cast<uint32_t>(k) <= groups_)
          check.xoff_at[i] = Bytes(std::llround(XoffAt(*group, k)));
      }
      if (const auto& ecn = port.classes[traffic_.priority].ecn) {
        check.ecn = CurveAt(*ecn, port.link.rate);
        if (known_ && heeded_) check.pfc_before_ecn = FirstBelow(static_cast<double>(check.ecn->kmin.v));
      }
      checks.push_back(std::move(check));
    }
    return checks;
  }

  uint32_t groups() const { return groups_; }

  /// The minimum size at which any group goes XOFF with k groups congested.
  double LeastXoffAt(double k) const {
    double least = HUGE_VAL;
    for (const PortClass& port : switch_.ports) {
      if (const SharedBuffer::Allowance* group = GroupAt(port)) least = std::min(least, XoffAt(*group, k));
    }
    return least;
  }

 private:
  /// For a port that pauses for this class.
  const SharedBuffer::Allowance* GroupAt(const PortClass& port) const {
    const ClassAtPort& at = port.classes[traffic_.priority];
    return at.ingress && at.ingress->headroom > 0 ? &*at.ingress : nullptr;
  }
  static double XoffAt(const SharedBuffer::Allowance& group, double k) {
    return static_cast<double>(group.reserved) + ThresholdOf(group, k);
  }
  /// The smallest number of congested groups that go XOFF below `bytes`; XoffAt decreases with it.
  std::optional<uint32_t> FirstBelow(double bytes) const {
    if (groups_ == 0 || LeastXoffAt(groups_) >= bytes) return std::nullopt;
    uint32_t enough = groups_;
    for (uint32_t too_few = 0; enough - too_few > 1;) {
      const uint32_t middle = too_few + (enough - too_few) / 2;
      (LeastXoffAt(middle) < bytes ? enough : too_few) = middle;
    }
    return enough;
  }

  const SwitchClass& switch_;
  const TrafficClass& traffic_;
  bool known_, heeded_;
  uint32_t groups_ = 0;
};

/// Marking that begins and ends below these queues, in whole kB, if a frame fits below. The second remedy
/// scales with the port's rate.
std::vector<Remedy> MarkingBelow(double kmin, double kmax, const TrafficClass& traffic, const Scenario& s,
                                 double pmax) {
  if (!std::isfinite(kmin) || !std::isfinite(kmax)) return {};
  constexpr double kPart = 0.8, kUnit = 1000;
  const auto whole = [](double bytes) { return Bytes(std::llround(std::floor(bytes / kUnit) * kUnit)); };
  const Bytes most = whole(kPart * std::max(kmin, kmax)), frame = s.frames.Data(s.mtu, true);
  const Bytes least = std::min(whole(kPart * kmin), std::max(Bytes(most.v / 4000 * 1000), frame * 2));
  if (least < frame) return {};
  const std::string ecn = fmt::format("switches.*.ecn.{}.", traffic.name);
  Remedy remedy = {ecn + "kmin=" + FormatSize(least), ecn + "kmax=" + FormatSize(most)};
  if (pmax > 0) remedy.push_back(fmt::format("{}pmax={:g}%", ecn, 100 * pmax));
  Remedy by_rate = remedy;
  Rate fastest;
  for (const TopologyLink& link : s.topology.links) fastest = std::max(fastest, link.spec.rate);
  by_rate.push_back(ecn + "per_rate=" + FormatRate(fastest));
  return {remedy, by_rate};
}

void JudgeLossless(const ThresholdCheck& check, const ClassThresholds& thresholds,
                   const TrafficClass& traffic, const Scenario& s, Findings& findings) {
  const std::string where = fmt::format("{}, class {}", check.at, check.traffic_class);
  if (!check.ecn || check.shared.v <= 0) return;
  const double alone = thresholds.LeastXoffAt(1);
  const Bytes kmin = check.ecn->kmin, kmax = check.ecn->kmax;
  const auto remedies = [&] {
    return MarkingBelow(thresholds.LeastXoffAt(check.groups), alone, traffic, s, 0);
  };
  if (check.pfc_before_ecn == 1u) {
    findings.push_back({Severity::warning, where,
                        fmt::format("PFC fires before ECN marks: a single congested group goes XOFF at {}, "
                                    "marking starts at {} ({} µs at {})",
                                    FormatBytes(alone), FormatBytes(kmin),
                                    FormatReadable(InMicroseconds(SerializationTime(kmin, check.rate))),
                                    FormatRate(check.rate)),
                        remedies()});
    return;
  }
  std::string what;
  if (check.pfc_before_ecn) {
    const uint32_t k = *check.pfc_before_ecn;
    what = fmt::format(
        "if {} of {} groups are congested, each by a different queue, PFC fires before ECN marks: XOFF "
        "at {}, kmin {}",
        k, check.groups, FormatBytes(thresholds.LeastXoffAt(k)), FormatBytes(kmin));
  }
  if (static_cast<double>(kmax.v) > alone) {
    const double marked = MarkingProbability(*check.ecn, Bytes(std::llround(alone)));
    what += fmt::format(
        "{}a single congested group goes XOFF at {}, where {:.2g} % of packets are "
        "marked; kmax is {}",
        what.empty() ? "" : "; ", FormatBytes(alone), 100 * marked, FormatBytes(kmax));
  }
  if (!what.empty()) findings.push_back({Severity::note, where, what, remedies()});
}

/// Thresholds that are right for one rate may be wrong, as times, for another.
void JudgeEcnTimes(const Scenario& s, const SwitchClass& c, const TrafficClass& traffic, Findings& findings) {
  const PortClass *slow = nullptr, *fast = nullptr;
  for (const PortClass& port : c.ports) {
    if (!port.classes[traffic.priority].ecn) continue;
    if (slow == nullptr || port.link.rate < slow->link.rate) slow = &port;
    if (fast == nullptr || port.link.rate > fast->link.rate) fast = &port;
  }
  if (slow == nullptr) return;
  const auto curve = [&](const PortClass* port) {
    return CurveAt(*port->classes[traffic.priority].ecn, port->link.rate);
  };
  const auto micros = [](const PortClass* port, Bytes threshold) {
    return FormatReadable(InMicroseconds(SerializationTime(threshold, port->link.rate)));
  };
  const EcnCurve at_slow = curve(slow), at_fast = curve(fast);
  const std::string where = fmt::format("{}, class {}", c.name, traffic.name);
  if (at_slow.kmin == at_fast.kmin && at_slow.kmax == at_fast.kmax &&
      fast->link.rate.v >= 4 * slow->link.rate.v) {
    findings.push_back(
        {Severity::note,
         where,
         fmt::format(
             "ports of all rates have the same thresholds: kmin {} and kmax {} are {} and {} µs of queue "
             "at {}, but {} and {} µs at {}",
             FormatBytes(at_slow.kmin), FormatBytes(at_slow.kmax), micros(slow, at_slow.kmin),
             micros(slow, at_slow.kmax), FormatRate(slow->link.rate), micros(fast, at_fast.kmin),
             micros(fast, at_fast.kmax), FormatRate(fast->link.rate)),
         {Remedy{fmt::format("switches.*.ecn.{}.per_rate={}", traffic.name, FormatRate(fast->link.rate))}}});
  }
  const Bytes frame = s.frames.Data(s.mtu, true);
  if (at_slow.kmin >= frame) return;
  findings.push_back(
      {Severity::warning,
       where,
       fmt::format("kmin {} ({} µs at {}) is less than one frame of {}: any queued frame may be marked",
                   FormatBytes(at_slow.kmin), micros(slow, at_slow.kmin), FormatRate(slow->link.rate),
                   FormatBytes(frame)),
       {Remedy{fmt::format("switches.*.ecn.{}.kmin={}", traffic.name, FormatSize(frame * 2))}}});
}

/// A lossy queue drops where a lossless group pauses.
void JudgeLossy(const SwitchClass& c, const TrafficClass& traffic, const Scenario& s, Findings& findings) {
  std::vector<Rate> done;
  for (const PortClass& port : c.ports) {
    const ClassAtPort& at = port.classes[traffic.priority];
    if (!at.ecn || at.egress.empty() || std::ranges::find(done, port.link.rate) != done.end()) continue;
    done.push_back(port.link.rate);
    // Frames that arrive at ports of one slice fill only the queue's part in that slice.
    const auto limit_of = [](const SharedBuffer::Allowance& a) {
      return static_cast<double>(a.reserved) + ThresholdOf(a, 1);
    };
    const double limit = std::ranges::min(at.egress | std::views::transform(limit_of));
    const EcnCurve curve = CurveAt(*at.ecn, port.link.rate);
    if (static_cast<double>(curve.kmin.v) < limit) continue;
    findings.push_back(
        {Severity::warning, fmt::format("{}, class {}", c.name, traffic.name),
         fmt::format("the queue drops frames before ECN marks: its limit is {}, but marking starts at {}",
                     FormatBytes(limit), FormatBytes(curve.kmin)),
         MarkingBelow(limit / 4, limit, traffic, s, 0)});
  }
}

/// Notes limits that depend on more than the contents of the buffer.
void NoteUnknown(const SwitchClass& c, Findings& findings) {
  const BufferPolicyParameters& policy = c.parameters->buffer.policy;
  if (LimitsAreKnown(c)) return;
  findings.push_back(
      {Severity::note, c.name,
       fmt::format("limits of policy {} change with {}, so check cannot compute when groups pause, when "
                   "queues drop, or whether ECN marks before",
                   NameOf(policy.type),
                   policy.type == BufferPolicyParameters::Type::abm ? "congested queues and their drain rates"
                                                                    : "filtered lengths of queues")});
}

/// Switches that do not mark this class, "t0, spine"; empty: all do.
std::string WithoutEcn(const std::vector<SwitchClass>& switches, const TrafficClass& traffic) {
  std::string without;
  for (const SwitchClass& c : switches) {
    const bool marks = std::ranges::any_of(
        c.ports, [&](const PortClass& port) { return port.classes[traffic.priority].ecn.has_value(); });
    if (!marks) without += (without.empty() ? "" : ", ") + c.name;
  }
  return without;
}

/// DCTCP takes the share of marks for a measure of time above one threshold.
void JudgeStep(const SwitchClass& c, const TrafficClass& traffic, const ControlParameters* control,
               Findings& findings) {
  if (control == nullptr || control->name() != "dctcp") return;
  for (const PortClass& port : c.ports) {
    const auto& ecn = port.classes[traffic.priority].ecn;
    if (!ecn || ecn->kmin == ecn->kmax) continue;
    findings.push_back(
        {Severity::note,
         fmt::format("{}, class {}", c.name, traffic.name),
         fmt::format("dctcp expects one threshold above which every packet is marked, but here the "
                     "marking probability rises from {} to {}",
                     FormatBytes(ecn->kmin), FormatBytes(ecn->kmax)),
         {Remedy{fmt::format("switches.*.ecn.{}.kmax={}", traffic.name, FormatSize(ecn->kmin)),
                 fmt::format("switches.*.ecn.{}.pmax=100%", traffic.name)}}});
    return;
  }
}

bool HasDcqcn(const Scenario& s, const TrafficClass& traffic) {
  return !traffic.name.empty() && HasQueuePairs(s, traffic.priority) &&
         std::ranges::any_of(s.nics, [&](const NicParameters& n) {
           return !n.HasControl() && (n.Reacts(traffic.priority) || n.Notifies(traffic.priority));
         });
}

/// The first control that needs marks; null: there is none.
const ControlParameters* MarkedControl(const Scenario& s, const TrafficClass& traffic) {
  if (traffic.name.empty() || !HasQueuePairs(s, traffic.priority)) return nullptr;
  const auto at = std::ranges::find_if(
      s.nics, [](const NicParameters& n) { return n.HasControl() && n.control->needs_marks(); });
  return at == s.nics.end() ? nullptr : at->control.get();
}

/// For a class that no queue pair uses yet, as if some did.
bool MarksAreHeeded(const Scenario& s, const TrafficClass& traffic) {
  return std::ranges::any_of(s.nics, [&](const NicParameters& n) {
    return n.HasControl() ? n.control->needs_marks() : n.Reacts(traffic.priority);
  });
}

/// Marking that begins before any group pauses, or any queue drops, at all of these switches.
std::vector<Remedy> MarkingThatFits(const Scenario& s, const std::vector<SwitchClass>& switches,
                                    const TrafficClass& traffic, double pmax) {
  double kmin = HUGE_VAL, kmax = HUGE_VAL;
  for (const SwitchClass& c : switches) {
    if (!LimitsAreKnown(c)) return {};
    const ClassThresholds thresholds(c, traffic, true);
    if (traffic.lossless && thresholds.groups() > 0) {
      kmin = std::min(kmin, thresholds.LeastXoffAt(thresholds.groups()));
      kmax = std::min(kmax, thresholds.LeastXoffAt(1));
    }
    for (const PortClass& port : c.ports) {
      for (const SharedBuffer::Allowance& queue : port.classes[traffic.priority].egress) {
        const double limit = static_cast<double>(queue.reserved) + ThresholdOf(queue, 1);
        kmin = std::min(kmin, limit / 4);
        kmax = std::min(kmax, limit);
      }
    }
  }
  return MarkingBelow(kmin, kmax, traffic, s, pmax);
}

/// TCP neither causes nor obeys CNPs, so a class without queue pairs has no finding.
void JudgeMissingEcn(const Scenario& s, const std::vector<SwitchClass>& switches, const TrafficClass& traffic,
                     Findings& findings) {
  const ControlParameters* const control = MarkedControl(s, traffic);
  if (!HasDcqcn(s, traffic) && control == nullptr) return;
  const std::string without = WithoutEcn(switches, traffic);
  if (without.empty()) return;
  if (control != nullptr) {
    findings.push_back({Severity::warning, fmt::format("class {}", traffic.name),
                        fmt::format("ECN is off at {}, which never marks frames, so {} does not react",
                                    without, control->name()),
                        MarkingThatFits(s, switches, traffic, 1)});
    if (!HasDcqcn(s, traffic)) return;
  }
  constexpr double kUsual = 0.05;
  findings.push_back(
      {Severity::warning, fmt::format("class {}", traffic.name),
       fmt::format("ECN is off at {}, which never marks frames, so DCQCN does not react; only {} react",
                   without, traffic.lossless ? "pauses" : "drops"),
       MarkingThatFits(s, switches, traffic, kUsual)});
}

}  // namespace

double ThresholdOf(const SharedBuffer::Allowance& allowance, double groups) {
  const double room =
      std::min(static_cast<double>(allowance.cap) / groups, static_cast<double>(allowance.of_port));
  if (!allowance.alpha) return std::min(static_cast<double>(allowance.fixed), room);
  const double shared = static_cast<double>(std::max<int64_t>(0, allowance.shared));
  return std::min(*allowance.alpha * shared / (1 + *allowance.alpha * groups), room);
}

EcnCurve CurveAt(const EcnParameters& ecn, Rate port) {
  const RedMarker marker(ecn, port, "");
  return {Bytes(marker.kmin()), Bytes(marker.kmax()), ecn.pmax};
}

double MarkingProbability(const EcnCurve& curve, Bytes queue) {
  return RedMarker({curve.kmin, curve.kmax, curve.pmax, {}}, Rate(), "").Probability(queue.v);
}

std::vector<ThresholdCheck> CheckThresholds(const Fabric& fabric, const std::vector<SwitchClass>& switches,
                                            Findings& findings) {
  for (const TrafficClass& traffic : fabric.scenario().classes) {
    if (!traffic.name.empty()) JudgeMissingEcn(fabric.scenario(), switches, traffic, findings);
  }
  std::vector<ThresholdCheck> checks;
  for (const SwitchClass& c : switches) {
    NoteUnknown(c, findings);
    for (const TrafficClass& traffic : fabric.scenario().classes) {
      if (traffic.name.empty()) continue;
      JudgeEcnTimes(fabric.scenario(), c, traffic, findings);
      JudgeStep(c, traffic, MarkedControl(fabric.scenario(), traffic), findings);
      if (!traffic.lossless) {
        if (LimitsAreKnown(c)) JudgeLossy(c, traffic, fabric.scenario(), findings);
        continue;
      }
      const bool heeded = MarksAreHeeded(fabric.scenario(), traffic);
      const ClassThresholds thresholds(c, traffic, heeded);
      std::set<std::pair<Bytes, Bytes>> said;  // rates with the same bytes: the first represents all
      for (ThresholdCheck& check : thresholds.Check()) {
        const bool first = check.ecn && said.insert({check.ecn->kmin, check.ecn->kmax}).second;
        if (c.parameters->pfc.enabled && first && heeded && LimitsAreKnown(c))
          JudgeLossless(check, thresholds, traffic, fabric.scenario(), findings);
        checks.push_back(std::move(check));
      }
    }
  }
  return checks;
}

}  // namespace headroom
