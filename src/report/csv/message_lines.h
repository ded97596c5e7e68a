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
  Time delivered = kNever, completed = kNever;  ///< kNever: the message did not get so far
  Time ideal;                                   ///< 0: it has no ideal time
  bool Finished() const { return completed != kNever; }
};

/// Calls `use` for each line, in the order of the starts. Throws ResultError with file and line if the file
/// cannot be read or a field differs from Headroom's format.
void ForEachMessage(const std::filesystem::path& path, const std::function<void(const MessageLine&)>& use);

}  // namespace headroom
