// What workloads of keys share.
#pragma once

#include "scenario/keys/sections/workload_keys.h"

namespace headroom::keys {

inline constexpr const char* kKeyValuePage = "key-value.md";

/// `service`, from which clients, servers and windows come.
KindOf<Workload> ServiceOfKeys();
/// What its service can do, and whose hosts are its clients. REQUIRES: all keys are read.
void CheckKeysOfService(const Node& node, const Workload& workload, Reading& reading);

}  // namespace headroom::keys
