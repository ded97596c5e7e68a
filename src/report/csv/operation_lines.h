// Reads operations.csv, a line at a time: there may be millions.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "workload/operation.h"

namespace headroom {

/// The columns of a line that reports need. The views are valid during the call.
struct OperationLine {
  std::string_view workload, client;
  OperationKind kind = OperationKind::read;
  OperationStatus status = OperationStatus::ok;  ///< for a finished operation
  bool ramp = false;
  int64_t bytes = 0;
  Time start;
  Time completed = kNever, posted = kNever;  ///< kNever: the operation did not get so far
  bool Finished() const { return completed != kNever; }
};

/// Calls `use` for each line, in the order of the starts. Throws ResultError with file and line if the file
/// cannot be read or a field differs from Headroom's format.
void ForEachOperation(const std::filesystem::path& path,
                      const std::function<void(const OperationLine&)>& use);

}  // namespace headroom
