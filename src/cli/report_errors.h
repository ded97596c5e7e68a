// Turns exceptions into messages and exit codes, in one place.
#pragma once

#include <functional>
#include <string>

namespace headroom {

/// Flushes all output. Throws ResultError if some output could not be written.
void FlushOutput();

/// Returns the result of `f`. On an error, prints it to stderr and returns its ExitCode. For a wrong option,
/// the message refers to the help of `command`.
int ReportingErrors(const std::function<int()>& f, const std::string& command = {});

}  // namespace headroom
