#include "report/text/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headroom {

std::string Visible(const std::string& text) {
  std::string visible;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    // In UTF-8, C2 80 to C2 9F are control characters, too.
    const bool pair = c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if ((c < 0x20 && c != '\n') || c == 0x7F) {
      visible += fmt::format("\\x{:02X}", c);
    } else if (pair) {
      visible += fmt::format("\\x{:02X}", static_cast<unsigned char>(text[++i]));
    } else {
      visible += text[i];
    }
  }
  return visible;
}

size_t DisplayWidth(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xc0) != 0x80; }));
}

std::string Shorten(const std::string& text, size_t width) {
  if (text.size() <= width) return text;
  const size_t tail = (width - 1) / 2, head = width - 1 - tail;
  return text.substr(0, head) + "…" + text.substr(text.size() - tail);
}

TextTable::TextTable(std::string alignment, std::vector<std::string> header)
    : alignment_(std::move(alignment)), rows_{std::move(header)} {}

void TextTable::AddRow(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

std::string TextTable::ToString() const {
  std::vector<size_t> widths(alignment_.size());
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], DisplayWidth(row[i]));
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string pad(widths[i] - DisplayWidth(row[i]), ' ');
      if (i > 0) line += "  ";
      line += alignment_[i] == 'r' ? pad + row[i] : row[i] + pad;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
    if (underlined_ && &row == &rows_.front()) {
      for (size_t i = 0; i < widths.size(); ++i) out += (i > 0 ? "  " : "") + std::string(widths[i], '-');
      out += '\n';
    }
  }
  return out;
}

int ReadableDecimals(double value) {
  const double size = std::abs(value);
  if (size >= 10000) return 0;
  if (size >= 100) return 1;
  if (size >= 1) return 2;
  return size == 0 ? 0 : 4;
}

std::string FormatGrouped(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  const size_t first = text[0] == '-' ? 1 : 0;
  size_t at = std::min(text.find('.'), text.size());
  while (at > first + 3) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

std::string FormatReadable(double value) {
  const bool whole = std::abs(value) < 1e15 && value == std::floor(value);
  return FormatGrouped(value, whole ? 0 : ReadableDecimals(value));
}

std::string FormatBytes(double bytes) {
  const char* const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  size_t unit = 0;
  while (std::abs(bytes) >= 1000 && unit + 1 < std::size(units)) {
    bytes /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes)
                   : fmt::format("{:.{}f} {}", bytes, bytes < 10 ? 2 : 1, units[unit]);
}

}  // namespace headroom
