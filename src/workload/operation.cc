#include "workload/operation.h"

#include <algorithm>

namespace headroom {

void OperationTotals::Join(const OperationTotals& other) {
  for (auto sum : {&OperationTotals::offered, &OperationTotals::finished, &OperationTotals::failed,
                   &OperationTotals::corrupt, &OperationTotals::retries, &OperationTotals::ramp,
                   &OperationTotals::steady})
    this->*sum += other.*sum;
  for (auto sum : {&OperationTotals::bytes, &OperationTotals::finished_bytes, &OperationTotals::steady_bytes})
    this->*sum += other.*sum;
  held += other.held;
  first_start = std::min(first_start, other.first_start);
  last_completed = std::max(last_completed, other.last_completed);
  span = other.span;
  latencies.Merge(other.latencies);
  unfinished.insert(unfinished.end(), other.unfinished.begin(), other.unfinished.end());
  for (size_t i = 0; i < kOperationParts; ++i) parts_us[i] += other.parts_us[i];
}

}  // namespace headroom
