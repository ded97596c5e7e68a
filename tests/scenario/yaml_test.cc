// YAML: reading a tree, merging trees, and setting values in them.
#include <gtest/gtest.h>

#include "scenario/yaml/parse_yaml.h"
#include "scenario/yaml/set_path.h"

namespace headroom::yaml_test {
namespace {

Node Parse(const std::string& text) {
  return ParseYaml(text, std::make_shared<SourceFile>(SourceFile{"f", ".", 0}));
}

std::string ErrorOf(const std::string& text) {
  try {
    Parse(text);
  } catch (const ScenarioError& e) {
    return e.what();
  }
  return "";
}

TEST(ParseYaml, keeps_text_and_places) {
  const Node root = Parse("a: 1\nb:\n  - x\n  - {c: \"null\", d: null, e: ~}\n");
  EXPECT_EQ(ToFlow(root), "{a: 1, b: [x, {c: \"null\", d: null, e: null}]}");
  EXPECT_EQ(root.Find("b")->items[1].Find("c")->where.ToString(), "f:4:9");
}

TEST(ParseYaml, anchors_and_merged_mappings) {
  EXPECT_EQ(ToFlow(Parse("a: &x {p: 1, q: 2}\nb: *x\nc: {<<: *x, q: 3}\n")),
            "{a: {p: 1, q: 2}, b: {p: 1, q: 2}, c: {q: 3, p: 1}}");
  EXPECT_EQ(ToFlow(Parse("a: &x {p: 1}\nb: &y {p: 2, q: 2}\nc: {<<: [*x, *y]}\n")),
            "{a: {p: 1}, b: {p: 2, q: 2}, c: {p: 1, q: 2}}");
}

TEST(ParseYaml, refuses_what_is_no_scenario) {
  EXPECT_EQ(ErrorOf("a: 1\na: 2\n"), "f:2:1: the key \"a\" appears twice, first in line 1");
  EXPECT_EQ(ErrorOf("[a, b]: 1\n"), "f:1:1: the key is not text");
  EXPECT_EQ(ErrorOf("a: &x [*x]\n"), "f:1:8: the alias is inside the value that it names");
  EXPECT_EQ(ErrorOf("a: 1\n---\nb: 2\n"),
            "f:3:1: a second YAML document begins here; a scenario is one "
            "document");
  EXPECT_EQ(ErrorOf("a: {<<: 1}\n"), "f:1:9: << merges mappings, not \"1\"");
  EXPECT_EQ(
      ErrorOf("a: *x\n"),
      "f:1:4: there is no anchor \"x\"; write a text that begins with * in quotes; did you mean \"*x\"?");
}

TEST(ParseYaml, refuses_tags) {
  const std::string rest = " is not supported; leave out the tag: the key determines the type of its value";
  for (const std::string tag : {"!!str", "!!int", "!foo", "!!seq"}) {
    EXPECT_EQ(ErrorOf("a: " + tag + " 1\n"), "f:1:4: the YAML tag \"" + tag + '"' + rest);
    EXPECT_EQ(ErrorOf("a: " + tag + " [1]\n"), "f:1:4: the YAML tag \"" + tag + '"' + rest);
    EXPECT_EQ(ErrorOf("a: [x, " + tag + " {b: 1}]\n"), "f:1:8: the YAML tag \"" + tag + '"' + rest);
    EXPECT_EQ(ErrorOf(tag + " a: 1\n").substr(0, 19), "f:1:1: the YAML tag");
  }
  EXPECT_EQ(ErrorOf("a: \"!!str\"\nb: 'x'\n"), "");
}

TEST(ParseYaml, depth_is_bounded_before_the_stack_is_used) {
  const std::string error = "the values are nested deeper than 64 levels";
  EXPECT_NE(ErrorOf(std::string(9'000, '[') + std::string(9'000, ']')).find(error), std::string::npos);
  EXPECT_EQ(ErrorOf(std::string(10'000'000, '[')), "f:1:1: the file has more than 10000 open brackets");
  EXPECT_EQ(ErrorOf(std::string(10'000'001, ',')), "f:1:1: the file has more than 10000000 commas");
  std::string dashes;
  for (int i = 0; i < 50'000; ++i) dashes += "- ";
  EXPECT_NE(ErrorOf(dashes + "x").find(error), std::string::npos);
}

TEST(ParseYaml, a_long_list_is_no_alias) {
  std::string list = "[";
  for (int i = 0; i < 150'000; ++i)
    list += "{at: 0us, from: h0, to: h1, size: 1KB, priority: 3, x: 1, y: 2},\n";
  EXPECT_EQ(ErrorOf(list + "]"), "");
}

std::string After(const std::string& text, const std::string& set) {
  Node root = Parse(text);
  try {
    ApplySet(root, set, ".", 1);
  } catch (const ScenarioError& e) {
    return e.what();
  }
  return ToFlow(root);
}

TEST(SetPath, finds_items_by_index_name_and_match) {
  const std::string list = "w: [{name: a, n: 1}, {name: b, n: 2}]\ns: [{match: \"*\"}, {match: t0}]\n";
  EXPECT_EQ(After(list, "w.1.n=3"),
            "{w: [{name: a, n: 1}, {name: b, n: 3}], s: [{match: \"*\"}, {match: t0}]}");
  EXPECT_EQ(After(list, "w.a.n=3"),
            "{w: [{name: a, n: 3}, {name: b, n: 2}], s: [{match: \"*\"}, {match: t0}]}");
  EXPECT_EQ(After(list, "w.*.n=3"),
            "{w: [{name: a, n: 3}, {name: b, n: 3}], s: [{match: \"*\"}, {match: t0}]}");
  EXPECT_EQ(After(list, "s.*.x.y=z"),
            "{w: [{name: a, n: 1}, {name: b, n: 2}], s: [{match: \"*\", x: {y: z}}, {match: t0}]}");
  EXPECT_EQ(After(list, "s.t0.x={y: [1, 2]}"),
            "{w: [{name: a, n: 1}, {name: b, n: 2}], s: [{match: \"*\"}, {match: t0, x: {y: [1, 2]}}]}");
}

TEST(SetPath, finds_items_by_a_list_of_patterns) {
  const std::string list = "s: [{match: \"*\"}, {match: [t0, \"u*\"]}]\n";
  for (const std::string step : {"[t0,u*]", "[t0, u*]", "[t0, \"u*\"]"})
    EXPECT_EQ(After(list, "s." + step + ".x=1"), "{s: [{match: \"*\"}, {match: [t0, \"u*\"], x: 1}]}");
  EXPECT_EQ(StepToItem(Parse(list).Find("s")->items[1]), "[t0,u*]");
  EXPECT_EQ(After(list, "s.[t0,u].x=1"),
            "--set s.[t0,u].x=1: the list has no item \"[t0,u]\"; allowed: *, [t0,u*]; did you mean "
            "\"[t0,u*]\"?");
}

TEST(SetPath, a_key_in_quotes_may_have_dots) {
  EXPECT_EQ(After("a: 1", "b.\"c.0\".d=2"), "{a: 1, b: {c.0: {d: 2}}}");
  EXPECT_EQ(After("b: {c.0: {d: 2}}", "b.\"c.0\".d=3"), "{b: {c.0: {d: 3}}}");
  EXPECT_EQ(After("b: {c.0: 2}", "b.\"c.0\"=3"), "{b: {c.0: 3}}");
  EXPECT_EQ(After("a: 1", "a.\"\"=1"), "--set a.\"\"=1: \"a.\"\"\" is not a path of keys");
}

TEST(SetPath, several_keys_take_a_value_each) {
  EXPECT_EQ(After("a: 1", "a, b.c=[2, {d: 3}]"), "{a: 2, b: {c: {d: 3}}}");
  EXPECT_EQ(After("a: 1", "b.\"c,d\",a=[2, [3, 4]]"), "{a: [3, 4], b: {\"c,d\": 2}}");
  // A list of patterns is one step.
  EXPECT_EQ(After("s: [{match: [t0, t1]}]", "s.[t0,t1].x=[1, 2]"), "{s: [{match: [t0, t1], x: [1, 2]}]}");
  for (const std::string value : {"1", "[1]", "[1, 2, 3]", "{a: 1, b: 2}"})
    EXPECT_EQ(After("a: 1", "a,b=" + value), "--set a,b=" + value +
                                                 ": 2 keys that change together need lists of 2 values; "
                                                 "KEY,KEY=[VALUE,VALUE]");
}

TEST(SetPath, a_key_of_a_named_type_makes_the_name_a_mapping) {
  const std::string list = "nics: [{match: \"*\", congestion_control: hpcc}]\n";
  EXPECT_EQ(After(list, "nics.0.congestion_control.eta=90%"),
            "{nics: [{match: \"*\", congestion_control: {type: hpcc, eta: 90%}}]}");
  EXPECT_EQ(After(list, "nics.0.congestion_control=swift"),
            "{nics: [{match: \"*\", congestion_control: swift}]}");
  EXPECT_EQ(After("b: {policy: static}", "b.policy.limit=1MB"), "{b: {policy: {type: static, limit: 1MB}}}");
}

TEST(SetPath, makes_what_is_not_there) {
  EXPECT_EQ(After("a: 1", "b.c.d=1/64"), "{a: 1, b: {c: {d: 1/64}}}");
  EXPECT_EQ(After("a: 1", "nics.*.generation=gen1"), "{a: 1, nics: [{match: \"*\", generation: gen1}]}");
}

TEST(SetPath, makes_an_entry_for_nodes_that_have_none) {
  const std::string list = "switches: [{match: \"*\"}, {match: t0}]\n";
  EXPECT_EQ(After(list, "switches.t1.latency=1us"),
            "{switches: [{match: \"*\"}, {match: t0}, {match: t1, latency: 1us}]}");
  EXPECT_EQ(After(list, "switches.[t0, t1].latency=1us"),
            "{switches: [{match: \"*\"}, {match: t0}, {match: [t0, t1], latency: 1us}]}");
  EXPECT_EQ(After(list, "switches.[t-u]0.latency=1us"),
            "{switches: [{match: \"*\"}, {match: t0}, {match: \"[t-u]0\", latency: 1us}]}");
}

TEST(SetPath, says_that_a_pattern_is_in_quotes) {
  EXPECT_EQ(After("a: 1", "a=*-c0-*"),
            "--set a=*-c0-*: write a text that begins with * in quotes; did you mean 'a=\"*-c0-*\"'?");
  EXPECT_EQ(After("a: 1", "a=*"),
            "--set a=*: write a text that begins with * in quotes; did you mean 'a=\"*\"'?");
  EXPECT_EQ(After("a: 1", "a=[h0, *-c0-*]"),
            "--set a=[h0, *-c0-*]: write a text that begins with * in quotes; did you mean 'a=[h0, "
            "\"*-c0-*\"]'?");
}

TEST(SetPath, refuses_paths_that_lead_nowhere) {
  EXPECT_EQ(After("w: [{name: burst}]", "w.brst.n=1"),
            "--set w.brst.n=1: the list has no item \"brst\"; allowed: burst; did you mean \"burst\"?");
  EXPECT_EQ(After("w: [{name: a}]", "w.7.n=1"),
            "--set w.7.n=1: there is no item 7; the list has 1 items, counted from 0");
  EXPECT_EQ(After("a: 1", "a.b=1"),
            "--set a.b=1: \"a\" has no keys; its value there is \"1\"; replace the whole value by a mapping");
  EXPECT_EQ(After("a: 1", "a"),
            "--set a: not an assignment; give KEY=VALUE, such as seed=2 or workloads.burst.fan_in=8");
  EXPECT_EQ(After("a: 1", "a..b=1"), "--set a..b=1: \"a..b\" is not a path of keys");
  EXPECT_EQ(After("a: 1", "a=[1"), "--set a=[1: not valid YAML: end of sequence flow not found");
}

}  // namespace
}  // namespace headroom::yaml_test
