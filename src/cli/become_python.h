// The commands that are written in Python.
#pragma once

#include <string>
#include <vector>

namespace headroom {

/// Replaces this process by Debian's Python with the module `module` of the folder analysis, which finds this
/// program's path in the environment as HEADROOM_PROGRAM, and `input`, where there is any, on its standard
/// input. No code runs but the system's and that folder's. Throws std::invalid_argument where there is no
/// such Python.
[[noreturn]] void BecomePython(const std::string& module, const std::vector<std::string>& arguments,
                               const std::string& input = "");

}  // namespace headroom
