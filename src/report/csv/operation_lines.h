// Reading operations.csv back, a line at a time: there may be millions.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "workload/operation.h"

namespace headroom {

/// The columns of a line that reports need. The views are valid while it is used.
struct OperationLine {
  std::string_view workload, client;
  OperationKind kind = OperationKind::read;
  OperationStatus status = OperationStatus::ok;  ///< of a finished one
  bool ramp = false;
  int64_t bytes = 0;
  Time start;
  Time completed = kNever, posted = kNever;  ///< kNever: it did not get there
  bool Finished() const { return completed != kNever; }
};

/// Calls `use` for each line, in the order of their starts. Throws ResultError with file and line where the
/// file cannot be read or a field is not as headroom writes it.
void ForEachOperation(const std::filesystem::path& path,
                      const std::function<void(const OperationLine&)>& use);

}  // namespace headroom
