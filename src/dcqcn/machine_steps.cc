#include "dcqcn/machine_steps.h"

#include <algorithm>

namespace headroom {

Time NextCheck(const RpParameters& p, const RpState& s, Time now, Time offset) {
  const Time window = std::max(p.reduce_window, Nanoseconds(1));  // without a window, the check repeats
  const int64_t periods = std::max<int64_t>(0, (now - s.first_flag - offset) / window);
  return s.first_flag + window * (periods + 1) + offset;
}

}  // namespace headroom
