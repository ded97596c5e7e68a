#include "analysis/bounds/max_min.h"

#include <algorithm>
#include <utility>

namespace headroom {
namespace {

/// Links fill at the common rate of the flows that still grow; settled flows keep their share.
class WaterFilling {
 public:
  WaterFilling(const std::vector<double>& capacity, const std::vector<MaxMinFlow>& flows)
      : flows_(flows),
        left_(capacity),
        growing_(capacity.size()),
        uses_(capacity.size()),
        flows_of_(capacity.size()),
        settled_(flows.size()),
        rates_(flows.size()) {
    for (uint32_t f = 0; f < flows.size(); ++f) {
      for (size_t i = 0; i < flows[f].links.size(); ++i) {
        const uint32_t link = flows[f].links[i];
        ++growing_[link];
        uses_[link] += ShareOn(flows[f], i);
        flows_of_[link].push_back(f);
      }
      by_limit_.push_back(f);
    }
    std::ranges::stable_sort(by_limit_, {}, [&](uint32_t f) { return flows[f].limit; });
  }

  std::vector<double> Fill() {
    for (uint32_t f : by_limit_) {
      // Links that fill before the lowest limit of a growing flow settle first.
      while (!settled_[f]) {
        const uint32_t link = FullestLink();
        if (link == kNone || flows_[f].limit <= ShareOf(link)) {
          Settle(f, flows_[f].limit);
        } else {
          const double share = ShareOf(link);
          for (uint32_t other : flows_of_[link]) Settle(other, share);
        }
      }
    }
    return std::move(rates_);
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  static double ShareOn(const MaxMinFlow& flow, size_t i) { return flow.shares.empty() ? 1 : flow.shares[i]; }
  double ShareOf(uint32_t link) const { return std::max(0.0, left_[link]) / uses_[link]; }

  /// The link that limits its growing flows most; kNone if no link is left.
  uint32_t FullestLink() const {
    uint32_t fullest = kNone;
    for (uint32_t link = 0; link < left_.size(); ++link) {
      if (growing_[link] == 0) continue;
      if (fullest == kNone || ShareOf(link) < ShareOf(fullest)) fullest = link;
    }
    return fullest;
  }

  void Settle(uint32_t f, double rate) {
    if (settled_[f]) return;
    settled_[f] = true;
    rates_[f] = rate;
    for (size_t i = 0; i < flows_[f].links.size(); ++i) {
      const uint32_t link = flows_[f].links[i];
      --growing_[link];
      uses_[link] -= ShareOn(flows_[f], i);
      left_[link] -= rate * ShareOn(flows_[f], i);
    }
  }

  const std::vector<MaxMinFlow>& flows_;
  std::vector<double> left_;       ///< indexed by link: capacity minus the rates of settled flows
  std::vector<uint32_t> growing_;  ///< indexed by link: number of flows that still grow
  std::vector<double> uses_;       ///< indexed by link: the shares of these
  std::vector<std::vector<uint32_t>> flows_of_;  ///< indexed by link
  std::vector<uint32_t> by_limit_;
  std::vector<char> settled_;
  std::vector<double> rates_;
};

}  // namespace

std::vector<double> MaxMinRates(const std::vector<double>& capacity, const std::vector<MaxMinFlow>& flows) {
  return WaterFilling(capacity, flows).Fill();
}

}  // namespace headroom
