// Built-in buffer profiles, and the values of a profile at one port.
//
// azure-24mb: the 24 MB shallow-buffer switch of Bai et al., NSDI 2023, listing 1. azure-deep: a
// deep-buffered chassis line card for T2 and region hub, after SONiC's Arista 7800R3 tables (Jericho2c+).
// azure-deep-hub: a line card with four times the memory, after the tables of the Nexthop 5010 (Qumran3D).
// hpcc: the switch of the HPCC simulator, for comparisons. Each headroom row names its source; computed rows
// say so.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/units.h"
#include "switch/buffer/buffer_parameters.h"

namespace headroom {

/// Returns none for an unknown name. `hpcc` has 32 MiB here.
std::optional<BufferParameters> FindBufferProfile(std::string_view name);

/// Every name that FindBufferProfile knows.
std::vector<std::string> BufferProfileNames();

/// The HPCC simulator's buffer. Each port and priority has 4 KiB reserved and 3 × rate × delay of headroom.
/// The threshold is free / 8 up to 100 Gb/s and doubles with each doubling of the port's rate, up to free.
BufferParameters HpccBuffer(Bytes size);
/// Its thresholds by port speed: α doubles with each doubling above the hosts' rate.
std::vector<SpeedRow> HpccSpeeds(Rate host);

/// The row with the shortest sufficient cable, for a port of exactly this speed; null if there is none.
/// `delay` is the propagation in one direction, at 5 ns per metre; the rows' margins cover transceivers.
const HeadroomRow* FindHeadroomRow(const BufferParameters& buffer, Rate speed, Time delay);

/// The name of the profile that the last match assigns to a group or queue of a port; empty if none matches.
std::string AssignedProfile(const std::vector<BufferAssignment>& assignments, const std::string& port,
                            int number);

/// The name of a group's, or queue's, profile at a port: that of the last matching assignment, else that of
/// its class. Empty if there is none.
std::string GroupProfileName(const BufferParameters& buffer, const std::string& port, int group,
                             bool lossless);
std::string QueueProfileName(const BufferParameters& buffer, const std::string& port, int queue,
                             bool lossless);

/// The profiles, from the last match, that limit a whole port in one direction. Null if none matches.
const PortProfiles* FindPortProfiles(const std::vector<PortProfiles>& lists, const std::string& port);

/// Null if there is no profile with this name.
const BufferProfile* FindProfile(const BufferParameters& buffer, const std::string& name);

/// A profile of `buffer` as it applies at one port. For a lossless profile: xoff comes from the link if the
/// rules require it, else from the headroom table if it has a row, else from the profile itself; threshold
/// and xon_offset depend on speed. Lossy profiles are equal at all ports.
BufferProfile ProfileAtPort(const BufferParameters& buffer, const BufferProfile& profile, Rate speed,
                            Time delay);

}  // namespace headroom
