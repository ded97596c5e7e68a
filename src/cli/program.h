// headroom COMMAND ...: finds the command and runs it.
#pragma once

namespace headroom {

/// Contains the entire program, for other programs, too. Every command knows the types that such a program
/// registers. Returns the exit code.
int RunProgram(int argc, char** argv);

}  // namespace headroom
