// The files that `convert --force` may replace.
#pragma once

#include <filesystem>
#include <string_view>

namespace headroom {

/// Throws ResultError if `text` would replace a file in a folder that Headroom wrote, or a file that begins
/// differently. Two texts begin alike if they begin with the same comment, the same kind of JSON, equally
/// many numbers, or the same word. An empty file may always be replaced.
void RequireReplaceable(const std::filesystem::path& path, std::string_view text);

}  // namespace headroom
