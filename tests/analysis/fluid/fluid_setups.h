// Settings of the fluid model that tests share.
#pragma once

#include "analysis/fluid/fluid_model.h"

namespace headroom {

/// Zhu et al., CoNEXT 2016: 40 Gb/s, packets of 1000 B, Kmin 5 KB, Kmax 200 KB, Pmax 1 %, R_AI 40 Mb/s, τ 50
/// µs, τ' and T 55 µs, B 10 MB, F 5, g 1/256. RED's line continues beyond Kmax, as for their phase margins.
inline FluidParameters AuthorsSetup(int flows, double delay) {
  constexpr double kPacketBits = 8000;
  return {.flows = static_cast<double>(flows),
          .capacity = 40e9 / kPacketBits,
          .line = 40e9 / kPacketBits,
          .least_rate = 0,
          .tau = 50e-6,
          .alpha_timer = 55e-6,
          .increase_timer = 55e-6,
          .byte_counter = 10'000,
          .fast_recovery = 5,
          .rate_ai = 40e6 / kPacketBits,
          .g = 1.0 / 256,
          .kmin = 5,
          .kmax = 200,
          .pmax = 0.01,
          .line_goes_on = true,
          .delays = {{static_cast<double>(flows), delay}}};
}

}  // namespace headroom
