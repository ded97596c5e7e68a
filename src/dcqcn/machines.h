// The machines of reaction points: the only place that distinguishes them.
#pragma once

#include "dcqcn/hpcc_machine.h"
#include "dcqcn/paper_machine.h"
#include "dcqcn/vendor_machine.h"

namespace headroom {

/// Calls `use` with the machine that these parameters name; each machine is compiled into the caller.
template <class Use>
decltype(auto) WithMachine(const RpParameters& p, Use&& use) {
  switch (p.machine) {
    case RpParameters::Machine::hpcc:
      return use(HpccMachine(p));
    case RpParameters::Machine::vendor:
      return use(VendorMachine(p));
    case RpParameters::Machine::paper:
      break;
  }
  return use(PaperMachine(p));
}

}  // namespace headroom
