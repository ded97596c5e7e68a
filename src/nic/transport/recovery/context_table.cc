#include "nic/transport/recovery/context_table.h"

#include <algorithm>
#include <utility>

namespace headroom {

uint32_t ContextTable::Take(ContextUser& user) {
  uint32_t first = kNone, taken = 0;
  for (uint32_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].user != nullptr && slots_[i].user->Stopped()) Lose(i);
    taken += slots_[i].user != nullptr;
    if (slots_[i].user == nullptr && first == kNone) first = i;
  }
  if (first == kNone) {
    ++refused_;
    return kNone;
  }
  slots_[first].user = &user;
  slots_[first].deadline = kNever;
  most_ = std::max(most_, taken + 1);
  return first;
}

void ContextTable::OnTimer(uint32_t context) {
  Slot& slot = slots_[context];
  if (slot.armed != nic_.now()) return;  // another event has preceded it
  slot.armed = kNever;
  if (slot.user == nullptr || slot.deadline == kNever) return;
  if (slot.deadline > nic_.now()) return Arm(context);
  slot.deadline = kNever;
  slot.user->OnContextTimer(context);
}

void ContextTable::Lose(uint32_t context) {
  if (ContextUser* const user = std::exchange(slots_[context].user, nullptr)) user->OnContextLost(context);
}

void ContextTable::Clear() {
  for (uint32_t i = 0; i < slots_.size(); ++i) Lose(i);
}

}  // namespace headroom
