#include "scenario/whole_text.h"

#include <fstream>
#include <sstream>

namespace headroom {

std::optional<std::string> WholeText(const std::filesystem::path& path) {
  std::error_code error;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in || std::filesystem::is_directory(path, error)) return std::nullopt;
  return text.str();
}

}  // namespace headroom
