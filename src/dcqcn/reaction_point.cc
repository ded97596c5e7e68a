#include "dcqcn/reaction_point.h"

#include <algorithm>

#include "dcqcn/attributes.h"
#include "dcqcn/machines.h"

namespace headroom {

NS_OBJECT_ENSURE_REGISTERED(ReactionPoint);

ns3::TypeId ReactionPoint::GetTypeId() {
  static ns3::TypeId tid =
      WithAttributes<ReactionPoint>(ns3::TypeId("headroom::ReactionPoint")
                                        .SetParent<ns3::Object>()
                                        .SetGroupName("Headroom")
                                        .AddConstructor<ReactionPoint>(),
                                    kRpTable, &ReactionPoint::parameters, &ReactionPoint::SetParameters);
  return tid;
}

RpState ReactionPoint::Fresh(Rate line) const {
  return AtLine(p_.max_rate.v > 0 ? std::min(line, p_.max_rate) : line);
}

RpState ReactionPoint::AtLine(Rate line) {
  RpState s;
  s.line = s.current = s.target = line;
  return s;
}

RpReaction ReactionPoint::OnNotification(RpState& s, Time now) const {
  return WithMachine(p_, [&](const auto& machine) { return machine.OnNotification(s, now); });
}

void ReactionPoint::OnTimer(RpState& s, Time now) const {
  const bool cuts = s.decrease_due == now;
  WithMachine(p_, [&](const auto& machine) { machine.OnTimer(s, now); });
  if (!cuts && s.AtLineRate()) s.increase_due = kNever;
}

bool ReactionPoint::CountBytes(RpState& s, int64_t wire_bytes) const {
  s.bytes += wire_bytes;
  if (s.bytes < p_.byte_counter.v) return false;
  WithMachine(p_, [&](const auto& machine) {
    for (; s.bytes >= p_.byte_counter.v; s.bytes -= p_.byte_counter.v) machine.OnByteCounter(s);
  });
  if (s.AtLineRate()) s.increase_due = kNever;
  return true;
}

}  // namespace headroom
