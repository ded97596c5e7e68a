// Runs part of a test in its own process: ns-3's simulator is global and starts once per process.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>

namespace headroom {

/// Ends this child. A look for leaks takes longer than a short run, so under AddressSanitizer every fourth
/// child of a process looks for them.
[[noreturn]] inline void EndChild(int code, int number) {
#ifdef __SANITIZE_ADDRESS__
  if (number % 4 != 0) {
    std::fflush(nullptr);
    std::_Exit(code);
  }
#endif
  static_cast<void>(number);
  std::exit(code);
}

/// Returns the text that `body` returns in a forked child. A failure in the child also fails here; the
/// assertion has printed its message there.
inline std::string TextFromChild(const std::function<std::string()>& body) {
  static int children = 0;
  const int number = children++;
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) {
    ADD_FAILURE() << "no pipe";
    return {};
  }
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(pipe_ends[0]);
    const bool failed_before = testing::Test::HasFailure();
    bool thrown = false;
    try {
      const std::string text = body();
      for (size_t at = 0; at < text.size();) {
        const ssize_t n = write(pipe_ends[1], text.data() + at, text.size() - at);
        if (n <= 0) break;
        at += static_cast<size_t>(n);
      }
    } catch (const std::exception& e) {
      std::fprintf(stderr, "exception in the child: %s\n", e.what());
      thrown = true;
    }
    EndChild(thrown || testing::Test::HasFailure() != failed_before ? EXIT_FAILURE : EXIT_SUCCESS, number);
  }
  close(pipe_ends[1]);
  std::string text;
  char part[65536];
  for (ssize_t n = 0; (n = read(pipe_ends[0], part, sizeof part)) > 0;)
    text.append(part, static_cast<size_t>(n));
  close(pipe_ends[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
      WEXITSTATUS(status) != EXIT_SUCCESS) {
    ADD_FAILURE() << "the child process failed, status " << status;
  }
  return text;
}

/// Runs `body`, with its assertions, in a forked child.
inline void InChild(const std::function<void()>& body) {
  TextFromChild([&body] {
    body();
    return std::string();
  });
}

}  // namespace headroom
