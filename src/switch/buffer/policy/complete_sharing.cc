// Complete sharing: a group or queue may take all free bytes of its pool.
#include "switch/buffer/policy/policies.h"

namespace headroom {
namespace {

class CompleteSharing final : public BufferPolicy {
 public:
  int64_t Limit(uint32_t object, bool) const override { return objects_[object].shared + FreeFor(object); }
};

}  // namespace

std::unique_ptr<BufferPolicy> MakeCompleteSharing() { return std::make_unique<CompleteSharing>(); }

}  // namespace headroom
