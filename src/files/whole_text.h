// The text of a file, read in one step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace headroom {

/// The largest accepted input file.
inline constexpr uintmax_t kLargestInput = uintmax_t{256} << 20;

/// The reason why a file must not be read: it is missing, is no regular file (/dev/zero has no end), or is
/// larger than `largest`. Empty if it may be read.
std::string WhyNotRead(const std::filesystem::path& path, uintmax_t largest = kLargestInput);

/// Returns none if the file cannot be read.
std::optional<std::string> WholeText(const std::filesystem::path& path);

}  // namespace headroom
