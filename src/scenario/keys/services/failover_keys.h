// `failover` of a service of type storage.
#pragma once

#include "protocol/storage/storage_parameters.h"
#include "scenario/keys/keys.h"

namespace headroom::keys {

/// `leg`: the kind of the standby.
KindOf<StorageFailover> FailoverTo(const KindOf<StorageLeg>& leg);

}  // namespace headroom::keys
