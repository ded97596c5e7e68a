// Texts for a person, beside labels, at most 100 columns wide.
#pragma once

#include <cstddef>
#include <string>

namespace headroom {

/// Breaks the text at blanks into lines of at most `width` characters. All lines except the first are
/// indented by `indent`.
std::string Wrapped(const std::string& text, size_t width, size_t indent);

inline constexpr size_t kTextWidth = 100, kLabelWidth = 11;
/// A text beside its label.
std::string LabelledLine(const std::string& label, const std::string& text);

}  // namespace headroom
