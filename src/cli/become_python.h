// The commands that are written in Python.
#pragma once

#include <string>
#include <vector>

namespace headroom {

/// Replaces this process by Debian's Python, which runs the module `module` of the folder analysis. The
/// module finds this program's path in the environment as HEADROOM_PROGRAM, and `input`, if given, on its
/// standard input. Python runs no code except the system's and that folder's. Throws std::invalid_argument if
/// there is no such Python.
[[noreturn]] void BecomePython(const std::string& module, const std::vector<std::string>& arguments,
                               const std::string& input = "");

}  // namespace headroom
