// The text of a file, at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace headroom {

/// Of a file that a person gives.
inline constexpr uintmax_t kLargestInput = uintmax_t{256} << 20;

/// Why a file is not to be read: it is not there, is none, as /dev/zero, which has no end, or is larger than
/// `largest`; empty where it may be.
std::string WhyNotRead(const std::filesystem::path& path, uintmax_t largest = kLargestInput);

/// None where the file cannot be read.
std::optional<std::string> WholeText(const std::filesystem::path& path);

}  // namespace headroom
