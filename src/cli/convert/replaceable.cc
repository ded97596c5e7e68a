#include "cli/convert/replaceable.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string>

#include "files/manifest.h"
#include "files/staged_directory.h"
#include "files/text_file.h"

namespace headroom {

namespace fs = std::filesystem;

namespace {

/// The format of a text, judged by its first line.
std::string BeginningOf(const std::string& line) {
  constexpr std::string_view kComment = "# From ";
  if (line.starts_with(kComment)) return std::string(kComment);
  if (line.starts_with('{') || line.starts_with('[')) return line.substr(0, 1);
  std::istringstream words(line);
  std::string first, word;
  words >> first;
  if (line.find_first_not_of("0123456789abcdef ") != std::string::npos) return first;
  size_t count = 1;
  while (words >> word) ++count;
  return std::to_string(count);
}

/// Whether a folder above lists the file as its own.
bool IsListed(const fs::path& file) {
  for (fs::path folder = file.parent_path();; folder = folder.parent_path()) {
    if (ReadManifest(folder).contains(file.lexically_relative(folder).string())) return true;
    if (folder == folder.parent_path()) return false;
  }
}

}  // namespace

void RequireReplaceable(const fs::path& path, std::string_view text) {
  if (!TakesAPlace(path)) return;
  if (IsListed(fs::canonical(path))) {
    throw ResultError(
        fmt::format("{}: this file belongs to a result, so convert does not replace it; give another "
                    "--out",
                    path.string()));
  }
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  if (!line.empty() && BeginningOf(line) != BeginningOf(std::string(text.substr(0, text.find('\n'))))) {
    throw ResultError(
        fmt::format("{}: the file exists, and `headroom convert` did not write it in this form; move it "
                    "away, or give another --out",
                    path.string()));
  }
}

}  // namespace headroom
