#include "scenario/link_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/write.h"
#include "scenario/yaml/pattern.h"
#include "scenario/yaml/quantity.h"

namespace headroom {

namespace {

/// The keys that are there. `delay` goes before `length`.
void ReadLinkKeys(MapReader& map, LinkRule& rule) {
  Rate rate;
  if (map.Field("rate", rate)) rule.rate = rate;
  map.Read("length", [&](const Node& node) {
    rule.delay = ParseLength(node);
    if (*rule.delay > Seconds(1))
      throw ScenarioError(node.where, Quote(node.text) + " is too long for a link",
                          "allowed: 0m to 200000km");
  });
  Time delay, phy;
  if (map.Field("delay", delay, Time(0), Seconds(1))) rule.delay = delay;
  if (map.Field("phy", phy, Time(0), Seconds(1))) rule.phy = phy;
  map.Read("loss", [&](const Node& node) {
    rule.loss = ParseFraction(node);
    if (*rule.loss >= 1)
      throw ScenarioError(node.where, Quote(node.text) + " is out of range", "allowed: 0 to below 1");
  });
}

/// Lays a rule on what is known of a link so far.
void Lay(const LinkRule& rule, LinkRule& link) {
  if (rule.rate) link.rate = rule.rate;
  if (rule.delay) link.delay = rule.delay;
  if (rule.phy) link.phy = rule.phy;
  if (rule.loss) link.loss = rule.loss;
}

LinkSpec SpecOf(const LinkRule& link) {
  return {link.rate.value_or(Rate()), link.delay.value_or(Time()), link.phy.value_or(Time()),
          link.loss.value_or(0)};
}

std::string ListOfLinks(const std::string& key) {
  return fmt::format(
      "links that differ are a list: {}: [{{match: \"*\", rate: 100Gbps, length: 5m}}, {{match: \"h[0-3]\", "
      "rate: 25Gbps}}]",
      key);
}

/// Where somebody tries links that differ without a list, the way to say it.
void CheckOneLink(const Node& node, const std::string& key) {
  if (!node.IsMap()) return;
  for (const Entry& entry : node.entries) {
    if (entry.key == "match")
      throw ScenarioError(entry.where, "\"match\" beside the keys of one link", ListOfLinks(key));
    if ((entry.key == "rate" || entry.key == "length" || entry.key == "delay") && !entry.value.IsNull() &&
        !entry.value.IsScalar())
      throw ScenarioError(entry.value.where,
                          fmt::format("{} as the {} of a link", Describe(entry.value), entry.key),
                          ListOfLinks(key));
  }
}

LinkRule ReadRule(const Node& node, Errors& errors) {
  LinkRule rule;
  MapReader map(node, errors);
  rule.where = node.where;
  map.Need({"match"});
  map.Read("match", [&](const Node& match) {
    rule.match = ParseTexts(match);
    rule.where = match.where;
  });
  ReadLinkKeys(map, rule);
  map.NeedOneOf({"rate", "length", "delay", "phy", "loss"});
  map.Finish();
  return rule;
}

std::string EndsOf(const TopologyNode& a, const TopologyNode& b) { return a.name + " to " + b.name; }

std::string WriteRule(const LinkRule& rule) {
  std::string text = "match: " + WriteTexts(rule.match);
  if (rule.rate) text += ", rate: " + FormatRate(*rule.rate);
  if (rule.delay) text += ", delay: " + FormatTime(*rule.delay);
  if (rule.phy) text += ", phy: " + FormatTime(*rule.phy);
  if (rule.loss) text += ", loss: " + FormatNumber(*rule.loss);
  return text;
}

}  // namespace

LinkSpec ReadLink(MapReader& map) {
  LinkRule link;
  map.Need({"rate"});
  map.NeedOneOf({"length", "delay"});
  ReadLinkKeys(map, link);
  return SpecOf(link);
}

void ReadLinks(MapReader& map, const std::string& key, LinkRules& out) {
  map.Read(key, [&](const Node& node) {
    out = {};
    out.key = key;
    out.where = node.where;
    if (node.IsList()) {
      for (const Node& item : node.items)
        map.errors().Guard([&] { out.rules.push_back(ReadRule(item, map.errors())); });
      if (node.items.empty()) throw ScenarioError(node.where, "the list is empty", ListOfLinks(key));
      return;
    }
    CheckOneLink(node, key);
    MapReader link(node, map.errors());
    out.all = ReadLink(link);
    link.Finish();
  });
}

std::string WriteLinkKeys(const LinkSpec& link) {
  return fmt::format("rate: {}, delay: {}, phy: {}, loss: {}", FormatRate(link.rate), FormatTime(link.delay),
                     FormatTime(link.phy), FormatNumber(link.loss));
}

std::string WriteLinks(const LinkRules& links, const std::string& indent) {
  if (links.rules.empty()) return fmt::format(" {{{}}}\n", WriteLinkKeys(links.all));
  std::string text = "\n";
  bool phy = false, loss = false;  // has been given: until then the default holds, and is written
  for (LinkRule rule : links.rules) {
    phy |= rule.phy.has_value();
    loss |= rule.loss.has_value();
    if (!phy) rule.phy = Time();
    if (!loss) rule.loss = 0;
    text += fmt::format("{}- {{{}}}\n", indent, WriteRule(rule));
  }
  return text;
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
            fmt::format("an entry that matches it gives one; {{match: \"*\", {}: …}} first is for all",
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
      throw ScenarioError(rule.where,
                          fmt::format("{} matches no end of a link of {}", Quote(rule.match[p]), rules_.key),
                          fmt::format("they lead from {}{}", first_, last_ == first_ ? "" : " … " + last_));
    }
  }
}

}  // namespace headroom
