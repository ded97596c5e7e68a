// The part of a file's bytes that a terminal can show: UTF-8 without control characters.
#pragma once

#include <cstddef>
#include <string_view>

namespace headroom {

/// Bytes of the character at the beginning of `text`; 0 if it is none, or one that controls a terminal.
size_t TextAt(std::string_view text);
/// Where the first byte stands that is neither text nor a tab; npos where all is.
size_t FirstNotText(std::string_view text);

}  // namespace headroom
