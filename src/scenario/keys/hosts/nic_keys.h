// `nics:`, an entry of which is one of these mappings.
#pragma once

#include <vector>

#include "nic/parameters.h"
#include "scenario/keys/keys.h"

namespace headroom::keys {

KeysOf<NicParameters>& NicKeys();
/// `dcqcn`. The reaction point's and the notification point's parameters are known by the paper's names, with
/// units, and by those of ConnectX adapters, as whole numbers in the adapters' own units.
KeysOf<NicParameters>& DcqcnKeys();
/// `resources`, where they are a mapping.
const KeysOf<NicParameters>& NicResourceKeys();
/// The name of a set, or a mapping with one (default: ideal) and its changes. A set brings its receive buffer
/// along.
KindOf<NicParameters> NicResources();
const KeysOf<ClockParameters>& ClockKeys();

/// `watchdog` of a switch's and of a NIC's `pfc`: a mapping, a list of them for different ports, or `none`.
/// Times are held to SONiC's ranges unless `limits: false`.
KindOf<std::vector<WatchdogParameters>> Watchdogs();

}  // namespace headroom::keys
