// Delays the signals that end the program while it has children to end and files to put in place.
#pragma once

#include <csignal>

#include <sys/types.h>

namespace headroom {

/// While an object exists, SIGINT, SIGTERM and SIGCHLD wait for Next(), or for the object's end.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  /// Waits for one of these signals and returns it.
  int Next() const;

 private:
  sigset_t held_, before_;
};

/// For a freshly forked process: gives signals their default actions, and ends the process when `parent`
/// ends. So `kill -9` of the parent leaves no process behind.
void BecomeChildOf(pid_t parent);

}  // namespace headroom
