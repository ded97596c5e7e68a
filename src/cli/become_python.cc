#include "cli/become_python.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "cli/report_errors.h"
#include "cli/shipped.h"

namespace headroom {

namespace {

/// Python runs with -I, so it finds no modules in the working directory, PYTHONPATH or a user's packages.
/// Otherwise a json.py in the working directory would run. This code then puts the program's folder, and no
/// other, at the front of Python's search path. Signals wait until Python can report them: during Python's
/// start a signal would print a traceback.
constexpr const char* kStart = R"(import signal, sys
sys.path.insert(0, sys.argv.pop(1))
module = sys.argv.pop(1)
signal.signal(signal.SIGTERM, signal.default_int_handler)
try:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    import runpy
    runpy.run_module(module, run_name='__main__', alter_sys=True)
except KeyboardInterrupt:
    print('headroom: interrupted', file=sys.stderr)
    sys.exit(3)
except (MemoryError, OSError, ImportError, RuntimeError, SystemError) as error:
    import errno, os
    number, text = getattr(error, 'errno', None), str(error)
    if isinstance(error, OSError) and number in (errno.EFBIG, errno.ENOSPC, errno.EDQUOT):
        said = f'{error.filename or "a file"}: cannot be written: {os.strerror(number)}'
    elif (isinstance(error, MemoryError) or number == errno.ENOMEM or 'llocate memory' in text
          or 'map segment' in text or "can't start new thread" in text or 'without exception set' in text):
        said = 'out of memory; raise ulimit -v, or end other programs on this machine'
    else:
        raise
    print(f'headroom: {said}', file=sys.stderr)
    sys.exit(2)
)";

void HoldSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
}

/// Programs are searched only in absolute folders. With PATH=.:/usr/bin, Python's `platform` would run
/// ./uname of the working directory, and matplotlib ./fc-list. An empty PATH would mean the working
/// directory, too.
void SearchAbsoluteFoldersOnly() {
  const char* path = std::getenv("PATH");
  std::istringstream given(path == nullptr ? "" : path);
  std::string kept;
  for (std::string folder; std::getline(given, folder, ':');)
    if (folder.starts_with('/')) kept += (kept.empty() ? "" : ":") + folder;
  setenv("PATH", kept.empty() ? "/usr/local/bin:/usr/bin:/bin" : kept.c_str(), 1);
}

/// The text comes from a file without a name, because it may exceed a pipe's capacity.
void SetStandardInput(const std::string& text) {
  std::FILE* file = std::tmpfile();
  if (file == nullptr || std::fwrite(text.data(), 1, text.size(), file) != text.size() ||
      std::fseek(file, 0, SEEK_SET) != 0 || dup2(fileno(file), STDIN_FILENO) < 0)
    throw std::invalid_argument(std::string("cannot write a temporary file: ") + std::strerror(errno));
}

}  // namespace

void BecomePython(const std::string& module, const std::vector<std::string>& arguments,
                  const std::string& input) {
  FlushOutput();
  if (!input.empty()) SetStandardInput(input);
  std::vector<std::string> words = {"/usr/bin/python3", "-I", "-B", "-X", "utf8", "-c", kStart};
  words.push_back(std::filesystem::absolute(ShippedFolder("python")));
  words.push_back(module);
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  setenv("HEADROOM_PROGRAM", std::filesystem::read_symlink("/proc/self/exe").c_str(), 1);
  SearchAbsoluteFoldersOnly();
  HoldSignals();
  execv(argv[0], argv.data());
  throw std::invalid_argument(
      std::string("cannot start ") + argv[0] + ": " + std::strerror(errno) +
      "; type: sudo apt-get install python3 python3-matplotlib python3-pandas python3-plotly");
}

}  // namespace headroom
