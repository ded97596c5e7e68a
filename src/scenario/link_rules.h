// The links of one kind in a topology: all alike, or different by the nodes and ports at their ends.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "net/topology/link_of.h"
#include "scenario/yaml/error.h"

namespace headroom {

/// An entry of a list of links: the values for matching links.
struct LinkRule {
  std::vector<std::string> match;  ///< shell patterns over nodes, or over node:port, at either end
  std::optional<Rate> rate;
  std::optional<Time> delay, phy;
  std::optional<double> loss;
  std::optional<int> weight;
  std::optional<LinkReorder> reorder;
  Position where;
};

struct LinkRules {
  LinkSpec all;                 ///< used if there are no rules
  std::vector<LinkRule> rules;  ///< for each key, the last match wins
  std::string key;              ///< the key that contains the rules, for example host_link
  Position where;
};

/// The values that the rules give for a link.
LinkSpec SpecOf(const LinkRule& link);

/// Selects rules while a topology is built.
class LinkChooser {
 public:
  explicit LinkChooser(const LinkRules& rules) : rules_(rules), used_(rules.rules.size()) {
    for (size_t i = 0; i < used_.size(); ++i) used_[i].resize(rules.rules[i].match.size());
  }
  const std::string& key() const { return rules_.key; }
  /// Throws a ScenarioError for a link without a rate or a length. The result refers to this object.
  LinkOf Links();
  /// Throws a ScenarioError for a pattern that matched no link.
  void CheckAllUsed() const;

 private:
  bool Use(size_t rule, const TopologyNode& node, const std::string& port);

  const LinkRules& rules_;
  std::vector<std::vector<bool>> used_;  ///< indexed by rule and pattern
  std::string first_, last_;             ///< first and last of the links, for messages: "h0 to leaf0"
};

}  // namespace headroom
