// The congestion point: RED on one egress queue, decided when a frame leaves, on the bytes left behind.
// Source: Zhu et al., SIGCOMM 2015, section 3.1 and figure 5.
#pragma once

#include <string>

#include "dcqcn/parameters.h"
#include "sim/random.h"

namespace headroom {

/// The thresholds for a port of this rate.
EcnParameters AtRate(EcnParameters ecn, Rate port_rate);

class RedMarker {
 public:
  /// `name` ("node/port/priority") seeds the marker's random stream. Thresholds given for a rate scale with
  /// `port_rate`.
  RedMarker(const EcnParameters& parameters, Rate port_rate, const std::string& name);

  /// Probability of a mark at this queue length: 0 up to Kmin, linear to Pmax at Kmax, 1 beyond.
  double Probability(int64_t bytes) const {
    if (bytes <= kmin_) return 0;
    if (bytes > kmax_) return 1;
    return slope_ * static_cast<double>(bytes - kmin_);
  }
  bool Marks(int64_t bytes) {
    if (bytes <= kmin_) return false;
    if (bytes > kmax_) return true;
    return random_.Uniform() < Probability(bytes);
  }
  int64_t kmin() const { return kmin_; }
  int64_t kmax() const { return kmax_; }

 private:
  int64_t kmin_, kmax_;
  double slope_;  ///< increase of the probability per byte
  RandomStream random_;
};

}  // namespace headroom
