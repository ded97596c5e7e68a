#include "scenario/paths/largest_trip.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace headroom {

namespace {

constexpr int64_t kSecond = 1'000'000'000;  // in ns

struct Path {
  int64_t delay = 0, sends = 0;  ///< in ns
  Rate slowest{INT64_MAX};
};

class Trips {
 public:
  explicit Trips(const Scenario& scenario)
      : topology_(scenario.topology), payload_(scenario.mtu), links_(topology_.nodes.size()) {
    for (const TopologyLink& l : topology_.links) {
      links_[l.a.node].push_back({l.b.node, &l.spec});
      links_[l.b.node].push_back({l.a.node, &l.spec});
    }
  }

  LargestTrip Find() {
    std::set<std::tuple<NodeId, int64_t, int64_t>> known;  // hosts with equal links have the same trips
    for (NodeId host = 0; host < topology_.hosts; ++host) {
      for (const End& end : links_[host])
        if (known.insert({end.to, end.link->rate.v, DelayOf(*end.link)}).second) Spread(host);
    }
    return largest_;
  }

 private:
  struct End {
    NodeId to;
    const LinkSpec* link;
  };
  static int64_t DelayOf(const LinkSpec& link) { return (link.delay + link.phy).v / 1000; }

  /// Visits all nodes by the fewest hops; hosts do not forward.
  void Spread(NodeId from) {
    std::vector<std::optional<Path>> paths(topology_.nodes.size());
    std::vector<NodeId> queue{from};
    paths[from] = Path{};
    for (size_t i = 0; i < queue.size(); ++i) {
      for (const End& end : links_[queue[i]]) {
        if (paths[end.to]) continue;
        const Path& here = *paths[queue[i]];
        paths[end.to] = {here.delay + DelayOf(*end.link),
                         here.sends + payload_ * 8 * kSecond / end.link->rate.v,
                         std::min(here.slowest, end.link->rate)};
        if (end.to < topology_.hosts) {
          Count(*paths[end.to]);
        } else {
          queue.push_back(end.to);
        }
      }
    }
  }

  void Count(const Path& path) {
    const int64_t trip = 2 * path.delay + path.sends;
    largest_.round_trip = std::max(largest_.round_trip, Nanoseconds(trip));
    const auto bits = static_cast<Uint128>(trip) * static_cast<Uint128>(path.slowest.v) / kSecond;
    largest_.product = std::max(largest_.product, Bytes(static_cast<int64_t>(bits / 8)));
  }

  const Topology& topology_;
  const int64_t payload_;
  std::vector<std::vector<End>> links_;  ///< indexed by node
  LargestTrip largest_;
};

}  // namespace

LargestTrip LargestTripOf(const Scenario& scenario) { return Trips(scenario).Find(); }

bool WantsLargestTrip(const Scenario& scenario) {
  return std::ranges::any_of(
      scenario.nics, [](const NicParameters& nic) { return nic.HasControl() && nic.control->of_network(); });
}

}  // namespace headroom
