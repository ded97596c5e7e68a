#include "workload/latencies.h"

namespace headroom {

void Latencies::Fold() {
  for (const Time latency : each_) {
    histogram_.Add(latency);
    folded_us_ += InMicroseconds(latency);
  }
  std::vector<Time>().swap(each_);
}

void Latencies::Add(Time latency) {
  if (exact() && each_.size() < most_) return each_.push_back(latency);
  if (exact()) Fold();
  histogram_.Add(latency);
  folded_us_ += InMicroseconds(latency);
}

void Latencies::Merge(const Latencies& other) {
  if (exact() && other.exact()) {
    each_.insert(each_.end(), other.each_.begin(), other.each_.end());
    return;
  }
  Latencies theirs = other;
  Fold();
  theirs.Fold();
  histogram_.Merge(theirs.histogram_);
  folded_us_ += theirs.folded_us_;
}

double Latencies::sum_us() const {
  double sum = folded_us_;
  for (const Time latency : each_) sum += InMicroseconds(latency);
  return sum;
}

}  // namespace headroom
