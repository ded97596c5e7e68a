// The keys of services of keys and values, an entry of `services` by its `type`.
#pragma once

#include <vector>

#include "scenario/keys/keys.h"
#include "scenario/workload.h"

namespace headroom::keys {

inline constexpr const char* kKeyValuePage = "key-value.md";
inline constexpr const char* kRedisPage = "models/redis.md";

/// In the order of KeyValueSystem.
const std::vector<const KeysOf<KeyValueEntry>*>& KeyValueTypes();
/// An entry of this type before its keys are read.
KeyValueEntry StartAs(KeyValueSystem system);

}  // namespace headroom::keys
