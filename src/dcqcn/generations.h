// Named DCQCN parameter sets: what distinguishes one NIC generation's congestion control from another's.
//
// Sources: dcqcn-paper: Zhu et al., SIGCOMM 2015, sections 3 and 5 (the hyper-increase step is not printed
// there; 200 Mb/s is the value of the authors' simulator). gen1, gen2, gen3 and the -interop sets: Bai et
// al., NSDI 2023, section 5 on the interoperation of three NIC generations: who coalesces CNPs, how the rate
// limiter spaces frames, and the fix, by which newer NICs coalesce at the receiver and send in bursts as the
// oldest do. hpcc-sim: the published HPCC simulator's defaults, for comparisons with it.
//
// gen3 has gen2's parameters: what sets it apart, more CNPs a second in the whole NIC and a larger context
// cache, is no parameter of DCQCN.
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

/// None for an unknown name.
std::optional<DcqcnGeneration> FindGeneration(std::string_view name);

/// Every name that FindGeneration knows, in the order of a help text.
std::vector<std::string> GenerationNames();

}  // namespace headroom
