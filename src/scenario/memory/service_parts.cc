// Part of parts.h: operations of workloads, and the services that carry them.
#include <fmt/format.h>

#include <algorithm>

#include "protocol/trail.h"
#include "scenario/memory/parts.h"
#include "scenario/service_load.h"
#include "workload/distributions/log_buckets.h"
#include "workload/operation.h"

namespace headroom {

namespace {

/// Memory of the records of operations, which are sorted by their times at the end.
Forecast OperationBytes(const Scenario& s, const Demand& d) {
  constexpr double kKept = 1.3, kWaits = 1, kMostWaits = 12;
  constexpr double kWait = 40, kSplit = 72, kLatency = 2 * sizeof(Time);
  const uint32_t one_in = s.observe.operations.one_in;
  if (s.results == Results::stream) {
    const Forecast values = Min(d.count, Exactly(kExactValues));
    constexpr double kValue = 3 * sizeof(Time), kMember = 500, kPlace = 32, kAround = 0.12, kKinds = 5;
    const double of_value = kValue + (one_in > 0 ? 2 * (kPlace + kAround * kMember) : 0);
    return Forecast{of_value * values.expected, 2 * kKinds * of_value * values.worst} +
           Exactly(2 * kKinds * LogBuckets::kMostBytes) + GrownBytes(d.open, sizeof(OperationRecord));
  }
  const double lines = one_in > 0 ? 1.0 / one_in : 0;
  const double each = kLatency + lines * (kKept * sizeof(OperationRecord) + kSplit + kWaits * kWait);
  const double worst = 2 * kLatency + lines * (2 * sizeof(OperationRecord) + 2 * kSplit + kMostWaits * kWait);
  return Forecast{d.count.expected * each, d.count.worst * worst} +
         GrownBytes(d.open, sizeof(OperationRecord));
}

/// The last steps that led to operations' results, and their messages.
Forecast RememberedBytes(const Scenario& s, const std::vector<Demand>& demands) {
  if (s.observe.operations.one_in == 0) return {};
  Forecast steps, messages;
  for (const Demand& d : demands) {
    if (!OffersOperations(*d.workload)) continue;
    const OperationSteps each = s.services[ServiceOf(*d.workload)]->Steps();
    const Forecast times{d.count.expected, each.worst * d.count.worst};
    steps += each.steps * times;
    messages += each.messages * times;
  }
  constexpr double kSteps = Trail::kRemembered, kMessages = kRememberedOfVerbs;
  const Forecast kept = Min(steps, Exactly(kSteps));
  const Forecast split = Min(messages, Exactly(kMessages));
  Forecast bytes{1.25 * Trail::kStepBytes * kept.expected, 2 * Trail::kStepBytes * kept.worst};
  if (!s.observe.parts) return bytes;
  bytes += MessageTimes::kOfVerbsBytes * split;
  constexpr double kWait = sizeof(Itinerary::Wait), kMost = 4;
  return bytes + Forecast{kWait * split.expected, 2 * kMost * kWait * kMessages * (split.worst > 0)};
}

/// For a service by its number.
ServiceDemand DemandOf(const std::vector<Demand>& demands, size_t service) {
  ServiceDemand asked;
  for (const Demand& d : demands) {
    if (!OffersOperations(*d.workload) || ServiceOf(*d.workload) != service) continue;
    asked.count += d.count;
    asked.open += d.open;
    asked.changes += d.workload->arrivals->ChangingShare() * d.count;
  }
  return asked;
}

MemoryPart PartOfService(const std::string& name, const std::string& less, Forecast bytes) {
  return {fmt::format("service {}", name), less, bytes, MemoryPart::Of::services, name};
}

}  // namespace

std::vector<MemoryPart> PartsOfServices(const Scenario& s, const std::vector<Demand>& demands) {
  std::vector<MemoryPart> parts;
  for (const Demand& d : demands) {
    if (!OffersOperations(*d.workload)) continue;
    parts.push_back({fmt::format("operations of workload {}", d.workload->name),
                     "give a lower rate, a shorter duration, or observe: {operations: 1/100}",
                     OperationBytes(s, d), MemoryPart::Of::workloads, d.workload->name});
  }
  for (size_t i = 0; i < s.services.size(); ++i) {
    const ServiceParameters& p = *s.services[i];
    const auto bytes = p.Footprint(s.topology, LoadOfService(s, i), DemandOf(demands, i));
    if (!bytes) continue;
    parts.push_back(PartOfService(p.name, p.LessMemory(), *bytes));
    parts.back().what += p.MemoryOf();
  }
  if (!parts.empty())
    parts.push_back({"records of where the time of operations went", "observe: {operations: none}",
                     RememberedBytes(s, demands)});
  return parts;
}

}  // namespace headroom
