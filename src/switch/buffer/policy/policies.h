// The policies that are objects, each in its own file.
#pragma once

#include <memory>

#include "switch/buffer/policy/buffer_policy.h"

namespace headroom {

std::unique_ptr<BufferPolicy> MakeCompleteSharing();
std::unique_ptr<BufferPolicy> MakeAbm(const BufferPolicyParameters& parameters);
std::unique_ptr<BufferPolicy> MakeReverie(const BufferPolicyParameters& parameters);

}  // namespace headroom
