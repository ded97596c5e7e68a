// `policy` of a buffer: a word, or a mapping by `type`.
#pragma once

#include "scenario/keys/keys.h"
#include "switch/buffer/buffer_parameters.h"

namespace headroom::keys {

/// SONiC's policy is not written.
KeyOf<BufferParameters> PolicyKey();

/// The policy must have an effect: some limit is dynamic, and alpha is given only with a policy that uses it.
/// REQUIRES: the rest of the buffer has been read.
void CheckPolicy(const Node& node, const BufferParameters& buffer);

}  // namespace headroom::keys
