// `nics:`, whose entries are these mappings.
#pragma once

#include <vector>

#include "nic/parameters.h"
#include "scenario/keys/keys.h"

namespace headroom::keys {

KeysOf<NicParameters>& NicKeys();
/// `dcqcn`. The parameters of the reaction point and the notification point have the paper's names, with
/// units, or those of ConnectX adapters, as whole numbers in the adapters' units.
KeysOf<NicParameters>& DcqcnKeys();
/// `resources` as a mapping.
const KeysOf<NicParameters>& NicResourceKeys();
/// The name of a set, or a mapping with one (default: ideal) and its changes. A set includes its receive
/// buffer.
KindOf<NicParameters> NicResources();
const KeysOf<ClockParameters>& ClockKeys();
/// `oscillator` of a NIC or a switch: a mapping, or `exact`.
KindOf<OscillatorParameters> Oscillators();

/// `watchdog` in a switch's or a NIC's `pfc`: a mapping, a list of mappings for different ports, or `none`.
/// Times must lie in SONiC's ranges unless `limits: false`.
KindOf<std::vector<WatchdogParameters>> Watchdogs();

}  // namespace headroom::keys
