// Properties of Java, as in the workload files of YCSB: `key=value`, `key: value` or `key value`. `#` and `!`
// begin comments, `\` at the end of a line goes on in the next, \t \n \r \f \uXXXX and \ before others stand
// for characters. Source: the manual of java.util.Properties, load(Reader).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenario/yaml/error.h"

namespace headroom::ycsb {

struct Property {
  std::string key, value;
  Position where;  ///< of the key
};

/// In the order of the file. The last value of a repeated key counts, in the place of the first. Throws a
/// ScenarioError.
std::vector<Property> ReadProperties(const std::filesystem::path& file, const Position& where);

/// Over those of a file, as YCSB's -p.
void Set(std::vector<Property>& properties, const Property& property);

}  // namespace headroom::ycsb
