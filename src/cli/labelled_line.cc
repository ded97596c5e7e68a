#include "cli/labelled_line.h"

#include <fmt/format.h>

#include <sstream>

#include "report/text/text_table.h"

namespace headroom {

std::string Wrapped(const std::string& text, size_t width, size_t indent) {
  std::istringstream words(text);
  std::string out, word;
  for (size_t used = 0; words >> word;) {
    const size_t length = DisplayWidth(word);
    if (used > 0 && used + 1 + length > width) {
      out += '\n' + std::string(indent, ' ');
      used = 0;
    } else if (used > 0) {
      out += ' ';
      ++used;
    }
    out += word;
    used += length;
  }
  return out;
}

std::string LabelledLine(const std::string& label, const std::string& text) {
  return fmt::format("{:<{}}{}\n", label, kLabelWidth,
                     Wrapped(Visible(text), kTextWidth - kLabelWidth, kLabelWidth));
}

}  // namespace headroom
