#include "scenario/link_rules.h"

#include <fmt/format.h>

#include "scenario/yaml/node.h"
#include "scenario/yaml/pattern.h"

namespace headroom {

namespace {

/// Applies a rule to the known values of a link.
void Lay(const LinkRule& rule, LinkRule& link) {
  if (rule.rate) link.rate = rule.rate;
  if (rule.delay) link.delay = rule.delay;
  if (rule.phy) link.phy = rule.phy;
  if (rule.loss) link.loss = rule.loss;
  if (rule.weight) link.weight = rule.weight;
  if (rule.reorder) link.reorder = rule.reorder;
}

std::string EndsOf(const TopologyNode& a, const TopologyNode& b) { return a.name + " to " + b.name; }

}  // namespace

LinkSpec SpecOf(const LinkRule& link) {
  return {link.rate.value_or(Rate()), link.delay.value_or(Time()), link.phy.value_or(Time()),
          link.loss.value_or(0),      link.weight.value_or(1),     link.reorder.value_or(LinkReorder{})};
}

LinkOf LinkChooser::Links() {
  return LinkOf::Choose([this](const TopologyNode& a, const std::string& a_port, const TopologyNode& b,
                               const std::string& b_port) {
    last_ = EndsOf(a, b);
    if (first_.empty()) first_ = last_;
    LinkRule link;
    for (size_t i = 0; i < rules_.rules.size(); ++i) {
      const bool at_a = Use(i, a, a_port), at_b = Use(i, b, b_port);
      if (at_a || at_b) Lay(rules_.rules[i], link);
    }
    for (const auto& [missing, what] : {std::pair(!link.rate, "rate"), std::pair(!link.delay, "length")}) {
      if (missing)
        throw ScenarioError(
            rules_.where, fmt::format("the link {} has no {}", last_, what),
            fmt::format("give an entry that matches the link; a first entry {{match: \"*\", {}: …}} "
                        "applies to all links",
                        what));
    }
    return SpecOf(link);
  });
}

bool LinkChooser::Use(size_t rule, const TopologyNode& node, const std::string& port) {
  const std::vector<std::string>& patterns = rules_.rules[rule].match;
  bool any = false;
  for (size_t i = 0; i < patterns.size(); ++i) {
    if (!MatchesPort(patterns[i], node.name, port)) continue;
    used_[rule][i] = any = true;
  }
  return any;
}

void LinkChooser::CheckAllUsed() const {
  for (size_t i = 0; i < used_.size(); ++i) {
    for (size_t p = 0; p < used_[i].size(); ++p) {
      if (used_[i][p]) continue;
      const LinkRule& rule = rules_.rules[i];
      throw ScenarioError(
          rule.where, fmt::format("{} matches no end of any link of {}", Quote(rule.match[p]), rules_.key),
          fmt::format("these links lead from {}{}", first_, last_ == first_ ? "" : " … " + last_));
    }
  }
}

}  // namespace headroom
