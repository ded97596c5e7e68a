#include "files/whole_text.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

namespace headroom {

std::string WhyNotRead(const std::filesystem::path& path, uintmax_t largest) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) return "there is no such file";
  if (error) return "cannot be read: " + error.message();
  if (std::filesystem::is_directory(status)) return "is a folder";
  if (!std::filesystem::is_regular_file(status)) return "is not a regular file";
  if (std::filesystem::file_size(path, error) <= largest) return "";
  return fmt::format("is too large; allowed: up to {} MiB", largest >> 20);
}

std::optional<std::string> WholeText(const std::filesystem::path& path) {
  if (!WhyNotRead(path).empty()) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) return std::nullopt;
  return text.str();
}

}  // namespace headroom
