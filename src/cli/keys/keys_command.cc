// headroom keys: the keys of scenarios.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/options.h"
#include "scenario/keys/lists/describe.h"
#include "scenario/keys/lists/schema.h"
#include "scenario/yaml/node.h"

namespace headroom {

namespace {

namespace po = boost::program_options;
using nlohmann::ordered_json;

/// Prints a key, then its description, indented.
void PrintKey(const keys::KeyPlace& key) {
  std::string what = key.kind;
  if (!key.bounds.empty()) what += (what.empty() ? "" : ", ") + key.bounds;
  if (key.standard == "required") {
    what += "; required";
  } else if (!key.standard.empty()) {
    what += "; default " + key.standard;
  }
  fmt::print("{}{}\n    {}\n    {}\n", key.path, key.of.empty() ? "" : "  (" + key.of + ")", what, key.help);
}

ordered_json JsonOf(const keys::KeyPlace& key) {
  return {{"path", key.path},      {"of", key.of},     {"kind", key.kind},          {"default", key.standard},
          {"allowed", key.bounds}, {"help", key.help}, {"page", "docs/" + key.page}};
}

std::vector<keys::KeyPlace> Found(const std::string& pattern) {
  std::vector<keys::KeyPlace> found = keys::MatchingKeys(pattern);
  if (!found.empty()) return found;
  const std::string nearest = keys::NearestKey(pattern);
  throw std::invalid_argument(fmt::format("there is no key {}; {}headroom keys lists all", Quote(pattern),
                                          nearest.empty() ? "" : "did you mean " + nearest + "? "));
}

}  // namespace

int KeysCommand(const Arguments& arguments) {
  po::options_description named("options");
  // clang-format off
  named.add_options()
      ("json", "for programs")
      ("schema", "print all keys as the JSON Schema of scenarios, for editors")
      ("markdown", po::value<std::string>()->value_name("PAGE"), "print the table for a page of docs, such as models/pauses.md");
  // clang-format on
  po::variables_map values;
  const std::string usage =
      "keys [PATTERN] [options]\n\nLists the keys of scenarios, each with its path as for --set, kind, "
      "range, default and a line of\nhelp. PATTERN is a part of the path, a path as for --set, a shell "
      "pattern "
      "over the path or the name\nof the key, or a type (of workloads, services, faults, topologies). In "
      "paths, "
      "* is an item of a\nlist, and NAME is your own name.\n\nexamples:\n  headroom keys fan_in\n  headroom "
      "keys "
      "incast\n  headroom keys 'nics.*.dcqcn.rp.*'\n";
  if (!ReadOptions(arguments, named, usage, values)) return 0;
  RequireInputs(values, 0, 1, "the pattern");
  const std::vector<std::string> inputs = Inputs(values);
  if (values.count("schema") + values.count("markdown") + inputs.size() > 1)
    throw po::error("--schema, --markdown and a pattern exclude each other; give one");
  if (values.count("schema")) return fmt::print("{}", keys::ScenarioSchema()), 0;
  if (values.count("markdown")) {
    const std::string table = keys::KeyTable(values["markdown"].as<std::string>());
    if (table.empty())
      throw std::invalid_argument(
          fmt::format("the page {} has no table of keys", Quote(values["markdown"].as<std::string>())));
    return fmt::print("{}", table), 0;
  }
  const std::vector<keys::KeyPlace> found = inputs.empty() ? keys::AllKeys() : Found(inputs[0]);
  if (values.count("json")) {
    ordered_json list = ordered_json::array();
    for (const keys::KeyPlace& key : found) list.push_back(JsonOf(key));
    fmt::print("{}\n", list.dump(2));
    return 0;
  }
  for (const keys::KeyPlace& key : found) PrintKey(key);
  return 0;
}

}  // namespace headroom
