#include "scenario/senders.h"

namespace headroom {

static size_t Senders(const Scenario& s) {
  return s.workloads.size() + s.services.size() + s.key_values.size() + s.connections.size();
}

int TagCount(const Scenario& scenario) {
  const size_t senders = Senders(scenario);
  return 1 + (senders == 0 ? 0 : FrameTag(senders - 1));
}

std::string SenderName(const Scenario& s, uint8_t tag) {
  if (tag == kNoTag) return "";
  size_t n = tag - 1u;
  if (tag == FrameTag(SIZE_MAX - 1) && Senders(s) > tag) return "others";
  if (n < s.workloads.size()) return s.workloads[n].name;
  n -= s.workloads.size();
  if (n < s.services.size()) return s.services[n].name;
  n -= s.services.size();
  if (n < s.key_values.size()) return s.key_values[n].name;
  return s.connections[n - s.key_values.size()].name;
}

uint8_t TagOfService(const Scenario& s, size_t service) { return FrameTag(s.workloads.size() + service); }

uint8_t TagOfKeyValues(const Scenario& s, size_t service) {
  return FrameTag(s.workloads.size() + s.services.size() + service);
}

uint8_t TagOfConnections(const Scenario& s, size_t service) {
  return FrameTag(s.workloads.size() + s.services.size() + s.key_values.size() + service);
}

}  // namespace headroom
