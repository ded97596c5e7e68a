#include "scenario/senders.h"

#include <algorithm>

namespace headroom {

static size_t Senders(const Scenario& s) { return s.workloads.size() + s.services.size(); }

int TagCount(const Scenario& scenario) {
  const size_t senders = Senders(scenario);
  return 1 + (senders == 0 ? 0 : FrameTag(senders - 1));
}

std::string SenderName(const Scenario& s, uint8_t tag) {
  if (tag == kNoTag) return "";
  size_t n = tag - 1u;
  if (tag == FrameTag(SIZE_MAX - 1) && Senders(s) > tag) return "others";
  if (n < s.workloads.size()) return s.workloads[n].name;
  return s.services[n - s.workloads.size()]->name;
}

uint8_t TagOfService(const Scenario& s, size_t service) { return FrameTag(s.workloads.size() + service); }

bool HasQueuePairs(const Scenario& s, uint8_t priority) {
  return std::ranges::any_of(s.workloads, [&](const auto& w) { return w.arrivals->SendsIn(priority, w); }) ||
         std::ranges::any_of(s.services, [&](const AnyService& p) { return p->HasQueuePairs(priority); });
}

}  // namespace headroom
