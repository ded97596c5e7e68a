// Reading messages.csv back, a line at a time: there may be millions.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "sim/units.h"

namespace headroom {

/// The columns of a line that percentiles need. The view is valid while it is used.
struct MessageLine {
  std::string_view workload;
  int64_t bytes = 0;
  Time start;
  Time delivered = kNever, completed = kNever;  ///< kNever: it did not get there
  Time ideal;                                   ///< 0: it has none
  bool Finished() const { return completed != kNever; }
};

/// Calls `use` for each line, in the order of their starts. Throws ResultError with file and line where the
/// file cannot be read or a field is not as headroom writes it.
void ForEachMessage(const std::filesystem::path& path, const std::function<void(const MessageLine&)>& use);

}  // namespace headroom
