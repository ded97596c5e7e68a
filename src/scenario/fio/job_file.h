// The lines of a fio job file. `;` and `#` begin comments, `[name]` a section; a section has `key=value` or
// `key`. A section whose name begins with "global" has the defaults of the jobs below it. Source: fio's
// init.c and parse.c.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenario/yaml/error.h"

namespace headroom::fio {

struct Text {
  std::string text;
  Position where;
};

struct Line {
  Text key, value;    ///< includes the blanks before the value
  bool bare = false;  ///< the key has no value
};

struct Section {
  Text name;
  bool global = false;
  std::vector<Line> lines;
};

/// Errors about the file as a whole are reported at `where`. Throws a ScenarioError.
std::vector<Section> ReadSections(const std::filesystem::path& file, const Position& where);

}  // namespace headroom::fio
