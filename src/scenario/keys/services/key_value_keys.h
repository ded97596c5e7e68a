// The keys of services of keys and values: entries of `services` by `type`.
#pragma once

#include <vector>

#include "scenario/keys/keys.h"
#include "scenario/workload.h"

namespace headroom::keys {

inline constexpr const char* kKeyValuePage = "key-value.md";
inline constexpr const char* kRedisPage = "models/redis.md";

/// Ordered like KeyValueSystem.
const std::vector<const KeysOf<KeyValueEntry>*>& KeyValueTypes();
/// An entry of this type before its keys are read.
KeyValueEntry StartAs(KeyValueSystem system);

}  // namespace headroom::keys
