#include "workload/distributions/latencies.h"

namespace headroom {

void Latencies::Fold() {
  for (const Time latency : each_) buckets_.Add(latency.v);
  std::vector<Time>().swap(each_);
}

void Latencies::Add(Time latency) {
  if (exact() && each_.size() < most_) return each_.push_back(latency);
  if (exact()) Fold();
  buckets_.Add(latency.v);
}

void Latencies::Merge(const Latencies& other) {
  if (exact() && other.exact()) {
    each_.insert(each_.end(), other.each_.begin(), other.each_.end());
    return;
  }
  Latencies theirs = other;
  Fold();
  theirs.Fold();
  buckets_.Merge(theirs.buckets_);
}

}  // namespace headroom
