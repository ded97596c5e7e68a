// Java properties, as in the workload files of YCSB: `key=value`, `key: value` or `key value`. `#` and `!`
// begin comments, `\` at the end of a line continues it on the next, \t \n \r \f \uXXXX and \ before other
// characters represent characters. Source: the manual of java.util.Properties, load(Reader).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenario/yaml/error.h"

namespace headroom::ycsb {

struct Property {
  std::string key, value;
  Position where;  ///< position of the key
};

/// Properties in the order of the file. The last value of a repeated key counts, at the place of the first.
/// Throws a ScenarioError.
std::vector<Property> ReadProperties(const std::filesystem::path& file, const Position& where);

/// Overrides a file's properties, like YCSB's -p.
void Set(std::vector<Property>& properties, const Property& property);

}  // namespace headroom::ycsb
