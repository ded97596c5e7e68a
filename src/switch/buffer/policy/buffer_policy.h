// A policy decides how much each group and queue of a shared buffer may hold beyond its reserve, if its
// profile has a dynamic limit.
//
// SONiC's dynamic limit, alpha × free, and static limits are not objects: SharedBuffer computes them. Every
// other policy is a class derived from this one, in its own file, which MakeBufferPolicy names. SharedBuffer
// handles reserves, headroom, watermarks, limits of ports and the sizes of pools.
//
// Phase: Setup is called once. Then, for each frame: AdvanceTo, any number of questions, and OnAdmit or
// OnRelease for its queue and its group.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/units.h"
#include "switch/buffer/policy/policy_parameters.h"

namespace headroom {

/// alpha in limits is in units of 2^-32.
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
    bool decides = false;  ///< whether the policy decides its limit
    bool egress = false;   ///< true for a queue
    bool lossless = false;
    uint8_t number = 0;  ///< number of the group or queue at its port, which is its priority
    uint16_t pool = 0;   ///< index of its side and slice of a pool; 0: it is not in use
    uint64_t alpha = 0;  ///< FixedAlpha, if the policy decides
    Rate rate;           ///< rate of its port
    int64_t shared = 0;  ///< bytes beyond its reserve, without headroom
  };
  /// A side and slice of a pool.
  struct Pool {
    bool egress = false, dynamic = false;
    uint8_t slice = 0;
    int64_t size = 0;  ///< bytes that its objects share
    int64_t free = 0;
  };

  virtual ~BufferPolicy() = default;

  /// In the functions below, indices name objects and pools; pool 0 means none. REQUIRES: called once.
  void Setup(std::vector<Object> objects, std::vector<Pool> pools) {
    objects_ = std::move(objects);
    pools_ = std::move(pools);
    for (Pool& pool : pools_) pool.free = pool.size;
    OnSetup();
  }

  /// An event of the buffer begins at this time.
  virtual void AdvanceTo(Time) {}
  /// The bytes beyond its reserve that the object may have now. `first_window`: whether the frame belongs to
  /// its sender's first window.
  virtual int64_t Limit(uint32_t object, bool first_window) const = 0;
  /// The amount compared with the limit if the object has `shared` bytes beyond its reserve.
  virtual int64_t Measured(uint32_t, int64_t shared) const { return shared; }

  /// A frame was admitted, or a frame of `bytes` left: now the object has `shared` bytes beyond its reserve,
  /// and its pool has `free`.
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
  /// The object's bytes, or its pool's, may have changed; the object had `before` bytes.
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

/// Returns null for policies without an object.
std::unique_ptr<BufferPolicy> MakeBufferPolicy(const BufferPolicyParameters& parameters);

}  // namespace headroom
