// Built-in buffer profiles, and what a profile becomes at one port.
//
// azure-24mb: the 24 MB shallow-buffer switch of Bai et al., NSDI 2023, listing 1. azure-deep: a
// deep-buffered chassis line card for T2 and region hub after SONiC's Arista 7800R3 tables (Jericho2c+).
// azure-deep-hub: one with four times as much, after those of the Nexthop 5010 (Qumran3D). hpcc: the switch
// of the HPCC simulator, for comparisons. Each headroom row names its source; rows that were computed say so.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/units.h"
#include "switch/buffer/buffer_parameters.h"

namespace headroom {

/// None for an unknown name. `hpcc` has 32 MiB here.
std::optional<BufferParameters> FindBufferProfile(std::string_view name);

/// Every name that FindBufferProfile knows.
std::vector<std::string> BufferProfileNames();

/// The HPCC simulator's buffer. Each port and priority has 4 KiB reserved and 3 × rate × delay of headroom.
/// The threshold is free / 8 up to 100 Gb/s and doubles with each doubling of the port's rate, up to free.
BufferParameters HpccBuffer(Bytes size);
/// Its thresholds by the speed of a port: α doubles with each doubling above the hosts' rate.
std::vector<SpeedRow> HpccSpeeds(Rate host);

/// The row of the shortest sufficient cable, for a port of exactly this speed; null without one. `delay` is
/// the propagation one way, at 5 ns a metre; transceivers are in the rows' margins.
const HeadroomRow* FindHeadroomRow(const BufferParameters& buffer, Rate speed, Time delay);

/// The name of the profile that the last match gives a group or queue of a port; empty: none matches.
std::string AssignedProfile(const std::vector<BufferAssignment>& assignments, const std::string& port,
                            int number);

/// The name of the profile that a group, or queue, has at a port: of the last assignment that matches, else
/// the one of its class. Empty: none.
std::string GroupProfileName(const BufferParameters& buffer, const std::string& port, int group,
                             bool lossless);
std::string QueueProfileName(const BufferParameters& buffer, const std::string& port, int queue,
                             bool lossless);

/// The profiles of the last match that limit a port as a whole, in one direction. Null: none matches.
const PortProfiles* FindPortProfiles(const std::vector<PortProfiles>& lists, const std::string& port);

/// Null without one of this name.
const BufferProfile* FindProfile(const BufferParameters& buffer, const std::string& name);

/// A profile of `buffer` as it applies at one port. For a lossless profile: xoff from the link if the rules
/// require it, else from the headroom table if it has a row, else the profile's own; threshold and xon_offset
/// by speed. Lossy profiles are the same at all ports.
BufferProfile ProfileAtPort(const BufferParameters& buffer, const BufferProfile& profile, Rate speed,
                            Time delay);

}  // namespace headroom
