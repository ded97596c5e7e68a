// Random numbers: one stream per component and purpose. A stream's number is derived from their names, so
// that adding a component does not change the draws of others.
//
// Source: ns-3's MRG32k3a (L'Ecuyer et al. 2002), as ns3::RngStream; the seed of a scenario is its RngRun.
#pragma once

#include <ns3/rng-stream.h>

#include <cstdint>
#include <optional>
#include <string>

namespace headroom {

class RandomStream {
 public:
  RandomStream() = default;
  /// `name` has the form "node/purpose". Nothing is computed before the first draw.
  explicit RandomStream(const std::string& name);

  /// Uniform in (0, 1).
  double Uniform() {
    if (!stream_) Open();
    return stream_->RandU01();
  }
  /// Uniform in [0, n). REQUIRES: 0 < n < 2^32 (the generator has that many values).
  uint64_t Below(uint64_t n) { return static_cast<uint64_t>(Uniform() * static_cast<double>(n)); }
  /// Exponential with this mean; the caller rounds to integers before use.
  double Exponential(double mean);

 private:
  void Open();
  uint64_t number_ = 0;
  std::optional<ns3::RngStream> stream_;
};

}  // namespace headroom
