#include "files/process_state.h"

#include <fmt/format.h>
#include <signal.h>

#include <cerrno>
#include <fstream>
#include <string>

namespace headroom {

bool IsZombie(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string stat;
  std::getline(file, stat);
  const size_t name_end = stat.rfind(')');  // a name may contain anything
  return name_end != std::string::npos && stat.substr(name_end, 3) == ") Z";
}

bool Runs(pid_t process) { return (kill(process, 0) == 0 || errno != ESRCH) && !IsZombie(process); }

}  // namespace headroom
