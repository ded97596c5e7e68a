#include "dcqcn/red_marker.h"

namespace headroom {

namespace {

int64_t Scaled(Bytes threshold, const EcnParameters& e, Rate port_rate) {
  if (!e.per_rate) return threshold.v;
  return static_cast<int64_t>(static_cast<Uint128>(threshold.v) * static_cast<Uint128>(port_rate.v) /
                              static_cast<Uint128>(e.per_rate->v));
}

}  // namespace

RedMarker::RedMarker(const EcnParameters& parameters, Rate port_rate, const std::string& name)
    : kmin_(Scaled(parameters.kmin, parameters, port_rate)),
      kmax_(Scaled(parameters.kmax, parameters, port_rate)),
      slope_(kmax_ > kmin_ ? parameters.pmax / static_cast<double>(kmax_ - kmin_) : 0),
      random_(name + "/ecn") {}

}  // namespace headroom
