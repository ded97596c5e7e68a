// Workloads of messages, which bring their own queue pairs.
#pragma once

#include "scenario/keys/workloads/workload_keys.h"

namespace headroom::keys {

const KeysOf<Workload>& PoissonKeys();
const KeysOf<Workload>& IncastKeys();
const KeysOf<Workload>& PermutationKeys();
const KeysOf<Workload>& StreamKeys();
/// Messages one by one.
const KeysOf<Workload>& ListKeys();
/// Flows of HPCC's files.
const KeysOf<Workload>& HpccKeys();

}  // namespace headroom::keys
