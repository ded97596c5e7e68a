// Signals that end the program, while it has children to end and files to put in place.
#pragma once

#include <csignal>

#include <sys/types.h>

namespace headroom {

/// While one exists, SIGINT, SIGTERM and SIGCHLD wait for Next(), or for its end.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  /// Waits for one of them.
  int Next() const;

 private:
  sigset_t held_, before_;
};

/// In a freshly forked process: signals have their default actions, and the process ends with `parent`. So
/// `kill -9` of the parent leaves no process behind.
void BecomeChildOf(pid_t parent);

}  // namespace headroom
