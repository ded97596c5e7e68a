// headroom columns: the CSV files of results and their columns.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/commands.h"
#include "cli/options.h"
#include "report/csv/result_file.h"
#include "scenario/yaml/nearest.h"
#include "scenario/yaml/node.h"

namespace headroom {

namespace {

using nlohmann::ordered_json;
using Files = std::map<std::string, const ResultFile*>;

Files FilesNamed(std::string name) {
  if (name.ends_with(".csv")) name.resize(name.size() - 4);
  std::vector<std::string> names;
  for (const auto& file : ResultFiles()) {
    if (file.first == name) return {file};
    names.push_back(file.first);
  }
  const std::string nearest = Nearest(name, names);
  throw std::invalid_argument(fmt::format("results have no file {}; {}headroom columns lists all",
                                          Quote(name + ".csv"),
                                          nearest.empty() ? "" : "did you mean " + nearest + "? "));
}

/// A line for each column.
void PrintFilesAsJson(const Files& files) {
  std::vector<std::string> texts;
  for (const auto& [name, file] : files) {
    std::vector<std::string> columns;
    for (const auto& [column, kind, help] : file->Columns()) {
      ordered_json json = {{"type", kind.type}, {"empty", kind.empty}, {"since", kind.since}, {"help", help}};
      if (kind.unit) json["unit"] = kind.unit;
      if (kind.when.words) json["when"] = kind.when.words;
      if (kind.part) json["part"] = true;
      if (!kind.values.empty()) json["values"] = kind.values;
      columns.push_back(fmt::format("   \"{}\": {}", column, json.dump()));
    }
    texts.push_back(fmt::format(" \"{}\": {{\n  \"help\": {},\n  \"columns\": {{\n{}\n  }}\n }}", name,
                                ordered_json(file->help).dump(), fmt::join(columns, ",\n")));
  }
  fmt::print("{{\n{}\n}}\n", fmt::join(texts, ",\n"));
}

/// The page of docs, or one of its sections.
void PrintFiles(const Files& files) {
  if (files.size() > 1) fmt::print("# Columns of results\n");
  for (const auto& [name, file] : files) {
    fmt::print("{}## {}.csv\n\n{}:\n\n", files.size() > 1 ? "\n" : "", name, file->help);
    for (const auto& [column, kind, help] : file->Columns()) {
      fmt::print("- `{}` ({}{}{}{}): {}", column, kind.type, kind.unit ? ", " : "",
                 kind.unit ? kind.unit : "", kind.empty ? ", may be empty" : "", help);
      if (!kind.values.empty()) fmt::print("; one of {}", fmt::join(kind.values, ", "));
      fmt::print("{}{}\n", kind.when.words ? "; only if " : "", kind.when.words ? kind.when.words : "");
    }
  }
}

}  // namespace

int ColumnsCommand(const Arguments& arguments) {
  boost::program_options::options_description named("options");
  named.add_options()("json", "for programs");
  boost::program_options::variables_map values;
  const std::string usage =
      "columns [FILE] [options]\n\nLists the CSV files of results, or one of them, with their columns: type, "
      "unit, whether a field\nmay be empty, and a line of help.\n\nexample: headroom columns ports.csv\n";
  if (!ReadOptions(arguments, named, usage, values)) return 0;
  RequireInputs(values, 0, 1, "the file");
  const std::vector<std::string> inputs = Inputs(values);
  const Files files = inputs.empty() ? ResultFiles() : FilesNamed(inputs[0]);
  values.count("json") ? PrintFilesAsJson(files) : PrintFiles(files);
  return 0;
}

}  // namespace headroom
