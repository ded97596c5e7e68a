#include "scenario/referenced_files.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom {

std::string ReferencedFiles::Add(const std::filesystem::path& from) {
  const std::string prefix = "input-";
  const std::string base = from.filename().string();
  std::string name = base.starts_with(prefix) ? base : prefix + base;
  for (int n = 2;; ++n) {
    const auto taken =
        std::find_if(files_.begin(), files_.end(), [&](const auto& f) { return f.name == name; });
    if (taken == files_.end()) {
      files_.push_back({from, name});
      break;
    }
    if (taken->from == from) break;
    name = fmt::format("{}{}-{}", prefix, n, base);
  }
  return "./" + name;
}

}  // namespace headroom
