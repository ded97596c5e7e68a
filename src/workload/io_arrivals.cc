// Of parameters.h: whether two workloads ask for the same I/Os.
#include <tuple>

#include "workload/parameters.h"

namespace headroom {

namespace {

template <class T>
bool SameContent(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b) {
  return a == b || (a && b && *a == *b);
}

auto Tied(const IoArrivals& a) {
  return std::tie(a.service, a.from, a.to, a.blocks, a.write_blocks, a.reads, a.depth, a.rate, a.even,
                  a.think, a.addresses, a.ramp, a.start, a.stop);
}

}  // namespace

bool IoArrivals::operator==(const IoArrivals& other) const {
  return Tied(*this) == Tied(other) && SameContent(job, other.job) && SameContent(trace, other.trace);
}

}  // namespace headroom
