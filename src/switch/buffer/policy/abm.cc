// ABM: a limit of alpha / n × free × drain. n: congested queues of the same priority in the pool, over all
// ports; drain: the rate at which the queue drains, divided by its port's rate. So the policy bounds a
// priority's bytes, and the time in which a queue drains. Frames of a sender's first window have their own
// alpha, which admits a burst.
//
// Both numbers are measured once per `interval`, at the first event after it. A queue counts as congested
// above a share of its limit. Drain rates are those of congested queues; the others have 1. Groups are
// treated like queues: the drain rate is that of frames that leave the group.
//
// Source: Addanki et al., ABM: Active Buffer Management in Datacenters, SIGCOMM 2022; the bounds of the drain
// are those of inet-tub/ns3-datacenter.
#include <algorithm>

#include "net/traffic_class.h"
#include "switch/buffer/policy/policies.h"

namespace headroom {
namespace {

/// Drain rates are in units of 2^-16 of a port's rate.
constexpr int kDrainBits = 16;
constexpr int64_t kWholePort = int64_t{1} << kDrainBits;
/// A drain rate below the share of one in as many queues as there are priorities counts as not measured.
constexpr int64_t kLeastDrain = kWholePort / kPriorities;
/// Preamble and gap: rates are those on the wire.
constexpr int64_t kWireOnly = 20;

int64_t DrainOf(int64_t bytes, Time span, Rate rate) {
  const int64_t whole = BytesIn(span, rate).v;
  if (whole == 0) return kWholePort;
  const auto drain = static_cast<int64_t>((static_cast<Uint128>(bytes) << kDrainBits) / whole);
  return drain < kLeastDrain || drain > kWholePort ? kWholePort : drain;
}

class Abm final : public BufferPolicy {
 public:
  explicit Abm(const BufferPolicyParameters& p)
      : interval_(p.interval),
        first_window_alpha_(FixedAlpha(p.unscheduled_alpha)),
        congested_(FixedAlpha(p.congested)) {}

  void AdvanceTo(Time now) override {
    const Time span = now - measured_at_;
    if (span < interval_) return;
    measured_at_ = now;
    std::vector<int64_t> congested(counts_.size());
    for (uint32_t i = 0; i < objects_.size(); ++i) {
      const Object& o = objects_[i];
      if (!o.decides) continue;
      const bool is = o.shared > 0 && o.shared >= TimesAlpha(Limit(i, false), congested_);
      if (is) ++congested[KindOf(o)];
      drains_[i] = is ? DrainOf(left_[i], span, o.rate) : kWholePort;
      left_[i] = 0;
    }
    counts_ = std::move(congested);
  }

  int64_t Limit(uint32_t object, bool first_window) const override {
    const Object& o = objects_[object];
    const int64_t most = TimesAlpha(FreeFor(object), first_window ? first_window_alpha_ : o.alpha);
    const auto drained = static_cast<int64_t>(
        static_cast<Uint128>(most) * static_cast<uint64_t>(drains_[object]) >> kDrainBits);
    return drained / std::max<int64_t>(1, counts_[KindOf(o)]);
  }

 protected:
  void OnSetup() override {
    drains_.assign(objects_.size(), kWholePort);
    left_.assign(objects_.size(), 0);
    counts_.assign(pools_.size() * kPriorities, 0);
  }
  void OnRelease(uint32_t object, int64_t bytes) override { left_[object] += bytes + kWireOnly; }

 private:
  static size_t KindOf(const Object& o) { return size_t{o.pool} * kPriorities + o.number; }

  Time interval_;
  uint64_t first_window_alpha_, congested_;
  Time measured_at_;
  std::vector<int64_t> drains_,
      left_;                     ///< indexed by object: drain rate, and bytes that left since measured_at_
  std::vector<int64_t> counts_;  ///< number of congested objects, indexed by pool and priority
};

}  // namespace

std::unique_ptr<BufferPolicy> MakeAbm(const BufferPolicyParameters& parameters) {
  return std::make_unique<Abm>(parameters);
}

}  // namespace headroom
