// From exceptions to messages and exit codes, in one place.
#pragma once

#include <functional>

namespace headroom {

/// Returns what `f` returns; on an error prints it to stderr and returns the ExitCode for it.
int ReportingErrors(const std::function<int()>& f);

}  // namespace headroom
