// What workloads of keys share.
#pragma once

#include "scenario/keys/workloads/workload_keys.h"

namespace headroom::keys {

inline constexpr const char* kKeyValuePage = "key-value.md";
/// Of workloads.
inline constexpr const char* kKeyWorkloadPage = "models/key-workloads.md";

/// `service`, from which clients, servers and windows come.
KindOf<Workload> ServiceOfKeys();
/// Some of its clients.
KeyOf<Workload> FromOfKeys();
/// What its service can do, and whose hosts are its clients. `value`: where the size of values is written, if
/// not under that key. REQUIRES: all keys are read.
void CheckKeysOfService(const Node& node, const Workload& workload, Reading& reading,
                        const Position* value = nullptr);
/// No more threads than windows have room for.
void CheckThreads(const KeyValueArrivals& kv, const Position& where, Reading& reading);

}  // namespace headroom::keys
