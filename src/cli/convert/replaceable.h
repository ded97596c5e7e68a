// What `convert --force` may replace.
#pragma once

#include <filesystem>
#include <string_view>

namespace headroom {

/// Throws ResultError where `text` would take the place of a file that belongs to a folder that Headroom
/// wrote, or that does not begin as this text does: by the same comment, the same kind of JSON, as many
/// numbers, or the same word. An empty file begins as any.
void RequireReplaceable(const std::filesystem::path& path, std::string_view text);

}  // namespace headroom
