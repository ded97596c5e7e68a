#include "history/register_check.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace headroom {

namespace {

constexpr Time kBeforeAll{INT64_MIN};

/// The operations of one value.
struct Zone {
  const RegisterOperation* earliest_end;
  const RegisterOperation* latest_start;
  Time f() const { return earliest_end->end; }
  Time s() const { return latest_start->start; }
  bool IsForward() const { return f() < s(); }
};

RegisterViolation Conflict(const Zone& x, const Zone& y) {
  return {RegisterViolation::Rule::order, *x.earliest_end, *y.latest_start, *y.earliest_end, *x.latest_start};
}

}  // namespace

std::optional<RegisterViolation> FindViolation(std::span<RegisterOperation> operations) {
  std::sort(operations.begin(), operations.end(), [](const RegisterOperation& a, const RegisterOperation& b) {
    return std::tuple(a.value, !a.write, a.start, a.operation) <
           std::tuple(b.value, !b.write, b.start, b.operation);
  });
  static constexpr RegisterOperation initial{0, kBeforeAll, kBeforeAll, UINT32_MAX, true};
  std::vector<Zone> forward, backward;
  for (size_t begin = 0, end = 0; begin < operations.size(); begin = end) {
    const WriteId value = operations[begin].value;
    const RegisterOperation* const write = value == 0                ? &initial
                                           : operations[begin].write ? &operations[begin]
                                                                     : nullptr;
    Zone zone{write, write};
    bool read = false;
    for (end = begin; end < operations.size() && operations[end].value == value; ++end) {
      const RegisterOperation& o = operations[end];
      if (o.write || o.end == kNever) continue;
      if (write == nullptr) return RegisterViolation{RegisterViolation::Rule::unknown_value, o, {}, {}, {}};
      if (o.end < write->start)
        return RegisterViolation{RegisterViolation::Rule::too_early, o, *write, {}, {}};
      if (o.end < zone.f()) zone.earliest_end = &o;
      if (o.start > zone.s()) zone.latest_start = &o;
      read = true;
    }
    if (write == nullptr || (write->end == kNever && !read))
      continue;  // it is unknown whether the write was executed
    (zone.IsForward() ? forward : backward).push_back(zone);
  }
  const auto by_f = [](const Zone& a, const Zone& b) { return a.f() < b.f(); };
  std::sort(forward.begin(), forward.end(), by_f);
  for (size_t i = 1; i < forward.size(); ++i) {
    if (forward[i].f() < forward[i - 1].s()) return Conflict(forward[i - 1], forward[i]);
  }
  for (const Zone& zone : backward) {
    const auto behind = std::partition_point(forward.begin(), forward.end(),
                                             [&](const Zone& other) { return other.f() < zone.s(); });
    if (behind != forward.begin() && zone.f() < (behind - 1)->s()) return Conflict(*(behind - 1), zone);
  }
  return std::nullopt;
}

}  // namespace headroom
