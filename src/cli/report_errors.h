// From exceptions to messages and exit codes, in one place.
#pragma once

#include <functional>
#include <string>

namespace headroom {

/// Sends on what was printed so far. Throws ResultError where any of it could not be written.
void FlushOutput();

/// Returns what `f` returns; on an error prints it to stderr and returns the ExitCode for it. A wrong option
/// is reported with the help of `command`.
int ReportingErrors(const std::function<int()>& f, const std::string& command = {});

}  // namespace headroom
