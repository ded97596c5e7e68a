// A policy decides how much each group and queue of a shared buffer may hold beyond its reserve, where its
// profile has a dynamic limit.
//
// SONiC's dynamic limit, alpha × free, and static limits are no objects: they are the arithmetic of
// SharedBuffer. Every other policy is a class below this one, in a file of its own, which MakeBufferPolicy
// names. Reserves, headroom, watermarks, limits of ports and the sizes of pools stay SharedBuffer's.
//
// Phase: Setup once. Then for each frame AdvanceTo, any number of questions, and OnAdmit or OnRelease of its
// queue and of its group.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/units.h"
#include "switch/buffer/policy/policy_parameters.h"

namespace headroom {

/// alpha in limits has units of 2^-32.
inline constexpr int kAlphaBits = 32;
inline uint64_t FixedAlpha(double alpha) {
  return static_cast<uint64_t>(alpha * static_cast<double>(uint64_t{1} << kAlphaBits) + 0.5);
}
[[gnu::always_inline]] inline int64_t TimesAlpha(int64_t bytes, uint64_t alpha) {
  return static_cast<int64_t>(static_cast<Uint128>(static_cast<uint64_t>(bytes)) * alpha >> kAlphaBits);
}

class BufferPolicy {
 public:
  /// A group or queue.
  struct Object {
    bool decides = false;  ///< the policy decides its limit
    bool egress = false;   ///< a queue
    bool lossless = false;
    uint8_t number = 0;  ///< of the group or queue at its port: its priority
    uint16_t pool = 0;   ///< index of its side and slice of a pool; 0: none, it is not in use
    uint64_t alpha = 0;  ///< FixedAlpha, where the policy decides
    Rate rate;           ///< of its port
    int64_t shared = 0;  ///< bytes beyond its reserve, without headroom
  };
  /// A side and slice of a pool.
  struct Pool {
    bool egress = false, dynamic = false;
    uint8_t slice = 0;
    int64_t size = 0;  ///< that its objects share
    int64_t free = 0;
  };

  virtual ~BufferPolicy() = default;

  /// Objects and pools are named by their index here; pool 0 is none. REQUIRES: called once.
  void Setup(std::vector<Object> objects, std::vector<Pool> pools) {
    objects_ = std::move(objects);
    pools_ = std::move(pools);
    for (Pool& pool : pools_) pool.free = pool.size;
    OnSetup();
  }

  /// An event of the buffer begins at this time.
  virtual void AdvanceTo(Time) {}
  /// Bytes beyond its reserve that the object may have now. `first_window`: for a frame of its sender's first
  /// window.
  virtual int64_t Limit(uint32_t object, bool first_window) const = 0;
  /// What is held against the limit if the object has `shared` bytes beyond its reserve.
  virtual int64_t Measured(uint32_t, int64_t shared) const { return shared; }

  /// A frame was admitted, or one of `bytes` left: now the object has `shared` bytes beyond its reserve, and
  /// `free` of its pool are.
  void Admitted(uint32_t object, int64_t shared, int64_t free) {
    Change(object, shared, free);
    OnAdmit(object);
  }
  void Released(uint32_t object, int64_t shared, int64_t free, int64_t bytes) {
    Change(object, shared, free);
    OnRelease(object, bytes);
  }

 protected:
  virtual void OnSetup() {}
  /// What the object has, or its pool, may have changed; it had `before` bytes.
  virtual void OnChange(uint32_t, int64_t) {}
  virtual void OnAdmit(uint32_t) {}
  virtual void OnRelease(uint32_t, int64_t) {}
  int64_t FreeFor(uint32_t object) const { return pools_[objects_[object].pool].free; }

  std::vector<Object> objects_;
  std::vector<Pool> pools_;

 private:
  void Change(uint32_t object, int64_t shared, int64_t free) {
    Object& o = objects_[object];
    const int64_t before = std::exchange(o.shared, shared);
    pools_[o.pool].free = free;
    OnChange(object, before);
  }
};

/// Null for policies without an object.
std::unique_ptr<BufferPolicy> MakeBufferPolicy(const BufferPolicyParameters& parameters);

}  // namespace headroom
