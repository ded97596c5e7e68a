// The keys of each type of fault.
#pragma once

#include "scenario/keys/keys.h"
#include "scenario/scenario.h"

namespace headroom::keys {

const KeysOf<MarkFault>& KeysFor(const MarkFault&);
const KeysOf<LossFault>& KeysFor(const LossFault&);
const KeysOf<PauseStormFault>& KeysFor(const PauseStormFault&);
const KeysOf<PortBlockedFault>& KeysFor(const PortBlockedFault&);
const KeysOf<SlowReceiverFault>& KeysFor(const SlowReceiverFault&);
const KeysOf<LinkDownFault>& KeysFor(const LinkDownFault&);
const KeysOf<LinkSpeedFault>& KeysFor(const LinkSpeedFault&);
const KeysOf<MacsecFault>& KeysFor(const MacsecFault&);
const KeysOf<CorruptFault>& KeysFor(const CorruptFault&);
const KeysOf<NicRestartFault>& KeysFor(const NicRestartFault&);
const KeysOf<WarmRestartFault>& KeysFor(const WarmRestartFault&);
const KeysOf<ExtentNodeDownFault>& KeysFor(const ExtentNodeDownFault&);

}  // namespace headroom::keys
