// The text of a file, at once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace headroom {

/// None where the file cannot be read.
std::optional<std::string> WholeText(const std::filesystem::path& path);

}  // namespace headroom
