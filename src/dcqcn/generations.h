// Named DCQCN parameter sets, one for the congestion control of each NIC generation.
//
// Sources. dcqcn-paper: Zhu et al., SIGCOMM 2015, sections 3 and 5 (the hyper-increase step is not printed
// there; 200 Mb/s is the value of the authors' simulator). gen1, gen2, gen3 and the -interop sets: Bai et
// al., NSDI 2023, section
// 5. It describes where CNPs are coalesced and how the rate limiter spaces frames. After the fix described
// there, newer NICs coalesce at the receiver and send in bursts, as the oldest do. hpcc-sim: the published
// HPCC simulator's defaults, for comparisons with it. connectx-default: the defaults of ConnectX-4 and later
// (NVIDIA, DCQCN CC Parameters, and published dumps of mlxconfig).
//
// CNPs per second of a NIC (Mellanox, on DCQCN's parameters): a ConnectX-3 Pro has DCQCN in firmware, as
// gen1. It sends one CNP per 1 to 5 us, enough for 10 to 20 congested flows at one CNP per 50 us each. A
// ConnectX-4 can serve more than 200 flows. Hence 50 us / 20 for gen1 and 50 us / 200 for gen2. gen3 sends
// more (Bai et al.); no number is published, so Headroom sets no limit. Its larger context cache is not a
// parameter of DCQCN.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dcqcn/parameters.h"
#include "sim/units.h"

namespace headroom {

struct DcqcnGeneration {
  std::string name;
  DcqcnParameters dcqcn;
  Time recovery_delay;  ///< from a NAK's arrival to the first retransmission
};

/// Returns none for an unknown name.
std::optional<DcqcnGeneration> FindGeneration(std::string_view name);

/// Every name that FindGeneration knows, in the order of a help text.
std::vector<std::string> GenerationNames();

}  // namespace headroom
