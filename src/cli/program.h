// headroom COMMAND ...: finds the command and runs it.
#pragma once

namespace headroom {

/// All of the program, for programs of others too: what they register is known to every command. Returns the
/// exit code.
int RunProgram(int argc, char** argv);

}  // namespace headroom
