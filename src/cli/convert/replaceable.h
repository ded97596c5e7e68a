// The files that `convert --force` may replace.
#pragma once

#include <filesystem>
#include <string_view>

namespace headroom {

/// Throws ResultError if `text` would replace a file of a folder that Headroom wrote, or a file that does not
/// begin as this text does. They begin alike with the same comment, the same kind of JSON, as many numbers,
/// or the same word. An empty file begins as any.
void RequireReplaceable(const std::filesystem::path& path, std::string_view text);

}  // namespace headroom
