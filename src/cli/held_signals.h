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

/// In a process that was just forked: signals do what they do by default, and it ends where `parent` does, so
/// that `kill -9` of that one leaves nothing that runs on.
void BecomeChildOf(pid_t parent);

}  // namespace headroom
