// Other processes of this machine.
#pragma once

#include <sys/types.h>

namespace headroom {

/// Whether the process has ended, and its parent has not waited for it yet.
bool IsZombie(pid_t process);

/// Whether the process can still do anything.
bool Runs(pid_t process);

}  // namespace headroom
