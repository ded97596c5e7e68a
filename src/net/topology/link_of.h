// The links of one kind, for the builders of topologies.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "net/topology/topology.h"

namespace headroom {

/// All links are alike, or each depends on its ends.
class LinkOf {
 public:
  using Choose = std::function<LinkSpec(const TopologyNode& a, const std::string& a_port,
                                        const TopologyNode& b, const std::string& b_port)>;
  LinkOf(const LinkSpec& all = {}) : all_(all) {}
  LinkOf(Rate rate, Time delay, Time phy = {}, double loss = 0) : all_{rate, delay, phy, loss} {}
  LinkOf(Choose choose) : choose_(std::move(choose)) {}

  LinkSpec operator()(const TopologyNode& a, const std::string& a_port, const TopologyNode& b,
                      const std::string& b_port) const {
    return choose_ ? choose_(a, a_port, b, b_port) : all_;
  }

 private:
  LinkSpec all_;
  Choose choose_;  ///< empty if all are alike
};

}  // namespace headroom
