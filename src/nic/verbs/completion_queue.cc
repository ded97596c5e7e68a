#include "nic/verbs/completion_queue.h"

#include <algorithm>

#include "nic/verbs/verbs_nic.h"

namespace headroom {

int CompletionQueue::Poll(std::span<Wc> wc) {
  const auto n = std::min<size_t>(wc.size(), entries_.Size());
  for (size_t i = 0; i < n; ++i) {
    Entry& entry = entries_.Front();
    wc[i] = entry.wc;
    wc[i].times.polled = nic_.now();
    *entry.slots -= entry.frees;
    const NodeId peer = entry.peer;
    entries_.PopFront();
    nic_.OnPolled(peer, wc[i]);
  }
  return static_cast<int>(n);
}

bool CompletionQueue::Add(const Entry& entry, bool solicited, bool* wake) {
  if (overrun_ || entries_.Size() >= capacity_) {
    overrun_ = true;
    return false;
  }
  entries_.PushBack(entry);
  const bool error = entry.wc.status != WcStatus::success;
  *wake = armed_ == Armed::any || (armed_ == Armed::solicited && (solicited || error));
  if (*wake) armed_ = Armed::no;
  return true;
}

void CompletionQueue::Clean(uint32_t qp_num) {
  for (uint32_t left = entries_.Size(); left > 0; --left) {
    const Entry entry = entries_.Front();
    entries_.PopFront();
    if (entry.wc.qp_num != qp_num) entries_.PushBack(entry);
  }
}

}  // namespace headroom
