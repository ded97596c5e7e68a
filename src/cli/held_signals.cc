#include "cli/held_signals.h"

#include <sys/prctl.h>
#include <unistd.h>

namespace headroom {

namespace {

sigset_t SignalsToHold() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGCHLD}) sigaddset(&set, signal);
  return set;
}

}  // namespace

HeldSignals::HeldSignals() : held_(SignalsToHold()), before_() {
  std::signal(SIGCHLD, SIG_DFL);  // some shells leave SIGCHLD ignored; then it would not arrive
  sigprocmask(SIG_BLOCK, &held_, &before_);
}

HeldSignals::~HeldSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

int HeldSignals::Next() const {
  int signal = 0;
  sigwait(&held_, &signal);
  return signal;
}

void BecomeChildOf(pid_t parent) {
  const sigset_t held = SignalsToHold();
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  sigprocmask(SIG_UNBLOCK, &held, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // the parent died before prctl took effect
}

}  // namespace headroom
