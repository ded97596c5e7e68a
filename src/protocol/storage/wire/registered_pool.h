// Registered buffers of one size, shared by the connections of a process.
//
// Memory is registered in slabs, so that few translations are in use. A slab is registered when no buffer is
// free, up to a limit. An entirely free slab is returned if another one is entirely free. Source: Bai et al.,
// NSDI 2023, section 4.1 (pre-registered buffer pools, large slabs, automatic scaling); sizes are ours.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "nic/verbs/verbs.h"
#include "protocol/process.h"
#include "sim/deque.h"

namespace headroom {

struct RegisteredPoolParameters {
  uint32_t buffer = 64 * 1024;      ///< in bytes
  uint32_t slab = 2 * 1024 * 1024;  ///< in bytes, at least one buffer
  uint32_t slabs = 1024;            ///< maximum
  bool content = true;              ///< buffers carry data; otherwise data are only counted
  uint32_t kept = 0;                ///< without content: bytes at the front of each buffer that carry content
                                    ///< nevertheless
};

struct RegisteredBuffer {
  uint64_t address = 0;
  uint32_t key = 0;
  uint32_t slab = 0;
  uint8_t* bytes = nullptr;  ///< if buffers carry data
  bool valid() const { return key != 0; }
};

class RegisteredPool {
 public:
  /// `base`: start of its addresses. `verbs` must outlive this object.
  RegisteredPool(Verbs& verbs, const RegisteredPoolParameters& parameters, uint64_t base)
      : verbs_(verbs), parameters_(parameters), next_address_(base) {}

  uint32_t size() const { return parameters_.buffer; }
  uint32_t slab_bytes() const { return PerSlab() * parameters_.buffer; }
  /// Returns an invalid buffer if all are taken and no more may be registered. `waits` then gets a turn once
  /// a buffer is free.
  RegisteredBuffer Take(Process& process, Endpoint& waits);
  void Give(const RegisteredBuffer& buffer);
  /// The content of a taken buffer. Null if it has none.
  uint8_t* ContentOf(const RegisteredBuffer& buffer) {
    if (buffer.bytes != nullptr || parameters_.kept == 0) return buffer.bytes;
    return slabs_[buffer.slab].contents->At(PlaceIn(slabs_[buffer.slab], buffer));
  }
  /// The taker has read the content. Buffers that carry data keep theirs.
  void ReleaseContent(const RegisteredBuffer& buffer) {
    if (slabs_[buffer.slab].contents != nullptr)
      slabs_[buffer.slab].contents->Release(PlaceIn(slabs_[buffer.slab], buffer));
  }

  /// Gives `waits` a turn once a buffer may be taken: immediately, or behind earlier waiters.
  void Wait(Process& process, Endpoint& waits);
  /// Some endpoint waited recently, and may not have had its turn yet. Buffers should then be taken only in
  /// turns, whose order gives each its share.
  bool scarce() const { return scarce_; }
  /// Whether no buffer may be taken now.
  bool Exhausted() const { return free_ == 0 && registered_ == parameters_.slabs; }
  uint32_t taken() const { return taken_; }
  /// The number of slabs registered now, and the maximum so far.
  uint32_t slabs() const { return registered_; }
  uint32_t most_slabs() const { return most_; }

 private:
  struct Slab {
    MemoryRegion* region = nullptr;            ///< null: the slab is not registered
    std::unique_ptr<uint8_t[]> bytes;          ///< if buffers carry data
    std::unique_ptr<BufferContents> contents;  ///< otherwise, if their fronts carry content
    std::vector<uint32_t> free;
    uint64_t address = 0;
  };
  struct Waiter {
    Process* process;
    Endpoint* endpoint;
  };
  uint32_t PlaceIn(const Slab& slab, const RegisteredBuffer& buffer) const {
    return static_cast<uint32_t>((buffer.address - slab.address) / parameters_.buffer);
  }
  uint32_t PerSlab() const { return std::max(parameters_.slab / parameters_.buffer, 1u); }
  bool Grow();
  void Shrink(uint32_t slab);

  Verbs& verbs_;
  RegisteredPoolParameters parameters_;
  uint64_t next_address_;
  Deque<Slab> slabs_;
  std::vector<Waiter> waiters_;
  bool scarce_ = false;
  uint32_t taken_ = 0, registered_ = 0, most_ = 0, free_ = 0;
};

}  // namespace headroom
