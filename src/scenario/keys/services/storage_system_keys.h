// Keys of a service of type storage other than its protocols: devices, and the placement of extents.
#pragma once

#include <optional>

#include "protocol/storage/storage_parameters.h"
#include "scenario/keys/keys.h"

namespace headroom::keys {

inline constexpr const char* kStorageSystemPage = "models/extents.md";

KindOf<DiskParameters> DiskOfNode();
KindOf<StorageParameters> PlacementOfExtents();
KindOf<std::optional<ErasureParameters>> ErasureOfExtents();
KindOf<std::optional<BackgroundParameters>> BackgroundOfServers();
/// Rules across these keys, and with the hosts of the service.
void CheckExtents(const Node& service, const StorageParameters& parameters, Reading& reading);

}  // namespace headroom::keys
