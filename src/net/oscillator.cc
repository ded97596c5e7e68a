#include "net/oscillator.h"

#include "sim/random.h"

namespace headroom {

Skew::Skew(const OscillatorParameters& parameters, const std::string& name) {
  if (parameters.ppm <= 0) return;
  const double share = parameters.ppm * 1e-6 * (2 * RandomStream(name + "/oscillator").Uniform() - 1);
  v_ = static_cast<int16_t>(share * (1 << kBits));
}

}  // namespace headroom
