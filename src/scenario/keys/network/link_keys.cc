// The keys of links.
#include <fmt/format.h>

#include "scenario/keys/network/topology_keys.h"

namespace headroom::keys {

namespace {

std::string ListOfLinks(const std::string& key) {
  return fmt::format(
      "give links that differ as a list: {}: [{{match: \"*\", rate: 100Gbps, length: 5m}}, {{match: "
      "\"h[0-3]\", rate: 25Gbps}}]",
      key);
}

/// If a scenario gives different links without a list, the error shows the correct form.
void CheckOneLink(const Node& node, const std::string& key) {
  if (!node.IsMap()) return;
  for (const Entry& entry : node.entries) {
    if (entry.key == "match")
      throw ScenarioError(entry.where, "\"match\" is given for a single kind of link", ListOfLinks(key));
    if ((entry.key == "rate" || entry.key == "length" || entry.key == "delay") && !entry.value.IsNull() &&
        !entry.value.IsScalar())
      throw ScenarioError(entry.value.where,
                          fmt::format("{} as the {} of a link", Describe(entry.value), entry.key),
                          ListOfLinks(key));
  }
}

KindOf<std::optional<Time>> Length() {
  return {{"length", "0m to 200000km", R"({"$ref": "#/definitions/length"})"},
          [](const Node& node, std::optional<Time>& delay, Reading&) {
            delay = ParseLength(node);
            if (*delay > Seconds(1))
              throw ScenarioError(node.where, Quote(node.text) + " is too long for a link",
                                  "allowed: 0m to 200000km");
          },
          {}};
}

KindOf<std::optional<double>> Loss() {
  return {{"fraction", "0 to below 1", R"({"$ref": "#/definitions/fraction"})"},
          [](const Node& node, std::optional<double>& loss, Reading&) {
            loss = ParseFraction(node);
            if (*loss >= 1)
              throw ScenarioError(node.where, Quote(node.text) + " is out of range",
                                  "allowed: 0 or more, below 1");
          },
          [](const std::optional<double>& loss, const Writing&) { return loss ? FormatNumber(*loss) : ""; }};
}

/// "0us..64us"
KindOf<LinkReorder> DelayRange() {
  return {
      {"range of times", "LEAST..MOST, up to 1s", R"({"type": "string", "pattern": "^[^ ]+[.][.][^ ]+$"})"},
      [](const Node& node, LinkReorder& reorder, Reading&) {
        const std::string text = ParseText(node);
        const size_t dots = text.find("..");
        if (dots == std::string::npos)
          throw ScenarioError(node.where, Quote(text) + " is not a range of times",
                              "give two times with two dots between them, such as 0us..64us");
        const auto time = [&](const std::string& part) {
          Node one = node;
          one.text = part;
          return ParseTime(one, Time(0), Seconds(1));
        };
        reorder.least = time(text.substr(0, dots));
        reorder.most = time(text.substr(dots + 2));
        for (const Time t : {reorder.least, reorder.most})
          if (t > Seconds(1))
            throw ScenarioError(node.where, FormatTime(t) + " is out of range", "allowed: 0ns to 1s");
        if (reorder.most < reorder.least)
          throw ScenarioError(node.where, Quote(text) + " ends before it begins",
                              "give the shorter time first, such as 0us..64us");
      },
      [](const LinkReorder& r, const Writing&) {
        return fmt::format("{}..{}", FormatTime(r.least), FormatTime(r.most));
      }};
}

const KeysOf<LinkReorder>& ReorderKeys() {
  using R = LinkReorder;
  static const KeysOf<R> keys({.name = "reorder", .page = kLinksPage, .cost = Cost::fixed},
                              {{"probability",
                                &R::probability,
                                Fractions(),
                                "probability that a frame other than PFC is delayed; independent for "
                                "each frame",
                                {.required = true}},
                               {"delay",
                                DelayRange(),
                                "range of the delay added to the frame's time on the cable; the delay is "
                                "uniform in it",
                                {.required = true}}});
  return keys;
}

const KeysOf<LinkRule>& LinkKeys() {
  static const KeysOf<LinkRule> keys(
      {.name = "link", .page = kLinksPage, .help = "one kind of link", .some_of = {{"length", "delay"}}}, [] {
        std::vector<KeyOf<LinkRule>> all;
        AddLinkKeys(all, true);
        return all;
      }());
  return keys;
}

const KeysOf<LinkRule>& LinkRuleKeys() {
  static const KeysOf<LinkRule> keys(
      {.name = "link_rule",
       .page = kLinksPage,
       .help = "an entry of a list of links",
       .some_of = {{"rate", "length", "delay", "phy", "loss", "weight", "reorder"}}},
      [] {
        std::vector<KeyOf<LinkRule>> all{{"match",
                                          &LinkRule::match,
                                          Texts(),
                                          "patterns over nodes, or over node:port, at either end",
                                          {.required = true}}};
        AddLinkKeys(all, false);
        return all;
      }());
  return keys;
}

void ReadLinks(const Node& node, LinkRules& out, Reading& reading) {
  out = {};
  out.key = reading.key;
  out.where = node.where;
  const std::string key = reading.key;
  if (node.IsList()) {
    for (const Node& item : node.items) {
      reading.errors.Guard([&] {
        LinkRule& rule = out.rules.emplace_back();
        LinkRuleKeys().Read(item, &rule, reading);
        const Node* match = item.Find("match");
        rule.where = match ? match->where : item.where;
      });
    }
    if (node.items.empty()) throw ScenarioError(node.where, "the list is empty", ListOfLinks(key));
    return;
  }
  CheckOneLink(node, key);
  LinkRule link;
  LinkKeys().Read(node, &link, reading);
  out.all = SpecOf(link);
}

/// Writes links on one line, or one entry per line.
std::string WriteLinks(const LinkRules& links, const Writing& writing) {
  if (links.rules.empty()) return '{' + WriteLinkKeys(links.all) + '}';
  std::string text;
  bool phy = false, loss = false;  // set once the key is given: until then the default holds, and is written
  for (LinkRule rule : links.rules) {
    phy |= rule.phy.has_value();
    loss |= rule.loss.has_value();
    if (!phy) rule.phy = Time();
    if (!loss) rule.loss = 0;
    text +=
        fmt::format("\n{}- {}", std::string(writing.indent + 2, ' '), LinkRuleKeys().Write(&rule, writing));
  }
  return text;
}

}  // namespace

void AddLinkKeys(std::vector<KeyOf<LinkRule>>& keys, bool rate) {
  const KindOf<std::optional<Time>> time = Maybe(Times(Time(0), Seconds(1)));
  keys.push_back(
      {"rate",
       &LinkRule::rate,
       Maybe(Rates()),
       "rate of each direction",
       {.required = rate, .standard = "an earlier entry's", .tried = {"*2"}, .cost = Cost::hardware}});
  keys.push_back({"length",
                  &LinkRule::delay,
                  Length(),
                  "cable length, with a delay of 5 ns per metre; not with delay",
                  {.standard = "none", .tried = {"/10"}, .cost = Cost::diagnosis}});
  keys.push_back({"delay",
                  &LinkRule::delay,
                  time,
                  "propagation, one way",
                  {.standard = "the length's", .tried = {"/10"}, .cost = Cost::diagnosis}});
  keys.push_back({"phy",
                  &LinkRule::phy,
                  time,
                  "latency of the transceivers at both ends together, per frame and direction",
                  {.standard = "0ns", .tried = {"/10"}, .cost = Cost::diagnosis}});
  keys.push_back({"loss",
                  &LinkRule::loss,
                  Loss(),
                  "probability of losing a frame, independent for each frame and direction",
                  {.standard = "0", .tried = {"0"}, .cost = Cost::repair}});
  keys.push_back({"weight",
                  &LinkRule::weight,
                  Maybe<int>(Integers(1, 100)),
                  "weight of the link among equal next hops, at both ends; flows or packets are divided "
                  "by weight",
                  {.standard = "1", .page = kTopologyPage, .cost = Cost::setting}});
  keys.push_back({"reorder",
                  &LinkRule::reorder,
                  Maybe(OrWord("none", LinkReorder{}, Mapping(ReorderKeys()))),
                  "random additional delay, which lets later frames overtake",
                  {.standard = "none", .tried = {"none"}, .cost = Cost::repair}});
}

std::string WriteLinkKeys(const LinkSpec& link) {
  std::string text = fmt::format("rate: {}, delay: {}, phy: {}, loss: {}", FormatRate(link.rate),
                                 FormatTime(link.delay), FormatTime(link.phy), FormatNumber(link.loss));
  if (link.weight != 1) text += fmt::format(", weight: {}", link.weight);
  if (link.reorder.probability > 0) text += ", reorder: " + ReorderKeys().Write(&link.reorder, {});
  return text;
}

KindOf<LinkRules> Links() {
  Shape shape = LinkRuleKeys().shape();
  shape.kind = "mapping, list";
  shape.bounds =
      "one kind of link for all; or a list of kinds, matched by the nodes or ports at a "
      "link's ends";
  shape.schema = R"({"$ref": "#/definitions/links"})";
  shape.inside = {&LinkKeys(), &LinkRuleKeys()};
  return {shape, ReadLinks, WriteLinks};
}

}  // namespace headroom::keys
