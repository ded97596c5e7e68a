// Parameters of priority flow control. Source: IEEE 802.1Qbb.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/units.h"

namespace headroom {

/// The switch vendor, which has its own rule for a storm at a poll. `generic` is that of SONiC's virtual
/// switch, barefoot, nephos, clounix and marvell-prestera.
enum class WatchdogVendor : uint8_t { broadcom, mellanox, cisco, teralynx, generic };
/// Action on a stormed queue: drop its frames and those of its group at that port; ignore its pauses; or only
/// count it.
enum class WatchdogAction : uint8_t { drop, forward, alert };

/// A watchdog on pauses received, as in SONiC's PFC_WD table. Source: SONiC, pfcwdorch.cpp, pfcwd/main.py.
struct WatchdogParameters {
  std::string ports = "*";  ///< shell pattern over the names of the watched ports
  uint8_t priorities =
      0xff;        ///< mask of watched priorities; only priorities whose pauses the port obeys count
  Time detection;  ///< 100 ms to 5 s
  std::optional<Time> restoration;  ///< 100 ms to 60 s; none: a stormed queue stays stormed
  Time poll = Milliseconds(100);    ///< 100 ms to 1 s, at most each of the two above
  WatchdogAction action = WatchdogAction::drop;
  WatchdogVendor vendor = WatchdogVendor::broadcom;
  bool big_red_switch = false;  ///< no detection: every watched queue drops its frames from the start
  bool limits = true;           ///< false: times may lie outside SONiC's ranges
  bool operator==(const WatchdogParameters&) const = default;
};

struct PfcParameters {
  bool enabled = true;
  Time response;            ///< from the last bit of a pause frame to its effect at the receiver of the pause
  uint16_t quanta = 65535;  ///< requested pause time, in units of 512 bit times of the port
  std::optional<Time>
      refresh;  ///< interval between pause frames while the group stays XOFF; none: half the pause time
  std::vector<WatchdogParameters> watchdogs;  ///< the last one that matches a port watches it
  bool operator==(const PfcParameters&) const = default;
};

/// One quantum on a port of this rate: 512 bit times (IEEE 802.1Qbb, 36.1.3.2), rounded up.
constexpr Time QuantaTime(uint16_t quanta, Rate rate) { return SerializationTime(Bytes(64) * quanta, rate); }

}  // namespace headroom
