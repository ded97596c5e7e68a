#include "protocol/core_thread.h"

namespace headroom {

void CoreThread::OnEvent(uint64_t arg) {
  if (arg != due_) return;  // another event has replaced it
  const bool worked = state_ == State::working;
  state_ = State::idle;
  if (worked) Finished();
  if (state_ == State::idle) Next();
}

}  // namespace headroom
