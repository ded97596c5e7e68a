// Finds bytes of a file that a terminal can show: UTF-8 without control characters.
#pragma once

#include <cstddef>
#include <string_view>

namespace headroom {

/// The length of the character at the beginning of `text`; 0 if there is none, or if it controls a terminal.
size_t TextAt(std::string_view text);
/// The position of the first byte that is neither text nor a tab; npos if there is none.
size_t FirstNotText(std::string_view text);

}  // namespace headroom
