// Text for a person: aligned columns, and numbers with a readable number of digits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/units.h"

namespace headroom {

/// Rows of cells under a header. Widths count characters, not bytes.
class TextTable {
 public:
  /// `alignment` has an l or r for each column.
  TextTable(std::string alignment, std::vector<std::string> header);
  /// REQUIRES: as many cells as the header has.
  void AddRow(std::vector<std::string> cells);
  /// Puts dashes under the header.
  void Underline() { underlined_ = true; }
  bool Empty() const { return rows_.size() == 1; }
  /// Lines without trailing spaces, each ended by a line break.
  std::string ToString() const;

 private:
  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;
  bool underlined_ = false;
};

/// Number of characters in UTF-8 text.
size_t DisplayWidth(const std::string& text);

/// Control characters, except line breaks, as \x1B: a path or a name must not command the terminal.
std::string Visible(const std::string& text);

/// Returns at most `width` characters; an ellipsis replaces the middle of a longer text.
std::string Shorten(const std::string& text, size_t width);

/// The number of decimals that shows a number of this size to about four digits: none from 10000 on.
int ReadableDecimals(double value);
/// The number with commas between thousands: 12,345.6.
std::string FormatGrouped(double value, int decimals);
/// Whole numbers stay whole, others have ReadableDecimals.
std::string FormatReadable(double value);
/// The size in B, kB, MB, GB or TB (powers of 1000): 1.23 MB.
std::string FormatBytes(double bytes);
inline std::string FormatBytes(Bytes bytes) { return FormatBytes(static_cast<double>(bytes.v)); }

}  // namespace headroom
