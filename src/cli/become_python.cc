#include "cli/become_python.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "cli/shipped.h"

namespace headroom {

void BecomePython(const std::string& module, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"/usr/bin/python3", "-m", module};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  setenv("PYTHONPATH", std::filesystem::absolute(ShippedFolder("analysis")).c_str(), 1);
  setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
  setenv("HEADROOM_PROGRAM", std::filesystem::read_symlink("/proc/self/exe").c_str(), 1);
  execv(argv[0], argv.data());
  throw std::invalid_argument(std::string("cannot start ") + argv[0] + ": " + std::strerror(errno) +
                              "; setup/packages.txt lists the packages that are needed");
}

}  // namespace headroom
