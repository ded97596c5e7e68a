// Reverie: lossless groups and lossy queues share one pool, in which each frame counts once: a lossless frame
// with its group, a lossy one with its queue. The limit alpha / n × free is compared with a filtered length,
// so a burst passes and a standing queue does not. n: the queues of the same priority, each weighted by its
// filtered length over `congested_at`, at most 1.
//
// The pool has the bytes that dynamic ingress pools share; if no ingress pool is dynamic, those of egress
// pools. Lossless queues and lossy groups have no limit. A filtered length changes when a frame leaves, and
// never exceeds the length itself.
//
// Source: Addanki et al., Reverie: Low Pass Filter-Based Switch Buffer Sharing for Datacenters with RDMA and
// TCP Traffic, NSDI 2024, equations 4 to 6; inet-tub/ns3-datacenter for the times at which the filter
// changes.
#include <algorithm>

#include "net/traffic_class.h"
#include "switch/buffer/policy/policies.h"

namespace headroom {
namespace {

/// Filtered lengths are in units of 2^-16 B.
constexpr int kLengthBits = 16;

class Reverie final : public BufferPolicy {
 public:
  explicit Reverie(const BufferPolicyParameters& p)
      : step_(FixedAlpha(1 - p.gamma)), congested_at_(std::max<int64_t>(1, p.congested_at.v)) {}

  int64_t Limit(uint32_t object, bool) const override {
    if (!counts_[object]) return INT64_MAX / 2;
    const Object& o = objects_[object];
    const int64_t free = std::max<int64_t>(0, Of(o).size - Of(o).shared);
    const auto most = static_cast<Uint128>(TimesAlpha(free, o.alpha));
    const int64_t queues = std::max(congested_at_, lengths_[KindOf(o)]);
    return static_cast<int64_t>(most * static_cast<uint64_t>(congested_at_) / static_cast<uint64_t>(queues));
  }
  /// Bytes that have not been admitted have no filtered length.
  int64_t Measured(uint32_t object, int64_t shared) const override {
    return Length(object) + shared - objects_[object].shared;
  }

 protected:
  void OnSetup() override {
    const bool ingress = std::ranges::any_of(pools_, [](const Pool& p) { return p.dynamic && !p.egress; });
    for (const Pool& p : pools_) {
      if (p.slice >= joint_.size()) joint_.resize(p.slice + size_t{1});
      if (p.dynamic && p.egress != ingress) joint_[p.slice].size += p.size;
    }
    for (const Object& o : objects_)
      counts_.push_back(o.pool != 0 && pools_[o.pool].dynamic && o.lossless != o.egress);
    filtered_.assign(objects_.size(), 0);
    lengths_.assign(pools_.size() * kPriorities, 0);
  }
  void OnChange(uint32_t object, int64_t before) override {
    if (!counts_[object]) return;
    const Object& o = objects_[object];
    Of(o).shared += o.shared - before;
    if (filtered_[object] > o.shared << kLengthBits) Filter(object, o.shared << kLengthBits);
  }
  void OnRelease(uint32_t object, int64_t) override {
    if (!counts_[object]) return;
    const int64_t above = (objects_[object].shared << kLengthBits) - filtered_[object];
    Filter(object, filtered_[object] + TimesAlpha(above, step_));
  }

 private:
  struct Joint {
    int64_t size = 0, shared = 0;
  };
  Joint& Of(const Object& o) { return joint_[pools_[o.pool].slice]; }
  const Joint& Of(const Object& o) const { return joint_[pools_[o.pool].slice]; }
  static size_t KindOf(const Object& o) { return size_t{o.pool} * kPriorities + o.number; }
  int64_t Length(uint32_t object) const { return filtered_[object] >> kLengthBits; }
  void Filter(uint32_t object, int64_t length) {
    int64_t& of_kind = lengths_[KindOf(objects_[object])];
    of_kind -= std::min(congested_at_, Length(object));
    filtered_[object] = length;
    of_kind += std::min(congested_at_, Length(object));
  }

  uint64_t step_;  ///< 1 − gamma
  int64_t congested_at_;
  std::vector<Joint> joint_;       ///< indexed by slice
  std::vector<bool> counts_;       ///< indexed by object: whether it is limited and counts in the joint pool
  std::vector<int64_t> filtered_;  ///< indexed by object
  std::vector<int64_t> lengths_;   ///< Σ min(congested_at, length), indexed by pool and priority
};

}  // namespace

std::unique_ptr<BufferPolicy> MakeReverie(const BufferPolicyParameters& parameters) {
  return std::make_unique<Reverie>(parameters);
}

}  // namespace headroom
