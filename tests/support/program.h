// The program as a user calls it, in a folder for each test.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

/// Returns the exit code of a shell's command line (for a signal: 128 + it), and its output on stdout and
/// stderr. The program's name in it is `headroom`.
inline std::pair<int, std::string> Shell(const std::string& line) {
  const std::string named = "headroom() { " + std::string(HEADROOM_PROGRAM) + " \"$@\"; }; " + line;
  setenv("HEADROOM_TEST_LINE", named.c_str(), 1);
  std::FILE* pipe = popen("exec 2>&1; eval \"$HEADROOM_TEST_LINE\"", "r");
  std::string said;
  char part[4096];
  for (size_t n = 0; (n = std::fread(part, 1, sizeof part, pipe)) > 0;) said.append(part, n);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), said};
}

/// Whether a process has a handler for a signal: before that the signal ends it by the system's default.
inline bool Catches(pid_t process, int signal) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string word; status >> word;) {
    if (word != "SigCgt:") continue;
    uint64_t caught = 0;
    status >> std::hex >> caught;
    return (caught >> (signal - 1) & 1) != 0;
  }
  return false;
}

/// Each test has its own folder, which is the working directory.
class ProgramTest : public ::testing::Test {
 protected:
  ProgramTest()
      : before_(std::filesystem::current_path()),
        folder_(std::filesystem::path(testing::TempDir()) /
                ("headroom-program-" + std::to_string(getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    std::filesystem::current_path(folder_);
  }
  ~ProgramTest() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

  static void Write(const std::string& name, const std::string& text) { std::ofstream(name) << text; }

  /// A scenario of milliseconds, with `more` at its end.
  static void WriteSmall(const std::string& name = "small.yaml", const std::string& more = "") {
    Write(name,
          "name: small\nduration: 100us\n"
          "topology: {type: star, hosts: 3, link: {rate: 100Gbps, length: 5m}}\n"
          "workloads: [{name: w, type: incast, size: 10KB, from: \"h[0-1]\", to: h2, at: 1us}]\n" +
              more);
  }
  /// A scenario that runs until it is stopped.
  static void WriteEndless(const std::string& name = "endless.yaml", const std::string& more = "") {
    Write(name,
          "name: endless\nduration: 1000s\ndeadline: 1000s\n"
          "topology: {type: star, hosts: 3, link: {rate: 100Gbps, length: 5m}}\n"
          "workloads: [{name: w, type: incast, size: 100GB, from: \"h[0-1]\", to: h2, at: 1us}]\n" +
              more);
  }

  /// The files of a folder, hidden or not, sorted and separated by spaces.
  static std::string In(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : " ") + name;
    return all;
  }

 private:
  std::filesystem::path before_, folder_;
};

}  // namespace headroom
