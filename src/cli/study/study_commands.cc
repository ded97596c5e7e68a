// headroom sweep, headroom tune: pass the request to the Python code that plans and keeps studies.
#include "cli/become_python.h"
#include "cli/commands.h"

namespace headroom {

namespace {

[[noreturn]] void Study(const char* command, const Arguments& arguments) {
  std::vector<std::string> words = {command};
  words.insert(words.end(), arguments.begin(), arguments.end());
  BecomePython("headroom.study", words);
}

}  // namespace

int SweepCommand(const Arguments& arguments) { Study("sweep", arguments); }
int TuneCommand(const Arguments& arguments) { Study("tune", arguments); }

}  // namespace headroom
