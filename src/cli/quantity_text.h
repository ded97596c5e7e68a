// Quantities in the form that a person reads in a table.
#pragma once

#include <string>

#include "report/text/text_table.h"
#include "sim/units.h"

namespace headroom {

/// For example "1.50 MB".
inline std::string SizeText(Bytes bytes) { return FormatBytes(static_cast<double>(bytes.v)); }
/// A time in microseconds, without the unit.
inline std::string MicrosText(Time t) { return FormatReadable(InMicroseconds(t)); }

/// A count that may be large, for example "12.3 M" or "93,792".
inline std::string CountText(double n) {
  return n < 1e6 ? FormatGrouped(n, 0) : FormatReadable(n / 1e6) + " M";
}

}  // namespace headroom
