// The contexts of a host: they limit how many messages may arrive at the same time; each has a timer.
//
// Source: Wang et al., A fast RDMA method for unreliable networks: a limited table in the NIC. A message
// holds one of the table's contexts until all of it has arrived.
#pragma once

#include <cstdint>
#include <vector>

#include "nic/transport/nic_interface.h"

namespace headroom {

/// The user of contexts: a requester (READs) or a responder.
class ContextUser {
 public:
  /// The deadline of a context has passed.
  virtual void OnContextTimer(uint32_t context) = 0;
  /// Whether the user receives nothing more, so that other users may have its contexts.
  virtual bool Stopped() const = 0;
  /// The user no longer holds this context.
  virtual void OnContextLost(uint32_t context) = 0;

 protected:
  ~ContextUser() = default;
};

class ContextTable {
 public:
  static constexpr uint32_t kNone = FrameExtension::kNoContext;

  ContextTable(NicInterface& nic, uint32_t contexts) : nic_(nic), slots_(contexts) {}

  /// Takes the first free context; kNone if none is free.
  uint32_t Take(ContextUser& user);
  void Give(uint32_t context) { slots_[context].user = nullptr; }
  bool Holds(uint32_t context, const ContextUser& user) const {
    return context < slots_.size() && slots_[context].user == &user;
  }
  /// Sets the time of its timer. REQUIRES: the context is taken.
  void SetDeadline(uint32_t context, Time at) {
    Slot& slot = slots_[context];
    slot.deadline = at;
    if (at < slot.armed) Arm(context);
  }
  /// The event of NicTimer::context.
  void OnTimer(uint32_t context);
  /// Frees all contexts.
  void Clear();
  /// The most contexts taken at the same time.
  uint32_t most() const { return most_; }
  uint64_t refused() const { return refused_; }

 private:
  struct Slot {
    ContextUser* user = nullptr;
    Time deadline = kNever;
    Time armed = kNever;  ///< time of the pending event, if any
  };
  void Arm(uint32_t context) {
    Slot& slot = slots_[context];
    slot.armed = slot.deadline;
    nic_.Arm(NicTimer::context, context, slot.armed);
  }
  void Lose(uint32_t context);

  NicInterface& nic_;
  std::vector<Slot> slots_;
  uint32_t most_ = 0;
  uint64_t refused_ = 0;
};

}  // namespace headroom
